//! What a cell of a file can hold. Values are interned, so that a state is a few small numbers.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::hash::BuildHasherDefault;

use crate::fingerprint::Mixer;
use crate::history::{History, Operation};

/// A value by its place in the table of this thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub(crate) struct ValueId(u16);

impl ValueId {
    /// Nothing is there.
    pub(crate) const ABSENT: Self = Self(0);
    /// A write of which a part came through.
    pub(crate) const TORN: Self = Self(1);

    /// What this stands for.
    pub(crate) fn value(self) -> Value {
        TABLE.with_borrow(|table| table.values[usize::from(self.0)])
    }
}

/// What a cell holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Value {
    /// Nothing.
    Absent,
    /// A part of a write; its checksum is wrong.
    Torn,
    /// The superblock of a memory file.
    Superblock(Superblock),
    /// A slot of the log's header.
    Slot(Slot),
    /// A frame of the log.
    Frame(Frame),
    /// The rows behind a superblock.
    Rows(Rows),
    /// What a name leads to.
    Inode(u8),
    /// How long a file is, counted in publications.
    Size(u8),
}

/// What a memory file says of itself, with its root group.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Superblock {
    /// The number of the checkpoint.
    pub(crate) checkpoint: u8,
    /// The generation of the log that it absorbed.
    pub(crate) absorbed: u8,
    /// Where its rows are.
    pub(crate) position: u8,
    /// What its rows say.
    pub(crate) rows: Rows,
}

impl Superblock {
    /// Its end-of-file address: how long the file has to be.
    pub(crate) fn end(self) -> u8 {
        self.position + 1
    }
}

/// Rows: the commits that they hold, and the number of those whose erasures were carried out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Rows {
    /// The commits.
    pub(crate) history: History,
    /// What an erasure among so many commits erased is not in these bytes.
    pub(crate) erased_to: u8,
}

impl Rows {
    /// The same memory without the bytes of what was erased.
    pub(crate) fn compacted(history: History) -> Self {
        Self {
            history,
            erased_to: history.erasures_end(),
        }
    }

    /// Whether the erasures of `history`, which goes on from these rows, are all carried out.
    pub(crate) fn has_carried_out(self, history: History) -> bool {
        history.erasures_end() <= self.erased_to
    }

    /// The items whose erasure these rows have carried out.
    pub(crate) fn erased(&self) -> impl Iterator<Item = Operation> {
        let carried_out = self.history.operations().take(usize::from(self.erased_to));
        carried_out.filter_map(Operation::erases)
    }

    /// Whether the bytes of an item are among these.
    pub(crate) fn hold(self, item: Operation) -> bool {
        self.history.contains(item) && !self.erased().any(|it| it == item)
    }
}

/// A slot of the log's header.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Slot {
    /// The valid slot with the greater counter rules.
    pub(crate) counter: u8,
    /// The generation of the log.
    pub(crate) generation: u8,
    /// The checkpoint that it continues.
    pub(crate) checkpoint: u8,
    /// The last commit of that checkpoint.
    pub(crate) base: u8,
    /// How many frames are durable.
    pub(crate) durable_len: u8,
    /// The image of the superblock.
    pub(crate) image: ValueId,
}

/// A frame of the log.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Frame {
    /// The generation of the log.
    pub(crate) generation: u8,
    /// The number of the commit.
    pub(crate) seq: u8,
    /// What it did.
    pub(crate) operation: Operation,
    /// What the commit before it did, when it was planned: its checksum goes on from there.
    pub(crate) planned_on: Operation,
}

impl Value {
    /// The number that stands for this value.
    pub(crate) fn id(self) -> ValueId {
        match self {
            Self::Absent => ValueId::ABSENT,
            Self::Torn => ValueId::TORN,
            value => TABLE.with_borrow_mut(|table| table.intern(value)),
        }
    }
}

#[derive(Debug)]
struct Table {
    values: Vec<Value>,
    ids: HashMap<Value, ValueId, BuildHasherDefault<Mixer>>,
}

impl Table {
    fn intern(&mut self, value: Value) -> ValueId {
        if let Some(id) = self.ids.get(&value) {
            return *id;
        }
        let id = ValueId(u16::try_from(self.values.len()).expect("bounds keep values few"));
        self.values.push(value);
        self.ids.insert(value, id);
        id
    }
}

thread_local! {
    static TABLE: RefCell<Table> = RefCell::new(Table {
        values: vec![Value::Absent, Value::Torn],
        ids: HashMap::default(),
    });
}

impl fmt::Display for ValueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            Value::Absent => write!(f, "-"),
            Value::Torn => write!(f, "TORN"),
            Value::Superblock(it) => write!(
                f,
                "superblock(checkpoint {}, absorbed g{}, {})",
                it.checkpoint, it.absorbed, it.rows
            ),
            Value::Slot(it) => write!(
                f,
                "slot(#{}, g{}, checkpoint {}, durable {})",
                it.counter, it.generation, it.checkpoint, it.durable_len
            ),
            Value::Frame(it) => {
                write!(
                    f,
                    "frame(g{}, seq {}, {})",
                    it.generation, it.seq, it.operation
                )
            }
            Value::Rows(it) => write!(f, "rows{it}"),
            Value::Inode(number) => write!(f, "inode {number}"),
            Value::Size(size) => write!(f, "{size}"),
        }
    }
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.history)?;
        match self.erased_to {
            0 => Ok(()),
            n => write!(f, ", erased to {n}"),
        }
    }
}
