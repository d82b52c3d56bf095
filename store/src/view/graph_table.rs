//! Entities and relations, and where to find them. Knows nothing of the memories behind them.

use std::cmp::Reverse;
use std::sync::Arc;

use super::{Column, Ordered};
use crate::text::fold_name;
use crate::{Entity, EntityId, Lifespan, MemoryId, Relation, Seq};

/// A version of a record, with its lifespan.
#[derive(Debug, Clone)]
struct Row<T> {
    record: Arc<T>,
    lifespan: Lifespan,
}

impl<T> Row<T> {
    const fn new(record: Arc<T>, born: Seq) -> Self {
        Self {
            record,
            lifespan: Lifespan {
                born,
                died: Seq::NEVER,
            },
        }
    }

    fn visible_at(&self, seq: Seq) -> Option<&Arc<T>> {
        self.lifespan.visible_at(seq).then_some(&self.record)
    }
}

/// What a relation says and who says so: one of these is current.
type RelationKey = (MemoryId, EntityId, EntityId, Arc<str>);

/// A folded name: scope, name, whose, and which version gave it.
type NameKey = (Arc<str>, Arc<str>, EntityId, usize);

/// All entities and relations.
#[derive(Debug, Clone, Default)]
pub(crate) struct GraphTable {
    entities: Column<Row<Entity>>,
    /// Newest first.
    entity_by_id: Ordered<(EntityId, Reverse<usize>), ()>,
    entity_by_name: Ordered<NameKey, ()>,
    entity_by_alias: Ordered<NameKey, ()>,
    relations: Column<Row<Relation>>,
    /// The newest of each.
    relation_by_key: Ordered<RelationKey, usize>,
    /// By either end.
    relation_by_entity: Ordered<(EntityId, usize), ()>,
}

impl GraphTable {
    /// The version of an entity that is visible at `seq`.
    pub(crate) fn entity(&self, id: EntityId, seq: Seq) -> Option<&Arc<Entity>> {
        let entries = self.entity_by_id.range_from(&(id, Reverse(usize::MAX)));
        entries
            .take_while(|((of, _), ())| *of == id)
            .find_map(|((_, Reverse(row)), ())| self.entities.get(*row)?.visible_at(seq))
    }

    /// The entity of `scope` with this name, else with this alias; of several, the least id.
    pub(crate) fn find_entity(&self, scope: &str, name: &str, seq: Seq) -> Option<&Arc<Entity>> {
        let name = fold_name(name);
        let find = |by_name| {
            let mut named = self.named_from(by_name, scope, &name, seq);
            let (folded, entity) = named.next()?;
            (**folded == *name).then_some(entity)
        };
        find(&self.entity_by_name).or_else(|| find(&self.entity_by_alias))
    }

    /// The entities of `scope`, by folded name, then id.
    pub(crate) fn entities(&self, scope: &str, seq: Seq) -> impl Iterator<Item = &Arc<Entity>> {
        let named = self.named_from(&self.entity_by_name, scope, "", seq);
        named.map(|(_, entity)| entity)
    }

    /// The relations from and to an entity that are visible at `seq`, each once, in no order.
    pub(crate) fn relations(&self, id: EntityId, seq: Seq) -> impl Iterator<Item = &Arc<Relation>> {
        let entries = self.relation_by_entity.range_from(&(id, 0));
        entries
            .take_while(move |((of, _), ())| *of == id)
            .filter_map(move |((_, row), ())| self.relations.get(*row)?.visible_at(seq))
    }

    /// Every version of an entity, in order of birth.
    pub(crate) fn entity_versions(&self) -> impl Iterator<Item = (Lifespan, &Arc<Entity>)> {
        self.entities.iter().map(|row| (row.lifespan, &row.record))
    }

    /// Every version of a relation, in order of birth.
    pub(crate) fn relation_versions(&self) -> impl Iterator<Item = (Lifespan, &Arc<Relation>)> {
        self.relations.iter().map(|row| (row.lifespan, &row.record))
    }

    pub(crate) fn put_entity(&mut self, entity: Arc<Entity>, seq: Seq) {
        let row = self.entities.len();
        let mut entries = self
            .entity_by_id
            .range_from(&(entity.id, Reverse(usize::MAX)));
        let newest = entries.next().map(|(key, ())| *key);
        if let Some((_, Reverse(before))) = newest.filter(|(of, _)| *of == entity.id) {
            self.entities.get_mut(before).lifespan.died = seq;
        }
        self.entity_by_id.insert((entity.id, Reverse(row)), ());
        let key = |name: &str| -> NameKey {
            let scope = Arc::clone(&entity.scope);
            (scope, fold_name(name).into(), entity.id, row)
        };
        self.entity_by_name.insert(key(&entity.name), ());
        for alias in &entity.aliases {
            self.entity_by_alias.insert(key(alias), ());
        }
        self.entities.push(Row::new(entity, seq));
    }

    pub(crate) fn put_relation(&mut self, relation: Arc<Relation>, seq: Seq) {
        let row = self.relations.len();
        let verb = Arc::clone(&relation.relation);
        let key = (relation.memory, relation.from, relation.to, verb);
        if let Some(before) = self.relation_by_key.get(&key) {
            self.relations.get_mut(*before).lifespan.died = seq;
        }
        self.relation_by_key.insert(key, row);
        for end in [relation.from, relation.to] {
            self.relation_by_entity.insert((end, row), ());
        }
        self.relations.push(Row::new(relation, seq));
    }

    /// The visible entities of `scope` by name, from the folded `name` on.
    fn named_from<'a>(
        &'a self,
        by_name: &'a Ordered<NameKey, ()>,
        scope: &str,
        name: &str,
        seq: Seq,
    ) -> impl Iterator<Item = (&'a Arc<str>, &'a Arc<Entity>)> {
        let scope: Arc<str> = scope.into();
        let from = (Arc::clone(&scope), name.into(), EntityId(0), 0);
        by_name
            .range_from(&from)
            .take_while(move |((of, ..), ())| *of == scope)
            .filter_map(move |((_, folded, _, row), ())| {
                Some((folded, self.entities.get(*row)?.visible_at(seq)?))
            })
    }
}
