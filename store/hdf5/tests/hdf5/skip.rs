//! Tests that cannot run here say so, in words, and are counted as skipped.

use std::fs::OpenOptions;
use std::io::Write as _;

/// Tells that a test does not run, and why: on standard error, and in the file that `tests/run` reads.
#[expect(
    clippy::print_stderr,
    reason = "a person who runs the test by hand must see it"
)]
pub(crate) fn skipped(test: &str, why: &str) {
    eprintln!("skipped: {test}: {why}");
    if let Some(path) = std::env::var_os("TEST_PALIMPSEST_SKIPPED") {
        let mut list = OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .unwrap();
        writeln!(list, "palimpsest-hdf5 {test}: {why}").unwrap();
    }
}
