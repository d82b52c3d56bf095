//! `graph`: what is asked, and what is answered.

use palimpsest_store::{MemoryId, Seq, Timestamp};

/// A question about entities and how they relate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// The entity's name.
    pub about: String,
    /// What is wanted.
    pub view: GraphView,
    /// The scopes to search; empty means every scope.
    pub scopes: Vec<String>,
    /// Only relations of this name.
    pub relation: Option<String>,
    /// How many steps away, 1 to 3; `None` is 1 for neighbours and 3 for a path.
    pub depth: Option<usize>,
    /// What was true then; `None` is now.
    pub as_of: Option<Timestamp>,
    /// What the memory held then; `None` is now.
    pub known_at: Option<Timestamp>,
    /// The most edges to answer, 1 to 200; `None` is 50.
    pub limit: Option<usize>,
}

/// What is wanted of the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphView {
    /// What is within `depth` steps.
    Neighbors,
    /// A shortest way to another entity.
    Path {
        /// The other entity's name.
        to: String,
    },
}

/// What the graph holds.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphAnswer {
    /// The entity that was asked about, as it was first named.
    pub about: String,
    /// Nearest first; for a path, in walking order. Empty where there is no way.
    pub edges: Vec<GraphEdge>,
    /// Edges that the limit cut off.
    pub omitted: usize,
    /// The snapshot that answered.
    pub snapshot: Seq,
    /// The time of that snapshot.
    pub at: Timestamp,
}

/// One relation, once, with every memory that says so.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphEdge {
    /// Where it starts.
    pub from: String,
    /// The verb.
    pub relation: String,
    /// Where it ends.
    pub to: String,
    /// Steps from the entity that was asked about, from 1.
    pub distance: usize,
    /// The memories that say so.
    pub memories: Vec<MemoryId>,
    /// When it began to hold.
    pub valid_from: Option<Timestamp>,
    /// When it ceased to hold.
    pub valid_to: Option<Timestamp>,
}
