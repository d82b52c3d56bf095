//! The built program: where it is, or how it comes to be.
//!
//! It knows nothing of what the program does.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::Repository;

/// The program, built; its path is absolute.
///
/// `TEST_PALIMPSEST_BIN` names it where the caller has built it already. Otherwise cargo builds it, once
/// a process, in the profile and the target folder of the test that asks.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| match std::env::var_os("TEST_PALIMPSEST_BIN") {
        Some(path) => PathBuf::from(path),
        None => build(),
    })
}

fn build() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    // <target>/<profile's folder>/deps/<test>
    let profile_folder = test
        .parent()
        .and_then(Path::parent)
        .expect("cargo puts tests two folders deep");
    let target = profile_folder
        .parent()
        .expect("a profile's folder lies in the target folder");
    let profile = match profile_folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(name) => name,
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args([
            "build",
            "--quiet",
            "--bin",
            "palimpsest",
            "--profile",
            profile,
        ])
        .arg("--target-dir")
        .arg(target)
        .current_dir(Repository::here().root())
        .stdin(Stdio::null())
        .status()
        .expect("cargo can be started");
    assert!(
        status.success(),
        "the program does not build in profile {profile}"
    );
    profile_folder.join(format!("palimpsest{}", std::env::consts::EXE_SUFFIX))
}
