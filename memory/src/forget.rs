//! `forget`: what is asked, and what is answered.

use palimpsest_store::{MemoryId, Seq, Timestamp};

/// A request to retire memories. Their past stays readable by `known_at`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forget {
    /// The memories, at least one.
    pub ids: Vec<MemoryId>,
    /// The scopes that the caller may touch; empty means every scope.
    pub scopes: Vec<String>,
    /// Why, in the caller's words.
    pub reason: Option<String>,
}

/// What became of a [`Forget`]: every given id is in exactly one list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forgotten {
    /// Retired now.
    pub retired: Vec<MemoryId>,
    /// Retired before.
    pub already_retired: Vec<MemoryId>,
    /// Never there, or in another scope.
    pub not_found: Vec<MemoryId>,
    /// The snapshot without them.
    pub snapshot: Seq,
    /// The time of that snapshot; just before it they are still known.
    pub at: Timestamp,
}
