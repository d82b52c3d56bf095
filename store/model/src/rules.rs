//! The rules and the syncs of the protocol, by name, so that each can be left out.

use std::fmt;

macro_rules! named {
    ($(#[$meta:meta])* $kind:ident { $($(#[doc = $doc:literal])+ $variant:ident = $name:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum $kind { $($(#[doc = $doc])+ $variant,)+ }

        impl $kind {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The name, in snake case.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// The one of this name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|it| it.name() == name)
            }

            fn bit(self) -> u64 {
                1 << (self as u64)
            }
        }

        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

named! {
    /// A rule of the protocol. Left out, it becomes the mistake that it prevents.
    Rule {
        /// A committer, too, finishes a checkpoint that it finds unfinished.
        SettleUnfinished = "settle_unfinished",
        /// Whoever takes the commit lock leaves nothing behind the durable length.
        SettleTail = "settle_tail",
        /// A frame's checksum goes on from the frame before it.
        Chain = "chain",
        /// A slot is written only after a sync under the same hold of the commit lock.
        SyncBeforeSlot = "sync_before_slot",
        /// Opening writes the ruling slot again, so that the next sync covers it.
        RewriteSlot = "rewrite_slot",
        /// Recovery writes whole frames again, so that the next sync covers them.
        RewriteTail = "rewrite_tail",
        /// Finishing writes the superblock again, so that the next sync covers it.
        RewriteSuperblock = "rewrite_superblock",
        /// Finishing takes the superblock's own bytes where they are whole, not the log's image.
        FinishFromSuperblock = "finish_from_superblock",
        /// A log without a valid slot and without frames was never begun.
        RemakeBlankLog = "remake_blank_log",
        /// Every process syncs the folder when it opens.
        SyncFolderAtOpen = "sync_folder_at_open",
        /// The header is written after the frames' sync, never with the first frame.
        FramesBeforeSlot = "frames_before_slot",
        /// A checkpoint extends the file before it writes chunks.
        Extend = "extend",
        /// It extends by one more checkpoint than it needs; so does a compaction, before it renames.
        ExtendAhead = "extend_ahead",
        /// Only the holder of the checkpoint lock trims.
        TrimUnderLock = "trim_under_lock",
        /// Trimming reads the superblock again under the lock.
        TrimByNewest = "trim_by_newest",
        /// A compaction keeps the old file under a second name.
        KeepOld = "keep_old",
        /// Every compaction does, not only one that carries out an erasure.
        KeepOldAlways = "keep_old_always",
        /// No compaction begins while another file has the second name.
        OneOldAtATime = "one_old_at_a_time",
        /// The old file is let go only when an exclusive try-lock shows that nobody has it open.
        LockOld = "lock_old",
        /// A file under the second name that is the memory itself is neither locked nor emptied.
        CompareOld = "compare_old",
        /// The old file is emptied under that lock, before its name goes.
        EmptyOld = "empty_old",
        /// Who has the shared lock on the memory, or was refused it, looks the path up again.
        LookAgain = "look_again",
        /// A compaction makes a new temporary file, and never goes on with one that it finds.
        FreshTemporary = "fresh_temporary",
    }
}

named! {
    /// A sync of the protocol.
    Sync {
        /// Commit: the log, before the durable length.
        Commit = "commit",
        /// Recovery: the log.
        Recover = "recover",
        /// Opening: the folder.
        Folder = "folder",
        /// Checkpoint: the file, before the superblock.
        CheckpointFile = "checkpoint_file",
        /// Checkpoint: the log, before the image.
        CheckpointLog = "checkpoint_log",
        /// Checkpoint: the image.
        CheckpointImage = "checkpoint_image",
        /// Checkpoint: the superblock.
        CheckpointSuperblock = "checkpoint_superblock",
        /// Checkpoint: the header of the new generation.
        CheckpointReset = "checkpoint_reset",
        /// Finishing: the file.
        FinishFile = "finish_file",
        /// Finishing: the folder.
        FinishFolder = "finish_folder",
        /// Finishing: the log, before the header.
        FinishLog = "finish_log",
        /// Finishing: the header of the new generation.
        FinishReset = "finish_reset",
        /// Compaction: the new file.
        CompactionFile = "compaction_file",
        /// Compaction: the log, before the rename.
        CompactionLog = "compaction_log",
        /// Compaction: the folder, so that the old file's second name lasts.
        CompactionOldName = "compaction_old_name",
        /// Compaction: the folder, after the rename.
        CompactionRename = "compaction_rename",
        /// Compaction: the header of the new generation.
        CompactionReset = "compaction_reset",
        /// Making the log: the log.
        CreateLog = "create_log",
        /// Making the log: the folder.
        CreateFolder = "create_folder",
        /// Erasing: the log with its length, after it was cut.
        EraseLog = "erase_log",
        /// Erasing: the folder, after the second name was removed.
        EraseFolder = "erase_folder",
    }
}

/// Which rules and syncs are kept: all of them, if not said otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    rules_left_out: u64,
    syncs_left_out: u64,
}

impl Rules {
    /// These without one rule.
    #[must_use]
    pub fn without(mut self, rule: Rule) -> Self {
        self.rules_left_out |= rule.bit();
        self
    }

    /// These without one sync.
    #[must_use]
    pub fn without_sync(mut self, sync: Sync) -> Self {
        self.syncs_left_out |= sync.bit();
        self
    }

    /// Whether a rule is kept.
    pub fn keep(&self, rule: Rule) -> bool {
        self.rules_left_out & rule.bit() == 0
    }

    /// Whether a sync is made.
    pub fn make(&self, sync: Sync) -> bool {
        self.syncs_left_out & sync.bit() == 0
    }
}
