//! One process's turn: the state that a step makes, and what it does to files on the way.

use crate::cell::{Cell, Tearing};
use crate::event::{Action, Event, Target};
use crate::history::History;
use crate::invariant::Violation;
use crate::model::Model;
use crate::process::Process;
use crate::reader::Reader;
use crate::state::{MemoryFile, State, holder, inode_of};
use crate::step::Step;
use crate::value::{Rows, Slot, Superblock, Value};

/// Which file a sync is for, and how far it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SyncTarget {
    /// The log's bytes.
    Log,
    /// The log's bytes and its length.
    WholeLog,
    /// A memory file.
    File(u8),
    /// The folder.
    Folder,
}

/// A state in the making.
#[derive(Clone, Debug)]
pub(crate) struct Turn<'a> {
    pub(crate) model: &'a Model,
    pub(crate) state: State,
    process: usize,
    step: Step,
    pub(crate) events: Option<Vec<Event>>,
}

impl<'a> Turn<'a> {
    pub(crate) fn new(model: &'a Model, state: &State, process: usize, step: Step) -> Self {
        Self {
            model,
            state: *state,
            process,
            step,
            events: model.is_recording.then(Vec::new),
        }
    }

    /// The process whose turn it is.
    pub(crate) fn me(&mut self) -> &mut Process {
        &mut self.state.processes[self.process]
    }

    /// Goes on with another step.
    pub(crate) fn go_to(&mut self, step: Step) {
        self.me().step = step;
    }

    pub(crate) fn note(&mut self, action: Action, target: Target) {
        let step = self.step;
        if let Some(events) = &mut self.events {
            events.push(Event {
                step,
                action,
                target,
            });
        }
    }

    pub(crate) fn fail(&mut self, violation: Violation) {
        self.state.violation = Some(violation);
    }

    pub(crate) fn lock_commit(&mut self) {
        self.state.commit_holder = holder(self.process);
        self.note(Action::Lock, Target::Log);
    }

    pub(crate) fn unlock_commit(&mut self) {
        self.state.commit_holder = 0;
        self.note(Action::Unlock, Target::Log);
    }

    pub(crate) fn lock_checkpoint(&mut self, action: Action) {
        self.state.checkpoint_holder = holder(self.process);
        self.note(action, Target::CheckpointLock);
    }

    pub(crate) fn unlock_checkpoint(&mut self) {
        self.state.checkpoint_holder = 0;
        self.note(Action::Unlock, Target::CheckpointLock);
    }

    pub(crate) fn has_checkpoint_lock(&self) -> bool {
        self.state.checkpoint_holder == holder(self.process)
    }

    /// Opens the memory file, with the shared lock, in place of the one that was open.
    pub(crate) fn open_memory(&mut self, inode: u8) {
        if self.me().inode != inode {
            self.note(Action::LockShared, Target::Memory);
        }
        self.me().inode = inode;
    }

    pub(crate) fn rest(&mut self) {
        *self.me() = self.me().at_rest();
    }

    /// The process is gone; so are its locks.
    pub(crate) fn die(&mut self) {
        self.state.die(self.process);
        self.forget_unused_files();
    }

    pub(crate) fn forget_unused_files(&mut self) {
        if self.model.bounds.has_names() {
            self.state.forget_unused_files();
        }
    }

    /// The name of a file, for those who watch.
    pub(crate) fn target_of(&self, inode: u8) -> Target {
        let folder = &self.state.folder;
        if inode_of(&folder.memory) == Some(inode) {
            Target::Memory
        } else if inode_of(&folder.old) == Some(inode) {
            Target::Old
        } else {
            Target::Temporary
        }
    }

    fn file(&mut self, inode: u8) -> &mut MemoryFile {
        &mut self.state.files[usize::from(inode)]
    }

    /// Writes the slot that does not rule.
    pub(crate) fn write_slot(&mut self, change: impl FnOnce(&mut Slot)) {
        let (ruling_idx, mut slot) = self.state.log.ruling().unwrap_or((1, Slot::default()));
        slot.counter += 1;
        change(&mut slot);
        let tearing = self.model.bounds.tearing();
        self.state.log.slots[1 - ruling_idx].write(Value::Slot(slot).id(), tearing);
        self.note(Action::Write, Target::Log);
    }

