//! The order of a commit's steps, and what following reads: those of the model.

use std::path::PathBuf;

use palimpsest_hdf5::{Fault, FaultyBackend, LockKind, Step};

use super::{keep, keep_together, open, texts};
use crate::log::FRAMES_OFFSET;

fn memory() -> PathBuf {
    "/home/memory.h5".into()
}

fn log() -> PathBuf {
    "/home/memory.h5.log".into()
}

/// The steps that `act` takes.
fn steps_of(machine: &FaultyBackend, act: impl FnOnce()) -> Vec<Step> {
    let n_before = machine.journal().len();
    act();
    machine
        .journal()
        .split_off(n_before)
        .into_iter()
        .map(|(_, step)| step)
        .collect()
}

fn lock() -> [Step; 2] {
    let kind = LockKind::Exclusive;
    [
        Step::Lock { path: log(), kind },
        Step::Identify { path: log() },
    ]
}

/// The lock is taken, and looked whether a checkpoint has to be finished.
fn lock_and_look() -> [Step; 3] {
    let [lock, identify] = lock();
    [lock, identify, Step::Identify { path: memory() }]
}

fn write(offset_bytes: u64, len_bytes: u64) -> Step {
    let len_bytes = usize::try_from(len_bytes).unwrap();
    Step::Write {
        path: log(),
        offset_bytes,
        len_bytes,
    }
}

fn changes(steps: Vec<Step>) -> Vec<Step> {
    steps
        .into_iter()
        .filter(|step| !matches!(step, Step::Read { .. }))
        .collect()
}

#[test]
fn a_commit_locks_appends_syncs_advances_the_header_and_unlocks() {
    let machine = FaultyBackend::new();
    let store = open(machine.clone()).unwrap();
    let mut end = FRAMES_OFFSET;
    // Slots are written in turn; the first commit writes the second one.
    for (text, slot) in [("first", 4096), ("second", 0), ("third", 4096)] {
        let steps = steps_of(&machine, || {
            keep(&store, text).unwrap();
        });
        let new_end = store.status().unwrap().log_len_bytes;
        let mut expected = lock_and_look().to_vec();
        expected.extend([
            write(end, new_end - end),
            Step::SyncData { path: log() },
            write(slot, 204),
            Step::Unlock { path: log() },
        ]);
        assert_eq!(changes(steps), expected);
        end = new_end;
    }
}

#[test]
fn commits_of_one_process_share_one_lock_and_one_sync() {
    let machine = FaultyBackend::new();
    let store = open(machine.clone()).unwrap();
    let steps = steps_of(&machine, || {
        for outcome in keep_together(&store, &["first", "second", "third"]) {
            outcome.unwrap();
        }
    });
    let mut expected = lock_and_look().to_vec();
    expected.extend([
        write(
            FRAMES_OFFSET,
            store.status().unwrap().log_len_bytes - FRAMES_OFFSET,
        ),
        Step::SyncData { path: log() },
        write(4096, 204),
        Step::Unlock { path: log() },
    ]);
    assert_eq!(changes(steps), expected);
    assert_eq!(texts(&store).unwrap(), ["first", "second", "third"]);
}

#[test]
fn a_commit_makes_a_dead_writers_frame_durable_before_its_own() {
    let machine = FaultyBackend::new();
    let one = open(machine.clone()).unwrap();
    let two = open(machine.another_process()).unwrap();
    machine.plan(machine.n_steps() + 2, Fault::Kill { n_bytes: 0 });
    keep(&one, "first").unwrap_err();
    let mut ends = Vec::new();
    let steps = steps_of(&machine, || {
        keep(&two, "second").unwrap();
        ends.push(two.status().unwrap().log_len_bytes);
    });
    let second_len = {
        let store = open(FaultyBackend::new()).unwrap();
        keep(&store, "first").unwrap();
        store.status().unwrap().log_len_bytes - FRAMES_OFFSET
    };
    let first_end = FRAMES_OFFSET + second_len;
    let mut expected = lock_and_look().to_vec();
    expected.extend([
        write(FRAMES_OFFSET, second_len),
        Step::SyncData { path: log() },
        write(4096, 204),
        write(first_end, ends[0] - first_end),
        Step::SyncData { path: log() },
        write(0, 204),
        Step::Unlock { path: log() },
    ]);
    assert_eq!(changes(steps), expected);
}

#[test]
fn a_failed_sync_is_cut_back_before_the_lock_is_released() {
    let machine = FaultyBackend::new();
    let store = open(machine.clone()).unwrap();
    machine.plan(machine.n_steps() + 2, Fault::SyncFails);
    let steps = steps_of(&machine, || {
        keep(&store, "first").unwrap_err();
    });
    let [.., sync, cut, unlock] = &changes(steps)[..] else {
        panic!("a commit has more steps")
    };
    assert_eq!(*sync, Step::SyncData { path: log() });
    assert_eq!(
        *cut,
        Step::SetLen {
            path: log(),
            len_bytes: FRAMES_OFFSET
        }
    );
    assert_eq!(*unlock, Step::Unlock { path: log() });
}

#[test]
fn after_a_failed_sync_the_store_recovers_before_it_goes_on() {
    let machine = FaultyBackend::new();
    let store = open(machine.clone()).unwrap();
    keep(&store, "first").unwrap();
    machine.plan(machine.n_steps() + 2, Fault::SyncFails);
    keep(&store, "doubtful").unwrap_err();
    let steps = steps_of(&machine, || assert_eq!(texts(&store).unwrap(), ["first"]));
    // The slot that rules is written again in place, and the log and the names are synced.
    let mut expected = lock().to_vec();
    expected.push(Step::Lock {
        path: log(),
        kind: LockKind::Exclusive,
    });
    expected.push(Step::Identify { path: memory() });
    expected.extend([write(4096, 204), Step::SyncData { path: log() }]);
    expected.extend(["/home", "/"].map(|path| Step::SyncFolder { path: path.into() }));
    expected.push(Step::Unlock { path: log() });
    assert_eq!(changes(steps), expected);
    keep(&store, "second").unwrap();
    assert_eq!(texts(&store).unwrap(), ["first", "second"]);
}

#[test]
fn a_snapshot_of_an_unchanged_log_is_one_small_read() {
    let machine = FaultyBackend::new();
    let one = open(machine.clone()).unwrap();
    let two = open(machine.another_process()).unwrap();
    keep(&one, "first").unwrap();
    let header = Step::Read {
        path: log(),
        offset_bytes: 0,
        len_bytes: 4096 + 204,
    };
    for (store, expected) in [(&one, 1), (&two, 4), (&two, 1)] {
        let steps = steps_of(&machine, || {
            store.snapshot().unwrap();
        });
        assert!(
            steps.iter().all(|step| matches!(step, Step::Read { .. })),
            "{steps:?}"
        );
        assert_eq!(steps.len(), expected, "{steps:?}");
        assert_eq!((&steps[0], &steps[expected - 1]), (&header, &header));
    }
}
