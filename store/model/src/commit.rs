//! Committing: one frame an operation, synced once a group.

use crate::assessment::Assessment;
use crate::cell::Tearing;
use crate::event::{Action, Target};
use crate::history::Operation;
use crate::model::{Moves, Outcome};
use crate::process::Purpose;
use crate::recovery::settle;
use crate::rules::{Rule, Sync};
use crate::state::FRAMES_MAX;
use crate::step::Step;
use crate::turn::{SyncTarget, Turn};
use crate::value::{Frame, Value, ValueId};

/// Begins to commit: items, or an erasure of an item that this process sees.
pub(crate) fn begin(moves: &mut Moves<'_>) {
    if moves.state.commit_holder != 0 {
        return;
    }
    let bounds = &moves.model.bounds;
    let next = moves.state.next_item;
    for len in 1..=bounds.group_len_max {
        if next + len - 1 <= bounds.n_items {
            let mut turn = moves.turn(Step::CommitLock);
            turn.state.next_item += len;
            let me = turn.me();
            me.n_operations = len;
            for (operation, number) in me.operations.iter_mut().zip(next..next + len) {
                *operation = Operation::keep(number);
            }
            take_lock(&mut turn);
            moves.may(Step::CommitLock, Outcome::Done, turn);
        }
    }
    let number = moves.state.next_erasure;
    if number <= bounds.n_erasures && moves.me().view.contains(Operation::keep(number)) {
        let mut turn = moves.turn(Step::CommitLock);
        turn.state.next_erasure += 1;
        let me = turn.me();
        me.n_operations = 1;
        me.operations[0] = Operation::erase(number);
        take_lock(&mut turn);
        moves.may(Step::CommitLock, Outcome::Done, turn);
    }
}

fn take_lock(turn: &mut Turn<'_>) {
    turn.lock_commit();
    turn.me().purpose = Purpose::Commit;
    settle(turn);
}

/// Goes on committing.
pub(crate) fn advance(moves: &mut Moves<'_>) {
    match moves.me().step {
        Step::CommitAppend => append(moves),
        Step::CommitSync => moves.syncs(Sync::Commit, SyncTarget::Log, Step::CommitAdvance),
        Step::CommitAdvance => moves.does(Step::CommitRelease, |turn| {
            let me = *turn.me();
            turn.write_slot(|slot| slot.durable_len += me.n_operations);
            let added = me.operations.iter().take(usize::from(me.n_operations));
            turn.show(added.fold(me.view, |view, operation| view.with(*operation)));
        }),
        Step::CommitRelease => moves.does(Step::Idle, |turn| {
            let me = *turn.me();
            for operation in me.operations.iter().take(usize::from(me.n_operations)) {
                turn.state.acknowledged |= operation.bit();
            }
            turn.rest();
            turn.unlock_commit();
        }),
        _ => moves.does(Step::Open, |turn| {
            if let Some((_, slot)) = turn.state.log.ruling() {
                turn.cut_log(slot.durable_len);
            }
            turn.die();
            turn.state.left.n_openings += 1;
        }),
    }
}

fn append(moves: &mut Moves<'_>) {
    let me = *moves.me();
    let found = match Assessment::of(moves.state, &moves.model.rules, &moves.model.bounds) {
        Ok(found) => found,
        Err(violation) => return moves.fails(violation),
    };
    let place = usize::from(found.slot.durable_len + me.frame_idx);
    if place >= FRAMES_MAX {
        return;
    }
    let planned_on = match me.frame_idx {
        0 => found.durable.last(),
        idx => me.operations[usize::from(idx) - 1],
    };
    let frame = Frame {
        generation: found.slot.generation,
        seq: found.durable.len() + 1 + me.frame_idx,
        operation: me.operations[usize::from(me.frame_idx)],
        planned_on,
    };
    let is_last = me.frame_idx + 1 == me.n_operations;
    let next = if is_last {
        Step::CommitSync
    } else {
        Step::CommitAppend
    };
    let tearing = moves.model.bounds.tearing();
    let has_slot = !moves.model.rules.keep(Rule::FramesBeforeSlot);
    moves.does(next, |turn| {
        write_frame(turn, place, Value::Frame(frame).id(), tearing);
        turn.me().frame_idx += 1;
        if has_slot && me.is_first_frame && me.frame_idx == 0 {
            turn.write_slot(|_| {});
        }
    });
    if moves.state.left.n_kills > 0 {
        let mut turn = moves.turn(Step::CommitAppend);
        turn.state.left.n_kills -= 1;
        write_frame(&mut turn, place, ValueId::TORN, tearing);
        turn.die();
        moves.may(Step::CommitAppend, Outcome::KilledWithin, turn);
    }
}

fn write_frame(turn: &mut Turn<'_>, place: usize, value: ValueId, tearing: Tearing) {
    turn.state.log.frames[place].write(value, tearing);
    turn.note(Action::Write, Target::Log);
}
