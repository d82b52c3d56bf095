//! Entities, and how memories relate them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Edge, Snapshot};
use crate::keyword::words_at;
use crate::{Entity, EntityId, Filter, MemoryRecord};

/// The longest name that is looked for in a text, in words.
const NAME_WORDS_MAX: usize = 4;
/// So many scopes are looked through where none is named.
const SCOPES_MAX: usize = 64;

impl Snapshot {
    /// An entity.
    pub fn entity(&self, id: EntityId) -> Option<Arc<Entity>> {
        self.tables().graph.entity(id, self.seq).cloned()
    }

    /// The entity of a scope with this name or alias; case-folded, NFC, white space collapsed.
    /// A name counts before an alias, then the least id.
    pub fn find_entity(&self, scope: &str, name: &str) -> Option<Arc<Entity>> {
        let graph = &self.tables().graph;
        graph.find_entity(scope, name, self.seq).cloned()
    }

    /// The entities that `text` names in full, by name or alias, in the scopes of `filter` (the first 64
    /// by name where it names none); sorted. Names of more than four words are not looked for.
    pub fn entities_named(&self, text: &str, filter: &Filter) -> Vec<EntityId> {
        let tables = self.tables();
        let all = tables.scopes.names().take(SCOPES_MAX);
        let scopes: Vec<&str> = if filter.scopes.is_empty() {
            all.map(|scope| &**scope).collect()
        } else {
            filter.scopes.iter().map(String::as_str).collect()
        };
        let words = words_at(text);
        let mut named = BTreeSet::new();
        for (idx, (first, _)) in words.iter().enumerate() {
            for (last, _) in words[idx..].iter().take(NAME_WORDS_MAX) {
                let said = text.get(first.start..last.end).unwrap_or_default();
                let name = without_ends(said);
                let found = scopes
                    .iter()
                    .filter_map(|scope| self.find_entity(scope, name));
                named.extend(found.map(|entity| entity.id));
            }
        }
        named.into_iter().collect()
    }

    /// The entities of a scope, by folded name, then id.
    pub fn entities(&self, scope: &str, limit: usize) -> Vec<Arc<Entity>> {
        let entities = self.tables().graph.entities(scope, self.seq);
        entities.take(limit).cloned().collect()
    }

    /// The relations from and to an entity whose memory is visible, by from, relation, to, memory.
    pub fn edges(&self, entity: EntityId) -> Vec<Edge> {
        let relations = self.tables().graph.relations(entity, self.seq);
        let edges: BTreeMap<_, _> = relations
            .filter_map(|relation| {
                let memory = self.memory(relation.memory)?;
                let verb = &*relation.relation;
                let key = (relation.from, verb, relation.to, relation.memory);
                let relation = Arc::clone(relation);
                Some((key, Edge { relation, memory }))
            })
            .collect();
        edges.into_values().collect()
    }

    /// The visible memories that speak of an entity, by id.
    pub fn mentions(&self, entity: EntityId) -> Vec<Arc<MemoryRecord>> {
        let memories = &self.tables().memories;
        let rows = memories.mentions(entity);
        let visible = rows.filter(|row| memories.row(*row).lifespan.visible_at(self.seq));
        visible
            .map(|row| Arc::clone(memories.record(row)))
            .collect()
    }
}

/// What was said without punctuation at its ends, and without the `'s` of its owner.
fn without_ends(said: &str) -> &str {
    let name = said.trim_matches(|it: char| !it.is_alphanumeric());
    let owned = name.strip_suffix("'s").or_else(|| name.strip_suffix("’s"));
    owned.unwrap_or(name)
}
