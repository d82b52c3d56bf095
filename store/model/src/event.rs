//! What a step does to files and locks: what a recorder at the store's door would see.

use std::fmt;

use crate::step::Step;

/// One thing that a step does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Event {
    /// The step that does it.
    pub step: Step,
    /// What it does.
    pub action: Action,
    /// To which file.
    pub target: Target,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} {}",
            self.step,
            self.action.name(),
            self.target.name()
        )
    }
}

/// What can be done to a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Take the exclusive lock, waiting for it.
    Lock,
    /// Take the exclusive lock if it is free.
    TryLock,
    /// Take the shared lock.
    LockShared,
    /// Release the lock.
    Unlock,
    /// Make the file.
    Create,
    /// Write bytes.
    Write,
    /// Sync the bytes (`fdatasync`).
    SyncData,
    /// Sync the bytes and what is said about the file, its length among it (`fsync`).
    SyncAll,
    /// Make the file longer, sparsely.
    Extend,
    /// Make the file shorter.
    Truncate,
    /// Give the file at this name a second name.
    Link,
    /// Rename this file over the memory.
    Rename,
    /// Remove this name.
    Unlink,
}

impl Action {
    /// The name, in snake case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lock => "lock",
            Self::TryLock => "try_lock",
            Self::LockShared => "lock_shared",
            Self::Unlock => "unlock",
            Self::Create => "create",
            Self::Write => "write",
            Self::SyncData => "sync_data",
            Self::SyncAll => "sync_all",
            Self::Extend => "extend",
            Self::Truncate => "truncate",
            Self::Link => "link",
            Self::Rename => "rename",
            Self::Unlink => "unlink",
        }
    }
}

/// What something is done to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// `memory.h5.log`; its lock is the commit lock.
    Log,
    /// `memory.h5`.
    Memory,
    /// The file before it, under its second name.
    Old,
    /// A new file under a temporary name.
    Temporary,
    /// `memory.h5.lock`; its lock is the checkpoint lock.
    CheckpointLock,
    /// The folder.
    Folder,
}

impl Target {
    /// The name, in snake case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::Memory => "memory",
            Self::Old => "old",
            Self::Temporary => "temporary",
            Self::CheckpointLock => "checkpoint_lock",
            Self::Folder => "folder",
        }
    }
}
