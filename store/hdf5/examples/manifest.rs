//! Prints what one file holds, as the JSON of a corpus' manifest: for each object its kind,
//! children, shape, type, layout, filters, attributes, and the SHA-256 of its values.
//!
//! `cargo run -p palimpsest-hdf5 --example manifest -- FILE`

#[path = "manifest/describe.rs"]
mod describe;

use std::path::Path;

#[expect(clippy::print_stdout, reason = "it is what the program is for")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: manifest FILE")?;
    let file = palimpsest_hdf5::Hdf5File::open(Path::new(&path))?;
    println!("{}", serde_json::to_string_pretty(&describe::file(&file)?)?);
    Ok(())
}
