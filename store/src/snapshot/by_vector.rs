//! Finding memories by vectors. Vectors of two models never meet.

use std::sync::Arc;

use super::matcher::Matcher;
use super::{Snapshot, VectorHit};
use crate::{Error, Filter, MemoryId, MemoryRecord, ModelId, WindowVector};

/// One vector found through its memory costs as much as so many in the order in which they lie.
const LOOKUP_COST_ROWS: usize = 8;

impl Snapshot {
    /// The `k` memories with the nearest window to any of `queries` (unit vectors), nearest first, ties by id.
    ///
    /// # Errors
    /// Where a query is not of the model's length, or not finite, or zero. A model without vectors has
    /// no length, and finds nothing.
    pub fn vector_search(
        &self,
        model: ModelId,
        queries: &[&[f32]],
        filter: &Filter,
        k: usize,
    ) -> Result<Vec<VectorHit>, Error> {
        let Some(vectors) = self.tables().vectors.model(model) else {
            return Ok(Vec::new());
        };
        let matcher = Matcher::new(self.tables(), self.seq, filter);
        let index = vectors.index();
        let few = matcher.n_accepted_max().saturating_mul(LOOKUP_COST_ROWS) < index.n_rows();
        let hits = if few {
            let memories = &self.tables().memories;
            let rows = matcher.newest_first();
            let ids = rows.map(|row| memories.row(row).id);
            let ranges = ids.filter_map(|id| vectors.range(id, self.seq));
            index.search_in(ranges, queries, k)?
        } else {
            let accepts = |owner| matcher.accepted(MemoryId(owner)).is_some();
            index.search(queries, self.seq.0, k, accepts)?
        };
        let hits = hits.into_iter().map(|hit| VectorHit {
            id: MemoryId(hit.owner),
            window: hit.window,
            similarity: hit.similarity,
        });
        Ok(hits.collect())
    }

    /// The vectors of a memory under a model; empty while it has none.
    pub fn vectors(&self, model: ModelId, id: MemoryId) -> Vec<WindowVector> {
        let visible = self.tables().memories.visible(id, self.seq).is_some();
        let vectors = self.tables().vectors.model(model).filter(|_| visible);
        vectors
            .map(|vectors| vectors.windows(id, self.seq))
            .unwrap_or_default()
    }

    /// Visible memories without vectors of a model, by id; at most `limit`.
    pub fn unembedded(&self, model: ModelId, limit: usize) -> Vec<Arc<MemoryRecord>> {
        let memories = &self.tables().memories;
        let vectors = self.tables().vectors.model(model);
        let lacks = |id| vectors.is_none_or(|vectors| vectors.range(id, self.seq).is_none());
        let visible = memories.visible_by_id(MemoryId(0), self.seq);
        let without = visible.filter(|row| lacks(memories.row(*row).id));
        let records = without.map(|row| Arc::clone(memories.record(row)));
        records.take(limit).collect()
    }
}
