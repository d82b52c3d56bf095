//! Another program that reads the file as libhdf5 does: it takes the file's size, then the shared
//! lock, and reads the superblock after that. It knows nothing of the log and looks at no name twice.

use crate::history::Operation;
use crate::invariant::Violation;
use crate::model::{Actor, Model, Outcome, Transition};
use crate::state::State;
use crate::step::Step;
use crate::value::{Superblock, Value};

/// How far the other program is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) enum Progress {
    /// It has nothing open.
    #[default]
    Away,
    /// It has opened the file, and has its size.
    Sized,
    /// It has the shared lock.
    Locked,
    /// It has read the superblock, and reads on for as long as it likes.
    Holding,
}

/// Another program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct Reader {
    progress: Progress,
    inode: u8,
    size: u8,
    /// Whether a checkpoint began since it took the size.
    has_met_checkpoint: bool,
    /// How many checkpoints began and were published since.
    n_overtaking: u8,
}

impl Reader {
    /// Whether it has a file open.
    pub(crate) fn has_open(self, inode: u8) -> bool {
        self.progress != Progress::Away && self.inode == inode
    }

    /// Whether it has the shared lock on a file.
    pub(crate) fn has_locked(self, inode: u8) -> bool {
        self.progress != Progress::Sized && self.has_open(inode)
    }

    /// Whether it has nothing open.
    pub(crate) fn is_away(self) -> bool {
        self.progress == Progress::Away
    }

    fn is_opening(self) -> bool {
        matches!(self.progress, Progress::Sized | Progress::Locked)
    }

    /// A checkpoint begins.
    pub(crate) fn meet_checkpoint(&mut self) {
        self.has_met_checkpoint |= self.is_opening();
    }

    /// A superblock is written.
    pub(crate) fn meet_publication(&mut self, inode: u8) {
        if self.is_opening() && self.inode == inode && self.has_met_checkpoint {
            self.has_met_checkpoint = false;
            self.n_overtaking += 1;
        }
    }

    fn holding(self) -> Self {
        Self {
            progress: Progress::Holding,
            inode: self.inode,
            ..Self::default()
        }
    }
}

/// What the other program can do next.
pub(crate) fn advance(model: &Model, state: &State, out: &mut Vec<Transition>) {
    let mut next = *state;
    let (step, outcome) = match state.reader.progress {
        Progress::Away if state.left.n_readings == 0 => return,
        Progress::Away => {
            open(&mut next);
            (Step::ReaderOpen, Outcome::Done)
        }
        Progress::Sized => (Step::ReaderLock, lock(&mut next)),
        Progress::Locked => (Step::ReaderSuperblock, read(model, &mut next)),
        Progress::Holding => {
            next.reader = Reader::default();
            (Step::ReaderClose, Outcome::Done)
        }
    };
    if model.bounds.has_names() {
        next.forget_unused_files();
    }
    out.push(Transition {
        actor: Actor::Reader,
        step,
        outcome,
        state: next,
        events: Vec::new(),
    });
}

fn open(state: &mut State) {
    state.left.n_readings -= 1;
    if let Some((inode, file)) = state.memory() {
        state.reader = Reader {
            progress: Progress::Sized,
            inode,
            size: file.size(),
            ..Reader::default()
        };
    }
}

fn lock(state: &mut State) -> Outcome {
    if state.exclusive == state.reader.inode + 1 {
        state.reader = Reader::default();
        return Outcome::Refused;
    }
    state.reader.progress = Progress::Locked;
    Outcome::Done
}

fn read(model: &Model, state: &mut State) -> Outcome {
    let reader = state.reader;
    let file = state.files[usize::from(reader.inode)];
    let Value::Superblock(superblock) = file.superblock.current().value() else {
        return refuse_without_superblock(state);
    };
    if superblock.end() > reader.size {
        if reader.n_overtaking <= model.bounds.n_overtaking {
            state.violation = Some(Violation::ReaderTruncated);
        }
        state.reader = Reader::default();
        return Outcome::Refused;
    }
    let rows = file.rows[usize::from(superblock.position)].current();
    if rows != Value::Rows(superblock.rows).id() {
        state.violation = Some(Violation::ReaderMisled);
    } else if shows_erased(state.erased, superblock) {
        state.violation = Some(Violation::ErasedFound);
    }
    state.reader = reader.holding();
    Outcome::Done
}

/// An old file that was emptied is no HDF5 file; nor is one that power loss left torn, until it is
/// recovered.
fn refuse_without_superblock(state: &mut State) -> Outcome {
    state.reader = Reader::default();
    Outcome::Refused
}

fn shows_erased(erased: u16, superblock: Superblock) -> bool {
    let shown = |item: Operation| erased & item.bit() != 0 && superblock.rows.hold(item);
    superblock.rows.history.operations().any(shown)
}
