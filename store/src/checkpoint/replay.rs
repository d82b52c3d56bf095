//! Rows as the commits that made them. What a commit did is found again by what was born and what ended with it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::problem::{FileProblem, Result};
use super::rows::{Death, GraphRow, MemoryRow, Rows, VectorRow};
use crate::view::Commit;
use crate::{Change, Entity, MemoryId, ModelId, Operation, Relation, Seq};

/// What happened in one commit.
#[derive(Debug, Default)]
struct Happened {
    deaths: Vec<(MemoryId, Option<Arc<str>>)>,
    memories: Vec<MemoryRow>,
    vectors: Vec<(ModelId, VectorRow)>,
    entities: Vec<GraphRow<Entity>>,
    relations: Vec<GraphRow<Relation>>,
}

impl Rows {
    /// The commits that made these rows out of what was before.
    ///
    /// # Errors
    /// Where a row is of a commit that is not there.
    pub(super) fn into_commits(self) -> Result<Vec<Commit>> {
        let mut by_seq: BTreeMap<Seq, Happened> = BTreeMap::new();
        let Self {
            commits,
            memories,
            vectors,
            entities,
            relations,
            ..
        } = self;
        for Death {
            died, id, reason, ..
        } in memories.deaths
        {
            by_seq.entry(died).or_default().deaths.push((id, reason));
        }
        for row in memories.new {
            if row.lifespan.died != Seq::NEVER {
                let happened = by_seq.entry(row.lifespan.died).or_default();
                happened.deaths.push((row.record.id, row.reason.clone()));
            }
            by_seq
                .entry(row.lifespan.born)
                .or_default()
                .memories
                .push(row);
        }
        for (model, rows) in vectors {
            for row in rows {
                by_seq
                    .entry(row.born)
                    .or_default()
                    .vectors
                    .push((model, row));
            }
        }
        for row in entities.new {
            by_seq
                .entry(row.lifespan.born)
                .or_default()
                .entities
                .push(row);
        }
        for row in relations.new {
            by_seq
                .entry(row.lifespan.born)
                .or_default()
                .relations
                .push(row);
        }
        let replayed = commits.into_iter().map(|commit| {
            let happened = by_seq.remove(&commit.seq).unwrap_or_default();
            Commit {
                seq: commit.seq,
                at: commit.at,
                operation: Operation {
                    verb: commit.verb,
                    changes: happened.into_changes(),
                },
            }
        });
        let replayed = replayed.collect();
        match by_seq.keys().next() {
            None => Ok(replayed),
            Some(seq) => Err(FileProblem::row(
                "/commit/seq",
                seq.0,
                "the commit of every row",
                "missing",
            )),
        }
    }
}

impl Happened {
    /// In an order in which each change finds what it needs: a memory that is retired and put again ends first, and
    /// one that is only retired keeps the vectors that it got.
    fn into_changes(self) -> Vec<Change> {
        let put: BTreeSet<MemoryId> = self.memories.iter().map(|row| row.record.id).collect();
        let retire = |(id, reason): (MemoryId, Option<Arc<str>>)| Change::Retire { id, reason };
        let (ended_first, ended_last): (Vec<_>, Vec<_>) = self
            .deaths
            .into_iter()
            .partition(|(id, _)| put.contains(id));
        // Without a reason the new version ends the old one by itself.
        let ended_first = ended_first
            .into_iter()
            .filter(|(_, reason)| reason.is_some());
        let mut changes: Vec<Change> = Vec::new();
        changes.extend(
            self.entities
                .into_iter()
                .map(|row| Change::PutEntity(row.record)),
        );
        changes.extend(ended_first.map(retire));
        changes.extend(self.memories.into_iter().map(|row| Change::Put(row.record)));
        changes.extend(self.vectors.into_iter().map(|(model, row)| Change::Embed {
            memory: row.memory,
            model,
            windows: row.windows,
        }));
        changes.extend(ended_last.into_iter().map(retire));
        changes.extend(
            self.relations
                .into_iter()
                .map(|row| Change::PutRelation(row.record)),
        );
        changes
    }
}
