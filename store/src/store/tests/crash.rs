//! What is left of a run of commits when power is lost, a process is killed, or a sync fails, at
//! every step of it. Each test of a sync that is left out shows that the others can fail.

use palimpsest_hdf5::{Fault, FaultyBackend, Step, Unsynced};

use super::run::{
    Ran, check_after_power_loss, check_after_two_power_losses, checkpoints, two_processes,
};
use super::{keep, open, open_at, texts};

/// The steps of a run in which nothing goes wrong, from 1.
fn steps(run: fn(&FaultyBackend) -> Ran) -> Vec<(u64, Step)> {
    let machine = FaultyBackend::new();
    run(&machine);
    let counted = machine
        .journal()
        .into_iter()
        .map(|(_, step)| step)
        .filter(Step::is_counted);
    (1..).zip(counted).collect()
}

fn is_log_sync(step: &Step) -> bool {
    matches!(step, Step::SyncData { .. })
}

#[test]
fn a_loss_of_power_at_any_step_loses_no_acknowledged_commit() {
    for (step, what) in steps(two_processes) {
        let machine = FaultyBackend::new();
        machine.plan(step, Fault::PowerLoss);
        let ran = two_processes(&machine);
        check_after_two_power_losses(&machine, &ran)
            .unwrap_or_else(|why| panic!("power lost at step {step}, {what:?}: {why}"));
    }
}

#[test]
fn a_process_killed_at_any_step_harms_no_other() {
    for (step, what) in steps(two_processes) {
        for n_bytes in [0, 1, 30, 100, usize::MAX] {
            if n_bytes > 0 && !matches!(what, Step::Write { .. }) {
                continue;
            }
            let machine = FaultyBackend::new();
            machine.plan(step, Fault::Kill { n_bytes });
            let ran = two_processes(&machine);
            check_after_power_loss(&machine, &ran)
                .unwrap_or_else(|why| panic!("killed at step {step}, {what:?}: {why}"));
        }
    }
}

#[test]
fn after_a_failed_sync_nothing_is_acknowledged_that_is_not_durable() {
    for (step, what) in steps(two_processes)
        .into_iter()
        .filter(|(_, step)| step.is_sync())
    {
        let machine = FaultyBackend::new();
        machine.plan(step, Fault::SyncFails);
        let ran = two_processes(&machine);
        check_after_power_loss(&machine, &ran)
            .unwrap_or_else(|why| panic!("sync failed at step {step}, {what:?}: {why}"));
    }
}

#[test]
fn a_loss_of_power_after_a_failed_sync_loses_no_acknowledged_commit() {
    let steps = steps(two_processes);
    for (sync, what) in steps.iter().filter(|(_, step)| is_log_sync(step)) {
        for (step, then) in steps.iter().filter(|(step, _)| step > sync) {
            let machine = FaultyBackend::new();
            machine.plan(*sync, Fault::SyncFails);
            machine.plan(*step, Fault::PowerLoss);
            let ran = two_processes(&machine);
            check_after_power_loss(&machine, &ran).unwrap_or_else(|why| {
                panic!("sync failed at {sync}, {what:?}, power lost at {step}, {then:?}: {why}")
            });
        }
    }
}

/// The steps of [`checkpoints`] behind the opening, which other tests try.
fn checkpoint_steps() -> impl Iterator<Item = (u64, Step)> {
    let steps = steps(checkpoints).into_iter();
    steps.skip_while(|(_, step)| {
        !matches!(
            step,
            Step::Write {
                offset_bytes: 8192,
                ..
            }
        )
    })
}

#[test]
fn a_loss_of_power_at_any_step_of_a_checkpoint_loses_nothing() {
    for (step, what) in checkpoint_steps() {
        let machine = FaultyBackend::new();
        machine.plan(step, Fault::PowerLoss);
        let ran = checkpoints(&machine);
        check_after_power_loss(&machine, &ran)
            .unwrap_or_else(|why| panic!("power lost at step {step}, {what:?}: {why}"));
    }
}

#[test]
fn a_process_killed_at_any_step_of_a_checkpoint_harms_no_other() {
    for (step, what) in checkpoint_steps() {
        for n_bytes in [0, 1, 20, 100] {
            if n_bytes > 0 && !matches!(what, Step::Write { .. }) {
                continue;
            }
            let machine = FaultyBackend::new();
            machine.plan(step, Fault::Kill { n_bytes });
            let ran = checkpoints(&machine);
            check_after_power_loss(&machine, &ran)
                .unwrap_or_else(|why| panic!("killed at step {step}, {what:?}: {why}"));
        }
    }
}

#[test]
fn after_a_failed_sync_of_a_checkpoint_nothing_is_lost() {
    for (step, what) in checkpoint_steps().filter(|(_, step)| step.is_sync()) {
        let machine = FaultyBackend::new();
        machine.plan(step, Fault::SyncFails);
        let ran = checkpoints(&machine);
        check_after_power_loss(&machine, &ran)
            .unwrap_or_else(|why| panic!("sync failed at step {step}, {what:?}: {why}"));
    }
}

#[test]
fn folders_that_were_made_are_as_durable_as_what_is_in_them() {
    const PATH: &str = "/home/of/nobody/memory.h5";
    for step in 1..30 {
        let machine = FaultyBackend::new();
        machine.plan(step, Fault::PowerLoss);
        let kept = open_at(machine.clone(), PATH)
            .and_then(|store| keep(&store, "first"))
            .is_ok();
        let after = machine.after_power_loss(Unsynced::Lost);
        let found = texts(&open_at(after, PATH).unwrap()).unwrap();
        assert!(
            !kept || found == ["first"],
            "power lost at {step}: {found:?}"
        );
    }
}

