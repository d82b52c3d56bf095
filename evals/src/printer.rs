//! What people read: the only place that writes to standard output and standard error.

use std::fmt::Display;
use std::io::{self, Write};

use crate::error::Error;
use crate::table::Table;

/// Writes a line to standard output.
pub(crate) fn line(text: &str) -> Result<(), Error> {
    let written = writeln!(io::stdout(), "{text}");
    written.map_err(Error::io("write to", "standard output"))
}

/// Writes a heading, with a line above it and one below.
pub(crate) fn heading(text: &str) -> Result<(), Error> {
    line(&format!("\n{text}\n{}", "-".repeat(text.chars().count())))
}

/// Writes a table.
pub(crate) fn table(table: &Table) -> Result<(), Error> {
    line(table.to_string().trim_end())
}

/// Tells something beside the answer, on standard error.
pub(crate) fn note(text: &str) {
    // Nobody to tell it to is no reason to stop.
    drop(writeln!(io::stderr(), "{text}"));
}

/// Tells an error, on standard error.
pub(crate) fn complain(error: &dyn Display) {
    drop(writeln!(io::stderr(), "palimpsest-evals: {error}"));
}
