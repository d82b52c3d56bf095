//! Running the scripts beside these tests.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::skip;

/// The interpreter of `TEST_PALIMPSEST_PYTHON`, for this test; says so where there is none.
pub(crate) fn interpreter(test: &str) -> Option<PathBuf> {
    let found = std::env::var_os("TEST_PALIMPSEST_PYTHON").map(PathBuf::from);
    if found.is_none() {
        skip::skipped(test, "TEST_PALIMPSEST_PYTHON names no Python with h5py");
    }
    found
}

/// The interpreter and the machine's h5dump, for this test; says so where one is missing.
pub(crate) fn interpreter_and_h5dump(test: &str) -> Option<(PathBuf, &'static str)> {
    let interpreter = interpreter(test)?;
    if Command::new("h5dump").arg("--version").output().is_ok() {
        return Some((interpreter, "h5dump"));
    }
    skip::skipped(test, "h5dump (Debian's hdf5-tools) is not here");
    None
}

pub(crate) fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/python")
        .join(name)
}

/// Runs a script to its end; what it printed.
pub(crate) fn run<S: AsRef<OsStr>>(interpreter: &Path, name: &str, arguments: &[S]) -> String {
    let output = Command::new(interpreter)
        .arg(script(name))
        .args(arguments)
        .env("HDF5_USE_FILE_LOCKING", "TRUE")
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {printed}\n{complaint}");
    printed
}
