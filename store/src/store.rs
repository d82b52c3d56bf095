//! The store: follows the log before each read, and commits under the lock.

use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::commit::{Failure, Plan, Request};
use crate::location::Location;
use crate::shared::Shared;
use crate::{EntityId, Error, MemoryId, Operation, Seq, Snapshot, Timestamp};

/// From this length on, 16 MiB, a log is long.
const LOG_LEN_BYTES_LONG: u64 = 16 << 20;

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
pub struct Store {
    shared: Arc<Shared>,
    lock_wait: Duration,
}

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

impl Store {
    /// Opens or makes the store at `options.path`, finishing recovery first.
    ///
    /// A process that opens the same store again shares what it has open already.
    ///
    /// # Errors
    /// Where files cannot be made, locked or read, or are damaged or of a newer format.
    pub fn open(
        backend: Arc<dyn palimpsest_hdf5::Backend>,
        options: StoreOptions,
    ) -> Result<Self, Error> {
        let StoreOptions { path, lock_wait } = options;
        let location = Location::find(&*backend, &path)?;
        let shared = Shared::open(backend, location, lock_wait)?;
        Ok(Self { shared, lock_wait })
    }

    /// The newest state: follows every commit of every process that was durable when it was called.
    ///
    /// Where nothing changed this is one small read of the log's header.
    ///
    /// # Errors
    /// Where the log cannot be read or is damaged.
    pub fn snapshot(&self) -> Result<Snapshot, Error> {
        Ok(Snapshot::new(
            self.shared.follow(self.lock_wait)?.view.clone(),
        ))
    }

    /// Plans and commits one operation, and returns once it is durable.
    ///
    /// `plan` runs under the commit lock on the newest state and must be quick and pure; it may run
    /// more than once, or not at all where the lock cannot be had. It may run on another thread,
    /// and must not use the store itself, which waits for it.
    ///
    /// # Errors
    /// Where nothing was kept: the lock's wait ended, the frame is too large, the disk is full.
    /// [`Error::Unknown`] where the sync failed: the commit may or may not be found later.
    ///
    /// # Panics
    /// Where `plan` panics: with what it panicked with. Nothing was kept of it, and other commits
    /// do not notice.
    pub fn commit<T, P>(&self, now: Timestamp, mut plan: P) -> Result<Committed<T>, Error>
    where
        T: Send + 'static,
        P: FnMut(&Tip) -> Planned<T> + Send + 'static,
    {
        let answer = Arc::new(Mutex::new(None));
        let aside = Arc::clone(&answer);
        let planned = move |tip: &Tip| {
            let Planned { operation, answer } = plan(tip);
            *aside.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
            operation
        };
        let snapshot = self.carry(now, Box::new(planned))?;
        let answer = answer.lock().unwrap_or_else(PoisonError::into_inner).take();
        Ok(Committed {
            answer: answer.expect("a commit that succeeds was planned"),
            snapshot,
        })
    }

    /// Waits until a request is carried to the disk, by this thread or another.
    fn carry(&self, now: Timestamp, plan: Plan) -> Result<Snapshot, Error> {
        let queue = &self.shared.queue;
        let (request, outcome) = Request::new(now, plan, self.shared.location().log.clone());
        queue.push(request);
        loop {
            match queue.await_outcome(&outcome) {
                Ok(Ok(snapshot)) => return Ok(snapshot),
                Ok(Err(Failure::Refused(error))) => return Err(error),
                Ok(Err(Failure::PlanPanicked(panic))) => resume_unwind(panic),
                Err(_leadership) => self
                    .shared
                    .write(|writer| self.shared.run_group(writer, queue, self.lock_wait)),
            }
        }
    }

    /// Whether the log has grown so long that it should be taken into the memory file, as far as is known.
    pub fn is_log_long(&self) -> bool {
        self.shared.known().slot.durable_end > LOG_LEN_BYTES_LONG
    }

    /// Takes what the log holds into the memory file and begins the log anew; whether there was anything. Others may
    /// read and commit meanwhile. `now` is when the file was made, where it is new.
    ///
    /// # Errors
    /// Where a lock cannot be had or a file not be written. Nothing is lost by any: what the file does not have, the log
    /// has.
    pub fn checkpoint(&self, now: Timestamp) -> Result<bool, Error> {
        self.shared.checkpoint(now, self.lock_wait)
    }

    /// As [`Self::checkpoint`], for the last thing that is done: where another process is at it, that one does it, and
    /// the file gives back the room that it was extended by. Afterwards the memory file alone is the whole memory.
    ///
    /// # Errors
    /// As [`Self::checkpoint`].
    pub fn close(&self, now: Timestamp) -> Result<bool, Error> {
        self.shared.close(now)
    }

    /// Paths and sizes.
    ///
    /// # Errors
    /// As [`Self::snapshot`].
    pub fn status(&self) -> Result<Status, Error> {
        let known = self.shared.follow(self.lock_wait)?;
        let location = self.shared.location();
        Ok(Status {
            path: location.memory.clone(),
            log_path: location.log.clone(),
            log_len_bytes: known.slot.durable_end,
            store_id: known.slot.store_id,
            n_versions: known.view.n_versions(),
        })
    }
}

#[cfg(test)]
mod tests;
