//! One unchanging state of the store, and the questions that can be asked of it.

use std::sync::Arc;

use crate::{
    Entity, EntityId, Error, Filter, MemoryId, MemoryRecord, ModelId, Relation, Seq, Timestamp,
    Version, WindowVector,
};

/// The store as it was after one commit. Cheap to clone; holds no lock; never changes.
#[derive(Debug, Clone)]
pub struct Snapshot {}

/// A memory found by its words.
#[derive(Debug, Clone, PartialEq)]
pub struct KeywordHit {
    /// The memory.
    pub id: MemoryId,
    /// BM25 score, above 0.
    pub score: f64,
    /// What each term of the query gave, in the order of the query.
    pub terms: Vec<TermShare>,
}

/// One term's part of a BM25 score.
#[derive(Debug, Clone, PartialEq)]
pub struct TermShare {
    /// The term as the index has it.
    pub term: String,
    /// Its part of the score.
    pub score: f64,
}

/// A memory found by a vector: its best window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VectorHit {
    /// The memory.
    pub id: MemoryId,
    /// Which of its windows was nearest.
    pub window: u32,
    /// Dot product of unit vectors, -1 to 1.
    pub similarity: f32,
}

/// A relation, with the memory that says so.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    /// The relation.
    pub relation: Arc<Relation>,
    /// The visible version of the memory that it comes from.
    pub memory: Arc<MemoryRecord>,
}

#[expect(clippy::todo, unused_variables, reason = "filled in by the indexes")]
impl Snapshot {
    /// The last commit that it shows.
    pub fn seq(&self) -> Seq {
        todo!()
    }
    /// The commit time of [`Self::seq`].
    pub fn committed_at(&self) -> Timestamp {
        todo!()
    }
    /// The same store as it was at an earlier commit; later than this snapshot is `None`.
    #[must_use]
    pub fn at(&self, seq: Seq) -> Option<Self> {
        todo!()
    }
    /// The same store as it was at `time`: the last commit at or before it.
    #[must_use]
    pub fn known_at(&self, time: Timestamp) -> Self {
        todo!()
    }
    /// The visible version of a memory.
    pub fn memory(&self, id: MemoryId) -> Option<Arc<MemoryRecord>> {
        todo!()
    }
    /// Every version of a memory up to this snapshot, newest first.
    pub fn history(&self, id: MemoryId) -> Vec<Version> {
        todo!()
    }
    /// The visible memory of a scope with the same normalised text (NFC, white space collapsed)
    /// that nothing supersedes; the least id.
    pub fn find_text(&self, scope: &str, text: &str) -> Option<Arc<MemoryRecord>> {
        todo!()
    }
    /// The visible memory of a scope and topic that nothing supersedes.
    pub fn find_topic(&self, scope: &str, topic: &str) -> Option<Arc<MemoryRecord>> {
        todo!()
    }
    /// The visible memories that `filter` accepts, latest `when` first, ties by greater id; at most `limit`.
    pub fn list(&self, filter: &Filter, limit: usize) -> Vec<Arc<MemoryRecord>> {
        todo!()
    }
    /// How many visible memories `filter` accepts.
    pub fn count(&self, filter: &Filter) -> usize {
        todo!()
    }
    /// The `k` best memories by BM25, best first, ties by id. Any text is a query.
    pub fn keyword_search(&self, query: &str, filter: &Filter, k: usize) -> Vec<KeywordHit> {
        todo!()
    }
    /// The `k` memories with the nearest window to any of `queries` (unit vectors), nearest first, ties by id.
    ///
    /// # Errors
    /// Where a query is not of the model's length, or not finite.
    pub fn vector_search(
        &self,
        model: ModelId,
        queries: &[&[f32]],
        filter: &Filter,
        k: usize,
    ) -> Result<Vec<VectorHit>, Error> {
        todo!()
    }
    /// The vectors of a memory under a model; empty while it has none.
    pub fn vectors(&self, model: ModelId, id: MemoryId) -> Vec<WindowVector> {
        todo!()
    }
    /// Visible memories without vectors of a model, by id; at most `limit`.
    pub fn unembedded(&self, model: ModelId, limit: usize) -> Vec<Arc<MemoryRecord>> {
        todo!()
    }
    /// An entity.
    pub fn entity(&self, id: EntityId) -> Option<Arc<Entity>> {
        todo!()
    }
    /// The entity of a scope with this name or alias; case-folded, NFC, white space collapsed.
    pub fn find_entity(&self, scope: &str, name: &str) -> Option<Arc<Entity>> {
        todo!()
    }
    /// The entities of a scope, by name.
    pub fn entities(&self, scope: &str, limit: usize) -> Vec<Arc<Entity>> {
        todo!()
    }
    /// The relations from and to an entity whose memory is visible, by from, relation, to, memory.
    pub fn edges(&self, entity: EntityId) -> Vec<Edge> {
        todo!()
    }
    /// The visible memories that speak of an entity, by id.
    pub fn mentions(&self, entity: EntityId) -> Vec<Arc<MemoryRecord>> {
        todo!()
    }
}
