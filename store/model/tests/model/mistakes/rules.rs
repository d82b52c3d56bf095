//! Without a rule.

use super::{
    Bounds, Rule, Violation, check, compacted, erased, failed, killed, new, read, rules_without,
    torn,
};

/// A commit into a generation that the file has absorbed is lost with the log.
#[test]
fn a_committer_finishes_a_checkpoint() {
    let bounds = Bounds {
        n_items: 2,
        ..killed()
    };
    let left_out = rules_without(&[Rule::SettleUnfinished]);
    check(&left_out, bounds, Violation::SeenVanished);
}

/// A dead writer's second frame fits behind another writer's first.
#[test]
fn frames_are_chained_and_tails_are_settled() {
    let bounds = Bounds {
        n_items: 3,
        group_len_max: 2,
        n_checkpoints: 0,
        ..killed()
    };
    let left_out = rules_without(&[Rule::Chain, Rule::SettleTail]);
    check(&left_out, bounds, Violation::FrameMisplanned);
}

/// A frame whose sync failed is on the disk after all, and a later frame fits behind it.
#[test]
fn frames_are_chained() {
    let bounds = Bounds {
        n_items: 3,
        group_len_max: 2,
        n_kills: 0,
        ..failed()
    };
    check(
        &rules_without(&[Rule::Chain]),
        bounds,
        Violation::FrameMisplanned,
    );
}

/// What a dead writer left behind the header of a new generation is never cut.
#[test]
fn tails_are_settled() {
    let left_out = rules_without(&[Rule::SettleTail]);
    check(&left_out, erased(), Violation::ErasureForgotten);
}

/// The slot of the durable length and the one with the image are both lost.
#[test]
fn a_slot_is_written_behind_a_sync() {
    let left_out = rules_without(&[Rule::SyncBeforeSlot]);
    check(&left_out, torn(), Violation::HeaderLost);
}

/// A compaction is on the disk, and the header of the generation that it absorbed is not.
#[test]
fn a_compaction_renames_behind_a_sync_of_the_log() {
    let bounds = Bounds {
        n_compactions: 1,
        n_openings: 0,
        ..killed()
    };
    let left_out = rules_without(&[Rule::SyncBeforeSlot]);
    check(&left_out, bounds, Violation::LogRefused);
}

/// A header whose sync failed rules for those who read it, and is not on the disk.
#[test]
fn opening_writes_the_slot_again() {
    let bounds = Bounds {
        n_kills: 0,
        ..Bounds {
            n_failures: 1,
            ..compacted()
        }
    };
    check(
        &rules_without(&[Rule::RewriteSlot]),
        bounds,
        Violation::SeenVanished,
    );
}

/// Frames whose sync failed are counted, and are not on the disk.
#[test]
fn recovery_writes_frames_again() {
    check(
        &rules_without(&[Rule::RewriteTail]),
        failed(),
        Violation::SeenVanished,
    );
}

/// A superblock whose sync failed is built on, and is not on the disk.
#[test]
fn finishing_writes_the_superblock_again() {
    let bounds = Bounds {
        n_checkpoints: 1,
        n_kills: 0,
        ..failed()
    };
    let left_out = rules_without(&[Rule::RewriteSuperblock]);
    check(&left_out, bounds, Violation::LogRefused);
}

/// The image is that of the old file.
#[test]
fn finishing_takes_the_superblock_of_the_file() {
    let left_out = rules_without(&[Rule::FinishFromSuperblock]);
    check(&left_out, compacted(), Violation::RowsMissing);
}

/// The first slot is torn, and no frame was ever written.
#[test]
fn a_blank_log_is_made_again() {
    check(
        &rules_without(&[Rule::RemakeBlankLog]),
        new(),
        Violation::HeaderLost,
    );
}

/// The maker of the log died before it synced the folder.
#[test]
fn opening_syncs_the_folder() {
    check(
        &rules_without(&[Rule::SyncFolderAtOpen]),
        new(),
        Violation::SeenVanished,
    );
}

/// Both slots are written between two syncs.
#[test]
fn the_header_is_not_written_with_the_first_frame() {
    let bounds = Bounds {
        n_items: 2,
        ..torn()
    };
    check(
        &rules_without(&[Rule::FramesBeforeSlot]),
        bounds,
        Violation::HeaderLost,
    );
}

