//! What was remembered just before and after. Knows no session: the order of the identifiers is all.

use super::Snapshot;
use crate::MemoryId;
use crate::view::{RowMeta, ScopeCode};

/// Identifiers that are passed over on the way to a neighbour: of other scopes, or gone.
const PASSED_OVER_MAX: usize = 8;

/// A memory beside another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neighbour {
    /// The memory.
    pub id: MemoryId,
    /// The words of its text, as keyword search counts them.
    pub n_words: u32,
}

impl Snapshot {
    /// The visible memories of the same scope that were remembered last before `id`, nearest first; at
    /// most `n`, and none where `id` is not visible. Those of other scopes in between are passed over, but
    /// not many.
    pub fn remembered_before(&self, id: MemoryId, n: usize) -> impl Iterator<Item = Neighbour> {
        self.nearest(id, (1..id.0).rev(), n)
    }

    /// As [`Self::remembered_before`], those that were remembered next.
    pub fn remembered_after(&self, id: MemoryId, n: usize) -> impl Iterator<Item = Neighbour> {
        self.nearest(id, id.0.saturating_add(1)..u64::MAX, n)
    }

    fn nearest(
        &self,
        id: MemoryId,
        ids: impl Iterator<Item = u64>,
        n: usize,
    ) -> impl Iterator<Item = Neighbour> {
        let scope: Option<ScopeCode> = self.visible_row(id).map(|row| row.scope);
        let ids = ids.take(n.saturating_add(PASSED_OVER_MAX));
        let visible = ids.filter_map(|id| self.visible_row(MemoryId(id)));
        visible
            .filter(move |row| Some(row.scope) == scope)
            .take(n)
            .map(|row| Neighbour {
                id: row.id,
                n_words: row.len_tokens,
            })
    }

    fn visible_row(&self, id: MemoryId) -> Option<&RowMeta> {
        let memories = &self.tables().memories;
        let row = memories.visible(id, self.seq)?;
        Some(memories.row(row))
    }
}
