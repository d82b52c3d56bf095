//! All file access behind one small trait, so that a crash is a small test double.
//!
//! A [`Backend`] is a file system as one process sees it; a [`File`] is one opening of a file in
//! it. [`FileBackend`] is the machine's, [`RamBackend`] keeps everything in memory, and
//! [`FaultyBackend`] is a machine that fails when it is told to. Nothing here knows what the bytes mean.

mod faulty;
mod file;
mod machine;
mod ram;
mod unsynced;

use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use faulty::{Fault, FaultyBackend, Step, Unsynced};
pub use file::FileBackend;
pub use ram::RamBackend;

/// A file system, as one process sees it.
///
/// Paths are absolute. Every error is the operating system's own, for the caller to name.
pub trait Backend: Debug + Send + Sync {
    /// Which process this is. Openings of one store through backends of one number may be shared.
    fn process(&self) -> u64;

    /// The one true path of a file, which need not be there yet: no links, no `..`.
    ///
    /// # Errors
    /// `NotFound` where the folder is not there, or the path is a link to nothing.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;

    /// Opens a file. A file that is made can be read and written by its owner alone.
    ///
    /// # Errors
    /// `NotFound`, `PermissionDenied` and `ReadOnlyFilesystem` are told apart.
    fn open(&self, path: &Path, mode: OpenMode) -> io::Result<Box<dyn File>>;

    /// Which file a path leads to.
    ///
    /// # Errors
    /// `NotFound` where none is there.
    fn identity(&self, path: &Path) -> io::Result<FileIdentity>;

    /// Gives the file at `from` the name `to`; a file of that name loses it.
    ///
    /// # Errors
    /// As the operating system.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Takes the name from a file.
    ///
    /// # Errors
    /// As the operating system.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Makes one folder that its owner alone can enter. One that is there is no error.
    ///
    /// # Errors
    /// `NotFound` where the folder above is missing.
    fn create_folder(&self, path: &Path) -> io::Result<()>;

    /// Makes durable which names a folder holds.
    ///
    /// # Errors
    /// As the operating system; after an error nothing is known about the names.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;

    /// A number that nobody has had before.
    ///
    /// # Errors
    /// Where the operating system has no randomness.
    fn random(&self) -> io::Result<u128>;
}

/// One opening of a file. Dropping it closes it, and gives back its lock.
///
/// Reads and writes name their place: there is no cursor, so threads may share a file.
pub trait File: Debug + Send + Sync {
    /// Reads into `buffer` from `offset_bytes` on; how many bytes were there, less than asked only
    /// at the end of the file.
    ///
    /// # Errors
    /// As the operating system.
    fn read_at(&self, buffer: &mut [u8], offset_bytes: u64) -> io::Result<usize>;

    /// Writes all of `bytes` at `offset_bytes`, making the file longer where it must.
    ///
    /// # Errors
    /// `StorageFull` where there is no room; a part may have been written.
    fn write_at(&self, bytes: &[u8], offset_bytes: u64) -> io::Result<()>;

    /// How long the file is.
    ///
    /// # Errors
    /// As the operating system.
    fn len_bytes(&self) -> io::Result<u64>;

    /// Cuts the file, or extends it without taking room (what is added reads as zeros).
    ///
    /// # Errors
    /// As the operating system.
    fn set_len(&self, len_bytes: u64) -> io::Result<()>;

    /// Makes durable what was written to the file, through whichever opening.
    ///
    /// # Errors
    /// After an error, of this or of another process's sync that nobody was told of yet, what was
    /// written since the last good sync may or may not be durable, and no later sync mends that.
    fn sync_data(&self) -> io::Result<()>;

    /// Which file this is.
    ///
    /// # Errors
    /// As the operating system.
    fn identity(&self) -> io::Result<FileIdentity>;

    /// Takes a lock on the file if it can be had at once; whether it could.
    ///
    /// Locks are advisory, belong to this opening, and end with it or its process.
    ///
    /// # Errors
    /// Where the file system has no locks.
    fn try_lock(&self, kind: LockKind) -> io::Result<bool>;

    /// Takes a lock, waiting at most `wait`; whether it could be had.
    ///
    /// # Errors
    /// Where the file system has no locks.
    fn lock(&self, kind: LockKind, wait: Duration) -> io::Result<bool>;

    /// Gives the lock back.
    ///
    /// # Errors
    /// As the operating system.
    fn unlock(&self) -> io::Result<()>;

    /// Who holds a lock on the file, where that can be found out.
    fn lock_holder(&self) -> Option<LockHolder>;
}

/// How to open a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenMode {
    /// It must be there, and is only read.
    Read,
    /// It must be there.
    Write,
    /// It is made, empty, where it is not there.
    Create,
}

/// Who shares a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockKind {
    /// Any number of holders at once.
    Shared,
    /// One holder.
    Exclusive,
}

/// A process that holds a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LockHolder {
    /// The operating system's number for it.
    pub process: u32,
    /// For how long it has been running.
    pub age: Option<Duration>,
}

/// What tells one file from another: names do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileIdentity {
    /// The device that it is on.
    pub device: u64,
    /// Its number there.
    pub inode: u64,
}

#[cfg(test)]
mod tests;
