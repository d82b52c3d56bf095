//! A copy of the memory, for a run that is to change nothing. It goes away with this.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::super::Failure;
use super::super::session::log_of;
use crate::settings::Settings;

/// The folder of the copy.
#[derive(Debug)]
pub(super) struct Rehearsal(#[expect(dead_code, reason = "it is there to be dropped")] TempDir);

impl Rehearsal {
    /// Copies the memory that `settings` name, where there is one, and makes them name the copy.
    pub(super) fn of(settings: &mut Settings) -> Result<Self, Failure> {
        let refused = |path: &Path| {
            let path = path.to_owned();
            move |source: io::Error| Failure::Copy { path, source }
        };
        let folder = tempfile::tempdir().map_err(refused(&std::env::temp_dir()))?;
        let copy = folder.path().join("memory.h5");
        let pairs: [(PathBuf, PathBuf); 2] = [
            // The log first: a file that took it in meanwhile says so.
            (log_of(&settings.memory), log_of(&copy)),
            (settings.memory.clone(), copy.clone()),
        ];
        for (from, to) in pairs {
            if from.exists() {
                fs::copy(&from, &to).map_err(refused(&from))?;
            }
        }
        settings.memory = copy;
        Ok(Self(folder))
    }
}
