//! A compaction: what lives goes to a new file, which is renamed over the old one.

use crate::assessment::Assessment;
use crate::cell::{Cell, Tearing};
use crate::checkpoint::{nothing_to_do, take_commit_lock};
use crate::event::{Action, Target};
use crate::model::{Moves, Outcome};
use crate::process::Purpose;
use crate::rules::{Rule, Sync};
use crate::state::{INODES_MAX, MemoryFile, State, inode_of};
use crate::step::Step;
use crate::turn::{SyncTarget, Turn};
use crate::value::{Rows, Value, ValueId};

/// Where the new file lies while names are not followed.
const SECOND_INODE: u8 = 1;

/// Begins a compaction for another reason than an erasure.
pub(crate) fn begin(moves: &mut Moves<'_>) {
    if moves.state.checkpoint_holder != 0 || moves.state.left.n_compactions == 0 {
        return;
    }
    let mut turn = moves.turn(Step::CompactionBegin);
    turn.state.left.n_compactions -= 1;
    turn.lock_checkpoint(Action::Lock);
    turn.me().purpose = Purpose::Compaction;
    turn.go_to(Step::CompactionLock);
    moves.may(Step::CompactionBegin, Outcome::Done, turn);
}

/// What to do under both locks.
enum Course {
    /// Write a new file into this inode.
    Write(u8),
    /// Let go of the old file that is there.
    LetGo,
    /// Nothing.
    Nothing,
}

fn course(moves: &Moves<'_>, found: &Assessment) -> Course {
    let state = moves.state;
    let rules = &moves.model.rules;
    if !moves.model.bounds.has_names() {
        return if found.inode == 0 {
            Course::Write(SECOND_INODE)
        } else {
            Course::Nothing
        };
    }
    let is_erasing = moves.me().purpose == Purpose::Erase;
    let old = inode_of(&state.folder.old);
    let is_memory = old == Some(found.inode) && rules.keep(Rule::CompareOld);
    if old.is_some() && !is_memory && rules.keep(Rule::OneOldAtATime) {
        return if is_erasing {
            Course::LetGo
        } else {
            Course::Nothing
        };
    }
    if is_erasing && found.superblock.rows.has_carried_out(found.durable) {
        return if old.is_some() {
            Course::LetGo
        } else {
            Course::Nothing
        };
    }
    match new_inode(state, rules.keep(Rule::FreshTemporary)) {
        Some(inode) => Course::Write(inode),
        None => Course::Nothing,
    }
}

fn new_inode(state: &State, is_fresh: bool) -> Option<u8> {
    let left = inode_of(&state.folder.temporary).filter(|_| !is_fresh);
    left.or_else(|| (0..).take(INODES_MAX).find(|inode| !state.is_used(*inode)))
}

fn write(moves: &mut Moves<'_>, found: &Assessment) {
    let inode = match course(moves, found) {
        Course::Write(inode) => inode,
        Course::LetGo => {
            return moves.does(Step::EraseSyncLog, |_| {});
        }
        Course::Nothing => return nothing_to_do(moves),
    };
    moves.does(Step::CompactionSyncFile, |turn| {
        make_temporary(turn, inode);
        let rows = Rows::compacted(found.durable);
        turn.write_rows(inode, 0, rows);
        turn.write_superblock(inode, found.next_superblock(0, rows));
        extend(turn, inode);
    });
}

/// Gives the new file its temporary name. One that was left loses it.
fn make_temporary(turn: &mut Turn<'_>, inode: u8) {
    let has_names = turn.model.bounds.has_names();
    let is_fresh = turn.model.rules.keep(Rule::FreshTemporary);
    let left = inode_of(&turn.state.folder.temporary);
    let file = &mut turn.state.files[usize::from(inode)];
    if left.is_some() && !is_fresh {
        file.cells().for_each(Cell::cut);
        turn.note(Action::Truncate, Target::Temporary);
        return;
    }
    *file = MemoryFile::blank();
    if has_names {
        if left.is_some() {
            turn.note(Action::Unlink, Target::Temporary);
        }
        let name = &mut turn.state.folder.temporary;
        name.write(Value::Inode(inode).id(), Tearing::Atomic);
        turn.forget_unused_files();
    }
    turn.note(Action::Create, Target::Temporary);
}

