//! One group of commits: one hold of the lock, one append, one sync.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::queue::{Failure, Queue, Request};
use crate::error::Error;
use crate::follow::Known;
use crate::lock::CommitLock;
use crate::log::{FRAME_LEN_BYTES_MAX, Hold, Position, Slot, append_frame, frame_len_bytes};
use crate::recovery::{Purpose, settle};
use crate::shared::Shared;
use crate::view::{Commit, View};
use crate::{Snapshot, Tip};

/// A group that has this many bytes takes no further request.
const GROUP_LEN_BYTES: usize = 8 << 20;
/// A group that has this many requests takes no further one.
const GROUP_LEN: usize = 256;
/// The longest pause between two groups of one process.
const PAUSE_MAX: Duration = Duration::from_millis(1);
/// For how many groups a process is considerate after it met another one's commit.
const CONSIDERATE_GROUPS: u32 = 64;

/// What the threads of a process that write share; one at a time has it.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    /// A sync failed, or a writer died of a bug: the log must be opened again before anything else.
    pub(crate) is_in_doubt: bool,
    /// When this process last gave the lock back, and how long it had held it.
    last_hold: Option<(Instant, Duration)>,
    /// The header's counter when this process last gave the lock back.
    last_counter: Option<u64>,
    n_considerate: u32,
}

impl Writer {
    /// Leaves the lock free for as long as it was held, up to a millisecond: other processes look
    /// for it several times in that while, and none starves. A process that is alone does not wait.
    fn pause(&self) {
        if let Some((end, held)) = self.last_hold
            && self.n_considerate > 0
        {
            let pause = held.min(PAUSE_MAX).saturating_sub(end.elapsed());
            if !pause.is_zero() {
                std::thread::sleep(pause);
            }
        }
    }

    /// Notes whether others have written since this process last did.
    fn meet(&mut self, counter: u64) {
        let is_alone = self.last_counter.is_none_or(|last| last == counter);
        self.n_considerate = if is_alone {
            self.n_considerate.saturating_sub(1)
        } else {
            CONSIDERATE_GROUPS
        };
    }
}

/// A request that was planned.
struct Member {
    request: Request,
    result: Result<Snapshot, Failure>,
    /// Whether its result stands on frames of this group.
    needs_sync: bool,
}

/// Frames that are planned, one behind the other.
struct Group {
    members: Vec<Member>,
    frames: Vec<u8>,
    /// Behind the last of them.
    position: Position,
    view: View,
}

impl Shared {
    /// Carries the requests that wait, or the first of them, to the disk and to their callers.
    pub(crate) fn run_group(&self, writer: &mut Writer, queue: &Queue, wait: Duration) {
        writer.pause();
        let n_waiting = queue.len();
        if let Err(error) = self.try_group(writer, queue, wait) {
            // Whoever came later has not waited yet.
            for _ in 0..n_waiting {
                if let Some(request) = queue.pop() {
                    request.finish(Err(Failure::Refused(error.clone())));
                }
            }
        }
    }

    /// An error is the answer to every request that waited; where requests were taken from the
    /// queue they have their answers.
    fn try_group(&self, writer: &mut Writer, queue: &Queue, wait: Duration) -> Result<(), Error> {
        self.end_doubt(writer, wait)?;
        let known = self.known();
        self.check_writable(&known)?;
        let lock = CommitLock::take(self.backend(), &known.log, wait)?;
        let begun = Instant::now();
        let mut hold = Hold::new(lock);
        // Until this is over well, the file may hold what this process does not know.
        writer.is_in_doubt = true;
        let known = self.settle(&mut hold, writer)?;
        writer.meet(known.slot.counter);
        let group = Group::plan(&known, queue);
        self.write_group(&mut hold, writer, &known, group);
        drop(hold);
        writer.last_counter = Some(self.known().slot.counter);
        writer.last_hold = Some((Instant::now(), begun.elapsed()));
        Ok(())
    }

    /// Follows, under the commit lock. An error puts the store in doubt only where it may have
    /// written.
    pub(crate) fn settle(&self, hold: &mut Hold<'_>, writer: &mut Writer) -> Result<Known, Error> {
        let known = self.known();
        let settled = settle(
            hold,
            &known,
            Purpose::Commit,
            self.backend(),
            self.location(),
        );
        let settled = settled.inspect_err(|error| {
            writer.is_in_doubt = matches!(error, Error::Io { .. });
        })?;
        self.install(settled.clone());
        Ok(settled)
    }

