//! A machine that fails when it is told to, and writes down what was asked of it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::machine::{Machine, splitmix};
use super::ram::{RamBackend, RamFile};
use super::unsynced::Fate;
use super::{Backend, File, FileIdentity, LockHolder, LockKind, OpenMode};

/// A file system in memory that loses power, kills processes, fails syncs and fills up, at the
/// step it is told to: for tests of whatever keeps promises about durability.
///
/// What was written is read back at once, as from a page cache, but a loss of power may take each
/// write, length, rename and name that no sync made durable, alone or together with others, whole
/// or in part. A cut is never trusted to be durable: what was cut may come back. A sync that fails
/// leaves what it was to make durable uncertain for good, and is reported once to each opening.
///
/// Steps are counted from 1 over all processes: see [`Step::is_counted`].
#[derive(Debug, Clone)]
pub struct FaultyBackend {
    ram: RamBackend,
    faults: Arc<Mutex<Faults>>,
}

/// Something that goes wrong at one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Power is lost before the step is done: its change is one that was never synced.
    PowerLoss,
    /// The process that takes the step dies; of a write, its first bytes are done.
    Kill {
        /// How many bytes of a write are done.
        n_bytes: usize,
    },
    /// The sync fails, and everything that it was to make durable is uncertain for good.
    SyncFails,
    /// The sync says that it is done, and does nothing. For tests of tests: without a sync that
    /// is needed they must fail.
    SyncIsSkipped,
    /// From this step on no file can grow; of a write, half is done.
    DiskIsFull,
}

/// What a loss of power leaves of the changes that were never synced, in the order they were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unsynced {
    /// Nothing.
    Lost,
    /// All.
    Kept,
    /// This one alone.
    OnlyKept(usize),
    /// All but this one.
    OnlyLost(usize),
    /// All, but of the last one, a write, only this many bytes.
    LastTorn(usize),
    /// All, but of the last one, a write, only the length that it gave the file.
    LastBlank,
    /// By chance, each on its own: kept, lost, torn at either end, or only its length.
    Seeded(u64),
}

/// What was asked of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "the fields say what the method of the same name takes"
)]
pub enum Step {
    Create {
        path: PathBuf,
    },
    Read {
        path: PathBuf,
        offset_bytes: u64,
        len_bytes: usize,
    },
    Write {
        path: PathBuf,
        offset_bytes: u64,
        len_bytes: usize,
    },
    SetLen {
        path: PathBuf,
        len_bytes: u64,
    },
    SyncData {
        path: PathBuf,
    },
    SyncFolder {
        path: PathBuf,
    },
    Rename {
        from: PathBuf,
        to: PathBuf,
    },
    Remove {
        path: PathBuf,
    },
    CreateFolder {
        path: PathBuf,
    },
    Lock {
        path: PathBuf,
        kind: LockKind,
    },
    Unlock {
        path: PathBuf,
    },
    Identify {
        path: PathBuf,
    },
}

impl Step {
    /// Whether it is a step at which a fault can be planned: one that changes or syncs something.
    pub fn is_counted(&self) -> bool {
        !matches!(
            self,
            Self::Read { .. } | Self::Lock { .. } | Self::Unlock { .. } | Self::Identify { .. }
        )
    }

    /// Whether it makes something durable.
    pub fn is_sync(&self) -> bool {
        matches!(self, Self::SyncData { .. } | Self::SyncFolder { .. })
    }
}

#[derive(Debug, Default)]
struct Faults {
    planned: Vec<(u64, Fault)>,
    n_steps: u64,
    journal: Vec<(u64, Step)>,
    dead: Vec<u64>,
    no_power: bool,
    full: bool,
}

impl Default for FaultyBackend {
    fn default() -> Self {
        Self::new()
    }
}

impl FaultyBackend {
    /// An empty file system without a fault, and one process on it.
    pub fn new() -> Self {
        Self::on(Machine::new(true))
    }

    fn on(machine: Machine) -> Self {
        let ram = RamBackend::on(Arc::new(machine));
        Self {
            ram,
            faults: Arc::new(Mutex::new(Faults::default())),
        }
    }

    /// Another process on the same machine.
    #[must_use]
    pub fn another_process(&self) -> Self {
        Self {
            ram: self.ram.another_process(),
            faults: Arc::clone(&self.faults),
        }
    }

    /// Another process, to which every change is refused in this way.
    #[must_use]
    pub fn read_only(&self, refusal: io::ErrorKind) -> Self {
        Self {
            ram: self.ram.read_only(refusal),
            faults: Arc::clone(&self.faults),
        }
    }

    /// Lets `fault` happen at the `step`th step.
    pub fn plan(&self, step: u64, fault: Fault) {
        self.faults().planned.push((step, fault));
    }

