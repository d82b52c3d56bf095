//! All states within these bounds are seen, and nothing is wrong in any. Each test prints how many.

use palimpsest_store_model::{Bounds, Finding, Model, Rules, search};

use crate::quiet;

/// Goes through all states, of which there are `n_states`: a change of that number is a change of
/// the model.
#[expect(clippy::print_stdout, reason = "a run shows its number of states")]
fn check(bounds: Bounds, n_states: usize) {
    let run = search(&Model::new(Rules::default(), bounds));
    println!(
        "{} states, {} transitions, depth {}",
        run.n_states, run.n_transitions, run.depth
    );
    match run.finding {
        Finding::Clean => assert_eq!(run.n_states, n_states),
        Finding::TooMany => panic!("not all states were seen: {} are too many", run.n_states),
        Finding::Violated(violation, trace) => panic!("{violation}\n{trace}"),
    }
}

#[test]
fn one_kill_one_power_loss_and_one_checkpoint() {
    // The number of states of the program that this model grew out of.
    let bounds = Bounds {
        n_items: 3,
        n_kills: 1,
        n_power_losses: 1,
        n_checkpoints: 1,
        n_openings: 1,
        is_torn: true,
        is_symmetric: false,
        ..Bounds::default()
    };
    check(bounds, 49_266);
}

#[test]
fn two_kills_two_checkpoints_and_a_compaction() {
    let bounds = Bounds {
        n_kills: 2,
        n_power_losses: 1,
        n_checkpoints: 2,
        n_compactions: 1,
        n_openings: 2,
        is_torn: true,
        ..Bounds::default()
    };
    check(bounds, 936_433);
}

#[test]
fn a_sync_that_fails() {
    let bounds = Bounds {
        n_failures: 1,
        n_kills: 1,
        n_power_losses: 1,
        n_checkpoints: 1,
        n_compactions: 1,
        n_openings: 2,
        ..Bounds::default()
    };
    check(bounds, 484_713);
}

#[test]
fn a_log_that_is_made() {
    let bounds = Bounds {
        is_new: true,
        is_torn: true,
        n_kills: 1,
        n_power_losses: 2,
        n_checkpoints: 1,
        n_openings: 3,
        ..Bounds::default()
    };
    check(bounds, 49_642);
}

#[test]
fn readers_of_our_own() {
    let bounds = Bounds {
        is_early: true,
        n_follows: 2,
        n_kills: 1,
        n_power_losses: 1,
        n_checkpoints: 1,
        n_compactions: 1,
        n_openings: 1,
        ..quiet()
    };
    check(bounds, 334_538);
}

#[test]
fn three_processes() {
    let bounds = Bounds {
        n_processes: 3,
        n_kills: 2,
        n_power_losses: 1,
        n_checkpoints: 1,
        n_compactions: 1,
        n_openings: 1,
        is_torn: true,
        ..Bounds::default()
    };
    check(bounds, 206_629);
}

#[test]
fn an_erasure_beside_a_checkpoint_and_a_compaction() {
    let bounds = Bounds {
        n_items: 1,
        n_erasures: 1,
        n_kills: 1,
        n_power_losses: 1,
        n_checkpoints: 1,
        n_compactions: 1,
        n_openings: 1,
        ..quiet()
    };
    check(bounds, 156_509);
}

#[test]
fn an_erasure_with_torn_writes_and_two_power_losses() {
    let bounds = Bounds {
        n_items: 1,
        n_erasures: 1,
        n_kills: 1,
        n_power_losses: 2,
        n_checkpoints: 1,
        n_openings: 2,
        is_torn: true,
        ..quiet()
    };
    check(bounds, 228_580);
}

#[test]
fn an_erasure_with_a_sync_that_fails() {
    let bounds = Bounds {
        n_items: 1,
        n_erasures: 1,
        n_failures: 1,
        n_kills: 1,
        n_power_losses: 1,
        n_checkpoints: 1,
        n_openings: 1,
        ..quiet()
    };
    check(bounds, 210_340);
}

#[test]
fn two_erasures() {
    let bounds = Bounds {
        n_erasures: 2,
        n_kills: 1,
        n_power_losses: 1,
        n_openings: 1,
        n_follows: 1,
        ..quiet()
    };
    check(bounds, 345_239);
}

#[test]
fn an_erasure_beside_another_program() {
    let bounds = Bounds {
        n_items: 1,
        n_erasures: 1,
        n_readings: 1,
        n_overtaking: 1,
        n_kills: 1,
        n_checkpoints: 1,
        n_compactions: 1,
        ..quiet()
    };
    check(bounds, 173_492);
}

#[test]
fn another_program_that_a_whole_checkpoint_overtakes() {
    let bounds = Bounds {
        n_readings: 1,
        n_overtaking: 1,
        n_kills: 1,
        n_power_losses: 1,
        n_checkpoints: 2,
        n_openings: 1,
        ..quiet()
    };
    check(bounds, 91_701);
}

#[test]
fn another_program_beside_a_checkpoint_of_a_compacted_file() {
    let bounds = Bounds {
        n_readings: 1,
        n_overtaking: 1,
        n_kills: 1,
        n_checkpoints: 2,
        n_compactions: 1,
        ..quiet()
    };
    check(bounds, 114_726);
}

#[test]
fn trimming_beside_another_program() {
    let bounds = Bounds {
        n_readings: 1,
        n_closings: 1,
        n_kills: 1,
        n_power_losses: 1,
        n_checkpoints: 2,
        n_openings: 1,
        ..quiet()
    };
    check(bounds, 248_262);
}
