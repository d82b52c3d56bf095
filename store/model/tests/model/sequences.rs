//! What each operation does to files and locks, as the model's own transitions say it.

use std::collections::BTreeSet;

use expect_test::{Expect, expect};
use palimpsest_store_model::{Action, Event, Rule, Step, Sync, Target, Work, sequence};

fn written(events: &[Event]) -> String {
    let lines: Vec<_> = events.iter().map(ToString::to_string).collect();
    lines.join("\n") + "\n"
}

fn check(work: Work, expect: &Expect) {
    expect.assert_eq(&written(&sequence(work)));
}

#[test]
fn names_are_unique() {
    fn check(kind: &str, names: &[&str]) {
        let unique: BTreeSet<_> = names.iter().collect();
        assert_eq!(unique.len(), names.len(), "{kind}: {names:?}");
    }
    let names = |it: Vec<&'static str>| it;
    check(
        "steps",
        &names(Step::ALL.iter().map(|it| it.name()).collect()),
    );
    check(
        "rules",
        &names(Rule::ALL.iter().map(|it| it.name()).collect()),
    );
    check(
        "syncs",
        &names(Sync::ALL.iter().map(|it| it.name()).collect()),
    );
    check(
        "work",
        &names(Work::ALL.iter().map(|it| it.name()).collect()),
    );
}

#[test]
fn every_lock_that_is_taken_is_given_back_and_the_checkpoint_lock_comes_first() {
    for work in Work::ALL {
        let mut held = Vec::new();
        for event in sequence(work) {
            match event.action {
                Action::Lock | Action::TryLock => held.push(event.target),
                Action::Unlock => held.retain(|it| *it != event.target),
                _ => {}
            }
            let commit = held.iter().position(|it| *it == Target::Log);
            let checkpoint = held.iter().position(|it| *it == Target::CheckpointLock);
            if let (Some(commit), Some(checkpoint)) = (commit, checkpoint) {
                assert!(checkpoint < commit, "{}: {event}", work.name());
            }
        }
        // The exclusive lock on the old file was not to be had.
        held.retain(|it| work != Work::ErasePending || *it != Target::Old);
        assert_eq!(held, [], "{} keeps a lock", work.name());
    }
}