    /// No fault that was planned happens any more; a full disk has room again.
    pub fn clear_faults(&self) {
        let mut faults = self.faults();
        faults.planned.clear();
        faults.full = false;
    }

    /// How many steps have been taken.
    pub fn n_steps(&self) -> u64 {
        self.faults().n_steps
    }

    /// What was asked so far, with the process that asked.
    pub fn journal(&self) -> Vec<(u64, Step)> {
        self.faults().journal.clone()
    }

    /// How many changes a loss of power might take now.
    pub fn n_unsynced(&self) -> usize {
        self.ram.machine.disk().uncertain().len()
    }

    /// The machine after a loss of power now. The old one stays as it is, so that other fates can
    /// be tried.
    #[must_use]
    pub fn after_power_loss(&self, unsynced: Unsynced) -> Self {
        let n = self.n_unsynced();
        Self::on(self.ram.machine.after_power_loss(|i| unsynced.fate(i, n)))
    }

    fn faults(&self) -> MutexGuard<'_, Faults> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a step down; what is to go wrong with it.
    fn step(&self, step: Step) -> io::Result<Option<Fault>> {
        let process = self.ram.process();
        let mut faults = self.faults();
        if faults.no_power || faults.dead.contains(&process) {
            return Err(io::Error::other("the process is dead"));
        }
        let is_counted = step.is_counted();
        faults.journal.push((process, step));
        if !is_counted {
            return Ok(None);
        }
        faults.n_steps += 1;
        let now = faults.n_steps;
        let fault = faults
            .planned
            .iter()
            .find(|(at, _)| *at == now)
            .map(|(_, fault)| *fault);
        match fault {
            Some(Fault::PowerLoss) => faults.no_power = true,
            Some(Fault::Kill { .. }) => faults.dead.push(process),
            Some(Fault::DiskIsFull) => faults.full = true,
            _ => {}
        }
        Ok(if faults.full {
            fault.or(Some(Fault::DiskIsFull))
        } else {
            fault
        })
    }

    /// A step that is done or not: a loss of power leaves that open, a killed process did not come to it.
    fn step_on_names(&self, step: Step, act: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        match self.step(step)? {
            Some(Fault::PowerLoss) => {
                act()?;
                Err(dead())
            }
            Some(Fault::Kill { .. }) => Err(self.end_process()),
            _ => act(),
        }
    }

    fn end_process(&self) -> io::Error {
        self.ram.machine.disk().end_process(self.ram.process());
        self.ram.machine.unlocked();
        dead()
    }
}

fn dead() -> io::Error {
    io::Error::other("the process is dead")
}

impl Unsynced {
    fn fate(self, i: usize, n: usize) -> Fate {
        let kept_if = |kept| if kept { Fate::Kept } else { Fate::Lost };
        let is_last = i + 1 == n;
        match self {
            Self::Lost => Fate::Lost,
            Self::OnlyKept(kept) => kept_if(i == kept),
            Self::OnlyLost(lost) => kept_if(i != lost),
            Self::LastTorn(n_bytes) if is_last => Fate::Prefix(n_bytes),
            Self::LastBlank if is_last => Fate::Blank,
            Self::Kept | Self::LastTorn(_) | Self::LastBlank => Fate::Kept,
            Self::Seeded(seed) => {
                let chance = splitmix(seed ^ splitmix(i as u64));
                let n_bytes = usize::try_from(chance >> 48).unwrap_or(0);
                match chance % 8 {
                    0..3 => Fate::Kept,
                    3..5 => Fate::Lost,
                    5 => Fate::Prefix(n_bytes % 300),
                    6 => Fate::Suffix(n_bytes % 300),
                    _ => Fate::Blank,
                }
            }
        }
    }
}

impl Backend for FaultyBackend {
    fn process(&self) -> u64 {
        self.ram.process()
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.ram.canonical(path)
    }

    fn open(&self, path: &Path, mode: OpenMode) -> io::Result<Box<dyn File>> {
        let is_new = mode == OpenMode::Create && self.ram.identity(path).is_err();
        let faulty = |ram| -> Box<dyn File> {
            Box::new(FaultyFile {
                ram,
                backend: self.clone(),
                path: path.to_owned(),
            })
        };
        if !is_new {
            return Ok(faulty(self.ram.open_file(path, mode)?));
        }
        match self.step(Step::Create {
            path: path.to_owned(),
        })? {
            Some(Fault::PowerLoss) => {
                self.ram.open_file(path, mode)?;
                Err(dead())
            }
            Some(Fault::Kill { .. }) => Err(self.end_process()),
            Some(Fault::DiskIsFull) => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(faulty(self.ram.open_file(path, mode)?)),
        }
    }

