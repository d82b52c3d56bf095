//! `generate`: a file of LongMemEval's schema, to measure on.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use clap::Args;

use crate::dataset::{Shape, write_generated};
use crate::error::Error;
use crate::printer;

/// The arguments of `generate`.
#[derive(Debug, Clone, Args)]
pub(crate) struct GenerateArguments {
    /// The file to write
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Questions, each with a haystack of its own; 500 make 277 MB
    #[arg(long, default_value_t = Shape::LONGMEMEVAL_S.n_questions)]
    questions: usize,
    /// Of the words that are drawn
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Writes the file.
pub(crate) fn generate(arguments: &GenerateArguments) -> Result<(), Error> {
    let path = &arguments.file;
    let shape = Shape {
        n_questions: arguments.questions,
        ..Shape::LONGMEMEVAL_S
    };
    let file = File::create_new(path).map_err(Error::io("make", path))?;
    let mut out = BufWriter::new(file);
    write_generated(&mut out, shape, arguments.seed).map_err(Error::io("write", path))?;
    out.flush().map_err(Error::io("write", path))?;
    let len_bytes = out
        .get_ref()
        .metadata()
        .map_err(Error::io("read", path))?
        .len();
    printer::line(&format!("{}: {len_bytes} bytes", path.display()))
}
