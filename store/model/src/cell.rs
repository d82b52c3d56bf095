//! A cell of a file: what a process reads there, and all that the disk may hold. A loss of power
//! picks one of those.

use crate::value::ValueId;

/// How many values the disk may hold for one cell.
const ALTERNATIVES_MAX: usize = 6;

/// Whether a write that loses power may come through in part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tearing {
    /// All or nothing.
    Atomic,
    /// A part of it, too.
    Torn,
}

/// One cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cell {
    current: ValueId,
    n_alternatives: u8,
    /// Whether the next sync writes `current` to the disk. After a failed sync it does not.
    is_dirty: bool,
    /// What the disk may hold, sorted.
    alternatives: [ValueId; ALTERNATIVES_MAX],
}

impl Cell {
    /// A cell whose value is on the disk.
    pub(crate) fn settled(value: ValueId) -> Self {
        let mut alternatives = [ValueId::ABSENT; ALTERNATIVES_MAX];
        alternatives[0] = value;
        Self {
            current: value,
            n_alternatives: 1,
            is_dirty: false,
            alternatives,
        }
    }

    /// A cell that holds nothing.
    pub(crate) fn absent() -> Self {
        Self::settled(ValueId::ABSENT)
    }

    /// What a process reads.
    pub(crate) fn current(&self) -> ValueId {
        self.current
    }

    /// What the disk may hold.
    pub(crate) fn alternatives(&self) -> &[ValueId] {
        &self.alternatives[..usize::from(self.n_alternatives)]
    }

    fn add(&mut self, value: ValueId) {
        let n = usize::from(self.n_alternatives);
        if self.alternatives().contains(&value) {
            return;
        }
        assert!(n < ALTERNATIVES_MAX, "bounds keep alternatives few");
        self.alternatives[n] = value;
        self.n_alternatives += 1;
        self.alternatives[..=n].sort_unstable();
    }

    /// Writes a value; the disk may hold it from now on, or what it held before.
    pub(crate) fn write(&mut self, value: ValueId, tearing: Tearing) {
        let may_be_there = self.alternatives().contains(&value);
        self.current = value;
        self.add(value);
        if tearing == Tearing::Torn && !may_be_there {
            self.add(ValueId::TORN);
        }
        self.is_dirty = self.n_alternatives > 1;
    }

    /// A sync of the file's data.
    pub(crate) fn sync(&mut self) {
        if self.is_dirty {
            *self = Self::settled(self.current);
        }
    }

    /// A sync of the file's data and of all that is said about it, its length among them.
    pub(crate) fn sync_whole(&mut self) {
        if self.is_dirty || self.current == ValueId::ABSENT {
            *self = Self::settled(self.current);
        }
    }

    /// A sync that failed: the kernel counts the bytes as written, and the disk may not have them.
    pub(crate) fn lose_sync(&mut self) {
        self.is_dirty = false;
    }

    /// The file was cut in front of this cell. No sync of its data makes that durable.
    pub(crate) fn cut(&mut self) {
        if self.current != ValueId::ABSENT {
            self.current = ValueId::ABSENT;
            self.add(ValueId::ABSENT);
            self.is_dirty = false;
        }
    }
}
