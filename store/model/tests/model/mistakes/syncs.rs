//! Without a sync.

use super::{
    Bounds, Model, Sync, Violation, check, compacted, erased, failed, killed, new, search,
    syncs_without, torn, without,
};

#[test]
fn commit() {
    check(
        &syncs_without(&[Sync::Commit]),
        killed(),
        Violation::SeenVanished,
    );
}

#[test]
fn recover() {
    check(
        &syncs_without(&[Sync::Recover]),
        killed(),
        Violation::SeenVanished,
    );
}

#[test]
fn folder() {
    check(
        &syncs_without(&[Sync::Folder]),
        new(),
        Violation::SeenVanished,
    );
}

#[test]
fn checkpoint_file() {
    check(
        &syncs_without(&[Sync::CheckpointFile]),
        killed(),
        Violation::RowsMissing,
    );
}

#[test]
fn checkpoint_log() {
    check(
        &syncs_without(&[Sync::CheckpointLog]),
        torn(),
        Violation::HeaderLost,
    );
}

#[test]
fn checkpoint_image() {
    check(
        &syncs_without(&[Sync::CheckpointImage]),
        torn(),
        Violation::HeaderLost,
    );
}

#[test]
fn checkpoint_superblock() {
    let left_out = syncs_without(&[Sync::CheckpointSuperblock]);
    check(&left_out, killed(), Violation::LogRefused);
}

#[test]
fn finish_file() {
    check(
        &syncs_without(&[Sync::FinishFile]),
        killed(),
        Violation::LogRefused,
    );
}

#[test]
fn finish_folder() {
    check(
        &syncs_without(&[Sync::FinishFolder]),
        compacted(),
        Violation::LogRefused,
    );
}

#[test]
fn compaction_file() {
    let left_out = syncs_without(&[Sync::CompactionFile]);
    check(&left_out, compacted(), Violation::SuperblockLost);
}

#[test]
fn compaction_log() {
    let bounds = Bounds {
        n_checkpoints: 1,
        ..compacted()
    };
    check(
        &syncs_without(&[Sync::CompactionLog]),
        bounds,
        Violation::LogRefused,
    );
}

#[test]
fn compaction_rename() {
    let left_out = syncs_without(&[Sync::CompactionRename]);
    check(&left_out, compacted(), Violation::LogRefused);
}

#[test]
fn compaction_old_name() {
    let left_out = syncs_without(&[Sync::CompactionOldName]);
    check(&left_out, erased(), Violation::ErasureForgotten);
}

#[test]
fn erase_log() {
    check(
        &syncs_without(&[Sync::EraseLog]),
        erased(),
        Violation::ErasureForgotten,
    );
}

#[test]
fn erase_folder() {
    check(
        &syncs_without(&[Sync::EraseFolder]),
        erased(),
        Violation::ErasedFound,
    );
}

/// Whoever opens next syncs the same; one of the two is needed.
#[test]
fn create_log_or_recover() {
    let left_out = syncs_without(&[Sync::CreateLog, Sync::Recover]);
    check(&left_out, new(), Violation::HeaderLost);
}

/// Whoever opens next syncs the same; one of the two is needed.
#[test]
fn create_folder_or_folder() {
    let left_out = syncs_without(&[Sync::CreateFolder, Sync::Folder]);
    check(&left_out, new(), Violation::SeenVanished);
}

/// These are made for the rule's sake, that a slot is written only behind a sync. No run needs
/// them: the sync before the next slot covers what they cover.
#[test]
fn resets_are_covered_by_the_syncs_around_them() {
    let left_out = syncs_without(&[
        Sync::CheckpointReset,
        Sync::CompactionReset,
        Sync::FinishReset,
        Sync::FinishLog,
    ]);
    let bounds = Bounds {
        n_items: 2,
        n_checkpoints: 1,
        n_compactions: 1,
        ..torn()
    };
    for bounds in [
        bounds,
        Bounds {
            n_failures: 1,
            n_kills: 0,
            ..bounds
        },
        failed(),
    ] {
        let run = search(&Model::new(without(&left_out), bounds));
        assert_eq!(
            run.violation(),
            None,
            "a sync that is needed after all has no test"
        );
    }
}
