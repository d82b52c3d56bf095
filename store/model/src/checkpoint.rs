//! A checkpoint, copy on write: chunks behind the end, the superblock last, then the log anew.

use crate::assessment::Assessment;
use crate::event::{Action, Target};
use crate::model::{Moves, Outcome};
use crate::process::Purpose;
use crate::recovery::settle;
use crate::rules::{Rule, Sync};
use crate::state::POSITIONS_MAX;
use crate::step::Step;
use crate::turn::{SyncTarget, Turn};
use crate::value::{Rows, Superblock, Value};

/// Begins a checkpoint.
pub(crate) fn begin(moves: &mut Moves<'_>) {
    if moves.state.checkpoint_holder != 0 || moves.state.left.n_checkpoints == 0 {
        return;
    }
    let bounds = &moves.model.bounds;
    let mut turn = moves.turn(Step::CheckpointBegin);
    turn.state.left.n_checkpoints -= 1;
    turn.lock_checkpoint(Action::Lock);
    turn.me().purpose = Purpose::Checkpoint;
    turn.go_to(if bounds.has_sizes() {
        Step::CheckpointExtend
    } else {
        after_extension(bounds.is_early)
    });
    moves.may(Step::CheckpointBegin, Outcome::Done, turn);
}

fn after_extension(is_early: bool) -> Step {
    if is_early {
        Step::CheckpointAppendEarly
    } else {
        Step::CheckpointLock
    }
}

/// Takes the commit lock, if it is free, and follows.
pub(crate) fn take_commit_lock(moves: &mut Moves<'_>) {
    let step = moves.me().step;
    if moves.state.commit_holder == 0 {
        moves.does(step, |turn| {
            turn.lock_commit();
            settle(turn);
        });
    }
}

/// Goes on with a checkpoint.
pub(crate) fn advance(moves: &mut Moves<'_>) {
    let rules = &moves.model.rules;
    let file = SyncTarget::File(moves.me().inode);
    let step = moves.me().step;
    match step {
        Step::CheckpointExtend => extend(moves),
        Step::CheckpointAppendEarly => append_early(moves),
        Step::CheckpointLock => take_commit_lock(moves),
        Step::CheckpointSyncFile => {
            let next = if rules.keep(Rule::SyncBeforeSlot) {
                Step::CheckpointSyncLog
            } else {
                Step::CheckpointImage
            };
            moves.syncs(Sync::CheckpointFile, file, next);
        }
        Step::CheckpointSyncLog => {
            moves.syncs(Sync::CheckpointLog, SyncTarget::Log, Step::CheckpointImage);
        }
        Step::CheckpointSyncImage => {
            let next = Step::CheckpointSuperblock;
            moves.syncs(Sync::CheckpointImage, SyncTarget::Log, next);
        }
        Step::CheckpointSyncSuperblock => {
            moves.syncs(Sync::CheckpointSuperblock, file, Step::CheckpointReset);
        }
        Step::CheckpointSyncReset => {
            let next = Step::CheckpointTruncate;
            moves.syncs(Sync::CheckpointReset, SyncTarget::Log, next);
        }
        Step::CheckpointTruncate => moves.does(Step::CheckpointRelease, |turn| turn.cut_log(0)),
        Step::CheckpointRelease => moves.does(Step::Idle, release),
        _ => advance_by_what_is_there(moves),
    }
}

fn advance_by_what_is_there(moves: &mut Moves<'_>) {
    let found = match Assessment::of(moves.state, &moves.model.rules, &moves.model.bounds) {
        Ok(found) => found,
        Err(violation) => return moves.fails(violation),
    };
    match moves.me().step {
        Step::CheckpointAppend => append(moves, &found),
        Step::CheckpointImage => moves.does(Step::CheckpointSyncImage, |turn| {
            let image = Value::Superblock(next_superblock(&found)).id();
            turn.write_slot(|slot| slot.image = image);
        }),
        Step::CheckpointSuperblock => moves.does(Step::CheckpointSyncSuperblock, |turn| {
            turn.write_superblock(found.inode, next_superblock(&found));
        }),
        _ => moves.does(Step::CheckpointSyncReset, |turn| {
            turn.reset_log(found.superblock);
        }),
    }
}

fn next_superblock(found: &Assessment) -> Superblock {
    found.next_superblock(found.superblock.position + 1, found.next_rows())
}

/// Extends the file past this checkpoint, and past the next one.
fn extend(moves: &mut Moves<'_>) {
    let rules = &moves.model.rules;
    let n_ahead = u8::from(rules.keep(Rule::Extend)) + u8::from(rules.keep(Rule::ExtendAhead));
    let next = after_extension(moves.model.bounds.is_early);
    let file = moves.state.memory();
    moves.does(next, |turn| {
        turn.reader().meet_checkpoint();
        let Some((inode, file)) = file else { return };
        let Value::Superblock(superblock) = file.superblock.current().value() else {
            return;
        };
        let size = superblock.end() + n_ahead;
        if rules.keep(Rule::Extend) && size > file.size() {
            turn.set_size(inode, size);
            turn.note(Action::Extend, Target::Memory);
        }
    });
}

fn append_early(moves: &mut Moves<'_>) {
    let Ok(found) = Assessment::of(moves.state, &moves.model.rules, &moves.model.bounds) else {
        return;
    };
    let view = moves.me().view;
    let position = found.superblock.position + 1;
    moves.does(Step::CheckpointLock, |turn| {
        if usize::from(position) < POSITIONS_MAX {
            let rows = Rows {
                history: view,
                ..found.next_rows()
            };
            turn.write_rows(found.inode, position, rows);
        }
    });
}

fn append(moves: &mut Moves<'_>, found: &Assessment) {
    let position = found.superblock.position + 1;
    let is_done = found.durable == found.superblock.rows.history;
    if is_done || usize::from(position) >= POSITIONS_MAX {
        return nothing_to_do(moves);
    }
    moves.does(Step::CheckpointSyncFile, |turn| {
        turn.write_rows(found.inode, position, found.next_rows());
    });
}

/// Releases both locks with nothing done.
pub(crate) fn nothing_to_do(moves: &mut Moves<'_>) {
    let step = moves.me().step;
    let mut turn = moves.turn(step);
    turn.rest();
    turn.unlock_commit();
    turn.unlock_checkpoint();
    moves.may(step, Outcome::Refused, turn);
}

/// Releases both locks, and follows what was made.
pub(crate) fn release(turn: &mut Turn<'_>) {
    if let Some((_, slot)) = turn.state.log.ruling() {
        turn.me().generation = slot.generation;
    }
    if let Some((inode, file)) = turn.state.memory() {
        let superblock = file.superblock.current().value();
        turn.open_memory(inode);
        if let Value::Superblock(superblock) = superblock
            && turn.model.bounds.n_closings > 0
        {
            turn.me().known_end = superblock.end();
        }
    }
    turn.rest();
    turn.forget_unused_files();
    turn.unlock_commit();
    turn.unlock_checkpoint();
}
