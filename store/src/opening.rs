//! Opening a log: making it where it was never begun, and recovering it before anything else.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use palimpsest_hdf5::{Backend, LockKind, OpenMode};

use crate::Error;
use crate::follow::{Known, Place};
use crate::location::{Location, refused};
use crate::lock::{CheckpointLock, CommitLock};
use crate::log::{Hold, LogFile, Writable};
use crate::recovery::{Purpose, begin_log, settle};

/// How often a log may be replaced while it is being opened.
const ATTEMPTS_MAX: usize = 16;

/// Opens the log, finishing recovery first. `earlier` is what was known through an opening that a
/// failed sync has ended.
pub(crate) fn open_log(
    shared_backend: &Arc<dyn Backend>,
    location: &Location,
    wait: Duration,
    earlier: Option<&Known>,
) -> Result<Known, Error> {
    let backend = &**shared_backend;
    let mut creation = None;
    for _ in 0..ATTEMPTS_MAX {
        let mode = if creation.is_some() {
            OpenMode::Create
        } else {
            OpenMode::Write
        };
        let log = match LogFile::open(backend, &location.log, mode) {
            Ok(log) => Arc::new(log),
            Err(error) if error.kind() == io::ErrorKind::NotFound && creation.is_none() => {
                creation = Some(CheckpointLock::take(backend, location, wait)?);
                continue;
            }
            Err(source) => return Err(refused("open", &location.log, source)),
        };
        let known = match earlier {
            Some(earlier) if earlier.log.identity != log.identity => {
                return Err(Error::Replaced {
                    path: location.log.clone(),
                });
            }
            Some(earlier) => earlier.clone().through(Arc::clone(&log)),
            None => {
                let place = Place {
                    backend: Arc::clone(shared_backend),
                    memory: location.memory.clone(),
                };
                Known::nothing(Arc::clone(&log), Arc::new(place))?
            }
        };
        if log.writable != Writable::Here {
            return open_read_only(&known, wait);
        }
        // A long log is read before others have to wait; what cannot be read is judged below.
        let known = known.follow().unwrap_or(known);
        let lock = match CommitLock::take(backend, &log, wait) {
            Err(Error::Replaced { .. }) => continue,
            other => other?,
        };
        lock.check_exclusion(backend)?;
        let mut hold = Hold::new(lock);
        if known.log_is_blank()? {
            if creation.is_none() {
                // The checkpoint lock comes first.
                drop(hold);
                creation = Some(CheckpointLock::take(backend, location, wait)?);
                continue;
            }
            begin_log(&mut hold, backend, location)?;
        }
        return settle(&mut hold, &known, Purpose::Open, backend, location);
    }
    Err(Error::Replaced {
        path: location.log.clone(),
    })
}

/// A log that may not be written here is only followed; where nobody can write it, and nobody is
/// about to, what a writer left behind the durable end counts too.
fn open_read_only(known: &Known, wait: Duration) -> Result<Known, Error> {
    let known = known.follow()?;
    if known.log.writable != Writable::Nowhere {
        return Ok(known);
    }
    let log = Arc::clone(&known.log);
    match log.file.lock(LockKind::Shared, wait) {
        Ok(true) => {
            let known = known.follow().and_then(Known::with_tail);
            log.file
                .unlock()
                .map_err(|source| log.refused("unlock", source))?;
            known
        }
        Ok(false) => Ok(known),
        // A medium without locks has no writers.
        Err(_) => known.with_tail(),
    }
}
