//! An open HDF5 file, read only.

use std::fs;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

use crate::attribute::Attribute;
use crate::backend::File;
use crate::dataset::Dataset;
use crate::error::{Error, Result};
use crate::group::{Group, Object};
use crate::mapped::Mapping;
use crate::source::{Bytes, ReadAt, Source};
use crate::superblock::Superblock;

/// An open HDF5 file, read only.
///
/// Opening reads the superblock and nothing else; everything more is read when it is asked for, so
/// that one bad object does not refuse the file.
#[derive(Debug, Clone)]
pub struct Hdf5File {
    source: Arc<Source>,
    superblock: Superblock,
}

/// A file that is shorter is read whole when it is opened: one call, instead of one for each
/// structure. A file that is published to meanwhile shows its old state or the new one: what is in
/// front is read first, and what a superblock leads to is there before it is.
const WHOLE_BYTES: usize = 16 << 10;

impl ReadAt for fs::File {
    fn read_at(&self, buffer: &mut [u8], offset_bytes: u64) -> io::Result<usize> {
        FileExt::read_at(self, buffer, offset_bytes)
    }
}

impl Hdf5File {
    /// Opens the file at `path`, which is read piece by piece; a short one at once.
    ///
    /// # Errors
    ///
    /// [`Error::Io`], or [`Error::Corrupt`] and its like where it has no good superblock.
    pub fn open(path: &Path) -> Result<Self> {
        let file = fs::File::open(path).map_err(io_error("open"))?;
        let mut first = vec![0; WHOLE_BYTES];
        let n_read = FileExt::read_at(&file, &mut first, 0).map_err(io_error("read"))?;
        if n_read < WHOLE_BYTES {
            first.truncate(n_read);
            // Where the superblock says that there is more, less was read than is there.
            if let Ok(whole) = Self::from_bytes(first) {
                return Ok(whole);
            }
        }
        let len = file.metadata().map_err(io_error("measure"))?.len();
        Self::new(Source::new(Bytes::Device(Box::new(file)), len))
    }

    /// Opens the file at `path` through a map, so that values can be read in place.
    ///
    /// Nobody may cut the file or write over it while it is open: our own transactions never do,
    /// and every file that strangers may change is better opened with [`Self::open`].
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub fn open_mapped(path: &Path) -> Result<Self> {
        let file = fs::File::open(path).map_err(io_error("open"))?;
        let mapping = Mapping::of(&file).map_err(io_error("map"))?;
        let len = mapping.bytes().len() as u64;
        Self::new(Source::new(Bytes::Mapped(mapping), len))
    }

    /// Opens a file through whatever it is on.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub fn open_device(device: Arc<dyn File>) -> Result<Self> {
        let len = device.len_bytes().map_err(io_error("measure"))?;
        Self::new(Source::new(Bytes::Device(Box::new(device)), len))
    }

    /// A file that is in memory.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] and its like where it has no good superblock.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        let len = bytes.len() as u64;
        Self::new(Source::new(Bytes::Memory(bytes), len))
    }

    pub(crate) fn new(source: Source) -> Result<Self> {
        let superblock = Superblock::find(&source)?;
        let source = source.addressed(superblock.base_bytes, superblock.sizes);
        Ok(Self {
            source: Arc::new(source),
            superblock,
        })
    }

    /// The version of its superblock, 0 to 3.
    pub fn superblock_version(&self) -> u8 {
        self.superblock.version
    }

    /// Where the file ends by its superblock, in bytes from its beginning: it may be longer, never shorter.
    pub fn end_bytes(&self) -> u64 {
        self.superblock.end
    }

    /// How many bytes of something else lie in front of it.
    pub fn user_block_bytes(&self) -> u64 {
        self.superblock.base_bytes
    }

    /// How much work reading through this opening was so far: the bytes that were read, decoded by
    /// each filter, and copied out of heaps, where the least piece counts as 64. Values that are read in
    /// place are not counted.
    ///
    /// Who reads files of strangers can hold it against a budget; see the crate's own page for
    /// what one call can take.
    pub fn work_bytes(&self) -> u64 {
        self.source.work_bytes()
    }

    /// Its root group.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] and its like.
    pub fn root(&self) -> Result<Group> {
        Group::root(Arc::clone(&self.source), self.superblock.root)
    }

    /// The group at `path`.
    ///
    /// # Errors
    ///
    /// As [`Group::group`].
    pub fn group(&self, path: &str) -> Result<Group> {
        self.root()?.group(path)
    }

    /// The dataset at `path`.
    ///
    /// # Errors
    ///
    /// As [`Group::group`].
    pub fn dataset(&self, path: &str) -> Result<Dataset> {
        self.root()?.dataset(path)
    }

    /// The object at `path`.
    ///
    /// # Errors
    ///
    /// As [`Group::object`].
    pub fn object(&self, path: &str) -> Result<Object> {
        self.root()?.object(path)
    }

    /// The attribute `name` of the root group.
    ///
    /// # Errors
    ///
    /// As [`Group::attribute`].
    pub fn attribute(&self, name: &str) -> Result<Attribute> {
        self.root()?.attribute(name)
    }
}

fn io_error(action: &'static str) -> impl FnOnce(io::Error) -> Error {
    move |source| Error::Io {
        action,
        offset_bytes: 0,
        source,
    }
}
