//! Whether what is pending can be finished: by one process that opens the memory when all others
//! have died, and is left in peace.

use crate::bounds::Bounds;
use crate::invariant::Violation;
use crate::model::{Actor, Model, Transition};
use crate::state::{Left, State};

/// More steps than any recovery and two erasures take.
const STEPS_MAX: usize = 200;

/// What goes wrong when the next process opens the memory and carries out what is pending.
pub(crate) fn finish_alone(model: &Model, state: &State) -> Option<Violation> {
    let lone = Model {
        bounds: Bounds {
            n_processes: 1,
            n_items: 0,
            ..model.bounds
        },
        ..*model
    };
    let mut state = *state;
    state.left = Left::only_openings(1);
    // Nothing more is committed.
    state.next_erasure = model.bounds.n_erasures + 1;
    let mut transitions = Vec::new();
    for _ in 0..STEPS_MAX {
        transitions.clear();
        lone.transitions(&state, &mut transitions);
        let is_own = |it: &&Transition| it.actor == Actor::Process(0);
        let transition = transitions.iter().find(is_own)?;
        state = transition.state;
        if state.violation.is_some() {
            return state.violation;
        }
    }
    Some(Violation::ErasureStuck)
}
