//! The machine beneath [`super::RamBackend`]: files, names, openings and locks, and what of them a
//! loss of power may take. Knows neither who asks nor when power is lost.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::LockKind;
use super::unsynced::{Certainty, Change, Fate, RamInode};

/// One machine. `tracked` machines remember what was not synced, which costs memory.
#[derive(Debug)]
pub(super) struct Machine {
    disk: Mutex<Disk>,
    unlocked: Condvar,
}

impl Machine {
    pub(super) fn new(tracked: bool) -> Self {
        Self::with(Disk {
            tracked,
            folders: BTreeSet::from([PathBuf::from("/")]),
            ..Disk::default()
        })
    }

    fn with(disk: Disk) -> Self {
        Self {
            disk: Mutex::new(disk),
            unlocked: Condvar::new(),
        }
    }

    pub(super) fn disk(&self) -> MutexGuard<'_, Disk> {
        // Every change of the disk is whole before it can panic.
        self.disk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn await_unlock<'a>(
        &self,
        disk: MutexGuard<'a, Disk>,
        wait: Duration,
    ) -> MutexGuard<'a, Disk> {
        let woken = self.unlocked.wait_timeout(disk, wait);
        woken.unwrap_or_else(PoisonError::into_inner).0
    }

    pub(super) fn unlocked(&self) {
        self.unlocked.notify_all();
    }

    /// The machine after a loss of power: each uncertain change meets the fate that `fate` gives
    /// it by its number in time.
    pub(super) fn after_power_loss(&self, fate: impl FnMut(usize) -> Fate) -> Self {
        Self::with(self.disk().after_power_loss(fate))
    }
}

/// Files and names. What is read is what was written last, synced or not.
#[derive(Debug, Default)]
pub(super) struct Disk {
    tracked: bool,
    folders: BTreeSet<PathBuf>,
    names: BTreeMap<PathBuf, u64>,
    files: BTreeMap<u64, RamInode>,
    durable_folders: BTreeSet<PathBuf>,
    durable_names: BTreeMap<PathBuf, u64>,
    name_changes: Vec<(u64, NameChange, Certainty)>,
    n_changes: u64,
    n_openings: u64,
    n_random: u64,
}

#[derive(Debug, Clone)]
enum NameChange {
    Folder(PathBuf),
    Create(PathBuf, u64),
    Rename(PathBuf, PathBuf, u64),
    Remove(PathBuf),
}

impl NameChange {
    /// The folder whose sync makes it durable.
    fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(path) | Self::Create(path, _) | Self::Remove(path) => path.parent(),
            Self::Rename(_, to, _) => to.parent(),
        }
    }

    fn apply(&self, folders: &mut BTreeSet<PathBuf>, names: &mut BTreeMap<PathBuf, u64>) {
        match self {
            Self::Folder(path) => {
                folders.insert(path.clone());
            }
            Self::Create(path, inode) => {
                names.insert(path.clone(), *inode);
            }
            Self::Rename(from, to, inode) => {
                names.remove(from);
                names.insert(to.clone(), *inode);
            }
            Self::Remove(path) => {
                names.remove(path);
            }
        }
    }
}

impl Disk {
    pub(super) fn has_folder(&self, path: &Path) -> bool {
        self.folders.contains(path)
    }

