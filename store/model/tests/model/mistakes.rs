//! Each rule and each sync is left out in turn: within small bounds something goes wrong, and of the
//! kind that is expected.

mod rules;
mod syncs;

use palimpsest_store_model::{Bounds, Model, Rule, Rules, Sync, Violation, search};

use crate::quiet;

/// What is left out.
#[derive(Default)]
struct LeftOut {
    rules: &'static [Rule],
    syncs: &'static [Sync],
}

fn rules_without(rules: &'static [Rule]) -> LeftOut {
    LeftOut {
        rules,
        ..LeftOut::default()
    }
}

fn syncs_without(syncs: &'static [Sync]) -> LeftOut {
    LeftOut {
        syncs,
        ..LeftOut::default()
    }
}

/// With all rules nothing is wrong within the bounds; with what is left out, `expected` is.
fn check(left_out: &LeftOut, bounds: Bounds, expected: Violation) {
    let all = search(&Model::new(Rules::default(), bounds));
    assert_eq!(all.violation(), None, "with all rules and syncs");
    let rules = without(left_out);
    let run = search(&Model::new(rules, bounds));
    assert_eq!(
        run.violation(),
        Some(expected),
        "without {:?} {:?}",
        left_out.rules,
        left_out.syncs
    );
}

fn without(left_out: &LeftOut) -> Rules {
    let rules = left_out
        .rules
        .iter()
        .fold(Rules::default(), |it, rule| it.without(*rule));
    left_out
        .syncs
        .iter()
        .fold(rules, |it, sync| it.without_sync(*sync))
}

/// A process is killed, and then power is lost.
fn killed() -> Bounds {
    Bounds {
        n_items: 1,
        n_kills: 1,
        n_power_losses: 1,
        n_checkpoints: 1,
        n_openings: 1,
        ..quiet()
    }
}

/// Writes come through in part.
fn torn() -> Bounds {
    Bounds {
        is_torn: true,
        ..killed()
    }
}

/// A new file is written.
fn compacted() -> Bounds {
    Bounds {
        n_compactions: 1,
        n_checkpoints: 0,
        ..killed()
    }
}

/// A sync fails.
fn failed() -> Bounds {
    Bounds {
        n_failures: 1,
        n_kills: 1,
        n_checkpoints: 0,
        ..killed()
    }
}

/// There is no log at first.
fn new() -> Bounds {
    Bounds {
        is_new: true,
        n_openings: 3,
        n_checkpoints: 0,
        ..torn()
    }
}

/// One item is kept and erased.
fn erased() -> Bounds {
    Bounds {
        n_erasures: 1,
        n_openings: 0,
        ..killed()
    }
}

/// Another program reads.
fn read() -> Bounds {
    Bounds {
        n_items: 2,
        n_checkpoints: 2,
        n_readings: 1,
        ..quiet()
    }
}
