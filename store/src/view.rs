//! What the log says, indexed: immutable, shared, and cheap to clone. Knows no file and no lock.
//!
//! Every table is made of two structures ([`Column`], [`Ordered`]) whose copies share what they have
//! in common. So a view is a snapshot by itself, applying a commit copies a few small nodes however
//! much there is, and two views may grow apart from one, as when a commit is planned, applied and
//! then not kept.

mod column;
mod graph_table;
mod memory_table;
mod newest_first;
mod ordered;
mod scope_table;
mod vector_table;

use std::sync::Arc;

use crate::keyword::NewTexts;
use crate::{Change, EntityId, MemoryId, Operation, Seq, Timestamp, Verb};

pub(crate) use column::{Column, Cursor};
pub(crate) use graph_table::GraphTable;
pub(crate) use memory_table::{MemoryTable, RowIdx, RowMeta};
pub(crate) use newest_first::NewestFirst;
pub(crate) use ordered::Ordered;
pub(crate) use scope_table::{Census, ScopeCode, ScopeTable};
pub(crate) use vector_table::VectorTable;

/// One committed operation, as the log gives it.
#[derive(Debug, Clone)]
pub(crate) struct Commit {
    /// Its number.
    pub(crate) seq: Seq,
    /// Its time.
    pub(crate) at: Timestamp,
    /// What it does.
    pub(crate) operation: Operation,
}

/// What is kept of a commit beside what it did.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CommitMeta {
    pub(crate) seq: Seq,
    pub(crate) at: Timestamp,
    pub(crate) verb: Verb,
}

/// Everything committed up to [`Self::seq`].
#[derive(Debug, Clone)]
pub(crate) struct View {
    tables: Arc<Tables>,
}

/// What a view consists of.
#[derive(Debug, Clone)]
pub(crate) struct Tables {
    commits: Column<CommitMeta>,
    pub(crate) scopes: ScopeTable,
    pub(crate) memories: MemoryTable,
    pub(crate) vectors: VectorTable,
    pub(crate) graph: GraphTable,
    next_memory: MemoryId,
    next_entity: EntityId,
}

impl View {
    /// Before the first commit.
    pub(crate) fn empty() -> Self {
        Self {
            tables: Arc::new(Tables {
                commits: Column::default(),
                scopes: ScopeTable::default(),
                memories: MemoryTable::default(),
                vectors: VectorTable::default(),
                graph: GraphTable::default(),
                next_memory: MemoryId(1),
                next_entity: EntityId(1),
            }),
        }
    }

    /// This view and `commits`, which follow it in order; a commit that it already has is passed over.
    ///
    /// The cost is in what changes, and grows with the logarithm of what is there; many commits at
    /// once cost less each.
    #[must_use]
    pub(crate) fn apply(&self, commits: Vec<Commit>) -> Self {
        let mut tables = Tables::clone(&self.tables);
        let mut new_texts = NewTexts::default();
        for commit in commits {
            if commit.seq > tables.seq() {
                tables.apply(commit, &mut new_texts);
            }
        }
        tables.memories.take_in(new_texts);
        Self {
            tables: Arc::new(tables),
        }
    }

    /// The last commit; [`Seq::ZERO`] before the first.
    pub(crate) fn seq(&self) -> Seq {
        self.tables.seq()
    }

    /// The time of the last commit; 1970 before the first.
    pub(crate) fn at(&self) -> Timestamp {
        self.committed_at(self.seq())
    }

    /// The first memory identifier that is free; the following ones are too.
    pub(crate) fn next_memory(&self) -> MemoryId {
        self.tables.next_memory
    }

    /// The first entity identifier that is free; the following ones are too.
    pub(crate) fn next_entity(&self) -> EntityId {
        self.tables.next_entity
    }

    /// The same, where identifiers below these were given, though nothing has them any more.
    #[must_use]
    pub(crate) fn with_next(&self, memory: MemoryId, entity: EntityId) -> Self {
        let mut tables = Tables::clone(&self.tables);
        tables.next_memory = tables.next_memory.max(memory);
        tables.next_entity = tables.next_entity.max(entity);
        Self {
            tables: Arc::new(tables),
        }
    }

    /// Versions of memories kept, ended ones included.
    pub(crate) fn n_versions(&self) -> u64 {
        self.tables.memories.rows().len() as u64
    }

    /// The time of commit `seq`; 1970 before the first.
    pub(crate) fn committed_at(&self, seq: Seq) -> Timestamp {
        let commits = &self.tables.commits;
        let n_until = commits.partition_point(|commit| commit.seq <= seq);
        let last = n_until.checked_sub(1).and_then(|last| commits.get(last));
        last.map_or(Timestamp::default(), |commit| commit.at)
    }

    /// The last commit at or before `time`.
    pub(crate) fn seq_at(&self, time: Timestamp) -> Seq {
        let commits = &self.tables.commits;
        let n_until = commits.partition_point(|commit| commit.at <= time);
        let last = n_until.checked_sub(1).and_then(|last| commits.get(last));
        last.map_or(Seq::ZERO, |commit| commit.seq)
    }

    pub(crate) fn tables(&self) -> &Tables {
        &self.tables
    }
}

impl Tables {
    /// Every commit, in order.
    pub(crate) const fn commits(&self) -> &Column<CommitMeta> {
        &self.commits
    }

    fn seq(&self) -> Seq {
        self.commits.last().map_or(Seq::ZERO, |commit| commit.seq)
    }

    fn apply(&mut self, commit: Commit, new_texts: &mut NewTexts) {
        let seq = commit.seq;
        self.commits.push(CommitMeta {
            seq,
            at: commit.at,
            verb: commit.operation.verb,
        });
        for change in commit.operation.changes {
            match change {
                Change::Put(memory) => {
                    let id = memory.id;
                    self.next_memory = self.next_memory.max(MemoryId(id.0.saturating_add(1)));
                    if self
                        .memories
                        .last_text(id)
                        .is_some_and(|text| *text != *memory.text)
                    {
                        self.vectors.end(id, seq);
                    }
                    let scopes = &mut self.scopes;
                    self.memories.put(memory, seq, scopes, new_texts);
                }
                Change::Retire { id, reason } => {
                    self.memories.retire(id, reason, seq, &mut self.scopes);
                }
                Change::Embed {
                    memory,
                    model,
                    windows,
                } => {
                    if self.memories.living(memory).is_some() {
                        self.vectors.embed(memory, model, windows, seq);
                    }
                }
                Change::PutEntity(entity) => {
                    let next = EntityId(entity.id.0.saturating_add(1));
                    self.next_entity = self.next_entity.max(next);
                    self.graph.put_entity(entity, seq);
                }
                Change::PutRelation(relation) => self.graph.put_relation(relation, seq),
            }
        }
    }
}