    /// Writes a header with a new generation, which continues `superblock` and has no frame.
    pub(crate) fn reset_log(&mut self, superblock: Superblock) {
        let generation = self.state.next_generation;
        self.state.next_generation += 1;
        let image = Value::Superblock(superblock).id();
        self.write_slot(|slot| {
            *slot = Slot {
                counter: slot.counter,
                generation,
                checkpoint: superblock.checkpoint,
                base: superblock.rows.history.len(),
                durable_len: 0,
                image,
            };
        });
    }

    pub(crate) fn cut_log(&mut self, from: u8) {
        self.state.log.cut(from);
        self.note(Action::Truncate, Target::Log);
    }

    pub(crate) fn write_superblock(&mut self, inode: u8, superblock: Superblock) {
        let tearing = self.model.bounds.tearing();
        let value = Value::Superblock(superblock).id();
        self.file(inode).superblock.write(value, tearing);
        self.state.reader.meet_publication(inode);
        let target = self.target_of(inode);
        self.note(Action::Write, target);
    }

    /// Appends the rows of a publication; the file grows where it has to.
    pub(crate) fn write_rows(&mut self, inode: u8, position: u8, rows: Rows) {
        let tearing = self.model.bounds.tearing();
        let has_sizes = self.model.bounds.has_sizes();
        let file = self.file(inode);
        file.rows[usize::from(position)].write(Value::Rows(rows).id(), tearing);
        if has_sizes && file.size() <= position {
            self.set_size(inode, position + 1);
        }
        let target = self.target_of(inode);
        self.note(Action::Write, target);
    }

    /// Makes the file longer or shorter. What is cut off may still be on the disk.
    pub(crate) fn set_size(&mut self, inode: u8, size: u8) {
        let file = self.file(inode);
        file.size.write(Value::Size(size).id(), Tearing::Atomic);
        file.rows
            .iter_mut()
            .skip(usize::from(size))
            .for_each(Cell::cut);
    }

    pub(crate) fn sync(&mut self, target: SyncTarget) {
        let (action, watched) = match target {
            SyncTarget::Log => (Action::SyncData, Target::Log),
            SyncTarget::WholeLog => (Action::SyncAll, Target::Log),
            SyncTarget::File(inode) => (Action::SyncData, self.target_of(inode)),
            SyncTarget::Folder => (Action::SyncData, Target::Folder),
        };
        match target {
            SyncTarget::Log => self.state.log.cells().for_each(Cell::sync),
            SyncTarget::WholeLog => self.state.log.cells().for_each(Cell::sync_whole),
            SyncTarget::File(inode) => self.file(inode).cells().for_each(Cell::sync),
            SyncTarget::Folder => {
                self.state.log.name.sync();
                self.state
                    .folder
                    .names_mut()
                    .into_iter()
                    .for_each(Cell::sync);
                self.forget_unused_files();
            }
        }
        self.note(action, watched);
    }

    /// A sync that fails. The length of a file and the names in a folder are the journal's, which
    /// keeps what it has not written.
    pub(crate) fn lose_sync(&mut self, target: SyncTarget) {
        let lose = Cell::lose_sync;
        match target {
            SyncTarget::Log | SyncTarget::WholeLog => {
                self.state.log.cells().for_each(lose);
                let alive = self.state.processes.iter_mut().filter(|it| it.is_alive());
                alive.for_each(|it| it.must_hear = true);
            }
            SyncTarget::File(inode) => self.file(inode).cells().for_each(lose),
            SyncTarget::Folder => {}
        }
    }

    /// The process's readers see `view` from now on.
    pub(crate) fn show(&mut self, view: History) {
        let seen = self.state.seen;
        if seen.is_prefix_of(view) {
            self.state.seen = view;
        } else if !view.is_prefix_of(seen) {
            self.fail(Violation::OrdersDiffer);
        }
        if !self.me().view.is_prefix_of(view) {
            self.fail(Violation::ViewWentBack);
        }
        self.me().view = view;
    }

    pub(crate) fn reader(&mut self) -> &mut Reader {
        &mut self.state.reader
    }
}
