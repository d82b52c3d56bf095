//! A file system in memory, with several processes on it. Knows no faults.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::machine::{Machine, next_process};
use super::{Backend, File, FileIdentity, LockHolder, LockKind, OpenMode};

/// A file system in memory: for tests, and for a memory that is not to outlive its process.
///
/// Clones are the same process; [`Self::another_process`] sees the same files.
#[derive(Debug, Clone)]
pub struct RamBackend {
    pub(super) machine: Arc<Machine>,
    process: u64,
    refusal: Option<io::ErrorKind>,
}

impl Default for RamBackend {
    fn default() -> Self {
        Self::new()
    }
}

impl RamBackend {
    /// An empty file system, with one process on it.
    pub fn new() -> Self {
        Self::on(Arc::new(Machine::new(false)))
    }

    pub(super) fn on(machine: Arc<Machine>) -> Self {
        let process = next_process();
        Self {
            machine,
            process,
            refusal: None,
        }
    }

    /// Another process on the same files.
    #[must_use]
    pub fn another_process(&self) -> Self {
        Self {
            process: next_process(),
            ..self.clone()
        }
    }

    /// Another process, to which every change is refused in this way (`ReadOnlyFilesystem`,
    /// `PermissionDenied`).
    #[must_use]
    pub fn read_only(&self, refusal: io::ErrorKind) -> Self {
        Self {
            refusal: Some(refusal),
            ..self.another_process()
        }
    }

    fn may_change(&self) -> io::Result<()> {
        self.refusal.map_or(Ok(()), |refusal| Err(refusal.into()))
    }

    pub(super) fn open_file(&self, path: &Path, mode: OpenMode) -> io::Result<RamFile> {
        let mut disk = self.machine.disk();
        let inode = match disk.inode_at(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && mode == OpenMode::Create => {
                self.may_change()?;
                disk.create(path)?
            }
            Ok(_) if mode != OpenMode::Read && self.refusal.is_some() => {
                return Err(self
                    .refusal
                    .unwrap_or(io::ErrorKind::PermissionDenied)
                    .into());
            }
            other => other?,
        };
        let opening = disk.open(inode, self.process)?;
        let may_write = mode != OpenMode::Read;
        Ok(RamFile {
            machine: Arc::clone(&self.machine),
            inode,
            opening,
            may_write,
        })
    }
}

impl Backend for RamBackend {
    fn process(&self) -> u64 {
        self.process
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        let folder = path.parent().ok_or(io::ErrorKind::InvalidFilename)?;
        if self.machine.disk().has_folder(folder) {
            Ok(path.to_owned())
        } else {
            Err(io::ErrorKind::NotFound.into())
        }
    }

    fn open(&self, path: &Path, mode: OpenMode) -> io::Result<Box<dyn File>> {
        Ok(Box::new(self.open_file(path, mode)?))
    }

    fn identity(&self, path: &Path) -> io::Result<FileIdentity> {
        Ok(identity_of(self.machine.disk().inode_at(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.may_change()?;
        self.machine.disk().rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.may_change()?;
        self.machine.disk().remove(path)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        let mut disk = self.machine.disk();
        if disk.has_folder(path) {
            return Ok(());
        }
        self.may_change()?;
        disk.create_folder(path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.machine.disk().sync_folder(path)
    }

    fn random(&self) -> io::Result<u128> {
        Ok(self.machine.disk().random())
    }
}

/// One opening of a file in memory.
#[derive(Debug)]
pub(super) struct RamFile {
    machine: Arc<Machine>,
    inode: u64,
    opening: u64,
    may_write: bool,
}

impl RamFile {
    fn may_write(&self) -> io::Result<()> {
        if self.may_write {
            Ok(())
        } else {
            Err(io::ErrorKind::PermissionDenied.into())
        }
    }

    /// Syncs as a failing disk does.
    pub(super) fn fail_sync(&self) -> io::Result<()> {
        self.machine.disk().file(self.inode)?.fail_sync();
        self.sync_data()
    }
}

impl File for RamFile {
    fn read_at(&self, buffer: &mut [u8], offset_bytes: u64) -> io::Result<usize> {
        Ok(self
            .machine
            .disk()
            .file(self.inode)?
            .read_at(buffer, offset_bytes))
    }

    fn write_at(&self, bytes: &[u8], offset_bytes: u64) -> io::Result<()> {
        self.may_write()?;
        self.machine.disk().write(self.inode, bytes, offset_bytes)
    }

    fn len_bytes(&self) -> io::Result<u64> {
        Ok(self.machine.disk().file(self.inode)?.len_bytes())
    }

    fn set_len(&self, len_bytes: u64) -> io::Result<()> {
        self.may_write()?;
        self.machine.disk().set_len(self.inode, len_bytes)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.machine.disk().sync_data(self.inode, self.opening)
    }

    fn identity(&self) -> io::Result<FileIdentity> {
        Ok(identity_of(self.inode))
    }

    fn try_lock(&self, kind: LockKind) -> io::Result<bool> {
        self.machine.disk().try_lock(self.inode, self.opening, kind)
    }

    fn lock(&self, kind: LockKind, wait: Duration) -> io::Result<bool> {
        let begun = Instant::now();
        let mut disk = self.machine.disk();
        loop {
            if disk.try_lock(self.inode, self.opening, kind)? {
                return Ok(true);
            }
            let left = wait.saturating_sub(begun.elapsed());
            if left.is_zero() {
                return Ok(false);
            }
            disk = self.machine.await_unlock(disk, left);
        }
    }

    fn unlock(&self) -> io::Result<()> {
        self.machine.disk().unlock(self.inode, self.opening);
        self.machine.unlocked();
        Ok(())
    }

    fn lock_holder(&self) -> Option<LockHolder> {
        let process = self.machine.disk().lock_holder(self.inode)?;
        Some(LockHolder {
            process: u32::try_from(process).ok()?,
            age: None,
        })
    }
}

impl Drop for RamFile {
    fn drop(&mut self) {
        self.machine.disk().close(self.inode, self.opening);
        self.machine.unlocked();
    }
}

fn identity_of(inode: u64) -> FileIdentity {
    FileIdentity { device: 0, inode }
}
