//! A way through the states, written out.

use std::fmt;

use crate::fingerprint::fingerprint;
use crate::model::{Actor, Model, Outcome, Transition};
use crate::power::{N_CELLS, cell};
use crate::search::counted;
use crate::state::State;
use crate::step::Step;
use crate::value::ValueId;

/// The lines of a trace: one a step, and the last state.
#[derive(Clone, Debug)]
pub struct Trace {
    lines: Vec<String>,
}

impl Trace {
    /// The trace along states that are known by their fingerprints.
    pub(crate) fn along(model: &Model, path: &[u64]) -> Self {
        let mut state = model.initial();
        let mut lines = Vec::new();
        let mut transitions = Vec::new();
        for print in path.iter().skip(1) {
            transitions.clear();
            model.transitions(&state, &mut transitions);
            let found = transitions
                .iter()
                .find(|it| fingerprint(&counted(model, it)) == *print);
            let transition = found.expect("the search went here");
            lines.push(line(&state, transition));
            state = counted(model, transition);
        }
        lines.push(format!("=> {}", summary(&state)));
        Self { lines }
    }

    /// How many steps it has.
    pub fn len(&self) -> usize {
        self.lines.len() - 1
    }

    /// Whether it has no step.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines
            .iter()
            .try_for_each(|line| writeln!(f, "  {line}"))
    }
}

fn line(before: &State, transition: &Transition) -> String {
    let actor = match transition.actor {
        Actor::Process(process) => format!("P{}", process + 1),
        Actor::Reader => "reader".to_owned(),
        Actor::Machine => "machine".to_owned(),
    };
    let outcome = match transition.outcome {
        Outcome::Done => "",
        Outcome::LeftOut => ", left out",
        Outcome::Failed => ", which fails",
        Outcome::Reported => ", which reports the failure before",
        Outcome::Killed => ", killed in front of it",
        Outcome::KilledWithin => ", killed within it",
        Outcome::Refused => ", refused or nothing to do",
    };
    let detail = match (transition.step, transition.actor) {
        (Step::PowerLoss, _) => losses(before, &transition.state),
        (Step::CommitLock, Actor::Process(process)) => {
            let me = transition.state.processes[process];
            let operations = me.operations.iter().take(usize::from(me.n_operations));
            let names: Vec<_> = operations.map(ToString::to_string).collect();
            format!(" of {}", names.join(" and "))
        }
        _ => String::new(),
    };
    format!("{actor} {}{detail}{outcome}", transition.step)
}

/// What each cell that was not settled came to hold.
fn losses(before: &State, after: &State) -> String {
    let (mut before, mut after) = (*before, *after);
    let mut text = String::new();
    for idx in 0..N_CELLS {
        let (unsettled, name) = cell(&mut before, idx);
        if unsettled.alternatives().len() > 1 {
            let value = cell(&mut after, idx).0.current();
            text.push_str("; ");
            text.push_str(&name.to_string());
            text.push_str(": ");
            text.push_str(&value.to_string());
        }
    }
    text
}

fn summary(state: &State) -> String {
    let mut state = *state;
    let mut parts = Vec::new();
    for idx in 0..N_CELLS {
        let (unsettled, name) = cell(&mut state, idx);
        if unsettled.current() != ValueId::ABSENT {
            parts.push(format!("{name}: {}", unsettled.current()));
        }
    }
    parts.push(format!("seen: {}", state.seen));
    parts.join("; ")
}
