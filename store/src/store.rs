//! The store: follows the log before each read, and commits under the lock.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::{EntityId, Error, MemoryId, Operation, Seq, Snapshot, Timestamp};

/// Where a store is and how it behaves.
#[derive(Debug, Clone)]
pub struct StoreOptions {
    /// The memory file (`memory.h5`); the log and the lock file stand beside it.
    pub path: PathBuf,
    /// How long to wait for another process's lock before giving up.
    pub lock_wait: Duration,
}

/// One memory store, open in this process. Share it in an [`Arc`]; every method takes `&self`.
#[derive(Debug)]
pub struct Store {}

/// What a plan sees: the state on which its commit will stand, under the commit lock.
#[derive(Debug)]
pub struct Tip {
    /// Everything committed before, this group's earlier commits included.
    pub snapshot: Snapshot,
    /// The number that the commit will have.
    pub seq: Seq,
    /// The time that the commit will have: max(`now`, the time of the commit before).
    pub at: Timestamp,
    /// The first memory identifier that is free; the following ones are too.
    pub next_memory: MemoryId,
    /// The first entity identifier that is free; the following ones are too.
    pub next_entity: EntityId,
}

/// What a plan decided.
#[derive(Debug)]
pub struct Planned<T> {
    /// What to commit; `None` commits nothing, and the log is not written.
    pub operation: Option<Operation>,
    /// What to tell the caller once it is durable.
    pub answer: T,
}

/// A durable commit.
#[derive(Debug)]
pub struct Committed<T> {
    /// What the plan had to tell.
    pub answer: T,
    /// The state with the commit in it (or the state that was planned on, where nothing was committed).
    pub snapshot: Snapshot,
}

/// Figures of an open store.
#[derive(Debug, Clone)]
pub struct Status {
    /// The canonical path of the memory file.
    pub path: PathBuf,
    /// The log's path.
    pub log_path: PathBuf,
    /// The durable part of the log.
    pub log_len_bytes: u64,
    /// This store's random identity.
    pub store_id: u128,
    /// Versions kept, ended ones included.
    pub n_versions: u64,
}

#[expect(clippy::todo, unused_variables, reason = "filled in by the log")]
impl Store {
    /// Opens or makes the store at `options.path`, finishing recovery first.
    ///
    /// # Errors
    /// Where files cannot be made, locked or read, or are damaged or of a newer format.
    pub fn open(
        backend: Arc<dyn palimpsest_hdf5::Backend>,
        options: StoreOptions,
    ) -> Result<Self, Error> {
        todo!()
    }
    /// The newest state: follows every commit of every process that was durable when it was called.
    ///
    /// # Errors
    /// Where the log cannot be read or is damaged.
    pub fn snapshot(&self) -> Result<Snapshot, Error> {
        todo!()
    }
    /// Plans and commits one operation, and returns once it is durable.
    ///
    /// `plan` runs under the commit lock on the newest state and must be quick and pure; it may run
    /// more than once, or not at all where the lock cannot be had.
    ///
    /// # Errors
    /// Where nothing was kept: the lock's wait ended, the frame is too large, the disk is full.
    /// `Error::Unknown` where the sync failed: the commit may or may not be found later.
    pub fn commit<T, P>(&self, now: Timestamp, plan: P) -> Result<Committed<T>, Error>
    where
        T: Send + 'static,
        P: FnMut(&Tip) -> Planned<T> + Send + 'static,
    {
        todo!()
    }
    /// Paths and sizes.
    ///
    /// # Errors
    /// As [`Self::snapshot`].
    pub fn status(&self) -> Result<Status, Error> {
        todo!()
    }
}