/// The next checkpoint finds room in the new file, as it would in the old one.
fn extend(turn: &mut Turn<'_>, inode: u8) {
    let bounds = turn.model.bounds;
    if bounds.has_sizes() && turn.model.rules.keep(Rule::ExtendAhead) {
        turn.set_size(inode, 2);
        turn.note(Action::Extend, Target::Temporary);
    }
}

/// Goes on with a compaction.
pub(crate) fn advance(moves: &mut Moves<'_>) {
    let step = moves.me().step;
    match step {
        Step::CompactionLock => take_commit_lock(moves),
        Step::CompactionSyncFile => sync_file(moves),
        Step::CompactionSyncLog => {
            let next = after_log_sync(moves);
            moves.syncs(Sync::CompactionLog, SyncTarget::Log, next);
        }
        Step::CompactionLinkOld => moves.does(Step::CompactionSyncOldName, |turn| {
            let memory = turn.state.folder.memory.current();
            let old = &mut turn.state.folder.old;
            let is_linked = old.current() == memory;
            old.write(memory, Tearing::Atomic);
            if !is_linked {
                turn.note(Action::Link, Target::Memory);
            }
            turn.forget_unused_files();
        }),
        Step::CompactionSyncOldName => {
            let next = Step::CompactionRename;
            moves.syncs(Sync::CompactionOldName, SyncTarget::Folder, next);
        }
        Step::CompactionRename => moves.does(Step::CompactionSyncRename, rename),
        Step::CompactionSyncRename => {
            let next = Step::CompactionReset;
            moves.syncs(Sync::CompactionRename, SyncTarget::Folder, next);
        }
        Step::CompactionSyncReset => {
            let next = Step::CompactionTruncate;
            moves.syncs(Sync::CompactionReset, SyncTarget::Log, next);
        }
        Step::CompactionTruncate => {
            let next = if moves.model.bounds.has_names() {
                Step::EraseSyncLog
            } else {
                Step::CheckpointRelease
            };
            moves.does(next, |turn| turn.cut_log(0));
        }
        _ => match Assessment::of(moves.state, &moves.model.rules, &moves.model.bounds) {
            Err(violation) => moves.fails(violation),
            Ok(found) if step == Step::CompactionWrite => write(moves, &found),
            Ok(found) => moves.does(Step::CompactionSyncReset, |turn| {
                turn.reset_log(found.superblock);
            }),
        },
    }
}

fn sync_file(moves: &mut Moves<'_>) {
    let inode = if moves.model.bounds.has_names() {
        inode_of(&moves.state.folder.temporary).expect("the step before made it")
    } else {
        SECOND_INODE
    };
    let next = if moves.model.rules.keep(Rule::SyncBeforeSlot) {
        Step::CompactionSyncLog
    } else {
        after_log_sync(moves)
    };
    moves.syncs(Sync::CompactionFile, SyncTarget::File(inode), next);
}

fn after_log_sync(moves: &Moves<'_>) -> Step {
    let rules = &moves.model.rules;
    let is_erasing = || match moves
        .state
        .memory()
        .map(|(_, it)| it.superblock.current().value())
    {
        Some(Value::Superblock(it)) => !it.rows.has_carried_out(moves.me().view),
        _ => false,
    };
    let keeps = moves.model.bounds.has_names() && rules.keep(Rule::KeepOld);
    if keeps && (rules.keep(Rule::KeepOldAlways) || is_erasing()) {
        Step::CompactionLinkOld
    } else {
        Step::CompactionRename
    }
}

fn rename(turn: &mut Turn<'_>) {
    let folder = &mut turn.state.folder;
    let new = if turn.model.bounds.has_names() {
        let new = folder.temporary.current();
        folder.temporary.write(ValueId::ABSENT, Tearing::Atomic);
        new
    } else {
        Value::Inode(SECOND_INODE).id()
    };
    folder.memory.write(new, Tearing::Atomic);
    turn.forget_unused_files();
    turn.note(Action::Rename, Target::Temporary);
}
