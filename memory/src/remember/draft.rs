//! A commit in the making: the tip and what has been drafted on it. Knows no gate and no policy.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use palimpsest_store::{
    Change, Entity, EntityId, MemoryId, MemoryRecord, ModelId, Operation, Relation, Timestamp, Tip,
    Verb, WindowVector, fold_name, normalise_text,
};

use super::checked::CheckedEntity;

/// Identifiers of other scopes, or gone, that are passed over in search of the latest memories.
const PASSED_OVER_MAX: usize = 10_000;

/// What the commit will change, so far. Later items of a call see what earlier ones drafted.
#[derive(Debug)]
pub(super) struct Draft<'tip> {
    tip: &'tip Tip,
    scope: Arc<str>,
    memories: BTreeMap<MemoryId, MemoryRecord>,
    /// New memories by their normalised text.
    new_texts: BTreeMap<String, Vec<MemoryId>>,
    entities: BTreeMap<EntityId, Entity>,
    /// New entities by their folded name.
    new_entities: BTreeMap<String, EntityId>,
    relations: BTreeMap<(EntityId, Arc<str>, EntityId, MemoryId), Relation>,
    embeds: Vec<Change>,
    next_memory: u64,
    next_entity: u64,
}

impl<'tip> Draft<'tip> {
    pub(super) fn new(tip: &'tip Tip, scope: Arc<str>) -> Self {
        Self {
            tip,
            scope,
            memories: BTreeMap::new(),
            new_texts: BTreeMap::new(),
            entities: BTreeMap::new(),
            new_entities: BTreeMap::new(),
            relations: BTreeMap::new(),
            embeds: Vec::new(),
            next_memory: tip.next_memory.0,
            next_entity: tip.next_entity.0,
        }
    }

    /// The time that the commit will have.
    pub(super) fn at(&self) -> Timestamp {
        self.tip.at
    }

    pub(super) fn scope(&self) -> Arc<str> {
        Arc::clone(&self.scope)
    }

    /// A memory of the scope as the commit will leave it.
    pub(super) fn memory(&self, id: MemoryId) -> Option<MemoryRecord> {
        let drafted = self.memories.get(&id).cloned();
        drafted
            .or_else(|| self.tip.snapshot.memory(id).map(Arc::unwrap_or_clone))
            .filter(|memory| memory.scope == self.scope)
    }

    /// The scope of a memory, whichever it is.
    pub(super) fn scope_of(&self, id: MemoryId) -> Option<String> {
        let memory = self.tip.snapshot.memory(id)?;
        Some(memory.scope.to_string())
    }

    /// The memories of the scope with this normalised text that nothing supersedes, by id.
    pub(super) fn current_with_text(&self, text_normal: &str) -> Vec<MemoryRecord> {
        let kept = self.tip.snapshot.find_texts(&self.scope, text_normal);
        let new = self
            .new_texts
            .get(text_normal)
            .into_iter()
            .flatten()
            .copied();
        let ids: BTreeSet<MemoryId> = kept.iter().map(|memory| memory.id).chain(new).collect();
        let memories = ids.into_iter().filter_map(|id| self.memory(id));
        memories
            .filter(|memory| memory.superseded_by.is_none())
            .collect()
    }

    /// The memories of the scope with this normalised text, superseded or not, by id.
    pub(super) fn ever_with_text(&self, text_normal: &str) -> Vec<MemoryRecord> {
        let kept = self.tip.snapshot.find_texts_ever(&self.scope, text_normal);
        let new = self.new_texts.get(text_normal).into_iter().flatten();
        let ids: BTreeSet<MemoryId> = kept
            .iter()
            .map(|memory| memory.id)
            .chain(new.copied())
            .collect();
        ids.into_iter().filter_map(|id| self.memory(id)).collect()
    }

    /// The `n` memories of the scope that were remembered last up to `until` (`None`: of all), latest first.
    ///
    /// A memory that one of these supersedes is left out; one that was superseded later is not, since it
    /// still held then. Memories of other scopes in between are passed over, up to [`PASSED_OVER_MAX`].
    pub(super) fn recent(&self, until: Option<MemoryId>, n: usize) -> Vec<MemoryRecord> {
        let last = self.next_memory.saturating_sub(1);
        let last = until.map_or(last, |until| until.0.min(last));
        let ids = (1..=last).rev().take(n.saturating_add(PASSED_OVER_MAX));
        let memories = ids.filter_map(|id| self.memory(MemoryId(id)));
        let held = memories.filter(|memory| memory.superseded_by.is_none_or(|by| by.0 > last));
        held.take(n).collect()
    }

