//! A state: files, folder, locks, processes, and what the outside world was told.

use crate::bounds::{Bounds, PROCESSES_MAX};
use crate::cell::{Cell, Tearing};
use crate::history::{History, Operation};
use crate::invariant::Violation;
use crate::process::Process;
use crate::reader::Reader;
use crate::step::Step;
use crate::value::{Rows, Slot, Superblock, Value, ValueId};

/// Frames that a log has room for.
pub(crate) const FRAMES_MAX: usize = 4;
/// Publications that a file has room for.
pub(crate) const POSITIONS_MAX: usize = 4;
/// Memory files at one time: the memory, the one before it, a temporary one.
pub(crate) const INODES_MAX: usize = 4;
/// What the log's name leads to.
const LOG_INODE: u8 = 9;

/// The log.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Log {
    /// Its name in the folder.
    pub(crate) name: Cell,
    /// The two slots of its header.
    pub(crate) slots: [Cell; 2],
    /// Its frames, by place.
    pub(crate) frames: [Cell; FRAMES_MAX],
}

impl Log {
    /// The slot that rules, and its place.
    pub(crate) fn ruling(&self) -> Option<(usize, Slot)> {
        let mut ruling: Option<(usize, Slot)> = None;
        for (idx, cell) in self.slots.iter().enumerate() {
            if let Value::Slot(slot) = cell.current().value()
                && ruling.is_none_or(|(_, other)| slot.counter > other.counter)
            {
                ruling = Some((idx, slot));
            }
        }
        ruling
    }

    /// Whether there is no frame, whole or not.
    pub(crate) fn has_no_frame(&self) -> bool {
        self.frames.iter().all(|it| it.current() == ValueId::ABSENT)
    }

    /// Cuts the log in front of a frame.
    pub(crate) fn cut(&mut self, from: u8) {
        self.frames
            .iter_mut()
            .skip(usize::from(from))
            .for_each(Cell::cut);
    }

    pub(crate) fn cells(&mut self) -> impl Iterator<Item = &mut Cell> {
        self.slots.iter_mut().chain(self.frames.iter_mut())
    }

    /// The name of the log leads to it.
    pub(crate) fn give_name(&mut self) {
        self.name
            .write(Value::Inode(LOG_INODE).id(), Tearing::Atomic);
    }
}

/// A memory file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct MemoryFile {
    /// Its superblock.
    pub(crate) superblock: Cell,
    /// The rows of each publication, with all that was published before.
    pub(crate) rows: [Cell; POSITIONS_MAX],
    /// Its length, counted in publications; only where lengths are followed.
    pub(crate) size: Cell,
}

impl MemoryFile {
    /// A file with nothing in it.
    pub(crate) fn blank() -> Self {
        Self {
            superblock: Cell::absent(),
            rows: [Cell::absent(); POSITIONS_MAX],
            size: Cell::absent(),
        }
    }

    /// How long the file is.
    pub(crate) fn size(&self) -> u8 {
        match self.size.current().value() {
            Value::Size(size) => size,
            _ => 0,
        }
    }

    pub(crate) fn cells(&mut self) -> impl Iterator<Item = &mut Cell> {
        let rows = self.rows.iter_mut();
        [&mut self.superblock, &mut self.size]
            .into_iter()
            .chain(rows)
    }

    /// Whether the bytes of an item are somewhere in the file.
    fn holds(&self, item: Operation) -> bool {
        self.rows.iter().any(|cell| match cell.current().value() {
            Value::Rows(rows) => rows.hold(item),
            _ => false,
        })
    }
}

/// The names of the memory files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Folder {
    /// `memory.h5`.
    pub(crate) memory: Cell,
    /// The second name of the file before it.
    pub(crate) old: Cell,
    /// A new file that is not finished.
    pub(crate) temporary: Cell,
}

impl Folder {
    pub(crate) fn names(&self) -> [&Cell; 3] {
        [&self.memory, &self.old, &self.temporary]
    }

    pub(crate) fn names_mut(&mut self) -> [&mut Cell; 3] {
        [&mut self.memory, &mut self.old, &mut self.temporary]
    }
}

