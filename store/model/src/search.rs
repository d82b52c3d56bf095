//! Breadth first through all states: the shortest way to a violation, or the number of states.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::fingerprint::{Mixer, fingerprint};
use crate::invariant::{Violation, violation};
use crate::model::{Model, Transition};
use crate::state::State;
use crate::trace::Trace;

/// What a run found.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub finding: Finding,
    /// States that were seen.
    pub n_states: usize,
    /// Transitions that were followed.
    pub n_transitions: u64,
    /// Steps from the first state to the farthest one.
    pub depth: usize,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub enum Finding {
    /// Every state within the bounds was seen, and nothing is wrong in any.
    Clean,
    /// There were more states than the bounds allow; nothing is wrong in those that were seen.
    TooMany,
    /// Something went wrong, in this way.
    Violated(Violation, Trace),
}

impl Run {
    /// The violation that was found.
    pub fn violation(&self) -> Option<Violation> {
        match self.finding {
            Finding::Violated(violation, _) => Some(violation),
            Finding::Clean | Finding::TooMany => None,
        }
    }
}

/// The states that were seen, each with the one that it came from.
type Parents = HashMap<u64, u64, BuildHasherDefault<Mixer>>;

/// Goes through all states of a model, until something is wrong.
pub fn search(model: &Model) -> Run {
    let first = model.initial();
    let mut parents = Parents::default();
    parents.insert(fingerprint(&first), 0);
    let mut run = Run {
        finding: Finding::Clean,
        n_states: 1,
        n_transitions: 0,
        depth: 0,
    };
    let mut front = vec![first];
    let mut transitions = Vec::new();
    while !front.is_empty() {
        let mut next = Vec::new();
        for state in &front {
            let from = fingerprint(state);
            model.transitions(state, &mut transitions);
            for transition in transitions.drain(..) {
                run.n_transitions += 1;
                let state = counted(model, &transition);
                let print = fingerprint(&state);
                if parents.contains_key(&print) {
                    continue;
                }
                parents.insert(print, from);
                run.n_states = parents.len();
                if let Some(violation) = violation(&state, model) {
                    run.depth += 1;
                    let path = path(&parents, print);
                    let trace = Trace::along(model, &path);
                    run.finding = Finding::Violated(violation, trace);
                    return run;
                }
                next.push(state);
            }
        }
        run.depth += 1;
        front = next;
        if run.n_states > model.bounds.n_states_max {
            run.finding = Finding::TooMany;
            return run;
        }
    }
    run
}

/// The state by which a transition's end is counted.
pub(crate) fn counted(model: &Model, transition: &Transition) -> State {
    if model.bounds.is_symmetric {
        transition.state.canonical(model.bounds.n_processes)
    } else {
        transition.state
    }
}

fn path(parents: &Parents, end: u64) -> Vec<u64> {
    let mut path = vec![end];
    let mut print = end;
    while let Some(&parent) = parents.get(&print) {
        if parent == 0 {
            break;
        }
        path.push(parent);
        print = parent;
    }
    path.reverse();
    path
}
