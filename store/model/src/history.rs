//! What was committed, in order: a few operations in one small number. It knows no file.

use std::fmt;

/// How many operations a history holds.
const LEN_MAX: u8 = 4;
/// Operations up to this number keep something; those above erase one of them.
const ERASE: u8 = 8;

/// One operation: something that is kept, or the erasure of something.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub(crate) struct Operation(u8);

impl Operation {
    /// The operation that keeps item `number`, from 1 to 7.
    pub(crate) fn keep(number: u8) -> Self {
        assert!((1..ERASE).contains(&number), "a history packs four bits");
        Self(number)
    }

    /// The operation that erases what `number` kept.
    pub(crate) fn erase(number: u8) -> Self {
        Self(Self::keep(number).0 + ERASE)
    }

    /// What this erases.
    pub(crate) fn erases(self) -> Option<Self> {
        (self.0 > ERASE).then(|| Self(self.0 - ERASE))
    }

    /// A set with this operation alone.
    pub(crate) fn bit(self) -> u16 {
        1 << self.0
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.erases() {
            Some(target) => write!(f, "erase {}", target.0),
            None => write!(f, "{}", self.0),
        }
    }
}

/// Operations in the order of their commits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub(crate) struct History(u16);

impl History {
    /// Nothing was committed.
    pub(crate) const EMPTY: Self = Self(0);

    /// How many operations there are.
    pub(crate) fn len(self) -> u8 {
        let bits = u16::BITS - self.0.leading_zeros();
        u8::try_from(bits.div_ceil(4)).expect("at most four")
    }

    /// The operation at `idx`, from 0.
    pub(crate) fn get(self, idx: u8) -> Operation {
        Operation(((self.0 >> (4 * idx)) & 15) as u8)
    }

    /// This history and one more operation.
    pub(crate) fn with(self, operation: Operation) -> Self {
        assert!(self.len() < LEN_MAX, "a history packs four operations");
        Self(self.0 | (u16::from(operation.0) << (4 * self.len())))
    }

    /// The newest operation; none is operation 0.
    pub(crate) fn last(self) -> Operation {
        match self.len() {
            0 => Operation::default(),
            len => self.get(len - 1),
        }
    }

    /// Whether `longer` begins with this.
    pub(crate) fn is_prefix_of(self, longer: Self) -> bool {
        let mask = (1_u32 << (4 * u32::from(self.len()))) - 1;
        u32::from(longer.0) & mask == u32::from(self.0)
    }

    /// The operations, oldest first.
    pub(crate) fn operations(self) -> impl Iterator<Item = Operation> {
        (0..self.len()).map(move |idx| self.get(idx))
    }

    /// Whether `operation` was committed.
    pub(crate) fn contains(self, operation: Operation) -> bool {
        self.operations().any(|it| it == operation)
    }

    /// How many operations there are up to the newest erasure.
    pub(crate) fn erasures_end(self) -> u8 {
        let newest = self
            .operations()
            .enumerate()
            .filter(|(_, it)| it.erases().is_some())
            .last();
        newest.map_or(0, |(idx, _)| u8::try_from(idx + 1).expect("at most four"))
    }
}

impl fmt::Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.operations().map(|it| it.to_string()).collect();
        write!(f, "[{}]", names.join(", "))
    }
}