/// What a name leads to.
pub(crate) fn inode_of(name: &Cell) -> Option<u8> {
    inode_in(name.current())
}

fn inode_in(value: ValueId) -> Option<u8> {
    match value.value() {
        Value::Inode(inode) => Some(inode),
        _ => None,
    }
}

/// One state of the model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct State {
    pub(crate) log: Log,
    pub(crate) folder: Folder,
    pub(crate) files: [MemoryFile; INODES_MAX],
    pub(crate) processes: [Process; PROCESSES_MAX],
    pub(crate) reader: Reader,
    /// Who has the commit lock: the process's number and 1, or 0.
    pub(crate) commit_holder: u8,
    /// Who has the checkpoint lock, in the same way.
    pub(crate) checkpoint_holder: u8,
    /// Of which file someone has the exclusive lock, in the same way.
    pub(crate) exclusive: u8,
    pub(crate) next_item: u8,
    pub(crate) next_erasure: u8,
    pub(crate) next_generation: u8,
    /// Operations that were acknowledged.
    pub(crate) acknowledged: u16,
    /// Items for which "erased" was answered.
    pub(crate) erased: u16,
    /// What some reader saw.
    pub(crate) seen: History,
    pub(crate) violation: Option<Violation>,
    /// What may still happen.
    pub(crate) left: Left,
}

/// What may still happen.
#[expect(clippy::struct_field_names, reason = "each is a count")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Left {
    pub(crate) n_kills: u8,
    pub(crate) n_power_losses: u8,
    pub(crate) n_failures: u8,
    pub(crate) n_checkpoints: u8,
    pub(crate) n_compactions: u8,
    pub(crate) n_follows: u8,
    pub(crate) n_openings: u8,
    pub(crate) n_readings: u8,
    pub(crate) n_closings: u8,
}

impl State {
    /// The first state: an empty memory that every process has open, or no log and no process.
    pub(crate) fn initial(bounds: &Bounds) -> Self {
        let superblock = Value::Superblock(Superblock {
            checkpoint: 0,
            absorbed: 0,
            position: 0,
            rows: Rows::default(),
        })
        .id();
        let slot = Slot {
            counter: 1,
            generation: 1,
            image: superblock,
            ..Slot::default()
        };
        let mut first = MemoryFile::blank();
        first.superblock = Cell::settled(superblock);
        first.rows[0] = Cell::settled(Value::Rows(Rows::default()).id());
        if bounds.has_sizes() {
            // As after a clean close, or as after a checkpoint.
            first.size = Cell::settled(Value::Size(1 + bounds.n_overtaking.min(1)).id());
        }
        let mut files = [MemoryFile::blank(); INODES_MAX];
        files[0] = first;
        let settled = |value: Value| {
            let is_there = !bounds.is_new;
            Cell::settled(if is_there {
                value.id()
            } else {
                ValueId::ABSENT
            })
        };
        let mut processes = [Process::default(); PROCESSES_MAX];
        if !bounds.is_new {
            processes[..bounds.n_processes].fill(Process {
                step: Step::Idle,
                generation: 1,
                known_end: u8::from(bounds.n_closings > 0),
                ..Process::default()
            });
        }
        Self {
            log: Log {
                name: settled(Value::Inode(LOG_INODE)),
                slots: [settled(Value::Slot(slot)), Cell::absent()],
                frames: [Cell::absent(); FRAMES_MAX],
            },
            folder: Folder {
                memory: Cell::settled(Value::Inode(0).id()),
                old: Cell::absent(),
                temporary: Cell::absent(),
            },
            files,
            processes,
            reader: Reader::default(),
            commit_holder: 0,
            checkpoint_holder: 0,
            exclusive: 0,
            next_item: 1,
            next_erasure: 1,
            next_generation: 2,
            acknowledged: 0,
            erased: 0,
            seen: History::EMPTY,
            violation: None,
            left: Left::new(bounds),
        }
    }

    /// The file at `memory.h5`.
    pub(crate) fn memory(&self) -> Option<(u8, &MemoryFile)> {
        let inode = inode_of(&self.folder.memory)?;
        Some((inode, &self.files[usize::from(inode)]))
    }

