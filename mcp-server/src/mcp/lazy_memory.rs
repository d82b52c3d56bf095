//! The memory, opened behind the first answer and, where that was refused, again at the next call.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use palimpsest_memory::{Clock, Memory, Options};

use super::refusal::with_causes;

/// A memory that is opened when it is first asked for. Share it in an [`Arc`].
#[derive(Debug)]
pub(crate) struct LazyMemory {
    options: Options,
    clock: Arc<dyn Clock>,
    /// How many times opening was tried.
    n_attempts: AtomicU64,
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    Unopened,
    Open(Arc<Memory>),
    Refused(OpenError),
}

/// Why the memory cannot be opened. The next call tries again.
#[derive(Debug, Clone, thiserror::Error)]
#[error("cannot open the memory at {}: {}", path.display(), with_causes(&**cause))]
pub(crate) struct OpenError {
    path: PathBuf,
    cause: Arc<palimpsest_memory::Error>,
}

impl LazyMemory {
    /// A memory that nothing has opened yet.
    pub(crate) fn new(options: Options, clock: Arc<dyn Clock>) -> Self {
        Self {
            options,
            clock,
            n_attempts: AtomicU64::new(0),
            state: Mutex::new(State::Unopened),
        }
    }

    /// The memory, open. Blocks while it is being opened.
    ///
    /// # Errors
    /// Where it cannot be opened. Calls that waited for one attempt share its error, so that a lock
    /// which another process holds is waited for once and not once a call.
    pub(crate) fn get(&self) -> Result<Arc<Memory>, OpenError> {
        let n_attempts_before = self.n_attempts.load(Ordering::Acquire);
        let mut state = self.lock();
        match &*state {
            State::Open(memory) => return Ok(Arc::clone(memory)),
            State::Refused(error)
                if self.n_attempts.load(Ordering::Acquire) != n_attempts_before =>
            {
                return Err(error.clone());
            }
            State::Unopened | State::Refused(_) => {}
        }
        let opened = Memory::open(self.options.clone(), Arc::clone(&self.clock));
        self.n_attempts.fetch_add(1, Ordering::AcqRel);
        match opened {
            Ok(memory) => {
                let memory = Arc::new(memory);
                *state = State::Open(Arc::clone(&memory));
                Ok(memory)
            }
            Err(cause) => {
                let error = OpenError {
                    path: self.options.path.clone(),
                    cause: Arc::new(cause),
                };
                *state = State::Refused(error.clone());
                Err(error)
            }
        }
    }

    /// Lets go of the memory, which closes when no call uses it any more. Does not wait
    /// for a memory that is being opened.
    pub(crate) fn close(&self) {
        match self.state.try_lock() {
            Ok(mut state) => *state = State::Unopened,
            Err(TryLockError::Poisoned(poisoned)) => *poisoned.into_inner() = State::Unopened,
            Err(TryLockError::WouldBlock) => {}
        }
    }

    /// The state is whole at every moment at which a thread can panic.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
