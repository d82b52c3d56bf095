//! The locks between processes: the commit lock on the log, and the checkpoint lock beside it.
//!
//! Order: checkpoint, then commit. Within the process a mutex comes before each (see `commit`).

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use palimpsest_hdf5::{Backend, File, LockKind, OpenMode};

use crate::Error;
use crate::location::{Location, refused};
use crate::log::LogFile;

/// Takes the exclusive lock on an open file, waiting at most `wait`.
fn acquire(file: &dyn File, path: &Path, wait: Duration) -> Result<(), Error> {
    match file.lock(LockKind::Exclusive, wait) {
        Ok(true) => Ok(()),
        Ok(false) => {
            let holder = file.lock_holder();
            Err(Error::LockTimeout {
                path: path.to_owned(),
                waited: wait,
                holder,
            })
        }
        Err(source) => Err(no_locks(path, Some(source))),
    }
}

fn no_locks(path: &Path, source: Option<io::Error>) -> Error {
    Error::NoLocks {
        path: path.to_owned(),
        source: source.map(Arc::new),
    }
}

/// The commit lock, held until it is dropped.
#[derive(Debug)]
pub(crate) struct CommitLock<'a> {
    log: &'a LogFile,
}

impl<'a> CommitLock<'a> {
    /// Takes the lock on an open log, and makes sure that this log is still the one at its path.
    pub(crate) fn take(
        backend: &dyn Backend,
        log: &'a LogFile,
        wait: Duration,
    ) -> Result<Self, Error> {
        acquire(&*log.file, &log.path, wait)?;
        let lock = Self { log };
        match backend.identity(&log.path) {
            Ok(identity) if identity == log.identity => Ok(lock),
            Ok(_) => Err(Error::Replaced {
                path: log.path.clone(),
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Error::Replaced {
                path: log.path.clone(),
            }),
            Err(source) => Err(log.refused("look up", source)),
        }
    }

    /// The log that is locked.
    pub(crate) fn log(&self) -> &'a LogFile {
        self.log
    }

    /// Makes sure that the file system keeps locks: a second opening must be refused this one.
    pub(crate) fn check_exclusion(&self, backend: &dyn Backend) -> Result<(), Error> {
        let path = &self.log.path;
        let second = backend.open(path, OpenMode::Write);
        let second = second.map_err(|source| self.log.refused("open", source))?;
        match second.try_lock(LockKind::Exclusive) {
            Ok(false) => Ok(()),
            Ok(true) => Err(no_locks(path, None)),
            Err(source) => Err(no_locks(path, Some(source))),
        }
    }
}

impl Drop for CommitLock<'_> {
    fn drop(&mut self) {
        if let Err(error) = self.log.file.unlock() {
            // The lock ends with this opening at the latest.
            tracing::error!(%error, path = %self.log.path.display(), "cannot give back a lock");
        }
    }
}

/// The checkpoint lock, held until it is dropped. Logs are made under it.
#[derive(Debug)]
pub(crate) struct CheckpointLock {
    _file: Box<dyn File>,
}

impl CheckpointLock {
    /// Takes the lock, making its file where it is missing.
    pub(crate) fn take(
        backend: &dyn Backend,
        location: &Location,
        wait: Duration,
    ) -> Result<Self, Error> {
        let path = &location.lock;
        loop {
            let file = backend.open(path, OpenMode::Create);
            let file = file.map_err(|source| refused("open", path, source))?;
            acquire(&*file, path, wait)?;
            let own = file
                .identity()
                .map_err(|source| refused("look up", path, source))?;
            match backend.identity(path) {
                Ok(identity) if identity == own => return Ok(Self { _file: file }),
                // Someone removed the file meanwhile; its lock protects nothing.
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(source) => return Err(refused("look up", path, source)),
            }
        }
    }
}