/// Whether leaving out these syncs shows, power being lost at any step.
fn shows_without(run: fn(&FaultyBackend) -> Ran, left_out: impl Fn(u64, &Step) -> bool) -> bool {
    let steps = steps(run);
    steps.iter().any(|(power_loss, _)| {
        let machine = FaultyBackend::new();
        for (step, what) in &steps {
            if what.is_sync() && left_out(*step, what) && step != power_loss {
                machine.plan(*step, Fault::SyncIsSkipped);
            }
        }
        machine.plan(*power_loss, Fault::PowerLoss);
        let ran = run(&machine);
        check_after_power_loss(&machine, &ran).is_err()
    })
}

/// A memory is made, and one commit.
fn one_commit(machine: &FaultyBackend) -> Ran {
    let mut ran = Ran::default();
    if let Ok(store) = open(machine.clone()) {
        ran.keep(&store, "first");
        ran.read(&store);
        // A step behind the acknowledgement, at which power can be lost.
        ran.keep(&store, "second");
    }
    ran
}

/// A writer dies between its append and its sync; another one finds the frame and reads it.
fn found_tail(machine: &FaultyBackend) -> Ran {
    let mut ran = Ran::default();
    let [Ok(one), Ok(two)] = [open(machine.clone()), open(machine.another_process())] else {
        return ran;
    };
    ran.keep(&one, "first");
    machine.plan(machine.n_steps() + 2, Fault::Kill { n_bytes: 0 });
    ran.keep(&one, "second");
    ran.touch(&two);
    if let Ok(three) = open(machine.another_process()) {
        ran.keep(&three, "third");
    }
    ran
}

#[test]
fn no_sync_can_be_left_out() {
    let all = |_: u64, _: &Step| true;
    let data = |_: u64, step: &Step| is_log_sync(step);
    let folders = |_: u64, step: &Step| matches!(step, Step::SyncFolder { .. });
    assert!(
        !shows_without(one_commit, |_, _| false),
        "with every sync nothing is lost"
    );
    assert!(
        !shows_without(found_tail, |_, _| false),
        "with every sync nothing is lost"
    );
    assert!(shows_without(one_commit, all), "without any sync");
    assert!(shows_without(one_commit, data), "without a sync of the log");
    assert!(
        shows_without(one_commit, folders),
        "without a sync of the folder"
    );

    let nth_log_sync = |run: fn(&FaultyBackend) -> Ran, n: usize| {
        let syncs = steps(run).into_iter().filter(|(_, step)| is_log_sync(step));
        syncs
            .map(|(step, _)| step)
            .nth(n)
            .expect("the run has so many")
    };
    // Opening a new memory syncs twice: what it made, and what it recovered.
    let [made, recovered] = [0, 1].map(|n| nth_log_sync(one_commit, n));
    assert!(
        shows_without(one_commit, |step, _| step == made || step == recovered),
        "the header"
    );
    let commit = nth_log_sync(one_commit, 2);
    assert!(
        shows_without(one_commit, |step, _| step == commit),
        "the commit's own"
    );
    // Two openings, one commit that is done, and then the tail.
    let tail = nth_log_sync(found_tail, 4);
    assert!(
        shows_without(found_tail, |step, _| step == tail),
        "that of a dead writer's frame"
    );
}

#[test]
fn the_other_process_does_not_build_on_a_commit_whose_sync_failed() {
    let machine = FaultyBackend::new();
    let one = open(machine.clone()).unwrap();
    let two = open(machine.another_process()).unwrap();
    keep(&one, "first").unwrap();
    machine.plan(machine.n_steps() + 2, Fault::SyncFails);
    let error = keep(&one, "doubtful").unwrap_err();
    assert!(matches!(error, crate::Error::Unknown { .. }), "{error}");
    // It hears of the other's failure by its own sync, and cannot know more than that either.
    let error = keep(&two, "second").unwrap_err();
    assert!(matches!(error, crate::Error::Unknown { .. }), "{error}");
    for store in [&two, &one] {
        keep(store, "third").unwrap();
    }
    assert_eq!(texts(&one).unwrap(), ["first", "third", "third"]);
    assert_eq!(texts(&two).unwrap(), ["first", "third", "third"]);
}

/// Whether leaving out the `n`th sync of its kind of a checkpoint shows, power being lost at one of the next steps.
fn shows_without_checkpoint_sync(is_meant: impl Fn(&Step) -> bool, n: usize) -> bool {
    let left_out = checkpoint_steps().filter(|(_, step)| step.is_sync() && is_meant(step));
    let (left_out, _) = left_out.into_iter().nth(n).expect("the run has so many");
    (left_out + 1..left_out + 12).any(|power_loss| {
        let machine = FaultyBackend::new();
        machine.plan(left_out, Fault::SyncIsSkipped);
        machine.plan(power_loss, Fault::PowerLoss);
        let ran = checkpoints(&machine);
        check_after_power_loss(&machine, &ran).is_err()
    })
}

#[test]
fn no_sync_of_a_checkpoint_can_be_left_out() {
    let of = |path: &'static str| move |step: &Step| matches!(step, Step::SyncData { path: synced } if synced == std::path::Path::new(path));
    let new = of("/home/memory.h5.new");
    let file = of("/home/memory.h5");
    let folder = |step: &Step| matches!(step, Step::SyncFolder { path } if path == std::path::Path::new("/home"));
    // A new file is published empty, and then as the memory: its fourth sync is the last before the rename.
    assert!(shows_without_checkpoint_sync(new, 3), "a new file");
    assert!(
        shows_without_checkpoint_sync(folder, 0),
        "a new file's name"
    );
    // Of one that is there: rows, then the superblock.
    assert!(shows_without_checkpoint_sync(file, 0), "the rows");
    assert!(shows_without_checkpoint_sync(file, 1), "the superblock");
}
