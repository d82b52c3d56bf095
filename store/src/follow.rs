//! Following: from what was known of a memory to what its files say now. Writes nothing, and takes no lock but the
//! shared one on the memory file.

use std::path::PathBuf;
use std::sync::Arc;

use palimpsest_hdf5::Backend;

use crate::checkpoint;
use crate::error::Damage;
use crate::log::{
    FORMAT_VERSION, FRAMES_OFFSET, FrameReader, Header, LogFile, Newest, Next, Position, Slot,
};
use crate::memory_file::{MemoryFile, bad};
use crate::view::{Commit, View};
use crate::{Error, Operation};

/// Frames are indexed together up to this many bytes.
const BATCH_LEN_BYTES: usize = 16 << 20;

/// Where a memory's file is looked for.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) backend: Arc<dyn Backend>,
    pub(crate) memory: PathBuf,
}

/// What is known of a memory's files, and what everyone in the process may see.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) place: Arc<Place>,
    /// The memory file, where there is one, as it was when this log was begun or later.
    pub(crate) file: Option<MemoryFile>,
    /// The log.
    pub(crate) log: Arc<LogFile>,
    /// Its header when it was last read.
    pub(crate) header: Header,
    /// Which slot of it rules.
    pub(crate) slot_idx: usize,
    /// What that slot says.
    pub(crate) slot: Slot,
    /// Behind the last frame in the view.
    pub(crate) position: Position,
    /// All frames up to the position, indexed.
    pub(crate) view: View,
}

/// A header that was read, by the slot that rules in it.
struct Read {
    header: Header,
    slot_idx: usize,
    slot: Slot,
}

impl Known {
    /// Nothing is known yet.
    pub(crate) fn nothing(log: Arc<LogFile>, place: Arc<Place>) -> Result<Self, Error> {
        let header = log.header()?;
        let slot = Slot {
            counter: 0,
            ..Slot::first(0, 0)
        };
        let position = Position::start(&slot);
        Ok(Self {
            place,
            file: None,
            log,
            header,
            slot_idx: 1,
            slot,
            position,
            view: View::empty(),
        })
    }

    /// The same, through another opening of the file.
    pub(crate) fn through(self, log: Arc<LogFile>) -> Self {
        Self { log, ..self }
    }

    /// Whether the log was never begun, as far as is known.
    pub(crate) fn is_blank(&self) -> bool {
        self.slot.counter == 0
    }

    /// Whether the log was never begun, as it is now.
    pub(crate) fn log_is_blank(&self) -> Result<bool, Error> {
        Ok(read_slot(&self.log)?.is_none())
    }

    /// Whether the header still reads as it did: one small read.
    pub(crate) fn is_current(&self) -> Result<bool, Error> {
        Ok(self.log.header()? == self.header)
    }

    /// What the log says now: header, frames up to the durable end, header again.
    ///
    /// # Errors
    /// [`Error::Damaged`] only where the header read the same before and after, twice.
    pub(crate) fn follow(&self) -> Result<Self, Error> {
        let mut damage = None;
        loop {
            let Some(read) = read_slot(&self.log)? else {
                return self.blank();
            };
            // After a bad frame everything is read again, before it is believed.
            let is_same_log = read.slot.generation == self.slot.generation;
            let went_back = is_same_log && read.slot.durable_end < self.slot.durable_end;
            let goes_on = is_same_log && damage.is_none();
            let base = if goes_on {
                Ok((self.position, self.view.clone(), self.file.clone()))
            } else {
                let known = damage.is_none().then_some(self);
                self.place
                    .base(&read.slot, known)
                    .map(|(view, file)| (Position::start(&read.slot), view, file))
            };
            let (position, view, file) = match base {
                Ok(base) => base,
                // The file was read of another time than the header: both have to be read again.
                Err(_) if !is_still(&self.log, &read.slot)? => continue,
                Err(error) => return Err(error),
            };
            let end = read.slot.durable_end;
            let frames = read_frames(&self.log, position, view, end)?;
            if !is_still(&self.log, &read.slot)? {
                damage = None;
                continue;
            }
            let found = match frames.damage {
                _ if went_back => (0, "log header", Damage::WentBack),
                Some(problem) => (frames.position.offset_bytes, "log frame", problem),
                None => {
                    let Read {
                        header,
                        slot_idx,
                        slot,
                    } = read;
                    let Frames { position, view, .. } = frames;
                    return Ok(Self {
                        place: Arc::clone(&self.place),
                        file,
                        log: Arc::clone(&self.log),
                        header,
                        slot_idx,
                        slot,
                        position,
                        view,
                    });
                }
            };
            if damage == Some(found) {
                return Err(damaged(&self.log, found));
            }
            damage = Some(found);
        }
    }