#[test]
fn the_sequence_of_create() {
    check(
        Work::Create,
        &expect![[r"
            open: lock_shared memory
            create_lock_checkpoint: lock checkpoint_lock
            create_file: create log
            create_lock: lock log
            create_log: write log
            create_sync: sync_data log
            create_sync_folder: sync_data folder
            recover_rewrite: write log
            recover_sync: sync_data log
            recover_sync_folder: sync_data folder
            recover_cut: unlock log
            recover_cut: unlock checkpoint_lock
        "]],
    );
}

#[test]
fn the_sequence_of_open() {
    check(
        Work::Open,
        &expect![[r"
            open: lock_shared memory
            open: lock log
            recover_rewrite: write log
            recover_sync: sync_data log
            recover_sync_folder: sync_data folder
            recover_cut: unlock log
        "]],
    );
}

#[test]
fn the_sequence_of_recovery() {
    check(
        Work::Recovery,
        &expect![[r"
            open: lock_shared memory
            open: lock log
            recover_rewrite: write log
            recover_rewrite: write log
            recover_sync: sync_data log
            recover_sync_folder: sync_data folder
            recover_advance: write log
            recover_advance: unlock log
        "]],
    );
}

#[test]
fn the_sequence_of_recovery_of_torn_frame() {
    check(
        Work::RecoveryOfTornFrame,
        &expect![[r"
            open: lock_shared memory
            open: lock log
            recover_rewrite: write log
            recover_sync: sync_data log
            recover_sync_folder: sync_data folder
            recover_cut: truncate log
            recover_cut: unlock log
        "]],
    );
}

#[test]
fn the_sequence_of_commit() {
    check(
        Work::Commit,
        &expect![[r"
        commit_lock: lock log
        commit_append: write log
        commit_sync: sync_data log
        commit_advance: write log
        commit_release: unlock log
    "]],
    );
}

#[test]
fn the_sequence_of_checkpoint() {
    check(
        Work::Checkpoint,
        &expect![[r"
        checkpoint_begin: lock checkpoint_lock
        checkpoint_extend: extend memory
        checkpoint_lock: lock log
        checkpoint_append: write memory
        checkpoint_sync_file: sync_data memory
        checkpoint_sync_log: sync_data log
        checkpoint_image: write log
        checkpoint_sync_image: sync_data log
        checkpoint_superblock: write memory
        checkpoint_sync_superblock: sync_data memory
        checkpoint_reset: write log
        checkpoint_sync_reset: sync_data log
        checkpoint_truncate: truncate log
        checkpoint_release: unlock log
        checkpoint_release: unlock checkpoint_lock
    "]],
    );
}

#[test]
fn the_sequence_of_finish_checkpoint() {
    check(
        Work::FinishCheckpoint,
        &expect![[r"
            open: lock_shared memory
            open: lock log
            finish_superblock: write memory
            finish_sync_file: sync_data memory
            finish_sync_folder: sync_data folder
            finish_sync_log: sync_data log
            finish_reset: write log
            finish_sync_reset: sync_data log
            finish_truncate: truncate log
            recover_rewrite: write log
            recover_sync: sync_data log
            recover_sync_folder: sync_data folder
            recover_cut: unlock log
        "]],
    );
}

#[test]
fn the_sequence_of_compaction() {
    check(
        Work::Compaction,
        &expect![[r"
            compaction_begin: lock checkpoint_lock
            compaction_lock: lock log
            compaction_write: create temporary
            compaction_write: write temporary
            compaction_write: write temporary
            compaction_write: extend temporary
            compaction_sync_file: sync_data temporary
            compaction_sync_log: sync_data log
            compaction_link_old: link memory
            compaction_sync_old_name: sync_data folder
            compaction_rename: rename temporary
            compaction_sync_rename: sync_data folder
            compaction_reset: write log
            compaction_sync_reset: sync_data log
            compaction_truncate: truncate log
            erase_sync_log: sync_all log
            erase_release_log: lock_shared memory
            erase_release_log: unlock log
            erase_try_lock: try_lock old
            erase_empty: truncate old
            erase_unlink: unlink old
            erase_sync_folder: sync_data folder
            erase_release: unlock old
            erase_release: unlock checkpoint_lock
        "]],
    );
}

#[test]
fn the_sequence_of_erase() {
    check(
        Work::Erase,
        &expect![[r"
            erase_begin: lock checkpoint_lock
            erase_lock: lock log
            compaction_write: create temporary
            compaction_write: write temporary
            compaction_write: write temporary
            compaction_write: extend temporary
            compaction_sync_file: sync_data temporary
            compaction_sync_log: sync_data log
            compaction_link_old: link memory
            compaction_sync_old_name: sync_data folder
            compaction_rename: rename temporary
            compaction_sync_rename: sync_data folder
            compaction_reset: write log
            compaction_sync_reset: sync_data log
            compaction_truncate: truncate log
            erase_sync_log: sync_all log
            erase_release_log: lock_shared memory
            erase_release_log: unlock log
            erase_try_lock: try_lock old
            erase_empty: truncate old
            erase_unlink: unlink old
            erase_sync_folder: sync_data folder
            erase_release: unlock old
            erase_release: unlock checkpoint_lock
        "]],
    );
}

#[test]
fn the_sequence_of_erase_pending() {
    check(
        Work::ErasePending,
        &expect![[r"
            erase_begin: lock checkpoint_lock
            erase_lock: lock log
            compaction_write: create temporary
            compaction_write: write temporary
            compaction_write: write temporary
            compaction_write: extend temporary
            compaction_sync_file: sync_data temporary
            compaction_sync_log: sync_data log
            compaction_link_old: link memory
            compaction_sync_old_name: sync_data folder
            compaction_rename: rename temporary
            compaction_sync_rename: sync_data folder
            compaction_reset: write log
            compaction_sync_reset: sync_data log
            compaction_truncate: truncate log
            erase_sync_log: sync_all log
            erase_release_log: lock_shared memory
            erase_release_log: unlock log
            erase_try_lock: try_lock old
            erase_try_lock: unlock checkpoint_lock
        "]],
    );
}

#[test]
fn the_sequence_of_erase_finish() {
    check(
        Work::EraseFinish,
        &expect![[r"
        erase_begin: lock checkpoint_lock
        erase_lock: lock log
        erase_sync_log: sync_all log
        erase_release_log: unlock log
        erase_try_lock: try_lock old
        erase_empty: truncate old
        erase_unlink: unlink old
        erase_sync_folder: sync_data folder
        erase_release: unlock old
        erase_release: unlock checkpoint_lock
    "]],
    );
}

#[test]
fn the_sequence_of_trim() {
    check(
        Work::Trim,
        &expect![[r"
        trim_begin: try_lock checkpoint_lock
        trim_cut: truncate memory
        trim_release: unlock checkpoint_lock
    "]],
    );
}

/// The rows of the page's table: each step with all that it does in any piece of work.
fn table() -> String {
    let events: Vec<_> = Work::ALL.into_iter().flat_map(sequence).collect();
    let mut rows = String::new();
    for step in Step::ALL {
        let mut done: Vec<_> = Vec::new();
        for event in events.iter().filter(|it| it.step == *step) {
            let text = format!("{} {}", event.action.name(), event.target.name());
            if !done.contains(&text) {
                done.push(text);
            }
        }
        if !done.is_empty() {
            rows.push_str("| `");
            rows.push_str(step.name());
            rows.push_str("` | ");
            rows.push_str(&done.join(", "));
            rows.push_str(" |\n");
        }
    }
    rows
}

#[test]
fn the_page_has_every_step_and_what_it_does() {
    let page = include_str!("../../README.md");
    let table = table();
    assert!(
        page.contains(&table),
        "the table of README.md should be\n{table}"
    );
}
