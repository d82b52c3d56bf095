//! Requests that wait for a group, and their outcomes. Knows no log.

use std::any::Any;
use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::{Error, Operation, Snapshot, Timestamp, Tip};

/// A plan without its answer, which it puts aside.
pub(crate) type Plan = Box<dyn FnMut(&Tip) -> Option<Operation> + Send>;

/// One commit that was asked for.
pub(crate) struct Request {
    /// The caller's time.
    pub(crate) now: Timestamp,
    /// Decides what to commit.
    pub(crate) plan: Plan,
    outcome: Arc<Outcome>,
    log_path: PathBuf,
}

/// What became of a request; empty while nothing has.
#[derive(Debug, Default)]
pub(crate) struct Outcome(Mutex<Option<Result<Snapshot, Failure>>>);

/// Why a request came to nothing.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The store refused.
    Refused(Error),
    /// The plan panicked; its own caller is to hear of it.
    PlanPanicked(Box<dyn Any + Send>),
}

impl Outcome {
    pub(crate) fn take(&self) -> Option<Result<Snapshot, Failure>> {
        self.lock().take()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Result<Snapshot, Failure>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Request {
    pub(crate) fn new(now: Timestamp, plan: Plan, log_path: PathBuf) -> (Self, Arc<Outcome>) {
        let outcome = Arc::new(Outcome::default());
        (
            Self {
                now,
                plan,
                outcome: Arc::clone(&outcome),
                log_path,
            },
            outcome,
        )
    }

    /// Tells the caller.
    pub(crate) fn finish(self, result: Result<Snapshot, Failure>) {
        *self.outcome.lock() = Some(result);
    }
}

impl Drop for Request {
    /// Whoever carried the request died of a bug of ours: how far it came is not known.
    fn drop(&mut self) {
        self.outcome.lock().get_or_insert_with(|| {
            let source = Arc::new(io::Error::other("the thread that was writing it panicked"));
            Err(Failure::Refused(Error::Unknown {
                path: self.log_path.clone(),
                source,
            }))
        });
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("now", &self.now)
            .finish_non_exhaustive()
    }
}

/// The requests that wait, first come first served.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    requests: VecDeque<Request>,
    has_leader: bool,
}

/// The right to carry requests, which one thread has at a time.
#[derive(Debug)]
pub(crate) struct Leadership<'a> {
    queue: &'a Queue,
}

impl Queue {
    pub(crate) fn push(&self, request: Request) {
        self.lock().requests.push_back(request);
    }

    /// The first request that waits.
    pub(crate) fn pop(&self) -> Option<Request> {
        self.lock().requests.pop_front()
    }

    /// How many requests wait.
    pub(crate) fn len(&self) -> usize {
        self.lock().requests.len()
    }

    /// Waits for an outcome (`Ok`), or for the right to bring it about (`Err`).
    pub(crate) fn await_outcome(
        &self,
        outcome: &Outcome,
    ) -> Result<Result<Snapshot, Failure>, Leadership<'_>> {
        let mut waiting = self.lock();
        loop {
            if let Some(result) = outcome.take() {
                return Ok(result);
            }
            if !waiting.has_leader {
                waiting.has_leader = true;
                return Err(Leadership { queue: self });
            }
            waiting = self
                .changed
                .wait(waiting)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Leadership<'_> {
    fn drop(&mut self) {
        self.queue.lock().has_leader = false;
        self.queue.changed.notify_all();
    }
}
