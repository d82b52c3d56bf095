//! What a memory file holds beyond a commit, row by row. Knows no dataset.

use std::collections::BTreeMap;
use std::sync::Arc;

use palimpsest_hdf5::{Editor, Hdf5File};

use super::dictionary::Dictionaries;
use super::problem::Result;
use super::{graph_columns, memory_columns, vector_columns};
use crate::view::View;
use crate::{
    Entity, Lifespan, MemoryId, MemoryRecord, ModelId, Relation, Seq, Timestamp, Verb, WindowVector,
};

/// A commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CommitRow {
    pub(super) seq: Seq,
    pub(super) at: Timestamp,
    pub(super) verb: Verb,
}

/// A version of a memory.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MemoryRow {
    pub(super) record: Arc<MemoryRecord>,
    pub(super) lifespan: Lifespan,
    /// Why it was retired.
    pub(super) reason: Option<Arc<str>>,
}

/// A version of an entity or a relation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GraphRow<T> {
    pub(super) record: Arc<T>,
    pub(super) lifespan: Lifespan,
}

/// The vectors of one text of a memory.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct VectorRow {
    pub(super) memory: MemoryId,
    pub(super) born: Seq,
    pub(super) windows: Vec<WindowVector>,
}

/// A version that was there before, and ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Death {
    /// Its row in the file.
    pub(super) row: u64,
    pub(super) died: Seq,
    /// The memory.
    pub(super) id: MemoryId,
    pub(super) reason: Option<Arc<str>>,
}

/// The rows of one table: how many were there before, which are new, and which of the former ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Table<T> {
    pub(super) n_before: u64,
    pub(super) new: Vec<T>,
    pub(super) deaths: Vec<Death>,
}

/// Everything beyond a commit. A version that no snapshot shows, as it ended with the commit that made it, is in no
/// file.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Rows {
    pub(super) n_commits_before: u64,
    pub(super) commits: Vec<CommitRow>,
    pub(super) memories: Table<MemoryRow>,
    pub(super) vectors: BTreeMap<ModelId, Vec<VectorRow>>,
    pub(super) entities: Table<GraphRow<Entity>>,
    pub(super) relations: Table<GraphRow<Relation>>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self {
            n_before: 0,
            new: Vec::new(),
            deaths: Vec::new(),
        }
    }
}

impl<T> Table<T> {
    /// Sorts `rows`, in order of birth, into those before `since` and those after it.
    pub(super) fn collect(
        rows: impl Iterator<Item = T>,
        since: Seq,
        lifespan: impl Fn(&T) -> Lifespan,
        death: impl Fn(&T) -> (MemoryId, Option<Arc<str>>),
    ) -> Self {
        let mut table = Self::default();
        for row in rows {
            let Lifespan { born, died } = lifespan(&row);
            if born == died {
                continue;
            }
            if born > since {
                table.new.push(row);
                continue;
            }
            if died > since && died != Seq::NEVER {
                let (id, reason) = death(&row);
                table.deaths.push(Death {
                    row: table.n_before,
                    died,
                    id,
                    reason,
                });
            }
            table.n_before += 1;
        }
        table
    }
}

impl Rows {
    /// What `view` holds beyond `since`.
    pub(super) fn of_view(view: &View, since: Seq) -> Self {
        let tables = view.tables();
        let commits = tables.commits();
        let n_commits_before = commits.partition_point(|commit| commit.seq <= since);
        let memories = tables
            .memories
            .versions()
            .map(|(lifespan, record, reason)| MemoryRow {
                record: Arc::clone(record),
                lifespan,
                reason: reason.cloned(),
            });
        let nobody = (MemoryId(0), None);
        Self {
            n_commits_before: n_commits_before as u64,
            commits: commits
                .iter_from(n_commits_before)
                .map(|commit| CommitRow {
                    seq: commit.seq,
                    at: commit.at,
                    verb: commit.verb,
                })
                .collect(),
            memories: Table::collect(
                memories,
                since,
                |row| row.lifespan,
                |row| (row.record.id, row.reason.clone()),
            ),
            vectors: vector_columns::of_view(view, since),
            entities: Table::collect(
                graph_rows(tables.graph.entity_versions()),
                since,
                |row| row.lifespan,
                |_| nobody.clone(),
            ),
            relations: Table::collect(
                graph_rows(tables.graph.relation_versions()),
                since,
                |row| row.lifespan,
                |_| nobody.clone(),
            ),
        }
    }

    /// What `file` holds beyond `since`.
    pub(super) fn read(file: &Hdf5File, dictionaries: &Dictionaries, since: Seq) -> Result<Self> {
        let (n_commits_before, commits) = memory_columns::read_commits(file, since)?;
        Ok(Self {
            n_commits_before,
            commits,
            memories: memory_columns::read(file, dictionaries, since)?,
            vectors: vector_columns::read(file, since)?,
            entities: graph_columns::read_entities(file, dictionaries, since)?,
            relations: graph_columns::read_relations(file, dictionaries, since)?,
        })
    }

    /// Adds them to the columns of a file that holds what was before.
    pub(super) fn write(
        &self,
        editor: &mut Editor<'_>,
        dictionaries: &mut Dictionaries,
    ) -> palimpsest_hdf5::Result<()> {
        memory_columns::write_commits(editor, &self.commits)?;
        memory_columns::write(editor, dictionaries, &self.memories)?;
        for (model, rows) in &self.vectors {
            vector_columns::write(editor, *model, rows)?;
        }
        graph_columns::write_entities(editor, dictionaries, &self.entities)?;
        graph_columns::write_relations(editor, dictionaries, &self.relations)
    }
}

fn graph_rows<'a, T: 'a>(
    versions: impl Iterator<Item = (Lifespan, &'a Arc<T>)>,
) -> impl Iterator<Item = GraphRow<T>> {
    versions.map(|(lifespan, record)| GraphRow {
        record: Arc::clone(record),
        lifespan,
    })
}