    fn identity(&self, path: &Path) -> io::Result<FileIdentity> {
        self.step(Step::Identify {
            path: path.to_owned(),
        })?;
        self.ram.identity(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let step = Step::Rename {
            from: from.to_owned(),
            to: to.to_owned(),
        };
        self.step_on_names(step, || self.ram.rename(from, to))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let step = Step::Remove {
            path: path.to_owned(),
        };
        self.step_on_names(step, || self.ram.remove(path))
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        if self.ram.machine.disk().has_folder(path) {
            return Ok(());
        }
        let step = Step::CreateFolder {
            path: path.to_owned(),
        };
        self.step_on_names(step, || self.ram.create_folder(path))
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        match self.step(Step::SyncFolder {
            path: path.to_owned(),
        })? {
            Some(Fault::PowerLoss) => Err(dead()),
            Some(Fault::Kill { .. }) => Err(self.end_process()),
            // Names are in the file system's journal: a later sync may still make them durable.
            Some(Fault::SyncFails) => Err(io::Error::other("input/output error")),
            Some(Fault::SyncIsSkipped) => Ok(()),
            Some(Fault::DiskIsFull) | None => self.ram.sync_folder(path),
        }
    }

    fn random(&self) -> io::Result<u128> {
        self.ram.random()
    }
}

/// One opening of a file on a machine that fails.
#[derive(Debug)]
struct FaultyFile {
    ram: RamFile,
    backend: FaultyBackend,
    path: PathBuf,
}

impl FaultyFile {
    fn step(&self, step: impl FnOnce(PathBuf) -> Step) -> io::Result<Option<Fault>> {
        self.backend.step(step(self.path.clone()))
    }
}

impl File for FaultyFile {
    fn read_at(&self, buffer: &mut [u8], offset_bytes: u64) -> io::Result<usize> {
        let len_bytes = buffer.len();
        self.step(|path| Step::Read {
            path,
            offset_bytes,
            len_bytes,
        })?;
        self.ram.read_at(buffer, offset_bytes)
    }

    fn write_at(&self, bytes: &[u8], offset_bytes: u64) -> io::Result<()> {
        let len_bytes = bytes.len();
        match self.step(|path| Step::Write {
            path,
            offset_bytes,
            len_bytes,
        })? {
            Some(Fault::PowerLoss) => {
                self.ram.write_at(bytes, offset_bytes)?;
                Err(dead())
            }
            Some(Fault::Kill { n_bytes }) => {
                let done = bytes.get(..n_bytes).unwrap_or(bytes);
                if !done.is_empty() {
                    self.ram.write_at(done, offset_bytes)?;
                }
                Err(self.backend.end_process())
            }
            Some(Fault::DiskIsFull)
                if offset_bytes + len_bytes as u64 > self.ram.len_bytes()? =>
            {
                self.ram
                    .write_at(bytes.get(..len_bytes / 2).unwrap_or(bytes), offset_bytes)?;
                Err(io::ErrorKind::StorageFull.into())
            }
            _ => self.ram.write_at(bytes, offset_bytes),
        }
    }

    fn len_bytes(&self) -> io::Result<u64> {
        self.ram.len_bytes()
    }

    fn set_len(&self, len_bytes: u64) -> io::Result<()> {
        let backend = &self.backend;
        let step = Step::SetLen {
            path: self.path.clone(),
            len_bytes,
        };
        backend.step_on_names(step, || self.ram.set_len(len_bytes))
    }

    fn sync_data(&self) -> io::Result<()> {
        match self.step(|path| Step::SyncData { path })? {
            Some(Fault::PowerLoss) => Err(dead()),
            Some(Fault::Kill { .. }) => Err(self.backend.end_process()),
            Some(Fault::SyncFails) => self.ram.fail_sync(),
            Some(Fault::SyncIsSkipped) => Ok(()),
            Some(Fault::DiskIsFull) | None => self.ram.sync_data(),
        }
    }

    fn identity(&self) -> io::Result<FileIdentity> {
        self.ram.identity()
    }

    fn try_lock(&self, kind: LockKind) -> io::Result<bool> {
        self.lock(kind, Duration::ZERO)
    }

    fn lock(&self, kind: LockKind, wait: Duration) -> io::Result<bool> {
        self.step(|path| Step::Lock { path, kind })?;
        self.ram.lock(kind, wait)
    }

    fn unlock(&self) -> io::Result<()> {
        self.step(|path| Step::Unlock { path })?;
        self.ram.unlock()
    }

    fn lock_holder(&self) -> Option<LockHolder> {
        self.ram.lock_holder()
    }
}
