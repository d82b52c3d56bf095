//! The memory file as it was at one superblock: open, locked against other programs that write, and read.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use palimpsest_hdf5::{Backend, File, FileIdentity, Hdf5File, LockKind, OpenMode, SuperblockImage};

use crate::checkpoint::{FileProblem, State};
use crate::location::refused;
use crate::{Error, Seq};

/// How often a superblock that reads as torn is read: it may just be being written.
const READS_MAX: usize = 3;

/// How every HDF5 file begins that has nothing in front of it, as ours do.
const HDF5_SIGNATURE: &[u8] = b"\x89HDF\r\n\x1a\n";

/// The memory file at one published state, which stays readable whatever is published later.
#[derive(Debug, Clone)]
pub(crate) struct MemoryFile {
    pub(crate) device: Arc<dyn File>,
    pub(crate) path: PathBuf,
    pub(crate) identity: FileIdentity,
    /// The bytes that lead to everything else.
    pub(crate) superblock: SuperblockImage,
    pub(crate) state: State,
    hdf5: Arc<Hdf5File>,
}

impl MemoryFile {
    /// Opens the file at `path`; `None` where none is there.
    ///
    /// # Errors
    /// [`Error::OpenElsewhere`] where another program has it open to write it, [`Error::BadMemoryFile`].
    pub(crate) fn open(backend: &dyn Backend, path: &Path) -> Result<Option<Self>, Error> {
        let device = match open_device(backend, path) {
            Ok(device) => device,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::IsADirectory => {
                return Err(Error::NotAMemory {
                    path: path.to_owned(),
                    found: "a folder",
                });
            }
            Err(source) => return Err(refused("open", path, source)),
        };
        match device.try_lock(LockKind::Shared) {
            Ok(true) => {}
            Ok(false) => {
                return Err(Error::OpenElsewhere {
                    path: path.to_owned(),
                });
            }
            Err(source) => {
                return Err(Error::NoLocks {
                    path: path.to_owned(),
                    source: Some(Arc::new(source)),
                });
            }
        }
        let identity = device
            .identity()
            .map_err(|source| refused("look up", path, source))?;
        Self::read(device, path, identity).map(Some)
    }

    /// The same file as it is now.
    pub(crate) fn newest(&self) -> Result<Self, Error> {
        if read_superblock(&*self.device, &self.path)? == self.superblock {
            return Ok(self.clone());
        }
        Self::read(Arc::clone(&self.device), &self.path, self.identity)
    }

    fn read(device: Arc<dyn File>, path: &Path, identity: FileIdentity) -> Result<Self, Error> {
        let mut n_reads = 0;
        loop {
            n_reads += 1;
            let superblock = read_superblock(&*device, path)?;
            let opened = Hdf5File::open_device(Arc::clone(&device)).map_err(FileProblem::from);
            let read = opened.and_then(|hdf5| Ok((State::read(&hdf5)?, hdf5)));
            let is_same = read_superblock(&*device, path)? == superblock;
            match read {
                Ok((state, hdf5)) if is_same => {
                    return Ok(Self {
                        device,
                        path: path.to_owned(),
                        identity,
                        superblock,
                        state,
                        hdf5: Arc::new(hdf5),
                    });
                }
                Err(_) if is_same && !superblock.starts_with(HDF5_SIGNATURE) => {
                    return Err(Error::NotAMemory {
                        path: path.to_owned(),
                        found: "another file",
                    });
                }
                Err(problem) if is_same && n_reads >= READS_MAX => {
                    return Err(bad(path, problem));
                }
                _ => {}
            }
        }
    }

    /// What it holds.
    pub(crate) fn hdf5(&self) -> &Hdf5File {
        &self.hdf5
    }

    /// Whether a checkpoint of the log of this `generation` was published and the log was not begun anew since.
    pub(crate) fn is_ahead_of(&self, checkpoint: u64, generation: u64) -> bool {
        self.state.checkpoint == checkpoint.saturating_add(1) && self.state.absorbed == generation
    }

    /// Where what is in use ends.
    pub(crate) fn end_bytes(&self) -> u64 {
        self.hdf5.end_bytes()
    }

    /// The last commit in it.
    pub(crate) fn seq(&self) -> Seq {
        self.state.seq
    }
}

/// Opens a device for writing, or for reading where it may not be written.
pub(crate) fn open_device(backend: &dyn Backend, path: &Path) -> io::Result<Arc<dyn File>> {
    let opened = match backend.open(path, OpenMode::Write) {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
            ) =>
        {
            backend.open(path, OpenMode::Read)
        }
        other => other,
    };
    opened.map(Arc::from)
}

/// The bytes at the place of the superblock; zeros where the file is shorter.
pub(crate) fn read_superblock(device: &dyn File, path: &Path) -> Result<SuperblockImage, Error> {
    let mut bytes: SuperblockImage = [0; size_of::<SuperblockImage>()];
    device
        .read_at(&mut bytes, 0)
        .map_err(|source| refused("read", path, source))?;
    Ok(bytes)
}

/// The error of a memory file that cannot be read.
pub(crate) fn bad(path: &Path, problem: FileProblem) -> Error {
    if let FileProblem::Hdf5(palimpsest_hdf5::Error::Io { action, source, .. }) = problem {
        return crate::checkpoint::io_error(action, path, source);
    }
    match problem {
        FileProblem::Attribute { name: "format", .. } => Error::NotAMemory {
            path: path.to_owned(),
            found: "another HDF5 file",
        },
        FileProblem::Newer { found, known } => Error::NewerFormat {
            path: path.to_owned(),
            found,
            known,
        },
        problem => Error::BadMemoryFile {
            path: path.to_owned(),
            source: Arc::new(problem),
        },
    }
}
