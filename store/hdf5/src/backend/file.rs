//! The machine's own file system. Knows no bytes.

use std::fs::{self, DirBuilder, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{Backend, File, FileIdentity, LockHolder, LockKind, OpenMode};

const FILE_MODE: u32 = 0o600;
const FOLDER_MODE: u32 = 0o700;
/// A waiter looks this often; whoever commits again and again leaves the lock free for longer.
const LOCK_POLL: Duration = Duration::from_micros(200);

/// The machine's own file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct FileBackend {
    process: u64,
}

impl FileBackend {
    /// The file system, for this process.
    pub fn new() -> Self {
        Self::default()
    }

    /// The file system, as if for another process: nothing opened through it is shared with
    /// backends of another number. Locks belong to openings, so this is as safe as two processes.
    pub fn as_process(process: u64) -> Self {
        Self { process }
    }
}

impl Backend for FileBackend {
    fn process(&self) -> u64 {
        self.process
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        match fs::canonicalize(path) {
            Err(error)
                if error.kind() == io::ErrorKind::NotFound
                    && fs::symlink_metadata(path).is_err() =>
            {
                let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
                let folder = match path.parent() {
                    Some(folder) if !folder.as_os_str().is_empty() => folder,
                    _ => Path::new("."),
                };
                Ok(fs::canonicalize(folder)?.join(name))
            }
            other => other,
        }
    }

    fn open(&self, path: &Path, mode: OpenMode) -> io::Result<Box<dyn File>> {
        let file = OpenOptions::new()
            .read(true)
            .write(mode != OpenMode::Read)
            .create(mode == OpenMode::Create)
            .mode(FILE_MODE)
            .open(path)?;
        Ok(Box::new(OpenFile { file }))
    }

    fn identity(&self, path: &Path) -> io::Result<FileIdentity> {
        Ok(identity_of(&fs::metadata(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        match DirBuilder::new().mode(FOLDER_MODE).create(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
            other => other,
        }
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        fs::File::open(path)?.sync_all()
    }

    fn random(&self) -> io::Result<u128> {
        let mut bytes = [0; 16];
        fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(u128::from_le_bytes(bytes))
    }
}

#[derive(Debug)]
struct OpenFile {
    file: fs::File,
}

impl File for OpenFile {
    fn read_at(&self, buffer: &mut [u8], offset_bytes: u64) -> io::Result<usize> {
        let mut n_read = 0;
        while let Some(rest) = buffer.get_mut(n_read..).filter(|rest| !rest.is_empty()) {
            match self.file.read_at(rest, offset_bytes + n_read as u64) {
                Ok(0) => break,
                Ok(n) => n_read += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(n_read)
    }

    fn write_at(&self, bytes: &[u8], offset_bytes: u64) -> io::Result<()> {
        self.file.write_all_at(bytes, offset_bytes)
    }

    fn len_bytes(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    fn set_len(&self, len_bytes: u64) -> io::Result<()> {
        self.file.set_len(len_bytes)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn identity(&self) -> io::Result<FileIdentity> {
        Ok(identity_of(&self.file.metadata()?))
    }

    fn try_lock(&self, kind: LockKind) -> io::Result<bool> {
        let outcome = match kind {
            LockKind::Shared => self.file.try_lock_shared(),
            LockKind::Exclusive => self.file.try_lock(),
        };
        match outcome {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn lock(&self, kind: LockKind, wait: Duration) -> io::Result<bool> {
        let begun = Instant::now();
        loop {
            if self.try_lock(kind)? {
                return Ok(true);
            }
            if begun.elapsed() >= wait {
                return Ok(false);
            }
            std::thread::sleep(LOCK_POLL);
        }
    }

    fn unlock(&self) -> io::Result<()> {
        self.file.unlock()
    }

    fn lock_holder(&self) -> Option<LockHolder> {
        let inode = self.file.metadata().ok()?.ino();
        let process = holder_in(&fs::read_to_string("/proc/locks").ok()?, inode)?;
        Some(LockHolder {
            process,
            age: age_of(process),
        })
    }
}

fn identity_of(metadata: &fs::Metadata) -> FileIdentity {
    FileIdentity {
        device: metadata.dev(),
        inode: metadata.ino(),
    }
}

/// The process that holds a lock on `inode` by the text of `/proc/locks` (proc(5)), of which a
/// line is `1: FLOCK  ADVISORY  WRITE 708 08:03:132 0 EOF`.
fn holder_in(locks: &str, inode: u64) -> Option<u32> {
    locks.lines().find_map(|line| {
        let mut words = line.split_whitespace().skip(1);
        let held = words.next()? == "FLOCK";
        let process = words.nth(2)?.parse().ok()?;
        let same = words.next()?.rsplit(':').next()?.parse() == Ok(inode);
        (held && same && process > 0).then_some(process)
    })
}

/// For how long a process has been running: its start (field 22 of `/proc/PID/stat`, in ticks of
/// a hundredth of a second on every Linux of today) against the machine's own age.
fn age_of(process: u32) -> Option<Duration> {
    const TICKS_A_SECOND: f64 = 100.0;
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The second field is a name in brackets, and may hold anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let start_ticks: f64 = fields.split_whitespace().nth(19)?.parse().ok()?;
    let uptime = fs::read_to_string("/proc/uptime").ok()?;
    let uptime_s: f64 = uptime.split_whitespace().next()?.parse().ok()?;
    Duration::try_from_secs_f64((uptime_s - start_ticks / TICKS_A_SECOND).max(0.0)).ok()
}

#[cfg(test)]
mod tests;
