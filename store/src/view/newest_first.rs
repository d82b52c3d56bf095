//! Versions of several scopes in one order of time. Knows no filter but scope and time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::memory_table::TimeKey;
use super::ordered::Range;
use super::{MemoryTable, RowIdx, ScopeCode};
use crate::{MemoryId, Seq, Timestamp};

/// The versions visible at a commit, latest `when` first, ties by greater id.
#[derive(Debug)]
pub(crate) struct NewestFirst<'a> {
    memories: &'a MemoryTable,
    seq: Seq,
    since: Option<Timestamp>,
    /// One for each scope; the next of each is in `heads`.
    scopes: Vec<Range<'a, TimeKey, ()>>,
    heads: BinaryHeap<(Timestamp, MemoryId, Reverse<RowIdx>, usize)>,
}

impl<'a> NewestFirst<'a> {
    /// Those of `scopes` with `since <= when < until`.
    pub(crate) fn new(
        memories: &'a MemoryTable,
        seq: Seq,
        scopes: impl IntoIterator<Item = ScopeCode>,
        since: Option<Timestamp>,
        until: Option<Timestamp>,
    ) -> Self {
        let mut newest_first = Self {
            memories,
            seq,
            since,
            scopes: Vec::new(),
            heads: BinaryHeap::new(),
        };
        let latest = until.map_or(Some(i64::MAX), |until| until.0.checked_sub(1));
        let Some(latest) = latest.map(Timestamp) else {
            return newest_first;
        };
        for scope in scopes {
            let from = TimeKey::first(scope, latest);
            let range = newest_first.memories.by_time().range_from(&from);
            newest_first.scopes.push(range);
            newest_first.advance(newest_first.scopes.len() - 1, scope);
        }
        newest_first
    }

    /// Puts the next visible version of a scope among the heads.
    fn advance(&mut self, scope_idx: usize, scope: ScopeCode) {
        for (key, ()) in self.scopes[scope_idx].by_ref() {
            let early = self.since.is_some_and(|since| key.when.0 < since);
            if key.scope != scope || early {
                return;
            }
            if self.memories.row(key.row).lifespan.visible_at(self.seq) {
                let head = (key.when.0, key.id.0, Reverse(key.row), scope_idx);
                self.heads.push(head);
                return;
            }
        }
    }
}

impl Iterator for NewestFirst<'_> {
    type Item = RowIdx;

    fn next(&mut self) -> Option<RowIdx> {
        let (.., Reverse(row), scope_idx) = self.heads.pop()?;
        self.advance(scope_idx, self.memories.row(row).scope);
        Some(row)
    }
}
