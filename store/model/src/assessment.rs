//! What a process finds when it reads the files under the commit lock.

use crate::bounds::Bounds;
use crate::history::History;
use crate::invariant::Violation;
use crate::rules::{Rule, Rules};
use crate::state::{FRAMES_MAX, State};
use crate::value::{Frame, Rows, Slot, Superblock, Value, ValueId};

/// What was found.
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are findings, independent of each other"
)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assessment {
    /// The slot that rules.
    pub(crate) slot: Slot,
    /// Which of the two it is.
    pub(crate) slot_idx: usize,
    /// The file at `memory.h5`.
    pub(crate) inode: u8,
    /// Its superblock, from the log's image where its own bytes are torn.
    pub(crate) superblock: Superblock,
    /// Whether the file has absorbed the log's generation: a checkpoint was not finished.
    pub(crate) is_unfinished: bool,
    /// How many whole frames there are beyond the durable length.
    pub(crate) n_whole: u8,
    /// Whether something else is behind those.
    pub(crate) has_garbage: bool,
    /// What is durable.
    pub(crate) durable: History,
    /// The same and the whole frames beyond.
    pub(crate) whole: History,
    /// Whether a frame does not follow the one that it was planned on.
    pub(crate) is_misplanned: bool,
    /// Whether the log was never begun.
    pub(crate) has_no_log: bool,
}

impl Assessment {
    /// Reads everything.
    pub(crate) fn of(state: &State, rules: &Rules, bounds: &Bounds) -> Result<Self, Violation> {
        let (inode, file) = state.memory().ok_or(Violation::SuperblockLost)?;
        let ruling = state.log.ruling();
        let mut superblock_id = file.superblock.current();
        if superblock_id == ValueId::TORN {
            superblock_id = ruling.ok_or(Violation::SuperblockLost)?.1.image;
        }
        let Value::Superblock(superblock) = superblock_id.value() else {
            return Err(Violation::SuperblockLost);
        };
        let rows = file.rows[usize::from(superblock.position)].current();
        if rows != Value::Rows(superblock.rows).id() {
            return Err(Violation::RowsMissing);
        }
        if bounds.has_sizes() && file.size() < superblock.end() {
            return Err(Violation::FileTruncated);
        }
        let found = Self {
            slot: Slot {
                checkpoint: superblock.checkpoint,
                base: superblock.rows.history.len(),
                image: superblock_id,
                ..Slot::default()
            },
            slot_idx: 1,
            inode,
            superblock,
            is_unfinished: false,
            n_whole: 0,
            has_garbage: false,
            durable: superblock.rows.history,
            whole: superblock.rows.history,
            is_misplanned: false,
            has_no_log: true,
        };
        if has_no_log(state, rules) {
            return Ok(found);
        }
        let (slot_idx, slot) = ruling.ok_or(Violation::HeaderLost)?;
        let is_unfinished =
            slot.checkpoint + 1 == superblock.checkpoint && superblock.absorbed == slot.generation;
        if slot.checkpoint != superblock.checkpoint && !is_unfinished {
            return Err(Violation::LogRefused);
        }
        let found = Self {
            slot,
            slot_idx,
            is_unfinished,
            has_no_log: false,
            ..found
        };
        found.with_frames(state, rules)
    }

    fn with_frames(mut self, state: &State, rules: &Rules) -> Result<Self, Violation> {
        let mut has_stopped = false;
        for idx in (0..).take(FRAMES_MAX) {
            let cell = state.log.frames[usize::from(idx)].current();
            let is_durable = idx < self.slot.durable_len;
            let is_whole = match cell.value() {
                Value::Frame(frame) if !has_stopped => self.take(frame, idx, rules),
                _ => false,
            };
            if !is_whole {
                if is_durable && !self.is_unfinished {
                    return Err(Violation::FrameDamaged);
                }
                has_stopped = true;
                self.has_garbage |= cell != ValueId::ABSENT;
            }
        }
        Ok(self)
    }

    /// Takes the frame at `idx`, if it is whole there.
    fn take(&mut self, frame: Frame, idx: u8, rules: &Rules) -> bool {
        let expected_seq = self.slot.base + 1 + idx;
        if frame.generation != self.slot.generation || frame.seq != expected_seq {
            return false;
        }
        let is_durable = idx < self.slot.durable_len;
        if frame.seq <= self.superblock.rows.history.len() {
            self.n_whole += u8::from(!is_durable);
            return true;
        }
        let follows = frame.planned_on == self.whole.last() && frame.seq == self.whole.len() + 1;
        if !follows && rules.keep(Rule::Chain) && !is_durable {
            return false;
        }
        self.is_misplanned |= !follows;
        self.whole = self.whole.with(frame.operation);
        if is_durable {
            self.durable = self.whole;
        } else {
            self.n_whole += 1;
        }
        true
    }

    /// What is there after a recovery.
    pub(crate) fn recovered(&self) -> History {
        if self.is_unfinished {
            self.superblock.rows.history
        } else {
            self.whole
        }
    }

    /// The superblock of the next checkpoint.
    pub(crate) fn next_superblock(&self, position: u8, rows: Rows) -> Superblock {
        Superblock {
            checkpoint: self.superblock.checkpoint + 1,
            absorbed: self.slot.generation,
            position,
            rows,
        }
    }

    /// The rows of the next checkpoint, which takes no byte away.
    pub(crate) fn next_rows(&self) -> Rows {
        Rows {
            history: self.durable,
            erased_to: self.superblock.rows.erased_to,
        }
    }
}

fn has_no_log(state: &State, rules: &Rules) -> bool {
    let log = &state.log;
    let is_missing = log.name.current() == ValueId::ABSENT;
    let is_empty = log.slots.iter().all(|it| it.current() == ValueId::ABSENT);
    let is_blank = rules.keep(Rule::RemakeBlankLog) && log.ruling().is_none() && log.has_no_frame();
    is_missing || is_empty || is_blank
}
