//! Everything committed, as plain lists. Knows the rules of applying, and no index.

use std::sync::Arc;

use super::Commit;
use crate::operation::check_windows;
use crate::{
    Change, Entity, EntityId, Lifespan, MemoryId, MemoryRecord, ModelId, Relation, Seq, Timestamp,
    WindowVector,
};

/// A value with its lifespan.
#[derive(Debug, Clone)]
pub(crate) struct Ended<T> {
    pub(crate) value: T,
    pub(crate) lifespan: Lifespan,
    /// Of memories: the reason given when it was retired.
    pub(crate) reason: Option<Arc<str>>,
}

impl<T> Ended<T> {
    fn new(value: T, born: Seq) -> Self {
        Self {
            value,
            lifespan: Lifespan {
                born,
                died: Seq::NEVER,
            },
            reason: None,
        }
    }

    fn lives(&self) -> bool {
        self.lifespan.died == Seq::NEVER
    }
}

/// The vectors of a memory under a model.
#[derive(Debug, Clone)]
pub(crate) struct Embedded {
    pub(crate) memory: MemoryId,
    pub(crate) model: ModelId,
    pub(crate) windows: Vec<WindowVector>,
}

/// Every version of everything.
#[derive(Debug, Clone)]
pub(crate) struct Rows {
    pub(crate) commits: Vec<(Seq, Timestamp)>,
    pub(crate) versions: Vec<Ended<Arc<MemoryRecord>>>,
    pub(crate) embedded: Vec<Ended<Embedded>>,
    pub(crate) entities: Vec<Ended<Arc<Entity>>>,
    pub(crate) relations: Vec<Ended<Arc<Relation>>>,
    pub(crate) next_memory: MemoryId,
    pub(crate) next_entity: EntityId,
}

impl Default for Rows {
    fn default() -> Self {
        Self {
            commits: Vec::new(),
            versions: Vec::new(),
            embedded: Vec::new(),
            entities: Vec::new(),
            relations: Vec::new(),
            next_memory: MemoryId(1),
            next_entity: EntityId(1),
        }
    }
}

impl Rows {
    pub(crate) fn apply(&mut self, commit: Commit) {
        let last = self.commits.last().map_or(Seq::ZERO, |last| last.0);
        if commit.seq <= last {
            return;
        }
        self.commits.push((commit.seq, commit.at));
        for change in commit.operation.changes {
            match change {
                Change::Put(memory) => self.put(memory, commit.seq),
                Change::Retire { id, reason } => self.retire(id, reason, commit.seq),
                Change::Embed {
                    memory,
                    model,
                    windows,
                } => self.embed(
                    Embedded {
                        memory,
                        model,
                        windows,
                    },
                    commit.seq,
                ),
                Change::PutEntity(entity) => self.put_entity(entity, commit.seq),
                Change::PutRelation(relation) => self.put_relation(relation, commit.seq),
            }
        }
    }

    fn put(&mut self, memory: Arc<MemoryRecord>, seq: Seq) {
        let before = self
            .versions
            .iter_mut()
            .rfind(|row| row.value.id == memory.id);
        if let Some(before) = before {
            if before.lives() {
                before.lifespan.died = seq;
            }
            if before.value.text != memory.text {
                for row in &mut self.embedded {
                    if row.value.memory == memory.id && row.lives() {
                        row.lifespan.died = seq;
                    }
                }
            }
        }
        self.next_memory = self
            .next_memory
            .max(MemoryId(memory.id.0.saturating_add(1)));
        self.versions.push(Ended::new(memory, seq));
    }

    fn retire(&mut self, id: MemoryId, reason: Option<Arc<str>>, seq: Seq) {
        let living = self.versions.iter_mut().rfind(|row| row.value.id == id);
        if let Some(row) = living.filter(|row| row.lives()) {
            row.lifespan.died = seq;
            row.reason = reason;
        }
    }

    fn embed(&mut self, new: Embedded, seq: Seq) {
        let known = self
            .versions
            .iter()
            .any(|row| row.value.id == new.memory && row.lives());
        let repeated = self.embedded.iter().any(|row| {
            row.value.memory == new.memory && row.value.model == new.model && row.lives()
        });
        let dim = self.embedded.iter().find_map(|row| {
            (row.value.model == new.model).then(|| row.value.windows[0].embedding.len())
        });
        let fits = check_windows(&new.windows).is_ok()
            && dim.is_none_or(|dim| dim == new.windows[0].embedding.len());
        if known && !repeated && fits {
            self.embedded.push(Ended::new(new, seq));
        }
    }

    fn put_entity(&mut self, entity: Arc<Entity>, seq: Seq) {
        let before = self
            .entities
            .iter_mut()
            .rfind(|row| row.value.id == entity.id);
        if let Some(before) = before {
            before.lifespan.died = seq;
        }
        self.next_entity = self
            .next_entity
            .max(EntityId(entity.id.0.saturating_add(1)));
        self.entities.push(Ended::new(entity, seq));
    }

    fn put_relation(&mut self, relation: Arc<Relation>, seq: Seq) {
        let before = self.relations.iter_mut().rfind(|row| {
            let known = &row.value;
            (known.from, &known.relation, known.to, known.memory)
                == (
                    relation.from,
                    &relation.relation,
                    relation.to,
                    relation.memory,
                )
        });
        if let Some(before) = before {
            before.lifespan.died = seq;
        }
        self.relations.push(Ended::new(relation, seq));
    }
}
