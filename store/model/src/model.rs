//! The model: from a state to all that can come next.

use crate::bounds::Bounds;
use crate::event::Event;
use crate::invariant::Violation;
use crate::process::Process;
use crate::rules::{Rules, Sync};
use crate::state::State;
use crate::step::Step;
use crate::turn::{SyncTarget, Turn};
use crate::{
    checkpoint, commit, compaction, erase, follow, opening, power, reader, recovery, trim,
};

/// The rules and the bounds of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Model {
    /// Which rules are kept.
    pub rules: Rules,
    /// How much happens.
    pub bounds: Bounds,
    /// Whether transitions say what they do to files.
    pub(crate) is_recording: bool,
}

/// Who does something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Actor {
    /// A process of ours.
    Process(usize),
    /// Another program that reads.
    Reader,
    /// The machine.
    Machine,
}

/// How a step ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// It was done.
    Done,
    /// Its sync was left out.
    LeftOut,
    /// Its sync failed.
    Failed,
    /// Its sync reported a failure of another process's.
    Reported,
    /// The process was killed in front of it.
    Killed,
    /// The process was killed within it.
    KilledWithin,
    /// A lock was not to be had, or there was nothing to do.
    Refused,
}

/// From one state to another.
#[derive(Clone, Debug)]
pub(crate) struct Transition {
    pub(crate) actor: Actor,
    pub(crate) step: Step,
    pub(crate) outcome: Outcome,
    pub(crate) state: State,
    pub(crate) events: Vec<Event>,
}

/// All moves of one process in one state.
#[derive(Debug)]
pub(crate) struct Moves<'a> {
    pub(crate) model: &'a Model,
    pub(crate) state: &'a State,
    pub(crate) process: usize,
    pub(crate) out: &'a mut Vec<Transition>,
}

impl<'a> Moves<'a> {
    /// A turn of this process.
    pub(crate) fn turn(&self, step: Step) -> Turn<'a> {
        Turn::new(self.model, self.state, self.process, step)
    }

    /// The process, as it is.
    pub(crate) fn me(&self) -> &'a Process {
        &self.state.processes[self.process]
    }

    /// `turn` may happen.
    pub(crate) fn may(&mut self, step: Step, outcome: Outcome, turn: Turn<'_>) {
        self.out.push(Transition {
            actor: Actor::Process(self.process),
            step,
            outcome,
            state: turn.state,
            events: turn.events.unwrap_or_default(),
        });
    }

    /// The process's step does `change` and goes on with `next`.
    pub(crate) fn does(&mut self, next: Step, change: impl FnOnce(&mut Turn<'a>)) {
        let step = self.me().step;
        let mut turn = self.turn(step);
        turn.go_to(next);
        change(&mut turn);
        self.may(step, Outcome::Done, turn);
    }

    /// What cannot be is a violation.
    pub(crate) fn fails(&mut self, violation: Violation) {
        let step = self.me().step;
        self.does(step, |turn| turn.fail(violation));
    }

    /// The process's step is a sync, which may fail, and report what failed before.
    pub(crate) fn syncs(&mut self, sync: Sync, target: SyncTarget, next: Step) {
        let step = self.me().step;
        let is_made = self.model.rules.make(sync);
        let is_log = matches!(target, SyncTarget::Log | SyncTarget::WholeLog);
        let mut turn = self.turn(step);
        turn.go_to(next);
        if is_made {
            turn.sync(target);
        }
        if self.me().must_hear && is_log && is_made {
            give_up(&mut turn, sync);
            self.may(step, Outcome::Reported, turn);
            return;
        }
        let outcome = if is_made {
            Outcome::Done
        } else {
            Outcome::LeftOut
        };
        self.may(step, outcome, turn);
        if self.state.left.n_failures > 0 && is_made {
            let mut turn = self.turn(step);
            turn.state.left.n_failures -= 1;
            turn.lose_sync(target);
            give_up(&mut turn, sync);
            self.may(step, Outcome::Failed, turn);
        }
    }
}

/// After a failed sync: a commit is cut back first; whoever else drops its locks at once. Both open again.
fn give_up(turn: &mut Turn<'_>, sync: Sync) {
    if sync == Sync::Commit {
        turn.go_to(Step::CommitCutBack);
    } else {
        turn.die();
        turn.state.left.n_openings += 1;
    }
}

impl Model {
    /// A model of `rules` within `bounds`.
    pub fn new(rules: Rules, bounds: Bounds) -> Self {
        Self {
            rules,
            bounds,
            is_recording: false,
        }
    }

    pub(crate) fn initial(&self) -> State {
        State::initial(&self.bounds)
    }

    /// All that can come after `state`.
    pub(crate) fn transitions(&self, state: &State, out: &mut Vec<Transition>) {
        let mut is_busy = false;
        let mut is_going_on = false;
        for process in 0..self.bounds.n_processes {
            let n_before = out.len();
            let mut moves = Moves {
                model: self,
                state,
                process,
                out,
            };
            advance(&mut moves);
            let step = moves.me().step;
            is_going_on |= moves.out.len() > n_before;
            is_busy |= !matches!(step, Step::Open | Step::Idle);
            if step != Step::Open && state.left.n_kills > 0 {
                let mut turn = moves.turn(step);
                turn.state.left.n_kills -= 1;
                turn.die();
                moves.may(step, Outcome::Killed, turn);
            }
        }
        if is_busy && !is_going_on {
            let mut stuck = *state;
            stuck.violation = Some(Violation::Deadlock);
            out.push(Transition::of_machine(Step::Idle, &stuck));
        }
        reader::advance(self, state, out);
        power::lose(self, state, out);
    }
}

impl Transition {
    pub(crate) fn of_machine(step: Step, state: &State) -> Self {
        Self {
            actor: Actor::Machine,
            step,
            outcome: Outcome::Done,
            state: *state,
            events: Vec::new(),
        }
    }
}

/// A piece of work: what one process can do next in it.
type Advance = fn(&mut Moves<'_>);

/// What one process can do next. Steps are declared piece of work by piece of work; the last step of
/// each tells the pieces apart.
fn advance(moves: &mut Moves<'_>) {
    const LAST: [(Step, Advance); 11] = [
        (Step::Open, opening::advance),
        (Step::Idle, begin),
        (Step::CommitCutBack, commit::advance),
        (Step::FollowHeaderAgain, follow::advance),
        (Step::CreateSyncFolder, opening::create),
        (Step::RecoverAdvance, recovery::advance),
        (Step::FinishTruncate, recovery::finish),
        (Step::CheckpointRelease, checkpoint::advance),
        (Step::CompactionTruncate, compaction::advance),
        (Step::EraseRelease, erase::advance),
        (Step::TrimRelease, trim::advance),
    ];
    let step = moves.me().step;
    let work = LAST.iter().find(|(last, _)| step <= *last);
    let (_, advance) = work.expect("no process stands before a reader's step");
    advance(moves);
}

/// What a process that waits for work can begin.
fn begin(moves: &mut Moves<'_>) {
    commit::begin(moves);
    checkpoint::begin(moves);
    compaction::begin(moves);
    erase::begin(moves);
    follow::begin(moves);
    trim::begin(moves);
}
