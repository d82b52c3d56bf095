//! The log as an open file: reads and writes whole structures, and names what fails.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use palimpsest_hdf5::{Backend, File, FileIdentity, OpenMode};

use super::header::{HEADER_READ_LEN, Header};
use crate::Error;

/// An open log.
#[derive(Debug)]
pub(crate) struct LogFile {
    pub(crate) file: Box<dyn File>,
    pub(crate) path: PathBuf,
    pub(crate) identity: FileIdentity,
    pub(crate) writable: Writable,
}

/// Who may write the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writable {
    /// This process.
    Here,
    /// Others perhaps, but not this process.
    Elsewhere,
    /// Nobody: the medium itself is read-only.
    Nowhere,
}

impl LogFile {
    /// Opens a log for writing, or for reading where it may not be written. Makes it with `Create`.
    pub(crate) fn open(backend: &dyn Backend, path: &Path, mode: OpenMode) -> io::Result<Self> {
        let (file, writable) = match backend.open(path, mode) {
            Ok(file) => (file, Writable::Here),
            Err(error) => {
                let writable = match error.kind() {
                    io::ErrorKind::PermissionDenied => Writable::Elsewhere,
                    io::ErrorKind::ReadOnlyFilesystem => Writable::Nowhere,
                    _ => return Err(error),
                };
                (backend.open(path, OpenMode::Read)?, writable)
            }
        };
        let identity = file.identity()?;
        Ok(Self {
            file,
            path: path.to_owned(),
            identity,
            writable,
        })
    }

    /// Both slots, by one small read.
    pub(crate) fn header(&self) -> Result<Header, Error> {
        let mut bytes = [0; HEADER_READ_LEN];
        self.file
            .read_at(&mut bytes, 0)
            .map_err(|source| self.refused("read", source))?;
        Ok(Header::from_bytes(&bytes))
    }

    /// The file's length.
    pub(crate) fn len_bytes(&self) -> Result<u64, Error> {
        self.file
            .len_bytes()
            .map_err(|source| self.refused("find the length of", source))
    }

    /// The error of an `action` that the operating system refused.
    pub(crate) fn refused(&self, action: &'static str, source: io::Error) -> Error {
        Error::Io {
            action,
            path: self.path.clone(),
            source: Arc::new(source),
        }
    }
}
