//! What the log says, indexed: immutable, shared, and cheap to clone. Knows no file and no lock.

mod rows;

use std::sync::Arc;

use crate::{EntityId, MemoryId, Operation, Seq, Timestamp};

pub(crate) use rows::{Embedded, Ended, Rows};

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

/// Everything committed up to [`Self::seq`].
#[derive(Debug, Clone, Default)]
pub(crate) struct View {
    rows: Arc<Rows>,
}

impl View {
    /// Before the first commit.
    pub(crate) fn empty() -> Self {
        Self::default()
    }

    /// This view and `commits`, which follow it in order; a commit that it already has is passed over.
    #[must_use]
    pub(crate) fn apply(&self, commits: Vec<Commit>) -> Self {
        let mut rows = Rows::clone(&self.rows);
        for commit in commits {
            rows.apply(commit);
        }
        Self {
            rows: Arc::new(rows),
        }
    }

    /// The last commit; [`Seq::ZERO`] before the first.
    pub(crate) fn seq(&self) -> Seq {
        self.rows
            .commits
            .last()
            .map_or(Seq::ZERO, |commit| commit.0)
    }

    /// The time of the last commit; 1970 before the first.
    pub(crate) fn at(&self) -> Timestamp {
        self.committed_at(self.seq())
    }

    /// The first memory identifier that is free; the following ones are too.
    pub(crate) fn next_memory(&self) -> MemoryId {
        self.rows.next_memory
    }

    /// The first entity identifier that is free; the following ones are too.
    pub(crate) fn next_entity(&self) -> EntityId {
        self.rows.next_entity
    }

    /// Versions of memories kept, ended ones included.
    pub(crate) fn n_versions(&self) -> u64 {
        self.rows.versions.len() as u64
    }

    /// The time of commit `seq`; 1970 before the first.
    pub(crate) fn committed_at(&self, seq: Seq) -> Timestamp {
        let n_until = self.rows.commits.partition_point(|commit| commit.0 <= seq);
        match n_until.checked_sub(1) {
            Some(last) => self.rows.commits[last].1,
            None => Timestamp::default(),
        }
    }

    /// The last commit at or before `time`.
    pub(crate) fn seq_at(&self, time: Timestamp) -> Seq {
        let n_until = self.rows.commits.partition_point(|commit| commit.1 <= time);
        match n_until.checked_sub(1) {
            Some(last) => self.rows.commits[last].0,
            None => Seq::ZERO,
        }
    }

    pub(crate) fn rows(&self) -> &Rows {
        &self.rows
    }
}