    /// The end of a process: its locks are free, and what it knew is gone.
    pub(crate) fn die(&mut self, process: usize) {
        let holder = holder(process);
        if self.commit_holder == holder {
            self.commit_holder = 0;
        }
        if self.checkpoint_holder == holder {
            self.checkpoint_holder = 0;
            self.exclusive = 0;
        }
        self.processes[process] = Process::default();
    }

    /// Whether a process or another program has a file open.
    pub(crate) fn is_open(&self, inode: u8) -> bool {
        let by_process = self.processes.iter().any(|it| it.has_open(inode));
        by_process || self.reader.has_open(inode)
    }

    /// Whether a process or another program has the shared lock on a file.
    pub(crate) fn is_locked(&self, inode: u8) -> bool {
        let by_process = self.processes.iter().any(|it| it.has_locked(inode));
        by_process || self.reader.has_locked(inode)
    }

    /// Whether anything may still lead to a file: a name, on the disk too, or an opening.
    pub(crate) fn is_used(&self, inode: u8) -> bool {
        let leads = |value: &ValueId| inode_in(*value) == Some(inode);
        let by_name =
            |name: &&Cell| leads(&name.current()) || name.alternatives().iter().any(leads);
        self.is_open(inode) || self.folder.names().iter().any(by_name)
    }

    /// Whether the bytes of an item can be had: by a name, or by someone who has a file open.
    pub(crate) fn can_reach(&self, item: Operation) -> bool {
        let in_log = self
            .log
            .frames
            .iter()
            .any(|cell| match cell.current().value() {
                Value::Frame(frame) => frame.operation == item,
                _ => false,
            });
        let in_file = |inode: u8| {
            let is_named = self
                .folder
                .names()
                .iter()
                .any(|it| inode_of(it) == Some(inode));
            let is_reached = is_named || self.is_open(inode);
            is_reached && self.files[usize::from(inode)].holds(item)
        };
        in_log || (0..).take(INODES_MAX).any(in_file)
    }

    /// Files that nothing leads to are gone.
    pub(crate) fn forget_unused_files(&mut self) {
        for inode in (0..).take(INODES_MAX) {
            if !self.is_used(inode) {
                self.files[usize::from(inode)] = MemoryFile::blank();
            }
        }
    }

    /// The same state with the processes in a fixed order; the holders of locks follow.
    pub(crate) fn canonical(mut self, n_processes: usize) -> Self {
        for one in 0..n_processes {
            for other in one + 1..n_processes {
                if self.rank(other) < self.rank(one) {
                    self.processes.swap(one, other);
                    for lock in [&mut self.commit_holder, &mut self.checkpoint_holder] {
                        if *lock == holder(one) {
                            *lock = holder(other);
                        } else if *lock == holder(other) {
                            *lock = holder(one);
                        }
                    }
                }
            }
        }
        self
    }

    fn rank(&self, process: usize) -> (Process, bool, bool) {
        let holder = holder(process);
        let has_commit = self.commit_holder == holder;
        let has_checkpoint = self.checkpoint_holder == holder;
        (self.processes[process], has_commit, has_checkpoint)
    }
}

impl Left {
    /// So many openings, and nothing else.
    pub(crate) fn only_openings(n_openings: u8) -> Self {
        Self::new(&Bounds {
            n_openings,
            ..Bounds::default()
        })
    }

    fn new(bounds: &Bounds) -> Self {
        Self {
            n_kills: bounds.n_kills,
            n_power_losses: bounds.n_power_losses,
            n_failures: bounds.n_failures,
            n_checkpoints: bounds.n_checkpoints,
            n_compactions: bounds.n_compactions,
            n_follows: bounds.n_follows,
            n_openings: bounds.n_openings,
            n_readings: bounds.n_readings,
            n_closings: bounds.n_closings,
        }
    }
}

/// How a lock names its holder.
pub(crate) fn holder(process: usize) -> u8 {
    u8::try_from(process + 1).expect("at most three")
}
