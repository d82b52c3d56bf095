//! Following without a lock: header, path, superblock, frames, header again.

use crate::event::{Action, Target};
use crate::history::History;
use crate::invariant::Violation;
use crate::model::{Moves, Outcome};
use crate::rules::Rule;
use crate::state::inode_of;
use crate::step::Step;
use crate::turn::Turn;
use crate::value::{Slot, Superblock, Value, ValueId};

/// No memory file is open.
const NO_INODE: u8 = u8::MAX;

/// Begins an operation that only reads.
pub(crate) fn begin(moves: &mut Moves<'_>) {
    if moves.state.left.n_follows > 0 {
        let mut turn = moves.turn(Step::FollowHeader);
        turn.state.left.n_follows -= 1;
        turn.go_to(Step::FollowHeader);
        moves.may(Step::Idle, Outcome::Done, turn);
    }
}

/// Goes on following.
pub(crate) fn advance(moves: &mut Moves<'_>) {
    let step = moves.me().step;
    match step {
        Step::FollowHeader => moves.does(step, read_header),
        Step::FollowPath => moves.does(Step::FollowSuperblock, look_up),
        Step::FollowLock => moves.does(Step::FollowSuperblock, lock),
        Step::FollowSuperblock => moves.does(Step::FollowFrame, read_superblock),
        Step::FollowFrame => moves.does(step, read_frame),
        _ => moves.does(step, read_header_again),
    }
}

/// Opens the file at the path, if it is another one than before. Where names are followed, the
/// lock comes after that.
fn look_up(turn: &mut Turn<'_>) {
    let Some(inode) = inode_of(&turn.state.folder.memory) else {
        return turn.fail(Violation::SuperblockLost);
    };
    if turn.me().inode != inode && turn.model.bounds.has_names() {
        turn.go_to(Step::FollowLock);
    }
    turn.me().inode = inode;
    turn.forget_unused_files();
}

/// Takes the shared lock on that file.
fn lock(turn: &mut Turn<'_>) {
    let inode = turn.me().inode;
    let is_refused = turn.state.exclusive == inode + 1;
    turn.note(Action::LockShared, Target::Memory);
    if !turn.model.rules.keep(Rule::LookAgain) {
        if is_refused {
            turn.fail(Violation::FollowerRefused);
        }
    } else if is_refused || inode_of(&turn.state.folder.memory) != Some(inode) {
        turn.me().inode = NO_INODE;
        turn.go_to(Step::FollowPath);
        turn.forget_unused_files();
    }
}

fn slot_in(header: ValueId) -> Slot {
    match header.value() {
        Value::Slot(slot) => slot,
        _ => unreachable!("a follower keeps a slot that it read"),
    }
}

fn read_header(turn: &mut Turn<'_>) {
    let Some((_, slot)) = turn.state.log.ruling() else {
        return turn.fail(Violation::HeaderLost);
    };
    let me = turn.me();
    me.header = Value::Slot(slot).id();
    me.is_suspect = false;
    me.frame_idx = 0;
    if slot.generation == me.generation {
        me.read = me.view;
        me.step = Step::FollowFrame;
    } else {
        me.step = Step::FollowPath;
    }
}

fn continues(slot: Slot, superblock: Superblock) -> bool {
    let is_unfinished =
        superblock.checkpoint == slot.checkpoint + 1 && superblock.absorbed == slot.generation;
    superblock.checkpoint == slot.checkpoint || is_unfinished
}

fn read_superblock(turn: &mut Turn<'_>) {
    let me = *turn.me();
    let slot = slot_in(me.header);
    let file = &turn.state.files[usize::from(me.inode)];
    match file.superblock.current().value() {
        Value::Superblock(superblock) if continues(slot, superblock) => {
            turn.me().read = superblock.rows.history;
        }
        _ => suspect(turn),
    }
}

fn suspect(turn: &mut Turn<'_>) {
    turn.me().is_suspect = true;
    turn.go_to(Step::FollowHeaderAgain);
}

fn read_frame(turn: &mut Turn<'_>) {
    let me = *turn.me();
    let slot = slot_in(me.header);
    let is_known = |idx: &u8| slot.base + 1 + idx <= me.read.len();
    let idx = (me.frame_idx..slot.durable_len).find(|it| !is_known(it));
    let Some(idx) = idx else {
        turn.me().frame_idx = slot.durable_len.max(me.frame_idx);
        return turn.go_to(Step::FollowHeaderAgain);
    };
    turn.me().frame_idx = idx;
    match turn.state.log.frames[usize::from(idx)].current().value() {
        Value::Frame(frame)
            if frame.generation == slot.generation && frame.seq == slot.base + 1 + idx =>
        {
            turn.me().read = me.read.with(frame.operation);
            turn.me().frame_idx = idx + 1;
        }
        _ => suspect(turn),
    }
}

fn read_header_again(turn: &mut Turn<'_>) {
    let me = *turn.me();
    let Some((_, again)) = turn.state.log.ruling() else {
        return turn.fail(Violation::HeaderLost);
    };
    if again.generation != slot_in(me.header).generation {
        let me = turn.me();
        me.read = History::EMPTY;
        me.frame_idx = 0;
        me.header = ValueId::ABSENT;
        me.is_suspect = false;
        me.step = Step::FollowHeader;
    } else if me.is_suspect {
        turn.fail(Violation::FollowerRefused);
    } else {
        turn.me().generation = again.generation;
        turn.show(me.read);
        turn.rest();
    }
}
