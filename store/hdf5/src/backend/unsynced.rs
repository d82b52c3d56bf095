//! One file of a [`super::machine::Machine`]: what it reads as, and what a loss of power may leave of it.

use std::collections::BTreeMap;
use std::io;

use super::LockKind;

/// A change of one file's bytes.
#[derive(Debug, Clone)]
pub(super) enum Change {
    Write { offset_bytes: u64, bytes: Vec<u8> },
    SetLen { len_bytes: u64 },
}

/// What is known of a change's durability.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Certainty {
    /// A sync would make it durable.
    Unsynced,
    /// A sync failed on it: on the disk or not, and no later sync changes that.
    Failed,
    /// It is durable.
    Synced,
}

/// What a loss of power does to an uncertain change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Lost,
    Kept,
    /// Only the first bytes of a write.
    Prefix(usize),
    /// Only what comes after the first bytes of a write.
    Suffix(usize),
    /// The file's new length, without the bytes.
    Blank,
}

/// A file: its bytes, its history since it was last certain, its openings and locks.
#[derive(Debug)]
pub(super) struct RamInode {
    tracked: bool,
    bytes: Vec<u8>,
    certain: Vec<u8>,
    changes: Vec<(u64, Change, Certainty)>,
    n_sync_failures: u64,
    openings: BTreeMap<u64, Opening>,
}

#[derive(Debug)]
struct Opening {
    process: u64,
    lock: Option<LockKind>,
    n_sync_failures_seen: u64,
}

impl RamInode {
    pub(super) fn new(tracked: bool) -> Self {
        Self {
            tracked,
            bytes: Vec::new(),
            certain: Vec::new(),
            changes: Vec::new(),
            n_sync_failures: 0,
            openings: BTreeMap::new(),
        }
    }

    pub(super) fn read_at(&self, buffer: &mut [u8], offset_bytes: u64) -> usize {
        let start = usize::try_from(offset_bytes)
            .unwrap_or(usize::MAX)
            .min(self.bytes.len());
        let n = buffer.len().min(self.bytes.len() - start);
        buffer[..n].copy_from_slice(&self.bytes[start..start + n]);
        n
    }

    pub(super) fn len_bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    pub(super) fn change(&mut self, number: u64, change: Change) {
        apply(&mut self.bytes, &change, Fate::Kept);
        if self.tracked {
            self.changes.push((number, change, Certainty::Unsynced));
        }
    }

    /// Makes every change durable but cuts, which are never trusted to be: what was cut may come
    /// back until something else is written there. Reports an earlier failure once to each opening.
    pub(super) fn sync(&mut self, opening: u64) -> io::Result<()> {
        if let Some(opening) = self.openings.get_mut(&opening)
            && opening.n_sync_failures_seen < self.n_sync_failures
        {
            opening.n_sync_failures_seen = self.n_sync_failures;
            return Err(io::Error::other("input/output error"));
        }
        for (_, change, certainty) in &mut self.changes {
            if *certainty == Certainty::Unsynced && matches!(change, Change::Write { .. }) {
                *certainty = Certainty::Synced;
            }
        }
        let n_certain = self
            .changes
            .iter()
            .take_while(|(_, _, certainty)| *certainty == Certainty::Synced);
        let n_certain = n_certain.count();
        for (_, change, _) in self.changes.drain(..n_certain) {
            apply(&mut self.certain, &change, Fate::Kept);
        }
        Ok(())
    }

    /// What the kernel does when the disk fails: the bytes read as written, and count as clean.
    pub(super) fn fail_sync(&mut self) {
        self.n_sync_failures += 1;
        for (_, _, certainty) in &mut self.changes {
            if *certainty == Certainty::Unsynced {
                *certainty = Certainty::Failed;
            }
        }
    }

    pub(super) fn uncertain(&self) -> impl Iterator<Item = u64> {
        let changes = self.changes.iter();
        changes
            .filter(|(_, _, certainty)| *certainty != Certainty::Synced)
            .map(|change| change.0)
    }

    pub(super) fn after_power_loss(&self, fates: &BTreeMap<u64, Fate>) -> Self {
        let mut bytes = self.certain.clone();
        for (number, change, _) in &self.changes {
            apply(
                &mut bytes,
                change,
                fates.get(number).copied().unwrap_or(Fate::Kept),
            );
        }
        Self {
            certain: bytes.clone(),
            bytes,
            ..Self::new(self.tracked)
        }
    }

    pub(super) fn open(&mut self, opening: u64, process: u64) {
        let n_sync_failures_seen = self.n_sync_failures;
        self.openings.insert(
            opening,
            Opening {
                process,
                lock: None,
                n_sync_failures_seen,
            },
        );
    }

    pub(super) fn close(&mut self, opening: u64) {
        self.openings.remove(&opening);
    }

    pub(super) fn end_process(&mut self, process: u64) {
        self.openings
            .retain(|_, opening| opening.process != process);
    }

    pub(super) fn try_lock(&mut self, opening: u64, kind: LockKind) -> bool {
        let refused = self.openings.iter().any(|(number, other)| {
            *number != opening
                && match (other.lock, kind) {
                    (None, _) | (Some(LockKind::Shared), LockKind::Shared) => false,
                    (Some(_), _) => true,
                }
        });
        match self.openings.get_mut(&opening) {
            Some(own) if !refused => {
                own.lock = Some(kind);
                true
            }
            _ => false,
        }
    }

    pub(super) fn unlock(&mut self, opening: u64) {
        if let Some(own) = self.openings.get_mut(&opening) {
            own.lock = None;
        }
    }

    pub(super) fn lock_holder(&self) -> Option<u64> {
        self.openings
            .values()
            .find(|opening| opening.lock.is_some())
            .map(|opening| opening.process)
    }
}

fn apply(bytes: &mut Vec<u8>, change: &Change, fate: Fate) {
    match change {
        _ if fate == Fate::Lost => {}
        Change::SetLen { len_bytes } => {
            bytes.resize(
                usize::try_from(*len_bytes).expect("a file in memory fits it"),
                0,
            );
        }
        Change::Write {
            offset_bytes,
            bytes: new,
        } => {
            let start = usize::try_from(*offset_bytes).expect("a file in memory fits it");
            let (first, last) = match fate {
                Fate::Prefix(n) => (0, n.min(new.len())),
                Fate::Suffix(n) => (n.min(new.len()), new.len()),
                Fate::Blank => (0, 0),
                Fate::Kept | Fate::Lost => (0, new.len()),
            };
            let end = if fate == Fate::Blank {
                start + new.len()
            } else {
                start + last
            };
            if bytes.len() < end {
                bytes.resize(end, 0);
            }
            bytes[start + first..start + last].copy_from_slice(&new[first..last]);
        }
    }
}
