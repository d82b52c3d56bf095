//! What is done under the commit lock before anything else: a checkpoint that was not finished is
//! finished, and what a dead writer left behind the durable length is settled.

use crate::assessment::Assessment;
use crate::event::{Action, Target};
use crate::invariant::Violation;
use crate::model::Moves;
use crate::process::Purpose;
use crate::rules::{Rule, Sync};
use crate::state::inode_of;
use crate::step::Step;
use crate::turn::{SyncTarget, Turn};
use crate::value::Value;

/// Reads everything and decides: finish, recover, make the log, or go on with what the lock was
/// taken for.
pub(crate) fn settle(turn: &mut Turn<'_>) {
    let model = turn.model;
    let rules = &model.rules;
    let found = match Assessment::of(&turn.state, rules, &model.bounds) {
        Ok(found) => found,
        Err(violation) => return turn.fail(violation),
    };
    let me = *turn.me();
    let is_opening = me.purpose == Purpose::Open;
    if found.has_no_log {
        return turn.go_to(if turn.has_checkpoint_lock() {
            Step::CreateLog
        } else {
            Step::CreateUnlock
        });
    }
    let must_finish = me.purpose != Purpose::Commit
        || rules.keep(Rule::SettleUnfinished)
        || found.inode != me.inode;
    if found.is_unfinished && must_finish {
        return turn.go_to(Step::FinishSuperblock);
    }
    if is_opening && rules.keep(Rule::RewriteSlot) && !me.is_recovered {
        return turn.go_to(Step::RecoverRewrite);
    }
    let has_tail = found.n_whole > 0 || found.has_garbage;
    if has_tail && (is_opening || rules.keep(Rule::SettleTail)) {
        return turn.go_to(if found.n_whole > 0 {
            Step::RecoverRewrite
        } else {
            Step::RecoverCut
        });
    }
    if found.is_misplanned {
        turn.fail(Violation::FrameMisplanned);
    }
    go_on(turn, &found);
}

/// Follows, and begins what the lock was taken for.
fn go_on(turn: &mut Turn<'_>, found: &Assessment) {
    let has_closings = turn.model.bounds.n_closings > 0;
    turn.open_memory(found.inode);
    let me = turn.me();
    me.generation = found.slot.generation;
    if has_closings {
        me.known_end = found.superblock.end();
    }
    turn.forget_unused_files();
    turn.show(found.durable);
    let me = turn.me();
    match me.purpose {
        Purpose::Open | Purpose::None => {
            *me = me.at_rest();
            me.must_hear = false;
            turn.unlock_commit();
            if turn.has_checkpoint_lock() {
                turn.unlock_checkpoint();
            }
        }
        Purpose::Commit => {
            me.step = Step::CommitAppend;
            me.frame_idx = 0;
            me.is_first_frame = found.slot.durable_len == 0;
        }
        Purpose::Checkpoint => me.step = Step::CheckpointAppend,
        Purpose::Compaction | Purpose::Erase => me.step = Step::CompactionWrite,
    }
}

/// Makes the tail durable, and cuts what is not whole.
pub(crate) fn advance(moves: &mut Moves<'_>) {
    let rules = &moves.model.rules;
    let is_opening = moves.me().purpose == Purpose::Open;
    let found = match Assessment::of(moves.state, rules, &moves.model.bounds) {
        Ok(found) => found,
        Err(violation) => return moves.fails(violation),
    };
    match moves.me().step {
        Step::RecoverRewrite => {
            let rewrites_slot = is_opening && rules.keep(Rule::RewriteSlot);
            let rewrites_tail = rules.keep(Rule::RewriteTail);
            moves.does(Step::RecoverSync, |turn| {
                if rewrites_slot {
                    rewrite_slot(turn, &found);
                }
                if rewrites_tail {
                    rewrite_tail(turn, &found);
                }
            });
        }
        Step::RecoverSync => {
            let syncs_folder = is_opening && rules.keep(Rule::SyncFolderAtOpen);
            let next = if syncs_folder {
                Step::RecoverSyncFolder
            } else {
                Step::RecoverCut
            };
            moves.syncs(Sync::Recover, SyncTarget::Log, next);
        }
        Step::RecoverSyncFolder => {
            moves.syncs(Sync::Folder, SyncTarget::Folder, Step::RecoverCut);
        }
        Step::RecoverCut => moves.does(Step::RecoverAdvance, |turn| {
            if found.has_garbage {
                turn.cut_log(found.slot.durable_len + found.n_whole);
            }
            if found.n_whole == 0 {
                turn.me().is_recovered = true;
                settle(turn);
            }
        }),
        _ => moves.does(Step::RecoverAdvance, |turn| {
            turn.write_slot(|slot| slot.durable_len += found.n_whole);
            turn.me().is_recovered = true;
            settle(turn);
        }),
    }
}

fn rewrite_slot(turn: &mut Turn<'_>, found: &Assessment) {
    let tearing = turn.model.bounds.tearing();
    let cell = &mut turn.state.log.slots[found.slot_idx];
    cell.write(cell.current(), tearing);
    turn.note(Action::Write, Target::Log);
}

fn rewrite_tail(turn: &mut Turn<'_>, found: &Assessment) {
    let tearing = turn.model.bounds.tearing();
    let from = found.slot.durable_len;
    for idx in from..from + found.n_whole {
        let cell = &mut turn.state.log.frames[usize::from(idx)];
        cell.write(cell.current(), tearing);
        turn.note(Action::Write, Target::Log);
    }
}

/// Finishes a checkpoint or a compaction whose superblock is there.
pub(crate) fn finish(moves: &mut Moves<'_>) {
    let rules = &moves.model.rules;
    let found = match Assessment::of(moves.state, rules, &moves.model.bounds) {
        Ok(found) => found,
        Err(violation) => return moves.fails(violation),
    };
    match moves.me().step {
        Step::FinishSuperblock => moves.does(Step::FinishSyncFile, |turn| {
            finish_superblock(turn, &found);
        }),
        Step::FinishSyncFile => {
            let inode = inode_of(&moves.state.folder.memory).expect("the assessment found it");
            let target = SyncTarget::File(inode);
            moves.syncs(Sync::FinishFile, target, Step::FinishSyncFolder);
        }
        Step::FinishSyncFolder => {
            let next = if rules.keep(Rule::SyncBeforeSlot) {
                Step::FinishSyncLog
            } else {
                Step::FinishReset
            };
            moves.syncs(Sync::FinishFolder, SyncTarget::Folder, next);
        }
        Step::FinishSyncLog => {
            moves.syncs(Sync::FinishLog, SyncTarget::Log, Step::FinishReset);
        }
        Step::FinishReset => moves.does(Step::FinishSyncReset, |turn| {
            turn.reset_log(found.superblock);
        }),
        Step::FinishSyncReset => {
            moves.syncs(Sync::FinishReset, SyncTarget::Log, Step::FinishTruncate);
        }
        _ => moves.does(Step::FinishTruncate, |turn| {
            turn.cut_log(0);
            settle(turn);
        }),
    }
}

fn finish_superblock(turn: &mut Turn<'_>, found: &Assessment) {
    let rules = &turn.model.rules;
    if !rules.keep(Rule::RewriteSuperblock) {
        return;
    }
    let superblock = if rules.keep(Rule::FinishFromSuperblock) {
        found.superblock
    } else if let Value::Superblock(image) = found.slot.image.value() {
        image
    } else {
        return;
    };
    turn.write_superblock(found.inode, superblock);
}
