//! `graph`: what is asked, and what is answered.

mod names;
mod walk;

use std::collections::BTreeSet;
use std::sync::Arc;

use palimpsest_store::{
    Entity, Filter, MemoryId, Seq, Snapshot, Timestamp, fold_name, normalise_text,
};

use crate::Error;
use crate::remember::checked_scopes;
use names::nearest_names;
use walk::Walk;

const DEPTH_MAX: usize = 3;
const LIMIT_MAX: usize = 200;
const LIMIT_DEFAULT: usize = 50;
/// Names of a scope that are looked through for one that was misspelt.
const NAMES_MAX: usize = 10_000;

/// A question about entities and how they relate.
///
/// Entities of several scopes that share a name are walked as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// The entity's name.
    pub about: String,
    /// What is wanted.
    pub view: GraphView,
    /// The scopes to search; empty means every scope.
    pub scopes: Vec<String>,
    /// Only relations of this name, in any case.
    pub relation: Option<String>,
    /// How many steps away, 1 to 3; `None` is 1 for neighbours and 3 for a path.
    pub depth: Option<usize>,
    /// What was true then; `None` is now, or `known_at` where that is given and earlier.
    pub as_of: Option<Timestamp>,
    /// What the memory held then; `None` is now.
    pub known_at: Option<Timestamp>,
    /// The most edges to answer, 1 to 200; `None` is 50. A path is never cut.
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
    /// When it began to hold: the earliest that a memory says, `None` where one says always.
    pub valid_from: Option<Timestamp>,
    /// When it ceased to hold: the latest that a memory says, `None` where one says not yet.
    pub valid_to: Option<Timestamp>,
}

/// Answers `request` from one snapshot. `now` is the moment that it is about when it names none.
pub(crate) fn graph(
    snapshot: &Snapshot,
    now: Timestamp,
    request: &Graph,
) -> Result<GraphAnswer, Error> {
    let in_range = |argument, found: Option<usize>, greatest: usize, expected| match found {
        Some(found) if !(1..=greatest).contains(&found) => Err(Error::OutOfRange {
            argument,
            found: found.to_string(),
            expected,
        }),
        found => Ok(found),
    };
    let depth = in_range(
        "depth",
        request.depth,
        DEPTH_MAX,
        "give a number from 1 to 3",
    )?;
    let limit = in_range(
        "limit",
        request.limit,
        LIMIT_MAX,
        "give a number from 1 to 200",
    )?;
    let limit = limit.unwrap_or(LIMIT_DEFAULT);
    let asked_scopes = checked_scopes(&request.scopes)?;
    let scopes = if asked_scopes.is_empty() {
        every_scope(snapshot)
    } else {
        asked_scopes.clone()
    };
    let moment = request.known_at.map_or(now, |known_at| known_at.min(now));
    let walk = Walk {
        snapshot,
        scopes: &scopes,
        relation: request
            .relation
            .as_deref()
            .map(fold_name)
            .filter(|name| !name.is_empty()),
        as_of: request.as_of.unwrap_or(moment),
    };
    let about = known(&walk, &request.about, &asked_scopes)?;
    let about_name = first_name(&about);
    let mut edges = match &request.view {
        GraphView::Neighbors => walk.neighbours(&about, depth.unwrap_or(1)),
        GraphView::Path { to } => {
            let to = first_name(&known(&walk, to, &asked_scopes)?);
            walk.path(&about_name, &to, depth.unwrap_or(DEPTH_MAX))
                .unwrap_or_default()
        }
    };
    let n_found = edges.len();
    if request.view == GraphView::Neighbors {
        edges.truncate(limit);
    }
    Ok(GraphAnswer {
        about: about_name,
        omitted: n_found - edges.len(),
        edges,
        snapshot: snapshot.seq(),
        at: snapshot.committed_at(),
    })
}

/// The entities of a name, at least one.
fn known(walk: &Walk<'_>, name: &str, scopes: &[String]) -> Result<Vec<Arc<Entity>>, Error> {
    let entities = walk.entities(name);
    if !entities.is_empty() {
        return Ok(entities);
    }
    let there = walk
        .scopes
        .iter()
        .flat_map(|scope| walk.snapshot.entities(scope, NAMES_MAX));
    let there: Vec<Arc<Entity>> = there.collect();
    Err(Error::UnknownEntity {
        name: normalise_text(name),
        scopes: scopes.to_vec(),
        nearest: nearest_names(name, there.iter().map(|entity| &*entity.name)),
    })
}

/// The name as the first scope that knows it has it.
fn first_name(entities: &[Arc<Entity>]) -> String {
    entities
        .first()
        .map(|entity| entity.name.to_string())
        .unwrap_or_default()
}

fn every_scope(snapshot: &Snapshot) -> Vec<String> {
    let memories = snapshot.list(&Filter::default(), usize::MAX);
    let scopes: BTreeSet<String> = memories.iter().map(|it| it.scope.to_string()).collect();
    scopes.into_iter().collect()
}

#[cfg(test)]
mod tests;
