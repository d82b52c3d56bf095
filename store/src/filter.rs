//! Which memories a search may return. Knows no index.

use crate::{MemoryId, MemoryRecord, Timestamp};

/// Conditions on a memory, all of which must hold. The empty filter lets everything pass.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// Any of these scopes; empty means every scope.
    pub scopes: Vec<String>,
    /// Any of these kinds; empty means every kind.
    pub kinds: Vec<String>,
    /// These labels, as `tags_match` says; empty means any memory.
    pub tags: Vec<String>,
    /// Whether one of `tags` is enough.
    pub tags_match: TagsMatch,
    /// [`MemoryRecord::when`] at or after this.
    pub since: Option<Timestamp>,
    /// [`MemoryRecord::when`] before this.
    pub until: Option<Timestamp>,
    /// True at this moment ([`MemoryRecord::valid_at`]); `None` lets the past and the future pass.
    pub valid_at: Option<Timestamp>,
    /// Any of these memories; empty means every memory.
    pub ids: Vec<MemoryId>,
}

/// How many of a filter's tags a memory must have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TagsMatch {
    /// At least one.
    #[default]
    Any,
    /// Every one.
    All,
}

impl Filter {
    /// Whether `memory` meets every condition.
    pub fn accepts(&self, memory: &MemoryRecord) -> bool {
        let has = |tag: &String| memory.tags.iter().any(|own| **own == **tag);
        (self.scopes.is_empty() || self.scopes.iter().any(|scope| **scope == *memory.scope))
            && (self.kinds.is_empty() || self.kinds.iter().any(|kind| **kind == *memory.kind))
            && (self.ids.is_empty() || self.ids.contains(&memory.id))
            && self.since.is_none_or(|since| since <= memory.when())
            && self.until.is_none_or(|until| memory.when() < until)
            && self.valid_at.is_none_or(|time| memory.valid_at(time))
            && match self.tags_match {
                _ if self.tags.is_empty() => true,
                TagsMatch::Any => self.tags.iter().any(has),
                TagsMatch::All => self.tags.iter().all(has),
            }
    }
}
