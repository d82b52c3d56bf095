//! What each operation does to files and locks, in order: the model run alone, in one process.

use crate::bounds::Bounds;
use crate::event::Event;
use crate::model::{Actor, Model, Outcome, Transition};
use crate::rules::Rules;
use crate::state::State;
use crate::step::Step;

/// A piece of work that a process can do from its beginning to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// Making a log, and opening it.
    Create,
    /// Opening a memory that was closed in order.
    Open,
    /// Opening after a writer died between its sync and the durable length.
    Recovery,
    /// Opening after a writer died within a frame.
    RecoveryOfTornFrame,
    /// Committing one operation.
    Commit,
    /// A checkpoint of one commit.
    Checkpoint,
    /// Opening after a checkpoint whose superblock was written, and nothing after it.
    FinishCheckpoint,
    /// A compaction for another reason than an erasure.
    Compaction,
    /// Carrying out an erasure that was committed.
    Erase,
    /// The same, while another process has the old file open: its answer is "pending".
    ErasePending,
    /// Going on with that once the other process let go.
    EraseFinish,
    /// Closing.
    Trim,
}

impl Work {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Create,
        Self::Open,
        Self::Recovery,
        Self::RecoveryOfTornFrame,
        Self::Commit,
        Self::Checkpoint,
        Self::FinishCheckpoint,
        Self::Compaction,
        Self::Erase,
        Self::ErasePending,
        Self::EraseFinish,
        Self::Trim,
    ];

    /// The name, in snake case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Open => "open",
            Self::Recovery => "recovery",
            Self::RecoveryOfTornFrame => "recovery_of_torn_frame",
            Self::Commit => "commit",
            Self::Checkpoint => "checkpoint",
            Self::FinishCheckpoint => "finish_checkpoint",
            Self::Compaction => "compaction",
            Self::Erase => "erase",
            Self::ErasePending => "erase_pending",
            Self::EraseFinish => "erase_finish",
            Self::Trim => "trim",
        }
    }
}

/// What `work` does to files and locks, in order.
///
/// The events are those of the model's own transitions, with all rules and syncs. The model writes rows and frames one by
/// one; code that writes in other pieces compares after `dedup` on both sides.
pub fn sequence(work: Work) -> Vec<Event> {
    let mut run = SoleRun::new(work == Work::Create);
    match work {
        Work::Create => run.does(0, Step::Open),
        Work::Open => {
            run.dies(0);
            run.does(0, Step::Open)
        }
        Work::Recovery => {
            run.goes_to(0, Step::CommitLock, Step::CommitAdvance);
            run.dies(0);
            run.does(0, Step::Open)
        }
        Work::RecoveryOfTornFrame => {
            run.goes_to(0, Step::CommitLock, Step::CommitAppend);
            run.takes(0, Step::CommitAppend, Outcome::KilledWithin);
            run.does(0, Step::Open)
        }
        Work::Commit => run.does(0, Step::CommitLock),
        Work::Checkpoint => {
            run.does(0, Step::CommitLock);
            run.does(0, Step::CheckpointBegin)
        }
        Work::FinishCheckpoint => {
            run.does(0, Step::CommitLock);
            run.goes_to(0, Step::CheckpointBegin, Step::CheckpointSyncSuperblock);
            run.dies(0);
            run.does(0, Step::Open)
        }
        Work::Compaction => {
            run.dies(1);
            run.does(0, Step::CommitLock);
            run.does(0, Step::CompactionBegin)
        }
        Work::Erase => {
            run.dies(1);
            run.erases()
        }
        Work::ErasePending => run.erases(),
        Work::EraseFinish => {
            run.erases();
            run.dies(1);
            run.does(0, Step::EraseBegin)
        }
        Work::Trim => {
            run.does(0, Step::CommitLock);
            run.does(0, Step::CheckpointBegin);
            run.does(0, Step::TrimBegin)
        }
    }
}

/// Two processes, of which one works at a time.
struct SoleRun {
    model: Model,
    state: State,
}

impl SoleRun {
    fn new(is_new: bool) -> Self {
        let bounds = Bounds {
            n_erasures: 1,
            group_len_max: 1,
            n_kills: 4,
            n_checkpoints: 1,
            n_compactions: 1,
            n_openings: 4,
            n_closings: 1,
            n_overtaking: 1,
            is_new,
            is_symmetric: false,
            ..Bounds::default()
        };
        let mut model = Model::new(Rules::default(), bounds);
        model.is_recording = true;
        let state = model.initial();
        Self { model, state }
    }

    fn moves(&self, process: usize) -> Vec<Transition> {
        let mut transitions = Vec::new();
        self.model.transitions(&self.state, &mut transitions);
        transitions.retain(|it| it.actor == Actor::Process(process));
        transitions
    }

    fn takes(&mut self, process: usize, step: Step, outcome: Outcome) -> Vec<Event> {
        let moves = self.moves(process);
        let found = moves
            .into_iter()
            .find(|it| it.step == step && it.outcome == outcome);
        let transition = found.expect("the bounds allow this step");
        self.state = transition.state;
        transition.events
    }

    fn dies(&mut self, process: usize) {
        let step = self.state.processes[process].step;
        self.takes(process, step, Outcome::Killed);
    }

    /// Takes steps from `first` on until the process stands before `last`.
    fn goes_to(&mut self, process: usize, first: Step, last: Step) -> Vec<Event> {
        let mut events = self.takes(process, first, Outcome::Done);
        while self.state.processes[process].step != last {
            events.extend(self.goes_on(process));
        }
        events
    }

    /// Takes the one step that is neither a failure nor a death.
    fn goes_on(&mut self, process: usize) -> Vec<Event> {
        let is_work = |it: &Transition| matches!(it.outcome, Outcome::Done | Outcome::Refused);
        let mut moves = self.moves(process).into_iter().filter(is_work);
        let transition = moves.next().expect("a process that works can go on");
        assert!(moves.next().is_none(), "a process that works has one way");
        self.state = transition.state;
        transition.events
    }

    /// Does a piece of work to its end.
    fn does(&mut self, process: usize, first: Step) -> Vec<Event> {
        let mut events = self.takes(process, first, Outcome::Done);
        while !matches!(self.state.processes[process].step, Step::Idle | Step::Open) {
            events.extend(self.goes_on(process));
        }
        events
    }

    fn erases(&mut self) -> Vec<Event> {
        self.does(0, Step::CommitLock);
        self.next_commit_erases();
        self.does(0, Step::CommitLock);
        self.does(0, Step::EraseBegin)
    }

    /// Nothing more is kept, so that the next commit is an erasure.
    fn next_commit_erases(&mut self) {
        self.state.next_item = self.model.bounds.n_items + 1;
    }
}
