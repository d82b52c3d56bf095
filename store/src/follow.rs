//! Following: from what was known of a log to what it says now. Writes nothing and takes no lock.

use std::sync::Arc;

use crate::error::Damage;
use crate::log::{
    FORMAT_VERSION, FRAMES_OFFSET, FrameReader, Header, LogFile, Newest, Next, Position, Slot,
};
use crate::view::{Commit, View};
use crate::{Error, Operation};

/// Frames are indexed together up to this many bytes.
const BATCH_LEN_BYTES: usize = 16 << 20;

/// What is known of a log, and what everyone in the process may see.
#[derive(Debug, Clone)]
pub(crate) struct Known {
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
    pub(crate) fn nothing(log: Arc<LogFile>) -> Result<Self, Error> {
        let header = log.header()?;
        let slot = Slot {
            counter: 0,
            ..Slot::first(0, 0)
        };
        let position = Position::start(&slot);
        Ok(Self {
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
            let (position, view) = if goes_on {
                (self.position, self.view.clone())
            } else {
                (Position::start(&read.slot), View::empty())
            };
            let end = read.slot.durable_end;
            let frames = read_frames(&self.log, position, view, end)?;
            let is_same = read_slot(&self.log)?
                .is_some_and(|again| again.slot.generation == read.slot.generation);
            if !is_same {
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
                    let log = Arc::clone(&self.log);
                    return Ok(Self {
                        log,
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
            return Self::nothing(Arc::clone(&self.log));
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

/// The slot that rules; `None` where the log was never begun.
fn read_slot(log: &LogFile) -> Result<Option<Read>, Error> {
    loop {
        let header = log.header()?;
        match header.newest() {
            Newest::Slot(slot_idx, slot) => {
                if slot.checkpoint != 0 || slot.base_seq != crate::Seq::ZERO {
                    return Err(Error::NewerMemory {
                        path: log.path.with_extension(""),
                    });
                }
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
