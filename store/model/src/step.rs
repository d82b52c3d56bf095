//! The steps of the protocol by name. The store's code gives its steps the same names.

use std::fmt;

macro_rules! steps {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal,)+) => {
        /// A step: what a process does next, at once and undivided.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
        pub enum Step { #[default] $($(#[doc = $doc])+ $variant,)+ }

        impl Step {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The name, in snake case.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }
        }
    };
}

steps! {
    /// The process has nothing open. It may open: take the commit lock, read, recover.
    Open = "open",
    /// The process waits for work.
    Idle = "idle",

    /// Commit: take the commit lock and follow.
    CommitLock = "commit_lock",
    /// Commit: append a frame at the durable length.
    CommitAppend = "commit_append",
    /// Commit: sync the log.
    CommitSync = "commit_sync",
    /// Commit: write the durable length.
    CommitAdvance = "commit_advance",
    /// Commit: release the lock and answer.
    CommitRelease = "commit_release",
    /// Commit, after a sync that failed: cut, answer "unknown", release, open again.
    CommitCutBack = "commit_cut_back",

    /// Follow: read the header.
    FollowHeader = "follow_header",
    /// Follow: look the path up.
    FollowPath = "follow_path",
    /// Follow: take the shared lock on a file that was not open before, and look the path up again.
    FollowLock = "follow_lock",
    /// Follow: read the superblock and the rows.
    FollowSuperblock = "follow_superblock",
    /// Follow: read a frame.
    FollowFrame = "follow_frame",
    /// Follow: read the header again.
    FollowHeaderAgain = "follow_header_again",

    /// Making the log: give the commit lock back, for the checkpoint lock comes first.
    CreateUnlock = "create_unlock",
    /// Making the log: take the checkpoint lock.
    CreateLockCheckpoint = "create_lock_checkpoint",
    /// Making the log: make the file, where there is none.
    CreateFile = "create_file",
    /// Making the log: take the commit lock and look again.
    CreateLock = "create_lock",
    /// Making the log: write its first slot.
    CreateLog = "create_log",
    /// Making the log: sync it.
    CreateSync = "create_sync",
    /// Making the log: sync the folder.
    CreateSyncFolder = "create_sync_folder",

    /// Recovery: write the ruling slot and whole frames again.
    RecoverRewrite = "recover_rewrite",
    /// Recovery: sync the log.
    RecoverSync = "recover_sync",
    /// Opening: sync the folder.
    RecoverSyncFolder = "recover_sync_folder",
    /// Recovery: cut behind the last whole frame.
    RecoverCut = "recover_cut",
    /// Recovery: write the durable length.
    RecoverAdvance = "recover_advance",

    /// Finishing a checkpoint: write the superblock again.
    FinishSuperblock = "finish_superblock",
    /// Finishing a checkpoint: sync the file.
    FinishSyncFile = "finish_sync_file",
    /// Finishing a checkpoint: sync the folder.
    FinishSyncFolder = "finish_sync_folder",
    /// Finishing a checkpoint: sync the log.
    FinishSyncLog = "finish_sync_log",
    /// Finishing a checkpoint: write a header with a new generation.
    FinishReset = "finish_reset",
    /// Finishing a checkpoint: sync the log.
    FinishSyncReset = "finish_sync_reset",
    /// Finishing a checkpoint: cut the log.
    FinishTruncate = "finish_truncate",

    /// Checkpoint: take the checkpoint lock.
    CheckpointBegin = "checkpoint_begin",
    /// Checkpoint: extend the file.
    CheckpointExtend = "checkpoint_extend",
    /// Checkpoint: append chunks up to a cut.
    CheckpointAppendEarly = "checkpoint_append_early",
    /// Checkpoint: take the commit lock and follow.
    CheckpointLock = "checkpoint_lock",
    /// Checkpoint: append the rest.
    CheckpointAppend = "checkpoint_append",
    /// Checkpoint: sync the file.
    CheckpointSyncFile = "checkpoint_sync_file",
    /// Checkpoint: sync the log.
    CheckpointSyncLog = "checkpoint_sync_log",
    /// Checkpoint: write the image of the new superblock into the header.
    CheckpointImage = "checkpoint_image",
    /// Checkpoint: sync the log.
    CheckpointSyncImage = "checkpoint_sync_image",
    /// Checkpoint: write the superblock.
    CheckpointSuperblock = "checkpoint_superblock",
    /// Checkpoint: sync the file.
    CheckpointSyncSuperblock = "checkpoint_sync_superblock",
    /// Checkpoint: write a header with a new generation.
    CheckpointReset = "checkpoint_reset",
    /// Checkpoint: sync the log.
    CheckpointSyncReset = "checkpoint_sync_reset",
    /// Checkpoint: cut the log.
    CheckpointTruncate = "checkpoint_truncate",
    /// Checkpoint: release both locks.
    CheckpointRelease = "checkpoint_release",

    /// Compaction: take the checkpoint lock.
    CompactionBegin = "compaction_begin",
    /// Compaction: take the commit lock and follow.
    CompactionLock = "compaction_lock",
    /// Compaction: write a new temporary file; one that was left is removed.
    CompactionWrite = "compaction_write",
    /// Compaction: sync the new file.
    CompactionSyncFile = "compaction_sync_file",
    /// Compaction: sync the log.
    CompactionSyncLog = "compaction_sync_log",
    /// Compaction: give the old file its second name.
    CompactionLinkOld = "compaction_link_old",
    /// Compaction: sync the folder.
    CompactionSyncOldName = "compaction_sync_old_name",
    /// Compaction: rename the new file over the old one.
    CompactionRename = "compaction_rename",
    /// Compaction: sync the folder.
    CompactionSyncRename = "compaction_sync_rename",
    /// Compaction: write a header with a new generation.
    CompactionReset = "compaction_reset",
    /// Compaction: sync the log.
    CompactionSyncReset = "compaction_sync_reset",
    /// Compaction: cut the log.
    CompactionTruncate = "compaction_truncate",

    /// Erasing, or going on with it: take the checkpoint lock.
    EraseBegin = "erase_begin",
    /// Erasing: take the commit lock and follow.
    EraseLock = "erase_lock",
    /// Erasing: sync the log with its length.
    EraseSyncLog = "erase_sync_log",
    /// Erasing: release the commit lock, let go of the old file.
    EraseReleaseLog = "erase_release_log",
    /// Erasing: try the exclusive lock on the old file.
    EraseTryLock = "erase_try_lock",
    /// Erasing: empty the old file.
    EraseEmpty = "erase_empty",
    /// Erasing: remove the old file's second name.
    EraseUnlink = "erase_unlink",
    /// Erasing: sync the folder.
    EraseSyncFolder = "erase_sync_folder",
    /// Erasing: release the checkpoint lock and answer "erased".
    EraseRelease = "erase_release",

    /// Closing: take the checkpoint lock, if it is free.
    TrimBegin = "trim_begin",
    /// Closing: cut the file at its end-of-file address.
    TrimCut = "trim_cut",
    /// Closing: release the lock and close.
    TrimRelease = "trim_release",

    /// Another program opens the file and takes its size.
    ReaderOpen = "reader_open",
    /// Another program takes the shared lock on the file.
    ReaderLock = "reader_lock",
    /// Another program reads the superblock and the rows behind it.
    ReaderSuperblock = "reader_superblock",
    /// Another program closes the file.
    ReaderClose = "reader_close",

    /// Power is lost.
    PowerLoss = "power_loss",
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
