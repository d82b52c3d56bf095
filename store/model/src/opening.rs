//! Opening: the commit lock once, and recovery before anything else. Making the log where there is none.

use crate::assessment::Assessment;
use crate::model::{Moves, Outcome};
use crate::process::Purpose;
use crate::recovery::settle;
use crate::rules::Sync;
use crate::step::Step;
use crate::turn::SyncTarget;

/// Opens a process.
pub(crate) fn advance(moves: &mut Moves<'_>) {
    if moves.state.left.n_openings == 0 || moves.state.commit_holder != 0 {
        return;
    }
    let mut turn = moves.turn(Step::Open);
    turn.state.left.n_openings -= 1;
    turn.lock_commit();
    turn.me().purpose = Purpose::Open;
    settle(&mut turn);
    moves.may(Step::Open, Outcome::Done, turn);
}

/// Makes the log.
pub(crate) fn create(moves: &mut Moves<'_>) {
    match moves.me().step {
        Step::CreateLog => {
            match Assessment::of(moves.state, &moves.model.rules, &moves.model.bounds) {
                Err(violation) => moves.fails(violation),
                Ok(found) => moves.does(Step::CreateSync, |turn| {
                    turn.state.log.give_name();
                    turn.reset_log(&found.superblock);
                }),
            }
        }
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