    /// A log without a slot is nothing new where it had none before.
    fn blank(&self) -> Result<Self, Error> {
        if self.is_blank() {
            return Self::nothing(Arc::clone(&self.log), Arc::clone(&self.place));
        }
        Err(damaged(&self.log, (0, "log header", Damage::NoSlot)))
    }

    /// The same with the whole frames behind the durable end: those of a writer that died, on a
    /// medium where nobody can make them durable any more.
    pub(crate) fn with_tail(self) -> Result<Self, Error> {
        let end = self.log.len_bytes()?;
        let Frames { position, view, .. } =
            read_frames(&self.log, self.position, self.view.clone(), end)?;
        Ok(Self {
            position,
            view,
            ..self
        })
    }

    /// Where the whole frames behind the position end.
    pub(crate) fn whole_end(&self, len_bytes: u64) -> Result<u64, Error> {
        let mut reader = FrameReader::new(&self.log, self.position, len_bytes);
        while let Next::Frame(_) = reader.next()? {}
        Ok(reader.position().offset_bytes)
    }
}

impl Known {
    /// The memory file as it is now.
    ///
    /// # Errors
    /// [`Error::MissingMemoryFile`], [`Error::Mismatch`] where it is none that this log continues.
    pub(crate) fn newest_file(&self) -> Result<Option<MemoryFile>, Error> {
        self.place.newest_file(&self.slot, self.file.as_ref())
    }
}

impl Place {
    /// What the log of `slot` continues: a view, which goes on from that of `known` where it can, and the memory file.
    fn base(
        &self,
        slot: &Slot,
        known: Option<&Known>,
    ) -> Result<(View, Option<MemoryFile>), Error> {
        let known = known.filter(|known| known.slot.store_id == slot.store_id);
        let file = self.newest_file(slot, known.and_then(|known| known.file.as_ref()))?;
        let Some(file) = file else {
            return Ok((View::empty(), None));
        };
        let view = known.map_or_else(View::empty, |known| known.view.clone());
        if view.seq() >= file.seq() {
            return Ok((view, Some(file)));
        }
        let commits = checkpoint::read(file.hdf5(), view.seq());
        let commits = commits.map_err(|problem| bad(&file.path, problem))?;
        let state = &file.state;
        let view = view
            .apply(commits)
            .with_next(state.next_memory, state.next_entity);
        if view.seq() == state.seq {
            return Ok((view, Some(file)));
        }
        let found = format!(
            "its last commit is {}, and it says {}",
            view.seq(),
            state.seq
        );
        Err(mismatch(&file, found))
    }

