//! The numbers that name things: sequence numbers, times, identifiers. No policy.

use std::fmt;

/// The number of a committed operation: dense, from 1. A snapshot *is* a `Seq`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Seq(pub u64);

impl Seq {
    /// Before the first commit: nothing is visible.
    pub const ZERO: Self = Self(0);
    /// The `died` of what lives.
    pub const NEVER: Self = Self(u64::MAX);

    /// The number of the next commit.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A point in time: microseconds since 1970-01-01T00:00:00 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(pub i64);

/// A memory's identifier, given under the commit lock, from 1; never given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemoryId(pub u64);

impl fmt::Display for MemoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// An entity's identifier, given under the commit lock, from 1; never given twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntityId(pub u64);

/// A model's identity: SHA-256 over weights, tokenizer and pooling configuration.
///
/// Vectors of two models are never compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelId(pub [u8; 32]);

impl fmt::Display for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ModelId({self})")
    }
}

/// When a version of a record began and ended, in commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifespan {
    /// The commit that made it.
    pub born: Seq,
    /// The commit that ended it; [`Seq::NEVER`] while it lives.
    pub died: Seq,
}

impl Lifespan {
    /// Whether a version with this lifespan is seen at `seq`: `born <= seq < died`.
    ///
    /// The one visibility rule; every index uses it.
    pub const fn visible_at(self, seq: Seq) -> bool {
        self.born.0 <= seq.0 && seq.0 < self.died.0
    }
}
