//! Running the scripts beside these tests.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The interpreter of `PALIMPSEST_PYTHON`; says so where there is none.
pub(crate) fn interpreter() -> Option<PathBuf> {
    let found = std::env::var_os("PALIMPSEST_PYTHON").map(PathBuf::from);
    if found.is_none() {
        println!("skipped: PALIMPSEST_PYTHON names no Python with h5py");
    }
    found
}

/// The h5dump of the machine; says so where there is none.
pub(crate) fn h5dump() -> Option<&'static str> {
    let there = Command::new("h5dump").arg("--version").output().is_ok();
    if !there {
        println!("skipped in part: h5dump (Debian's hdf5-tools) is not here");
    }
    there.then_some("h5dump")
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
