//! Carrying out an erasure: a compaction, and then the old file goes, once nobody has it open.
//! Whoever finds this undone, in whatever state, goes on with it in the same steps.

use crate::assessment::Assessment;
use crate::cell::{Cell, Tearing};
use crate::checkpoint::take_commit_lock;
use crate::event::{Action, Target};
use crate::invariant::{Violation, is_pending};
use crate::model::{Moves, Outcome};
use crate::process::Purpose;
use crate::rules::{Rule, Sync};
use crate::state::inode_of;
use crate::step::Step;
use crate::turn::{SyncTarget, Turn};
use crate::value::{Value, ValueId};

/// Begins to carry out what is pending.
pub(crate) fn begin(moves: &mut Moves<'_>) {
    if moves.model.bounds.n_erasures == 0 || moves.state.checkpoint_holder != 0 {
        return;
    }
    let found = Assessment::of(moves.state, &moves.model.rules, &moves.model.bounds);
    if !found.is_ok_and(|found| is_pending(moves.state, &found, found.recovered())) {
        return;
    }
    let mut turn = moves.turn(Step::EraseBegin);
    turn.lock_checkpoint(Action::Lock);
    turn.me().purpose = Purpose::Erase;
    turn.go_to(Step::EraseLock);
    moves.may(Step::EraseBegin, Outcome::Done, turn);
}

/// Goes on with an erasure.
pub(crate) fn advance(moves: &mut Moves<'_>) {
    match moves.me().step {
        Step::EraseLock => take_commit_lock(moves),
        Step::EraseSyncLog => {
            moves.syncs(Sync::EraseLog, SyncTarget::WholeLog, Step::EraseReleaseLog);
        }
        Step::EraseReleaseLog => moves.does(Step::EraseTryLock, |turn| {
            if let Some((_, slot)) = turn.state.log.ruling() {
                turn.me().generation = slot.generation;
            }
            if let Some(inode) = inode_of(&turn.state.folder.memory) {
                turn.open_memory(inode);
            }
            turn.forget_unused_files();
            turn.unlock_commit();
        }),
        Step::EraseTryLock => try_lock(moves),
        Step::EraseEmpty => moves.does(Step::EraseUnlink, empty),
        Step::EraseUnlink => moves.does(Step::EraseSyncFolder, |turn| {
            turn.state
                .folder
                .old
                .write(ValueId::ABSENT, Tearing::Atomic);
            turn.forget_unused_files();
            turn.note(Action::Unlink, Target::Old);
        }),
        Step::EraseSyncFolder => {
            moves.syncs(Sync::EraseFolder, SyncTarget::Folder, Step::EraseRelease);
        }
        _ => moves.does(Step::Idle, |turn| {
            answer(turn);
            release(turn);
        }),
    }
}

fn try_lock(moves: &mut Moves<'_>) {
    let rules = &moves.model.rules;
    let Some(old) = inode_of(&moves.state.folder.old) else {
        return moves.does(Step::EraseRelease, |_| {});
    };
    let is_memory = inode_of(&moves.state.folder.memory) == Some(old);
    if is_memory && rules.keep(Rule::CompareOld) {
        return moves.does(Step::EraseUnlink, |_| {});
    }
    if rules.keep(Rule::LockOld) && moves.state.is_locked(old) {
        let mut turn = moves.turn(Step::EraseTryLock);
        turn.note(Action::TryLock, Target::Old);
        release(&mut turn);
        return moves.may(Step::EraseTryLock, Outcome::Refused, turn);
    }
    let next = if rules.keep(Rule::EmptyOld) {
        Step::EraseEmpty
    } else {
        Step::EraseUnlink
    };
    moves.does(next, |turn| {
        turn.state.exclusive = old + 1;
        turn.note(Action::TryLock, Target::Old);
    });
}

fn empty(turn: &mut Turn<'_>) {
    let Some(old) = inode_of(&turn.state.folder.old) else {
        return;
    };
    if turn.state.is_locked(old) {
        turn.fail(Violation::OpenFileEmptied);
    }
    let file = &mut turn.state.files[usize::from(old)];
    file.superblock.cut();
    file.rows.iter_mut().for_each(Cell::cut);
    if turn.model.bounds.has_sizes() {
        file.size.write(Value::Size(0).id(), Tearing::Atomic);
    }
    turn.note(Action::Truncate, Target::Old);
}

fn answer(turn: &mut Turn<'_>) {
    let superblock = turn
        .state
        .memory()
        .map(|(_, it)| it.superblock.current().value());
    if let Some(Value::Superblock(superblock)) = superblock {
        for item in superblock.rows.erased() {
            turn.state.erased |= item.bit();
        }
    }
}

fn release(turn: &mut Turn<'_>) {
    if turn.state.exclusive != 0 {
        turn.state.exclusive = 0;
        turn.note(Action::Unlock, Target::Old);
    }
    turn.rest();
    turn.unlock_checkpoint();
}
