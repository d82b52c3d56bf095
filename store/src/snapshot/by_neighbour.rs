//! What was remembered just before and after. Knows no session: the order of the identifiers is all.

use std::sync::Arc;

use super::Snapshot;
use crate::{MemoryId, MemoryRecord};

/// Identifiers that are passed over on the way to a neighbour: of other scopes, or gone.
const PASSED_OVER_MAX: usize = 8;

impl Snapshot {
    /// The visible memories of the same scope that were remembered last before `memory`, nearest
    /// first; at most `n`. Those of other scopes in between are passed over, but not many.
    pub fn remembered_before(&self, memory: &MemoryRecord, n: usize) -> Vec<Arc<MemoryRecord>> {
        let ids = (1..memory.id.0).rev();
        self.nearest(memory, ids, n)
    }

    /// As [`Self::remembered_before`], those that were remembered next.
    pub fn remembered_after(&self, memory: &MemoryRecord, n: usize) -> Vec<Arc<MemoryRecord>> {
        let ids = memory.id.0.saturating_add(1)..u64::MAX;
        self.nearest(memory, ids, n)
    }

    fn nearest(
        &self,
        memory: &MemoryRecord,
        ids: impl Iterator<Item = u64>,
        n: usize,
    ) -> Vec<Arc<MemoryRecord>> {
        let ids = ids.take(n.saturating_add(PASSED_OVER_MAX));
        let visible = ids.filter_map(|id| self.memory(MemoryId(id)));
        visible
            .filter(|other| other.scope == memory.scope)
            .take(n)
            .collect()
    }
}
