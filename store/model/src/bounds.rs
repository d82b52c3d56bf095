//! How much of each thing happens in a run of the model.

use crate::cell::Tearing;
use crate::state::FRAMES_MAX;

/// How many processes a state has room for.
pub(crate) const PROCESSES_MAX: usize = 3;

/// The bounds of a run. What is 0 does not happen at all, and takes no part in a state.
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are switches, independent of each other"
)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Processes, 1 to 3.
    pub n_processes: usize,
    /// Things to keep.
    pub n_items: u8,
    /// Erasures, of the first things that were kept.
    pub n_erasures: u8,
    /// Most operations in one group commit, 1 or 2.
    pub group_len_max: u8,
    /// Processes that are killed.
    pub n_kills: u8,
    /// Losses of power.
    pub n_power_losses: u8,
    /// Syncs that fail.
    pub n_failures: u8,
    /// Checkpoints.
    pub n_checkpoints: u8,
    /// Compactions for another reason than an erasure.
    pub n_compactions: u8,
    /// Openings of a process that was closed.
    pub n_openings: u8,
    /// Operations that only read.
    pub n_follows: u8,
    /// Openings of the file by another program.
    pub n_readings: u8,
    /// Closings, each of which trims the file.
    pub n_closings: u8,
    /// Whole checkpoints between the moment when the other program reads the file's size and the
    /// moment when it reads the superblock.
    pub n_overtaking: u8,
    /// Whether a lost write may come through in part.
    pub is_torn: bool,
    /// Whether a checkpoint appends before it takes the commit lock.
    pub is_early: bool,
    /// Whether there is no log at first.
    pub is_new: bool,
    /// Whether states that differ only in which process is which count as one.
    pub is_symmetric: bool,
    /// Give up behind so many states.
    pub n_states_max: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            n_processes: 2,
            n_items: 2,
            n_erasures: 0,
            group_len_max: 2,
            n_kills: 0,
            n_power_losses: 0,
            n_failures: 0,
            n_checkpoints: 0,
            n_compactions: 0,
            n_openings: 0,
            n_follows: 0,
            n_readings: 0,
            n_closings: 0,
            n_overtaking: 0,
            is_torn: false,
            is_early: false,
            is_new: false,
            is_symmetric: true,
            n_states_max: 60_000_000,
        }
    }
}

impl Bounds {
    /// Why no run has these bounds, if none has.
    pub fn problem(&self) -> Option<&'static str> {
        if !(1..=PROCESSES_MAX).contains(&self.n_processes) {
            Some("there are one to three processes")
        } else if usize::from(self.n_items) + usize::from(self.n_erasures) > FRAMES_MAX {
            Some("a log has room for four operations")
        } else if self.n_erasures > self.n_items {
            Some("only what is kept can be erased")
        } else if !(1..=2).contains(&self.group_len_max) {
            Some("a group has one or two operations")
        } else {
            None
        }
    }

    pub(crate) fn tearing(&self) -> Tearing {
        if self.is_torn {
            Tearing::Torn
        } else {
            Tearing::Atomic
        }
    }

    /// Whether the names of the old and of the temporary file are followed.
    pub(crate) fn has_names(&self) -> bool {
        self.n_erasures > 0
    }

    /// Whether the lengths of files are followed.
    pub(crate) fn has_sizes(&self) -> bool {
        self.n_readings > 0 || self.n_closings > 0
    }
}
