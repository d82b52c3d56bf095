//! What the store keeps: memories, entities and relations. Knows no index and no bytes.

use std::sync::Arc;

use crate::{EntityId, Lifespan, MemoryId, Timestamp};

/// What one version of a memory says.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryRecord {
    /// Stays the same over the versions of a memory.
    pub id: MemoryId,
    /// The text, exactly as it was given; at most 1 MiB.
    pub text: Arc<str>,
    /// Whose memory it is (a project, a user). A search names the scopes that it may see.
    pub scope: Arc<str>,
    /// What sort of memory it is, for example `fact`.
    pub kind: Arc<str>,
    /// A stable key: at most one memory of a scope and topic is current.
    pub topic: Option<Arc<str>>,
    /// Who said it or where it comes from.
    pub source: Option<Arc<str>>,
    /// Labels, sorted, without repeats.
    pub tags: Vec<Arc<str>>,
    /// The entities that it speaks of, sorted, without repeats.
    pub entities: Vec<EntityId>,
    /// How much it matters, 0 to 1.
    pub importance: f32,
    /// The commit time of its first version.
    pub created_at: Timestamp,
    /// When what it says began to be true; `None` is always.
    pub valid_from: Option<Timestamp>,
    /// When what it says ceased to be true (exclusive); `None` is not yet.
    pub valid_to: Option<Timestamp>,
    /// The memory that took its place.
    pub superseded_by: Option<MemoryId>,
}

impl MemoryRecord {
    /// The time that people mean when they ask when: `valid_from`, else `created_at`.
    pub fn when(&self) -> Timestamp {
        self.valid_from.unwrap_or(self.created_at)
    }

    /// Whether what it says was true at `time`: `valid_from <= time < valid_to`.
    pub fn valid_at(&self, time: Timestamp) -> bool {
        self.valid_from.is_none_or(|from| from <= time) && self.valid_to.is_none_or(|to| time < to)
    }
}

/// One version of a memory, as its history shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// What it says.
    pub memory: Arc<MemoryRecord>,
    /// From which commit to which commit it was the current version.
    pub lifespan: Lifespan,
    /// The reason given when it was retired.
    pub retired_because: Option<Arc<str>>,
}

/// A person, place or thing that memories speak of. Names are compared case-folded, per scope.
#[derive(Debug, Clone, PartialEq)]
pub struct Entity {
    /// Stays the same for the life of the store.
    pub id: EntityId,
    /// An entity of one scope is not seen from another.
    pub scope: Arc<str>,
    /// The name as it was first given.
    pub name: Arc<str>,
    /// What sort of thing it is, for example `person`.
    pub kind: Option<Arc<str>>,
    /// Other names.
    pub aliases: Vec<Arc<str>>,
}

/// An edge of the graph: it holds while the memory that it comes from is visible and valid.
#[derive(Debug, Clone, PartialEq)]
pub struct Relation {
    /// Where the edge starts.
    pub from: EntityId,
    /// The verb, for example `works_at`.
    pub relation: Arc<str>,
    /// Where the edge ends.
    pub to: EntityId,
    /// Its strength, 0 to 1.
    pub weight: f32,
    /// The memory that says so.
    pub memory: MemoryId,
}
