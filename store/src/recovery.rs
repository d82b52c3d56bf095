//! What is done under the commit lock before anything else: follow, and settle what a dead writer
//! or a loss of power left. The order of the steps was checked by a model; `FORMAT.md` has it.

use palimpsest_hdf5::Backend;

use crate::Error;
use crate::error::Damage;
use crate::follow::{Known, damaged};
use crate::location::Location;
use crate::log::{FRAMES_OFFSET, Hold, Slot};

/// Why the commit lock is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The store is opened, or opened again after a sync that failed.
    Open,
    /// Something is to be committed.
    Commit,
}

/// Makes a log of a file that was never begun. Both locks are held.
pub(crate) fn begin_log(
    hold: &mut Hold<'_>,
    backend: &dyn Backend,
    location: &Location,
) -> Result<(), Error> {
    let random = |backend: &dyn Backend| {
        backend
            .random()
            .map_err(|source| hold.log().refused("find a random number for", source))
    };
    let store_id = random(backend)?;
    let generation = u64::try_from(random(backend)? >> u64::BITS).expect("the upper half");
    // 0 is the generation of a log that was never begun.
    let generation = generation.max(1);
    hold.begin(&Slot::first(store_id, generation))?;
    location.sync_folders(backend)
}

/// Follows the log and leaves nothing behind its durable end; what is known after that.
///
/// Whole frames beyond the durable end were planned on the frames before them, and may have been
/// acknowledged: they are kept, but only once they are certainly on the disk. For
/// [`Purpose::Open`] so is the ruling slot, which a failed sync may have left in memory alone.
pub(crate) fn settle(
    hold: &mut Hold<'_>,
    known: &Known,
    purpose: Purpose,
    backend: &dyn Backend,
    location: &Location,
) -> Result<Known, Error> {
    let known = known.follow()?;
    let durable_end = known.slot.durable_end;
    let len_bytes = known.log.len_bytes()?;
    // A loss of power may leave a new log shorter than its header: that takes no frame from it.
    if len_bytes < durable_end && durable_end > FRAMES_OFFSET {
        return Err(damaged(&known.log, (0, "log header", Damage::TooShort)));
    }
    if purpose == Purpose::Commit && len_bytes <= durable_end {
        return Ok(known);
    }
    let whole_end = known.whole_end(len_bytes)?;
    if purpose == Purpose::Open {
        hold.write_slot_again(&known.header, known.slot_idx)?;
    }
    if purpose == Purpose::Open || whole_end > durable_end {
        hold.write_again(durable_end, whole_end)?;
        hold.sync()?;
    }
    if purpose == Purpose::Open {
        location.sync_folders(backend)?;
    }
    if len_bytes > whole_end {
        tracing::info!(
            from = whole_end,
            to = len_bytes,
            "cutting what a writer left unfinished"
        );
        hold.cut(whole_end)?;
    }
    if whole_end == durable_end {
        return Ok(known);
    }
    let slot = Slot {
        counter: known.slot.counter.saturating_add(1),
        durable_end: whole_end,
        ..known.slot.clone()
    };
    hold.write_slot(&known.header, known.slot_idx, &slot)?;
    known.follow()
}
