//! What must hold in every state, judged by what a fresh opening would find there.

use std::fmt;

use crate::assessment::Assessment;
use crate::history::{History, Operation};
use crate::model::Model;
use crate::progress::finish_alone;
use crate::state::{State, inode_of};

/// What went wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Violation {
    /// An operation was acknowledged and is gone.
    AcknowledgedLost,
    /// An operation is there twice.
    AppliedTwice,
    /// What a reader saw is gone.
    SeenVanished,
    /// Two processes saw operations in different orders.
    OrdersDiffer,
    /// What one process saw is gone for it.
    ViewWentBack,
    /// The log does not belong to the file.
    LogRefused,
    /// Neither slot of the header is valid, and there are frames.
    HeaderLost,
    /// The superblock is torn, and no slot has its image; or there is no file.
    SuperblockLost,
    /// The superblock leads to what is not there.
    RowsMissing,
    /// The file is shorter than its superblock says.
    FileTruncated,
    /// A frame below the durable length is damaged.
    FrameDamaged,
    /// A frame is kept without the one that it was planned on.
    FrameMisplanned,
    /// No process can go on.
    Deadlock,
    /// A follower read a header that did not change, and what did not fit it.
    FollowerRefused,
    /// Another program found the file shorter than its superblock says.
    ReaderTruncated,
    /// Another program found something else than rows.
    ReaderMisled,
    /// "Erased" was answered, and the bytes can be had.
    ErasedFound,
    /// The bytes of what was erased can be had, and nothing says that they must still be removed.
    ErasureForgotten,
    /// One process alone opens the memory and never comes to the end of an erasure.
    ErasureStuck,
    /// A file was emptied while someone had it open.
    OpenFileEmptied,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AcknowledgedLost => "an acknowledged operation is lost",
            Self::AppliedTwice => "an operation is there twice",
            Self::SeenVanished => "what a reader saw has vanished",
            Self::OrdersDiffer => "orders differ between processes",
            Self::ViewWentBack => "a process's own view went back",
            Self::LogRefused => "the log is refused as another file's",
            Self::HeaderLost => "both header slots are lost",
            Self::SuperblockLost => "the superblock is lost, with its image",
            Self::RowsMissing => "the superblock leads to rows that are not there",
            Self::FileTruncated => "the file is shorter than its superblock says",
            Self::FrameDamaged => "a frame below the durable length is damaged",
            Self::FrameMisplanned => "a frame is kept without the frame it was planned on",
            Self::Deadlock => "no process can go on",
            Self::FollowerRefused => "a follower is refused beside a header that did not change",
            Self::ReaderTruncated => "another program finds the file truncated",
            Self::ReaderMisled => "another program finds no rows behind the superblock",
            Self::ErasedFound => "erased was answered, and the bytes can be had",
            Self::ErasureStuck => "nobody can finish an erasure",
            Self::OpenFileEmptied => "a file is emptied while someone has it open",
            Self::ErasureForgotten => "bytes of what was erased are left, and nothing says so",
        })
    }
}

/// What is wrong with a state, if anything is.
pub(crate) fn violation(state: &State, model: &Model) -> Option<Violation> {
    if state.violation.is_some() {
        return state.violation;
    }
    let found = match Assessment::of(state, &model.rules, &model.bounds) {
        Ok(found) => found,
        Err(violation) => return Some(violation),
    };
    let kept = found.recovered();
    check_history(state, kept)
        .or_else(|| check_chain(&found))
        .or_else(|| check_erasures(state, model, &found, kept))
}

fn check_history(state: &State, kept: History) -> Option<Violation> {
    let mut present = 0;
    for operation in kept.operations() {
        if present & operation.bit() != 0 {
            return Some(Violation::AppliedTwice);
        }
        present |= operation.bit();
    }
    if state.acknowledged & !present != 0 {
        return Some(Violation::AcknowledgedLost);
    }
    (!state.seen.is_prefix_of(kept)).then_some(Violation::SeenVanished)
}

fn check_chain(found: &Assessment) -> Option<Violation> {
    (found.is_misplanned && !found.is_unfinished).then_some(Violation::FrameMisplanned)
}

fn check_erasures(
    state: &State,
    model: &Model,
    found: &Assessment,
    kept: History,
) -> Option<Violation> {
    if model.bounds.n_erasures == 0 {
        return None;
    }
    let answered = |item: &Operation| state.erased & item.bit() != 0;
    let reachable = |item: &Operation| state.can_reach(*item);
    let items = || kept.operations().filter_map(Operation::erases);
    if items().any(|it| answered(&it) && reachable(&it)) {
        return Some(Violation::ErasedFound);
    }
    if is_pending(state, found, kept) {
        let is_abandoned =
            state.processes.iter().all(|it| !it.is_alive()) && state.reader.is_away();
        return is_abandoned.then(|| finish_alone(model, state)).flatten();
    }
    items()
        .any(|it| reachable(&it))
        .then_some(Violation::ErasureForgotten)
}

/// Whether whoever opens the memory now sees that an erasure must still be carried out.
pub(crate) fn is_pending(state: &State, found: &Assessment, kept: History) -> bool {
    let has_old = inode_of(&state.folder.old).is_some();
    has_old || !found.superblock.rows.has_carried_out(kept)
}
