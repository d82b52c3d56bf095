//! Where a memory's files are, and that their folder is there and durable. Knows no bytes.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use palimpsest_hdf5::Backend;

use crate::Error;

/// The paths of one memory: the file itself, and what stands beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Location {
    /// The canonical path of the memory file.
    pub(crate) memory: PathBuf,
    /// `memory.h5.log`.
    pub(crate) log: PathBuf,
    /// `memory.h5.lock`.
    pub(crate) lock: PathBuf,
    /// `memory.h5.new`, where a new file is written before it takes the place of the memory.
    pub(crate) temporary: PathBuf,
}

impl Location {
    /// Finds the canonical path, making the folder where it is missing.
    pub(crate) fn find(backend: &dyn Backend, path: &Path) -> Result<Self, Error> {
        let path = std::path::absolute(path).map_err(|source| refused("find", path, source))?;
        if let Some(folder) = path.parent() {
            create_folders(backend, folder)?;
        }
        let memory = backend
            .canonical(&path)
            .map_err(|source| refused("find", &path, source))?;
        let beside = |ending: &str| {
            let mut name = memory.clone().into_os_string();
            name.push(OsString::from(ending));
            PathBuf::from(name)
        };
        Ok(Self {
            log: beside(".log"),
            lock: beside(".lock"),
            temporary: beside(".new"),
            memory,
        })
    }

    /// Makes the names of this memory's files durable, whoever made them; and that of their
    /// folder, where this process may open the one above.
    pub(crate) fn sync_folders(&self, backend: &dyn Backend) -> Result<(), Error> {
        let Some(folder) = self.log.parent() else {
            return Ok(());
        };
        backend
            .sync_folder(folder)
            .map_err(|source| refused("sync", folder, source))?;
        let Some(above) = folder.parent() else {
            return Ok(());
        };
        match backend.sync_folder(above) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
            other => other.map_err(|source| refused("sync", above, source)),
        }
    }
}

/// Makes a folder and those above it that are missing; every new name is durable when it returns.
fn create_folders(backend: &dyn Backend, folder: &Path) -> Result<(), Error> {
    if is_there(backend, folder) {
        return Ok(());
    }
    let Some(above) = folder.parent() else {
        return Err(refused("find", folder, io::ErrorKind::NotFound.into()));
    };
    create_folders(backend, above)?;
    backend
        .create_folder(folder)
        .map_err(|source| refused("create", folder, source))?;
    backend
        .sync_folder(above)
        .map_err(|source| refused("sync", above, source))
}

fn is_there(backend: &dyn Backend, folder: &Path) -> bool {
    backend.canonical(&folder.join("memory")).is_ok()
}

pub(crate) fn refused(action: &'static str, path: &Path, source: io::Error) -> Error {
    Error::Io {
        action,
        path: path.to_owned(),
        source: Arc::new(source),
    }
}
