//! What a process has in memory. A process that dies loses it.

use crate::history::{History, Operation};
use crate::step::Step;
use crate::value::ValueId;

/// Why the commit lock was taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub(crate) enum Purpose {
    /// For nothing; the process does not have it.
    #[default]
    None,
    /// The memory is opened.
    Open,
    /// Something is committed.
    Commit,
    /// A checkpoint is made.
    Checkpoint,
    /// The file is written anew.
    Compaction,
    /// What was erased is removed.
    Erase,
}

/// One process.
#[expect(
    clippy::struct_excessive_bools,
    reason = "what a process knows, bit by bit"
)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub(crate) struct Process {
    /// What it does next.
    pub(crate) step: Step,
    /// Why it took the commit lock.
    pub(crate) purpose: Purpose,
    /// The generation of the log that it follows.
    pub(crate) generation: u8,
    /// What its readers see.
    pub(crate) view: History,
    /// The memory file that it has open, with the shared lock.
    pub(crate) inode: u8,
    /// The end of the file when it last read the superblock; only where files are trimmed.
    pub(crate) known_end: u8,
    /// How many operations it commits.
    pub(crate) n_operations: u8,
    /// Those operations.
    pub(crate) operations: [Operation; 2],
    /// How many frames of its work are done.
    pub(crate) frame_idx: u8,
    /// The slot that it read first.
    pub(crate) header: ValueId,
    /// Whether what it read does not fit together.
    pub(crate) is_suspect: bool,
    /// What it has read so far.
    pub(crate) read: History,
    /// Whether the log held no frame when it began to commit; only where that matters.
    pub(crate) is_first_frame: bool,
    /// Whether its next sync of the log reports another's failure.
    pub(crate) must_hear: bool,
    /// Whether it has written the ruling slot again.
    pub(crate) is_recovered: bool,
}

impl Process {
    /// Whether it has the memory open.
    pub(crate) fn is_alive(&self) -> bool {
        self.step != Step::Open
    }

    /// Whether it has this memory file open. One that is opening still looks the file up.
    pub(crate) fn has_open(&self, inode: u8) -> bool {
        self.is_alive() && self.purpose != Purpose::Open && self.inode == inode
    }

    /// Whether it has the shared lock on it.
    pub(crate) fn has_locked(&self, inode: u8) -> bool {
        self.step != Step::FollowLock && self.has_open(inode)
    }

    /// The process with its work done.
    pub(crate) fn at_rest(&self) -> Self {
        Self {
            step: Step::Idle,
            generation: self.generation,
            view: self.view,
            inode: self.inode,
            known_end: self.known_end,
            must_hear: self.must_hear,
            ..Self::default()
        }
    }
}