    /// The memory file as it is now, which the log of `slot` must continue.
    fn newest_file(
        &self,
        slot: &Slot,
        known: Option<&MemoryFile>,
    ) -> Result<Option<MemoryFile>, Error> {
        let identity = self.backend.identity(&self.memory).ok();
        let file = match known.filter(|file| Some(file.identity) == identity) {
            Some(file) => Some(file.newest()?),
            None => MemoryFile::open(&*self.backend, &self.memory)?,
        };
        let Some(file) = file else {
            if slot.checkpoint == 0 {
                return Ok(None);
            }
            let path = self.memory.clone();
            return Err(Error::MissingMemoryFile { path });
        };
        if file.state.store_id != slot.store_id {
            return Err(mismatch(&file, "they are of two memories".to_owned()));
        }
        let is_its_own = file.state.checkpoint == slot.checkpoint && file.seq() == slot.base_seq;
        if is_its_own || file.is_ahead_of(slot.checkpoint, slot.generation) {
            return Ok(Some(file));
        }
        let found = format!(
            "the file is at checkpoint {}, the log continues {}",
            file.state.checkpoint, slot.checkpoint
        );
        Err(mismatch(&file, found))
    }
}

fn mismatch(file: &MemoryFile, found: String) -> Error {
    Error::Mismatch {
        path: file.path.clone(),
        found,
    }
}

/// Whether the log is still of the generation of `slot`.
fn is_still(log: &LogFile, slot: &Slot) -> Result<bool, Error> {
    let again = read_slot(log)?;
    Ok(again.is_some_and(|again| again.slot.generation == slot.generation))
}

/// The slot that rules; `None` where the log was never begun.
fn read_slot(log: &LogFile) -> Result<Option<Read>, Error> {
    loop {
        let header = log.header()?;
        match header.newest() {
            Newest::Slot(slot_idx, slot) => {
                return Ok(Some(Read {
                    header,
                    slot_idx,
                    slot,
                }));
            }
            Newest::Newer(found) => {
                let path = log.path.clone();
                return Err(Error::NewerFormat {
                    path,
                    found,
                    known: FORMAT_VERSION,
                });
            }
            Newest::None => {}
        }
        // Both slots may have been read while they were being written. The length comes before
        // the second look: a log that has frames by then has a slot to be seen by then.
        let len_bytes = log.len_bytes()?;
        if log.header()? != header {
            continue;
        }
        if !header.may_be_ours() {
            let path = log.path.clone();
            return Err(Error::NotALog { path });
        }
        return if len_bytes <= FRAMES_OFFSET {
            Ok(None)
        } else {
            Err(damaged(log, (0, "log header", Damage::NoSlot)))
        };
    }
}

/// Frames that were read and indexed, up to an end or to one that is not whole.
struct Frames {
    position: Position,
    view: View,
    damage: Option<Damage>,
}

fn read_frames(
    log: &LogFile,
    position: Position,
    mut view: View,
    end: u64,
) -> Result<Frames, Error> {
    let mut reader = FrameReader::new(log, position, end);
    let mut batch = Vec::new();
    let mut batch_len_bytes = 0;
    let damage = loop {
        match reader.next()? {
            Next::End => break None,
            Next::NotWhole(damage) => break Some(damage),
            Next::Frame(frame) => {
                let operation = Operation::decode(&frame.payload);
                let operation = operation.map_err(|source| Error::UnreadableFrame {
                    path: log.path.clone(),
                    offset_bytes: frame.offset_bytes,
                    source: Arc::new(source),
                })?;
                batch_len_bytes += frame.payload.len();
                batch.push(Commit {
                    seq: frame.seq,
                    at: frame.at,
                    operation,
                });
            }
        }
        if batch_len_bytes >= BATCH_LEN_BYTES {
            view = view.apply(std::mem::take(&mut batch));
            batch_len_bytes = 0;
        }
    };
    if !batch.is_empty() {
        view = view.apply(batch);
    }
    Ok(Frames {
        position: reader.position(),
        view,
        damage,
    })
}

pub(crate) fn damaged(
    log: &LogFile,
    (offset_bytes, structure, problem): (u64, &'static str, Damage),
) -> Error {
    Error::Damaged {
        path: log.path.clone(),
        structure,
        offset_bytes,
        problem,
    }
}
