//! One unchanging state of the store, and the questions that can be asked of it.

mod by_graph;
mod by_neighbour;
mod by_source;
mod by_time;
mod by_vector;
mod by_word;
mod matcher;

use std::sync::Arc;

use crate::view::{RowIdx, Tables, View};
use crate::{MemoryId, MemoryRecord, Relation, Seq, Timestamp, Version};

pub use by_neighbour::Neighbour;
pub use by_source::NamedSource;

/// The store as it was after one commit. Cheap to clone; holds no lock; never changes.
#[derive(Debug, Clone)]
pub struct Snapshot {
    view: View,
    seq: Seq,
}

/// A memory found by its words.
#[derive(Debug, Clone, PartialEq)]
pub struct KeywordHit {
    /// The memory.
    pub id: MemoryId,
    /// BM25 score, above 0.
    pub score: f64,
    /// What each distinct word of the query gave that the memory holds, in the order of the query.
    pub terms: Vec<TermShare>,
    /// How much of the query the memory holds, above 0 up to 1: its words by their idf, those that no memory
    /// holds included.
    pub coverage: f64,
}

/// One word's part of a BM25 score.
#[derive(Debug, Clone, PartialEq)]
pub struct TermShare {
    /// The word as the query has it, folded.
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

impl Snapshot {
    /// All of `view`.
    pub(crate) fn new(view: View) -> Self {
        let seq = view.seq();
        Self { view, seq }
    }

    /// The last commit that it shows.
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// The commit time of [`Self::seq`]; 1970 before the first commit.
    pub fn committed_at(&self) -> Timestamp {
        self.view.committed_at(self.seq)
    }

    /// The same store as it was at an earlier commit; later than this snapshot is `None`.
    #[must_use]
    pub fn at(&self, seq: Seq) -> Option<Self> {
        (seq <= self.seq).then(|| Self {
            view: self.view.clone(),
            seq,
        })
    }

    /// The same store as it was at `time`: the last commit at or before it.
    #[must_use]
    pub fn known_at(&self, time: Timestamp) -> Self {
        Self {
            view: self.view.clone(),
            seq: self.view.seq_at(time).min(self.seq),
        }
    }

    /// The visible version of a memory.
    pub fn memory(&self, id: MemoryId) -> Option<Arc<MemoryRecord>> {
        let memories = &self.tables().memories;
        let row = memories.visible(id, self.seq)?;
        Some(Arc::clone(memories.record(row)))
    }

    /// Every version of a memory up to this snapshot, newest first.
    ///
    /// A version that the same commit put and ended was never seen, and is left out.
    pub fn history(&self, id: MemoryId) -> Vec<Version> {
        self.tables().memories.history(id, self.seq).collect()
    }

    /// The visible memory of a scope with the same normalised text (NFC, white space collapsed)
    /// that nothing supersedes; the least id.
    pub fn find_text(&self, scope: &str, text: &str) -> Option<Arc<MemoryRecord>> {
        self.find_texts(scope, text).into_iter().next()
    }

    /// As [`Self::find_text`], all of them, by id: a text may be kept for several valid times or topics.
    pub fn find_texts(&self, scope: &str, text: &str) -> Vec<Arc<MemoryRecord>> {
        let memories = &self.tables().memories;
        let rows = memories.with_text(scope, text);
        let current = rows.filter_map(|row| self.current(row, scope));
        let mut current: Vec<_> = current.cloned().collect();
        current.sort_by_key(|memory| memory.id);
        current
    }

    /// As [`Self::find_texts`], with those that something supersedes.
    pub fn find_texts_ever(&self, scope: &str, text: &str) -> Vec<Arc<MemoryRecord>> {
        let memories = &self.tables().memories;
        let rows = memories.with_text(scope, text);
        let visible = rows.filter(|row| memories.row(*row).lifespan.visible_at(self.seq));
        let records = visible.map(|row| memories.record(row));
        let mut all: Vec<_> = records
            .filter(|record| *record.scope == *scope)
            .cloned()
            .collect();
        all.sort_by_key(|memory| memory.id);
        all
    }

    /// The visible memory of a scope and topic that nothing supersedes; of several, the greatest id.
    /// Topics are compared as texts are.
    pub fn find_topic(&self, scope: &str, topic: &str) -> Option<Arc<MemoryRecord>> {
        let memories = &self.tables().memories;
        let current = memories
            .with_topic(scope, topic)
            .filter_map(|row| self.current(row, scope));
        current.max_by_key(|memory| memory.id).cloned()
    }

    fn tables(&self) -> &Tables {
        self.view.tables()
    }

    /// The record of `row`, if it is visible, of `scope`, and nothing supersedes it.
    fn current(&self, row: RowIdx, scope: &str) -> Option<&Arc<MemoryRecord>> {
        let memories = &self.tables().memories;
        let visible = memories.row(row).lifespan.visible_at(self.seq);
        let record = Some(memories.record(row)).filter(|_| visible)?;
        (*record.scope == *scope && record.superseded_by.is_none()).then_some(record)
    }
}

#[cfg(test)]
pub(crate) mod tests;
