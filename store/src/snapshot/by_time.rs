//! Listing and counting. Knows no words and no vectors.

use std::sync::Arc;

use super::Snapshot;
use super::matcher::Matcher;
use crate::{Filter, MemoryRecord};

impl Snapshot {
    /// The visible memories that `filter` accepts, latest `when` first, ties by greater id; at most `limit`.
    pub fn list(&self, filter: &Filter, limit: usize) -> Vec<Arc<MemoryRecord>> {
        let matcher = Matcher::new(self.tables(), self.seq, filter);
        let rows = matcher.newest_first().take(limit);
        rows.map(|row| Arc::clone(self.tables().memories.record(row)))
            .collect()
    }

    /// How many visible memories `filter` accepts. Known without a look at any where it names only scopes.
    pub fn count(&self, filter: &Filter) -> usize {
        let matcher = Matcher::new(self.tables(), self.seq, filter);
        if matcher.is_scope_alone() {
            return matcher.n_accepted_max();
        }
        if let Some(at) = matcher.moment_alone() {
            let memories = &self.tables().memories;
            return memories.n_valid(matcher.scopes(), self.seq, at);
        }
        matcher.newest_first().count()
    }
}
