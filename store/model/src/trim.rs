//! Closing: the room that checkpoints were given ahead is cut off.

use crate::event::{Action, Target};
use crate::model::{Moves, Outcome};
use crate::rules::Rule;
use crate::step::Step;
use crate::turn::Turn;
use crate::value::Value;

/// Begins to close.
pub(crate) fn begin(moves: &mut Moves<'_>) {
    let is_locked = moves.model.rules.keep(Rule::TrimUnderLock);
    if moves.state.left.n_closings == 0 || (is_locked && moves.state.checkpoint_holder != 0) {
        return;
    }
    let mut turn = moves.turn(Step::TrimBegin);
    turn.state.left.n_closings -= 1;
    if is_locked {
        turn.lock_checkpoint(Action::TryLock);
    }
    turn.go_to(Step::TrimCut);
    moves.may(Step::TrimBegin, Outcome::Done, turn);
}

/// Goes on closing.
pub(crate) fn advance(moves: &mut Moves<'_>) {
    if moves.me().step == Step::TrimCut {
        return moves.does(Step::TrimRelease, cut);
    }
    let is_locked = moves.model.rules.keep(Rule::TrimUnderLock);
    moves.does(Step::Open, |turn| {
        if is_locked {
            turn.unlock_checkpoint();
        }
        turn.die();
    });
}

fn cut(turn: &mut Turn<'_>) {
    let newest = turn.state.memory().map(|(inode, it)| (inode, *it));
    let Some((inode, file)) = newest else { return };
    let end = match file.superblock.current().value() {
        Value::Superblock(it) if turn.model.rules.keep(Rule::TrimByNewest) => it.end(),
        _ => turn.me().known_end,
    };
    if file.size() > end {
        turn.set_size(inode, end);
        turn.note(Action::Truncate, Target::Memory);
    }
}
