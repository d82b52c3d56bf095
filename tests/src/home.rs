//! A home for the program that is no user's: empty folders, and a clean environment.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::{Launch, program};

/// A user's folders, empty at first, and removed with this.
#[derive(Debug)]
pub struct Home {
    folder: TempDir,
}

impl Home {
    /// Makes the folders.
    pub fn new() -> Self {
        let folder = tempfile::Builder::new()
            .prefix("palimpsest-tests-")
            .tempdir();
        Self {
            folder: folder.expect("a temporary folder can be made"),
        }
    }

    /// Where everything is.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Where the memory is.
    pub fn memory(&self) -> PathBuf {
        self.folder().join("memory.h5")
    }

    /// Where its log is.
    pub fn log(&self) -> PathBuf {
        self.folder().join("memory.h5.log")
    }

    /// `program` (ours or a shell that becomes ours), to be run in this home: nothing of the
    /// environment that could reach a user's folders or settings is left.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        let ours = |name: &str| name.starts_with("PALIMPSEST_") || name.starts_with("RUST_LOG");
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_none_or(ours) {
                command.env_remove(name);
            }
        }
        for folder in ["DATA", "CACHE", "CONFIG", "STATE"] {
            let path = self.folder().join(folder.to_lowercase());
            command.env(format!("XDG_{folder}_HOME"), path);
        }
        command
            .env("HOME", self.folder())
            .env("TZ", "UTC")
            .env("RUST_BACKTRACE", "1")
            .current_dir(self.folder())
            .stdin(Stdio::null());
        command
    }

    /// A server on this home's memory, not started yet.
    pub fn server(&self) -> Launch<'_> {
        Launch::new(self, program())
    }
}

impl Default for Home {
    fn default() -> Self {
        Self::new()
    }
}
