//! What all openings of one store in one process share: one log, one view, one writer at a time.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use arc_swap::ArcSwap;
use palimpsest_hdf5::Backend;

use crate::Error;
use crate::commit::{Queue, Writer};
use crate::follow::Known;
use crate::location::Location;
use crate::log::Writable;
use crate::opening::open_log;

/// One store, open in this process.
#[derive(Debug)]
pub(crate) struct Shared {
    backend: Arc<dyn Backend>,
    location: Location,
    /// What readers see.
    known: ArcSwap<Known>,
    /// Held while `known` is being replaced; never during a sync.
    following: Mutex<()>,
    /// Comes before the commit lock.
    writer: Mutex<Writer>,
    /// Whether the writer is in doubt, for readers to see without waiting for it.
    is_in_doubt: AtomicBool,
    pub(crate) queue: Queue,
}

/// The stores that are open, by process and canonical path. An entry is locked while its store is
/// being opened.
type Registry = BTreeMap<(u64, PathBuf), Arc<Mutex<Weak<Shared>>>>;

static REGISTRY: Mutex<Registry> = Mutex::new(BTreeMap::new());

impl Shared {
    /// The store at `location`: the one that is open already, if its log is still there.
    pub(crate) fn open(
        backend: Arc<dyn Backend>,
        location: Location,
        wait: Duration,
    ) -> Result<Arc<Self>, Error> {
        let entry = {
            let mut registry = lock(&REGISTRY);
            registry.retain(|_, entry| Arc::strong_count(entry) > 1 || is_open(entry));
            let key = (backend.process(), location.memory.clone());
            Arc::clone(registry.entry(key).or_default())
        };
        let mut open = lock(&entry);
        if let Some(shared) = open.upgrade()
            && backend.identity(&location.log).ok() == Some(shared.known().log.identity)
        {
            return Ok(shared);
        }
        let known = open_log(&backend, &location, wait, None)?;
        let shared = Arc::new(Self {
            backend,
            location,
            known: ArcSwap::from_pointee(known),
            following: Mutex::new(()),
            writer: Mutex::new(Writer::default()),
            is_in_doubt: AtomicBool::new(false),
            queue: Queue::default(),
        });
        *open = Arc::downgrade(&shared);
        Ok(shared)
    }

    pub(crate) fn backend(&self) -> &dyn Backend {
        &*self.backend
    }

    pub(crate) fn location(&self) -> &Location {
        &self.location
    }

    /// What readers see now.
    pub(crate) fn known(&self) -> Arc<Known> {
        self.known.load_full()
    }

    /// What readers see after they looked at the log: every commit that was durable before.
    pub(crate) fn follow(&self, wait: Duration) -> Result<Arc<Known>, Error> {
        if self.is_in_doubt.load(Ordering::Acquire) {
            self.write(|writer| self.end_doubt(writer, wait))?;
        }
        let known = self.known();
        if known.is_current()? {
            return Ok(known);
        }
        self.publish(Known::follow)
    }

    /// Replaces what readers see by what `next`, which must not sync, makes of it.
    pub(crate) fn publish(
        &self,
        next: impl FnOnce(&Known) -> Result<Known, Error>,
    ) -> Result<Arc<Known>, Error> {
        let _following = lock(&self.following);
        let known = Arc::new(next(&self.known())?);
        self.known.store(Arc::clone(&known));
        Ok(known)
    }

    /// Shows `known`, which took a sync to find out; a reader that has followed further meanwhile
    /// goes on from there, through the log that `known` came through.
    pub(crate) fn install(&self, known: Known) {
        let _following = lock(&self.following);
        let newest = self.known();
        self.known
            .store(Arc::new(if newest.slot.counter > known.slot.counter {
                Known::clone(&newest).through(known.log)
            } else {
                known
            }));
    }

    /// Lets one thread write.
    pub(crate) fn write<T>(&self, act: impl FnOnce(&mut Writer) -> T) -> T {
        let mut writer = lock(&self.writer);
        let guard = Doubt {
            writer: &mut writer,
            is_in_doubt: &self.is_in_doubt,
        };
        act(guard.writer)
    }

    /// Opens the log again where an earlier write left doubt about what it holds.
    pub(crate) fn end_doubt(&self, writer: &mut Writer, wait: Duration) -> Result<(), Error> {
        if !writer.is_in_doubt {
            return Ok(());
        }
        let opened = open_log(&self.backend, &self.location, wait, Some(&self.known()));
        self.install(opened.map_err(|source| match source {
            Error::Replaced { .. } => source,
            source => Error::Poisoned {
                path: self.location.log.clone(),
                source: Arc::new(source),
            },
        })?);
        writer.is_in_doubt = false;
        Ok(())
    }

    pub(crate) fn check_writable(&self, known: &Known) -> Result<(), Error> {
        if known.log.writable == Writable::Here {
            Ok(())
        } else {
            Err(Error::ReadOnly {
                path: self.location.log.clone(),
            })
        }
    }
}

/// Shows readers whether the writer is in doubt, however the writing ends.
struct Doubt<'a> {
    writer: &'a mut Writer,
    is_in_doubt: &'a AtomicBool,
}

impl Drop for Doubt<'_> {
    fn drop(&mut self) {
        self.is_in_doubt
            .store(self.writer.is_in_doubt, Ordering::Release);
    }
}

fn is_open(entry: &Mutex<Weak<Shared>>) -> bool {
    lock(entry).strong_count() > 0
}

/// A mutex whose holder panicked guards what the doubt of the writer, or nothing, tells.
fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
