//! What is done under the commit lock before anything else: follow, and settle what a dead writer
//! or a loss of power left. The order of the steps was checked by a model; `FORMAT.md` has it.

use palimpsest_hdf5::{Backend, File, SuperblockImage};

use crate::Error;
use crate::error::Damage;
use crate::follow::{Known, damaged};
use crate::location::{Location, refused};
use crate::log::{FRAMES_OFFSET, Header, Hold, LogFile, Newest, Slot};
use crate::memory_file::{MemoryFile, open_device, read_superblock};

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
    let first = Slot::first(store_id, new_generation(hold.log(), backend)?);
    // After a clean close the memory file is the whole memory, and its log may have been taken away.
    let slot = match MemoryFile::open(backend, &location.memory)? {
        Some(file) => Slot {
            store_id: file.state.store_id,
            ..continuing(&file, &first)
        },
        None => first,
    };
    hold.begin(&slot)?;
    location.sync_folders(backend)
}

/// `slot`, of a log that continues `file` and has no frame yet.
fn continuing(file: &MemoryFile, slot: &Slot) -> Slot {
    Slot {
        checkpoint: file.state.checkpoint,
        base_seq: file.seq(),
        durable_end: FRAMES_OFFSET,
        image: file.superblock.to_vec(),
        ..slot.clone()
    }
}

fn new_generation(log: &LogFile, backend: &dyn Backend) -> Result<u64, Error> {
    let random = backend
        .random()
        .map_err(|source| log.refused("find a random number for", source))?;
    let generation = u64::try_from(random >> u64::BITS).expect("the upper half");
    // 0 is the generation of a log that was never begun.
    Ok(generation.max(1))
}

/// Begins the log anew, in place: every frame of it is in `file`. The log was synced behind the last slot. What is known
/// after that, but for the view.
///
/// The frames are cut last: until then they are of another generation than the header, and count no more.
pub(crate) fn reset(
    hold: &mut Hold<'_>,
    (header, slot_idx, slot): (&Header, usize, &Slot),
    file: &MemoryFile,
    backend: &dyn Backend,
) -> Result<(Header, Slot), Error> {
    let next = Slot {
        counter: slot.counter.saturating_add(1),
        generation: new_generation(hold.log(), backend)?,
        ..continuing(file, slot)
    };
    let header = hold.write_slot(header, slot_idx, &next)?;
    hold.sync()?;
    hold.cut(FRAMES_OFFSET)?;
    Ok((header, next))
}

/// Finishes a checkpoint that its process did not: the superblock is there, and the log not begun anew. Everything is
/// written again before it is synced, since an earlier sync may have failed.
fn finish_checkpoint(
    hold: &mut Hold<'_>,
    known: &Known,
    file: &MemoryFile,
    backend: &dyn Backend,
    location: &Location,
) -> Result<Known, Error> {
    tracing::info!(
        checkpoint = file.state.checkpoint,
        "finishing a checkpoint that was interrupted"
    );
    write_superblock(file.device.as_ref(), location, &file.superblock)?;
    location.sync_folders(backend)?;
    hold.sync()?;
    let ruling = (&known.header, known.slot_idx, &known.slot);
    reset(hold, ruling, file, backend)?;
    known.follow()
}

/// Writes the superblock that the log keeps a copy of over one that a loss of power tore.
fn mend_superblock(
    hold: &Hold<'_>,
    backend: &dyn Backend,
    location: &Location,
) -> Result<(), Error> {
    let Newest::Slot(_, slot) = hold.log().header()?.newest() else {
        return Ok(());
    };
    let Ok(image) = <SuperblockImage>::try_from(&*slot.image) else {
        return Ok(());
    };
    match MemoryFile::open(backend, &location.memory) {
        Err(Error::BadMemoryFile { .. }) => {
            let device = open_device(backend, &location.memory);
            let device = device.map_err(|source| refused("open", &location.memory, source))?;
            let found = read_superblock(&*device, &location.memory)?;
            write_superblock(&*device, location, &image)?;
            // It was not the superblock that was torn: then it is left as it was found.
            if MemoryFile::open(backend, &location.memory).is_err() {
                write_superblock(&*device, location, &found)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn write_superblock(
    device: &dyn File,
    location: &Location,
    image: &SuperblockImage,
) -> Result<(), Error> {
    let path = &location.memory;
    device
        .write_at(image, 0)
        .map_err(|source| refused("write", path, source))?;
    device
        .sync_data()
        .map_err(|source| refused("sync", path, source))
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
    if purpose == Purpose::Open {
        mend_superblock(hold, backend, location)?;
    }
    let mut known = known.follow()?;
    let file = known.newest_file()?;
    if let Some(file) = file
        && file.is_ahead_of(known.slot.checkpoint, known.slot.generation)
    {
        known = finish_checkpoint(hold, &known, &file, backend, location)?;
    }
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