    fn write_group(&self, hold: &mut Hold<'_>, writer: &mut Writer, known: &Known, group: Group) {
        let Group {
            members,
            frames,
            position,
            view,
        } = group;
        let written = if frames.is_empty() {
            Ok(())
        } else {
            self.write_frames(hold, known, &frames, position, view)
        };
        // An error after which nothing can have been kept leaves no doubt.
        writer.is_in_doubt = matches!(written, Err(Error::Unknown { .. }));
        for Member {
            request,
            result,
            needs_sync,
        } in members
        {
            request.finish(match &written {
                Err(error) if needs_sync => Err(Failure::Refused(error.clone())),
                _ => result,
            });
        }
    }

    /// Appends, syncs, advances the durable length, shows: in this order.
    fn write_frames(
        &self,
        hold: &mut Hold<'_>,
        known: &Known,
        frames: &[u8],
        position: Position,
        view: View,
    ) -> Result<(), Error> {
        let durable_end = known.slot.durable_end;
        if let Err(error) = hold.append(frames, durable_end) {
            return Err(take_back(hold, durable_end, error));
        }
        if let Err(error) = hold.sync() {
            if let Err(error) = hold.cut(durable_end) {
                tracing::error!(%error, "cannot cut back after a failed sync");
            }
            return Err(unknown(error));
        }
        let slot = Slot {
            counter: known.slot.counter.saturating_add(1),
            durable_end: position.offset_bytes,
            ..known.slot.clone()
        };
        let shown = self.publish(|_| {
            let header = hold.write_slot(&known.header, known.slot_idx, &slot)?;
            Ok(Known {
                header,
                slot_idx: 1 - known.slot_idx,
                slot,
                position,
                view,
                ..known.clone()
            })
        });
        shown.map(|_| ()).map_err(unknown)
    }
}

/// After a write that failed: cuts what came through of it, durably.
fn take_back(hold: &mut Hold<'_>, durable_end: u64, error: Error) -> Error {
    if let Err(again) = hold.cut(durable_end).and_then(|()| hold.sync()) {
        tracing::error!(error = %again, "cannot take back a write that failed");
        return unknown(error);
    }
    match error {
        Error::Io { path, source, .. }
            if matches!(
                source.kind(),
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
            ) =>
        {
            Error::DiskFull { path, source }
        }
        other => other,
    }
}
/// The answer where it is not known what was kept.
fn unknown(error: Error) -> Error {
    match error {
        Error::Io { path, source, .. } => Error::Unknown { path, source },
        other => other,
    }
}

impl Group {
    /// Plans the requests that wait, each on the frames of those before it.
    fn plan(known: &Known, queue: &Queue) -> Self {
        let mut group = Self {
            members: Vec::new(),
            frames: Vec::new(),
            position: known.position,
            view: known.view.clone(),
        };
        while group.frames.len() < GROUP_LEN_BYTES && group.members.len() < GROUP_LEN {
            let Some(mut request) = queue.pop() else {
                break;
            };
            let result = group.plan_one(known.slot.generation, &mut request);
            let needs_sync = !group.frames.is_empty();
            group.members.push(Member {
                request,
                result,
                needs_sync,
            });
        }
        group
    }

    fn plan_one(&mut self, generation: u64, request: &mut Request) -> Result<Snapshot, Failure> {
        let tip = Tip {
            snapshot: Snapshot::new(self.view.clone()),
            seq: self.view.seq().next(),
            at: request.now.max(self.view.at()),
            next_memory: self.view.next_memory(),
            next_entity: self.view.next_entity(),
        };
        // The caller's own state is the caller's to worry about: it hears of the panic.
        let planned = catch_unwind(AssertUnwindSafe(|| (request.plan)(&tip)));
        let Some(operation) = planned.map_err(Failure::PlanPanicked)? else {
            return Ok(tip.snapshot);
        };
        operation.check().map_err(Failure::Refused)?;
        let payload = operation.encode();
        let len_bytes = frame_len_bytes(payload.len());
        if len_bytes > FRAME_LEN_BYTES_MAX {
            let len_bytes_max = FRAME_LEN_BYTES_MAX;
            return Err(Failure::Refused(Error::FrameTooLarge {
                len_bytes,
                len_bytes_max,
            }));
        }
        let Tip { seq, at, .. } = tip;
        let Position {
            chain,
            offset_bytes,
            ..
        } = self.position;
        let chain = append_frame(&mut self.frames, chain, generation, (seq, at), &payload);
        let offset_bytes = offset_bytes.saturating_add(len_bytes);
        self.position = Position {
            generation,
            offset_bytes,
            seq,
            chain,
        };
        self.view = self.view.apply(vec![Commit { seq, at, operation }]);
        Ok(Snapshot::new(self.view.clone()))
    }
}
