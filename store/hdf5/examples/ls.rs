//! Lists what an HDF5 file holds, as `h5ls -r` does: `cargo run -p palimpsest-hdf5 --example ls -- FILE`.
//!
//! One line an object: its path, its shape (`n/max`, `*` is without limit), its type, how it is
//! stored with filters and the bytes that it takes, and its attributes below it.

use std::collections::BTreeSet;
use std::path::Path;

use palimpsest_hdf5::{
    Attribute, Dataset, Extent, Group, Hdf5File, LinkTarget, Object, Storage, Value,
};

/// How much of an attribute's value is shown.
const VALUE_CHARS_MAX: usize = 60;

#[expect(clippy::print_stdout, reason = "it is what the program is for")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: ls FILE")?;
    let file = Hdf5File::open(Path::new(&path))?;
    let root = file.root()?;
    let mut lines = vec![format!("{:<40} group", "/")];
    lines.extend(attributes(root.attributes()));
    list(&root, "", &mut BTreeSet::from([root.address()]), &mut lines);
    println!("{}", lines.join("\n"));
    Ok(())
}

fn list(group: &Group, path: &str, seen: &mut BTreeSet<u64>, lines: &mut Vec<String>) {
    let links = match group.links() {
        Ok(links) => links,
        Err(error) => {
            lines.push(format!("{path:<40} ! {error}"));
            return;
        }
    };
    for link in links {
        let path = format!("{path}/{}", link.name);
        match link.target {
            LinkTarget::Soft(target) => lines.push(format!("{path:<40} -> {target}")),
            LinkTarget::External { file, path: inside } => {
                lines.push(format!("{path:<40} -> {file}:{inside}"));
            }
            LinkTarget::User(kind) => lines.push(format!("{path:<40} link of type {kind}")),
            LinkTarget::Hard(address) if !seen.insert(address) => {
                lines.push(format!(
                    "{path:<40} another name of the object at {address}"
                ));
            }
            LinkTarget::Hard(address) => match group.object_at(address) {
                Ok(Object::Group(inner)) => {
                    lines.push(format!("{path:<40} group"));
                    lines.extend(attributes(inner.attributes()));
                    list(&inner, &path, seen, lines);
                }
                Ok(Object::Dataset(dataset)) => {
                    lines.push(format!("{path:<40} {}", describe(&dataset)));
                    lines.extend(attributes(dataset.attributes()));
                }
                Ok(Object::Datatype(datatype)) => {
                    lines.push(format!("{path:<40} datatype {datatype}"));
                }
                Err(error) => lines.push(format!("{path:<40} ! {error}")),
            },
        }
    }
}

fn describe(dataset: &Dataset) -> String {
    let storage = match dataset.storage() {
        Storage::Compact => "compact".to_owned(),
        Storage::Contiguous => "contiguous".to_owned(),
        Storage::Chunked(chunk) => format!("chunks of {chunk:?}"),
        Storage::Virtual => "virtual".to_owned(),
        Storage::External => "in other files".to_owned(),
    };
    let filters: Vec<_> = dataset.filters().into_iter().map(filter_name).collect();
    let filters = if filters.is_empty() {
        String::new()
    } else {
        format!(" {}", filters.join("+"))
    };
    let stored = match dataset.stored_bytes() {
        Ok(bytes) => format!("{bytes} bytes"),
        Err(error) => format!("! {error}"),
    };
    let shape = shape(dataset.extent());
    format!(
        "{shape} {}, {storage}{filters}, {stored}",
        dataset.datatype()
    )
}

fn shape(extent: &Extent) -> String {
    let one = |(len, max): (&u64, &Option<u64>)| match max {
        None => format!("{len}/*"),
        Some(max) if max == len => len.to_string(),
        Some(max) => format!("{len}/{max}"),
    };
    match extent {
        Extent::Null => "null".to_owned(),
        Extent::Scalar => "scalar".to_owned(),
        Extent::Simple { shape, max_shape } => {
            let dims: Vec<_> = shape.iter().zip(max_shape).map(one).collect();
            format!("[{}]", dims.join(", "))
        }
    }
}

fn filter_name(number: u16) -> String {
    match number {
        1 => "deflate".to_owned(),
        2 => "shuffle".to_owned(),
        3 => "fletcher32".to_owned(),
        4 => "szip".to_owned(),
        5 => "nbit".to_owned(),
        6 => "scaleoffset".to_owned(),
        32_015 => "zstd".to_owned(),
        number => format!("filter {number}"),
    }
}

fn attributes(
    found: palimpsest_hdf5::Result<Vec<(String, palimpsest_hdf5::Result<Attribute>)>>,
) -> Vec<String> {
    let found = match found {
        Ok(found) => found,
        Err(error) => return vec![format!("    ! {error}")],
    };
    let line = |(name, found): (String, palimpsest_hdf5::Result<Attribute>)| match found
        .and_then(|found| found.values())
    {
        Ok(values) => format!("    {name} = {}", cut(&show(&values))),
        Err(error) => format!("    {name} ! {error}"),
    };
    found.into_iter().map(line).collect()
}

fn show(values: &[Value]) -> String {
    let one = |value: &Value| match value {
        Value::Unsigned(value) => value.to_string(),
        Value::Signed(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Text(text) => format!("{text:?}"),
        Value::Enum(Some(name), _) => name.clone(),
        Value::Array(values) => show(values),
        Value::Compound(members) => {
            let members: Vec<_> = members
                .iter()
                .map(|(name, value)| format!("{name}: {}", show(std::slice::from_ref(value))))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
        other => format!("{other:?}"),
    };
    match values {
        [value] => one(value),
        values => format!(
            "[{}]",
            values.iter().map(one).collect::<Vec<_>>().join(", ")
        ),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(VALUE_CHARS_MAX) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