/// The file grows after another program has taken its size.
#[test]
fn a_checkpoint_extends_the_file_first() {
    check(
        &rules_without(&[Rule::Extend]),
        read(),
        Violation::ReaderTruncated,
    );
}

/// A whole checkpoint passes while another program opens the file.
#[test]
fn a_checkpoint_extends_for_the_next_one() {
    let bounds = Bounds {
        n_overtaking: 1,
        ..read()
    };
    check(
        &rules_without(&[Rule::ExtendAhead]),
        bounds,
        Violation::ReaderTruncated,
    );
}

/// The file is cut while another process's checkpoint is behind the old end.
#[test]
fn trimming_needs_the_checkpoint_lock() {
    let bounds = Bounds {
        n_closings: 1,
        ..read()
    };
    check(
        &rules_without(&[Rule::TrimUnderLock]),
        bounds,
        Violation::RowsMissing,
    );
}

/// The end that was known is that of a checkpoint ago.
#[test]
fn trimming_reads_the_superblock_again() {
    let bounds = Bounds {
        n_closings: 1,
        ..read()
    };
    check(
        &rules_without(&[Rule::TrimByNewest]),
        bounds,
        Violation::RowsMissing,
    );
}

/// An idle process has the old file open, and nothing tells the next writer.
#[test]
fn a_compaction_keeps_the_old_file() {
    check(
        &rules_without(&[Rule::KeepOld]),
        erased(),
        Violation::ErasureForgotten,
    );
}

/// An idle process has a file open that an earlier compaction replaced.
#[test]
fn every_compaction_keeps_the_old_file() {
    let bounds = Bounds {
        n_compactions: 1,
        n_kills: 0,
        n_power_losses: 0,
        ..erased()
    };
    let left_out = rules_without(&[Rule::KeepOldAlways]);
    check(&left_out, bounds, Violation::ErasureForgotten);
}

/// The second name is taken from a file that is still open.
#[test]
fn there_is_one_old_file_at_a_time() {
    let bounds = Bounds {
        n_compactions: 1,
        n_items: 2,
        n_kills: 0,
        n_power_losses: 0,
        ..erased()
    };
    let left_out = rules_without(&[Rule::OneOldAtATime]);
    check(&left_out, bounds, Violation::ErasureForgotten);
}

/// A file is emptied that a process reads through a map.
#[test]
fn the_old_file_is_emptied_only_under_its_lock() {
    check(
        &rules_without(&[Rule::LockOld]),
        erased(),
        Violation::OpenFileEmptied,
    );
}

/// Power was lost between the second name and the rename: both names are the memory's.
#[test]
fn the_memory_under_its_second_name_is_not_an_old_file() {
    let bounds = Bounds {
        n_openings: 1,
        ..erased()
    };
    check(
        &rules_without(&[Rule::CompareOld]),
        bounds,
        Violation::ErasureStuck,
    );
}

/// Another program has opened the old file and not locked it yet.
#[test]
fn the_old_file_is_emptied_before_its_name_goes() {
    let bounds = Bounds {
        n_readings: 1,
        n_overtaking: 1,
        n_power_losses: 0,
        ..erased()
    };
    check(
        &rules_without(&[Rule::EmptyOld]),
        bounds,
        Violation::ErasureForgotten,
    );
}

/// A follower has opened the old file, and finds it locked before it is emptied.
#[test]
fn a_follower_looks_the_path_up_again() {
    let bounds = Bounds {
        n_follows: 1,
        n_compactions: 1,
        n_checkpoints: 0,
        n_kills: 0,
        n_power_losses: 0,
        ..erased()
    };
    check(
        &rules_without(&[Rule::LookAgain]),
        bounds,
        Violation::FollowerRefused,
    );
}

/// Power was lost within a rename: the temporary name, too, is the memory's, and is written over.
#[test]
fn a_temporary_file_is_new() {
    let bounds = Bounds {
        n_compactions: 1,
        n_checkpoints: 0,
        n_openings: 1,
        ..erased()
    };
    let left_out = rules_without(&[Rule::FreshTemporary]);
    check(&left_out, bounds, Violation::ErasureForgotten);
}
