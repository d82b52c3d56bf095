//! Entities, and how memories relate them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Edge, Snapshot};
use crate::{Entity, EntityId, MemoryRecord};

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