    pub(super) fn inode_at(&self, path: &Path) -> io::Result<u64> {
        self.names
            .get(path)
            .copied()
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    pub(super) fn file(&mut self, inode: u64) -> io::Result<&mut RamInode> {
        self.files
            .get_mut(&inode)
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    pub(super) fn create(&mut self, path: &Path) -> io::Result<u64> {
        self.in_folder(path)?;
        let inode = self.files.keys().next_back().map_or(1, |last| last + 1);
        self.files.insert(inode, RamInode::new(self.tracked));
        self.change_name(NameChange::Create(path.to_owned(), inode));
        Ok(inode)
    }

    pub(super) fn create_folder(&mut self, path: &Path) -> io::Result<()> {
        self.in_folder(path)?;
        self.change_name(NameChange::Folder(path.to_owned()));
        Ok(())
    }

    pub(super) fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        self.in_folder(to)?;
        let inode = self.inode_at(from)?;
        self.change_name(NameChange::Rename(from.to_owned(), to.to_owned(), inode));
        Ok(())
    }

    pub(super) fn remove(&mut self, path: &Path) -> io::Result<()> {
        self.inode_at(path)?;
        self.change_name(NameChange::Remove(path.to_owned()));
        Ok(())
    }

    fn in_folder(&self, path: &Path) -> io::Result<()> {
        match path.parent() {
            Some(folder) if self.folders.contains(folder) => Ok(()),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn change_name(&mut self, change: NameChange) {
        change.apply(&mut self.folders, &mut self.names);
        let number = self.next_change();
        if self.tracked {
            self.name_changes
                .push((number, change, Certainty::Unsynced));
        }
    }

    fn next_change(&mut self) -> u64 {
        self.n_changes += 1;
        self.n_changes
    }

    pub(super) fn sync_folder(&mut self, path: &Path) -> io::Result<()> {
        if !self.folders.contains(path) {
            return Err(io::ErrorKind::NotFound.into());
        }
        self.settle_names(path);
        Ok(())
    }

    fn settle_names(&mut self, folder: &Path) {
        for (_, change, certainty) in &mut self.name_changes {
            if *certainty == Certainty::Unsynced && change.folder() == Some(folder) {
                *certainty = Certainty::Synced;
            }
        }
    }

    pub(super) fn write(&mut self, inode: u64, bytes: &[u8], offset_bytes: u64) -> io::Result<()> {
        let number = self.next_change();
        self.file(inode)?.change(
            number,
            Change::Write {
                offset_bytes,
                bytes: bytes.to_vec(),
            },
        );
        Ok(())
    }

    pub(super) fn set_len(&mut self, inode: u64, len_bytes: u64) -> io::Result<()> {
        let number = self.next_change();
        self.file(inode)?
            .change(number, Change::SetLen { len_bytes });
        Ok(())
    }

    pub(super) fn open(&mut self, inode: u64, process: u64) -> io::Result<u64> {
        self.n_openings += 1;
        let opening = self.n_openings;
        self.file(inode)?.open(opening, process);
        Ok(opening)
    }

    pub(super) fn close(&mut self, inode: u64, opening: u64) {
        if let Ok(file) = self.file(inode) {
            file.close(opening);
        }
    }

    /// Every opening of a process ends, and with it its locks.
    pub(super) fn end_process(&mut self, process: u64) {
        for file in self.files.values_mut() {
            file.end_process(process);
        }
    }

    pub(super) fn sync_data(&mut self, inode: u64, opening: u64) -> io::Result<()> {
        self.file(inode)?.sync(opening)
    }

    pub(super) fn try_lock(
        &mut self,
        inode: u64,
        opening: u64,
        kind: LockKind,
    ) -> io::Result<bool> {
        Ok(self.file(inode)?.try_lock(opening, kind))
    }

    pub(super) fn unlock(&mut self, inode: u64, opening: u64) {
        if let Ok(file) = self.file(inode) {
            file.unlock(opening);
        }
    }

    pub(super) fn lock_holder(&mut self, inode: u64) -> Option<u64> {
        self.file(inode).ok()?.lock_holder()
    }

    pub(super) fn random(&mut self) -> u128 {
        self.n_random += 1;
        let low = splitmix(self.n_random);
        u128::from(low) << 64 | u128::from(splitmix(low))
    }

    /// The numbers of the changes that a loss of power may take, in time.
    pub(super) fn uncertain(&self) -> Vec<u64> {
        let names = self.name_changes.iter();
        let mut numbers: Vec<u64> = names
            .filter(|(_, _, certainty)| *certainty != Certainty::Synced)
            .map(|(number, _, _)| *number)
            .chain(self.files.values().flat_map(RamInode::uncertain))
            .collect();
        numbers.sort_unstable();
        numbers
    }

    fn after_power_loss(&self, mut fate: impl FnMut(usize) -> Fate) -> Self {
        let fates: BTreeMap<u64, Fate> = self
            .uncertain()
            .into_iter()
            .enumerate()
            .map(|(i, number)| (number, fate(i)))
            .collect();
        let mut folders = self.durable_folders.clone();
        folders.insert(PathBuf::from("/"));
        let mut names = self.durable_names.clone();
        for (number, change, _) in &self.name_changes {
            if fates.get(number) != Some(&Fate::Lost) {
                change.apply(&mut folders, &mut names);
            }
        }
        // A folder that is lost takes what is in it.
        let lost: Vec<PathBuf> = folders
            .iter()
            .filter(|path| path.ancestors().any(|above| !folders.contains(above)))
            .cloned()
            .collect();
        folders.retain(|path| !lost.contains(path));
        names.retain(|path, _| path.parent().is_some_and(|folder| folders.contains(folder)));
        let reached: BTreeSet<u64> = names.values().copied().collect();
        let files = self
            .files
            .iter()
            .filter(|(inode, _)| reached.contains(inode));
        Self {
            tracked: self.tracked,
            files: files
                .map(|(inode, file)| (*inode, file.after_power_loss(&fates)))
                .collect(),
            durable_folders: folders.clone(),
            durable_names: names.clone(),
            folders,
            names,
            name_changes: Vec::new(),
            n_changes: self.n_changes,
            n_openings: self.n_openings,
            n_random: self.n_random,
        }
    }
}

/// A number for a process that no process of any machine in memory has had.
pub(super) fn next_process() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1 << 20);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// One step of the splitmix64 generator (Steele, Lea and Flood 2014).
pub(super) fn splitmix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