    /// The vectors of a memory, one that was drafted before included.
    pub(super) fn vectors(&self, model: ModelId, id: MemoryId) -> Vec<WindowVector> {
        let drafted = self.embeds.iter().find_map(|embed| match embed {
            Change::Embed {
                memory,
                model: own,
                windows,
            } if *memory == id && *own == model => Some(windows.clone()),
            _ => None,
        });
        drafted.unwrap_or_else(|| self.tip.snapshot.vectors(model, id))
    }

    /// The memory of the scope and topic that nothing supersedes.
    pub(super) fn current_with_topic(&self, topic: &str) -> Option<MemoryRecord> {
        let current = |memory: &MemoryRecord| {
            memory.superseded_by.is_none()
                && memory
                    .topic
                    .as_deref()
                    .is_some_and(|own| own == topic || normalise_text(own) == normalise_text(topic))
        };
        let kept = self.tip.snapshot.find_topic(&self.scope, topic);
        let kept = kept
            .and_then(|memory| self.memory(memory.id))
            .filter(current);
        kept.or_else(|| {
            self.memories
                .values()
                .rev()
                .find(|memory| current(memory))
                .cloned()
        })
    }

    /// The identifier of the next new memory.
    pub(super) fn new_memory_id(&mut self) -> MemoryId {
        let id = MemoryId(self.next_memory);
        self.next_memory = self.next_memory.saturating_add(1);
        id
    }

    /// Drafts a new memory.
    pub(super) fn put_new(&mut self, memory: MemoryRecord, text_normal: &str) {
        self.new_texts
            .entry(text_normal.to_owned())
            .or_default()
            .push(memory.id);
        self.put(memory);
    }

    /// Drafts a memory's new state.
    pub(super) fn put(&mut self, memory: MemoryRecord) {
        self.memories.insert(memory.id, memory);
    }

    /// Drafts the vectors of a new memory.
    pub(super) fn embed(&mut self, embed: Change) {
        self.embeds.push(embed);
    }

    /// The entity of this name; made, or given its kind, where that is new.
    pub(super) fn entity(&mut self, mention: &CheckedEntity) -> EntityId {
        let folded = fold_name(&mention.name);
        let kept = match self.new_entities.get(&folded) {
            Some(id) => self.entities.get(id).cloned(),
            None => self
                .tip
                .snapshot
                .find_entity(&self.scope, &mention.name)
                .map(|kept| {
                    self.entities
                        .get(&kept.id)
                        .cloned()
                        .unwrap_or((*kept).clone())
                }),
        };
        let entity = match kept {
            Some(kept) if kept.kind.is_some() || mention.kind.is_none() => return kept.id,
            Some(kept) => Entity {
                kind: mention.kind.clone(),
                ..kept
            },
            None => {
                let id = EntityId(self.next_entity);
                self.next_entity = self.next_entity.saturating_add(1);
                self.new_entities.insert(folded, id);
                Entity {
                    id,
                    scope: self.scope(),
                    name: Arc::clone(&mention.name),
                    kind: mention.kind.clone(),
                    aliases: Vec::new(),
                }
            }
        };
        let id = entity.id;
        self.entities.insert(id, entity);
        id
    }

    /// Drafts a relation; whether it is new.
    pub(super) fn relate(&mut self, relation: Relation) -> bool {
        let Relation {
            from, to, memory, ..
        } = relation;
        let same = |kept: &Relation| {
            kept.relation == relation.relation && kept.to == to && kept.memory == memory
        };
        let edges = self.tip.snapshot.edges(from);
        if edges
            .iter()
            .any(|edge| edge.relation.from == from && same(&edge.relation))
        {
            return false;
        }
        let key = (from, Arc::clone(&relation.relation), to, memory);
        self.relations.insert(key, relation).is_none()
    }

    /// What to commit; `None` where nothing was drafted.
    pub(super) fn into_operation(self) -> Option<Operation> {
        let entities = self
            .entities
            .into_values()
            .map(|entity| Change::PutEntity(entity.into()));
        let memories = self
            .memories
            .into_values()
            .map(|memory| Change::Put(memory.into()));
        let relations = self.relations.into_values();
        let relations = relations.map(|relation| Change::PutRelation(relation.into()));
        let changes: Vec<Change> = entities
            .chain(memories)
            .chain(relations)
            .chain(self.embeds)
            .collect();
        (!changes.is_empty()).then_some(Operation {
            verb: Verb::Remember,
            changes,
        })
    }
}
