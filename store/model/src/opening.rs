//! Opening: the commit lock once, and recovery before anything else. Making the log where there is none.

use crate::assessment::Assessment;
use crate::checkpoint::take_commit_lock;
use crate::event::{Action, Target};
use crate::model::{Moves, Outcome};
use crate::process::Purpose;
use crate::recovery::settle;
use crate::rules::Sync;
use crate::step::Step;
use crate::turn::{SyncTarget, Turn};
use crate::value::ValueId;

/// Opens a process.
pub(crate) fn advance(moves: &mut Moves<'_>) {
    let state = moves.state;
    let has_log = state.log.name.current() != ValueId::ABSENT;
    if state.left.n_openings == 0 || (has_log && state.commit_holder != 0) {
        return;
    }
    let mut turn = moves.turn(Step::Open);
    turn.state.left.n_openings -= 1;
    turn.me().purpose = Purpose::Open;
    turn.note(Action::LockShared, Target::Memory);
    if has_log {
        turn.lock_commit();
        settle(&mut turn);
    } else {
        turn.go_to(Step::CreateLockCheckpoint);
    }
    moves.may(Step::Open, Outcome::Done, turn);
}

/// Makes the log.
pub(crate) fn create(moves: &mut Moves<'_>) {
    match moves.me().step {
        Step::CreateUnlock => {
            moves.does(Step::CreateLockCheckpoint, Turn::unlock_commit);
        }
        Step::CreateLockCheckpoint => {
            if moves.state.checkpoint_holder == 0 {
                moves.does(Step::CreateFile, |turn| turn.lock_checkpoint(Action::Lock));
            }
        }
        Step::CreateFile => moves.does(Step::CreateLock, |turn| {
            if turn.state.log.name.current() == ValueId::ABSENT {
                turn.state.log.give_name();
                turn.note(Action::Create, Target::Log);
            }
        }),
        Step::CreateLock => take_commit_lock(moves),
        Step::CreateLog => write_first_slot(moves),
        Step::CreateSync => {
            moves.syncs(Sync::CreateLog, SyncTarget::Log, Step::CreateSyncFolder);
        }
        _ => {
            let is_made = moves.model.rules.make(Sync::CreateFolder);
            moves.does(Step::CreateSyncFolder, |turn| {
                if is_made {
                    turn.sync(SyncTarget::Folder);
                }
                settle(turn);
            });
        }
    }
}

fn write_first_slot(moves: &mut Moves<'_>) {
    match Assessment::of(moves.state, &moves.model.rules, &moves.model.bounds) {
        Err(violation) => moves.fails(violation),
        Ok(found) => moves.does(Step::CreateSync, |turn| turn.reset_log(found.superblock)),
    }
}
