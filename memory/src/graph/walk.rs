//! Walking the graph of one snapshot, breadth first, both ways along every relation.
//!
//! A node is a name: entities of the searched scopes that share it (case folded) are one node. An edge
//! counts while the memory that states it is visible and valid.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use palimpsest_store::{Edge, Entity, MemoryId, Snapshot, Timestamp, fold_name};

use super::GraphEdge;

/// Where and what to walk.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    pub(super) snapshot: &'a Snapshot,
    /// The scopes, none of them implied.
    pub(super) scopes: &'a [String],
    /// Only relations of this folded name.
    pub(super) relation: Option<String>,
    pub(super) as_of: Timestamp,
}

/// A node's folded name.
pub(super) type NodeName = String;
/// From, relation and to, names folded: what makes two statements the same edge.
type EdgeKey = (NodeName, String, NodeName);

impl Walk<'_> {
    /// The entities of a name, one a scope at most.
    pub(super) fn entities(&self, name: &str) -> Vec<Arc<Entity>> {
        let scopes = self.scopes.iter();
        scopes
            .filter_map(|scope| self.snapshot.find_entity(scope, name))
            .collect()
    }

    /// Every edge within `depth` steps of `start`, nearest first, then by names.
    pub(super) fn neighbours(&self, start: &[Arc<Entity>], depth: usize) -> Vec<GraphEdge> {
        let mut found: BTreeMap<EdgeKey, GraphEdge> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let mut queue = VecDeque::new();
        for entity in start {
            if seen.insert(fold_name(&entity.name)) {
                queue.push_back((fold_name(&entity.name), 0));
            }
        }
        while let Some((node, n_steps)) = queue.pop_front() {
            if n_steps == depth {
                continue;
            }
            for (key, mut edge) in self.edges_of(&node) {
                for name in [&key.0, &key.2] {
                    if seen.insert(name.clone()) {
                        queue.push_back((name.clone(), n_steps + 1));
                    }
                }
                edge.distance = n_steps + 1;
                found.entry(key).or_insert(edge);
            }
        }
        let mut edges: Vec<_> = found.into_iter().collect();
        edges.sort_by(|left, right| (left.1.distance, &left.0).cmp(&(right.1.distance, &right.0)));
        edges.into_iter().map(|(_, edge)| edge).collect()
    }

    /// A shortest way from `start` to `end`, at most `depth` steps, in walking order; of several, the one
    /// whose nodes were reached first, by names. `None` where there is no way.
    pub(super) fn path(&self, start: &str, end: &str, depth: usize) -> Option<Vec<GraphEdge>> {
        let (start, end) = (fold_name(start), fold_name(end));
        // The edge by which a node was reached first, and from where.
        let mut reached: BTreeMap<NodeName, Option<(NodeName, GraphEdge)>> = BTreeMap::new();
        reached.insert(start.clone(), None);
        let mut queue = VecDeque::from([(start, 0)]);
        while let Some((node, n_steps)) = queue.pop_front() {
            if node == end {
                return Some(steps(&reached, node));
            }
            if n_steps == depth {
                continue;
            }
            for ((from, _, to), mut edge) in self.edges_of(&node) {
                let next = if from == node { to } else { from };
                if !reached.contains_key(&next) {
                    edge.distance = n_steps + 1;
                    reached.insert(next.clone(), Some((node.clone(), edge)));
                    queue.push_back((next, n_steps + 1));
                }
            }
        }
        None
    }

    /// The valid edges from and to a node, each once, by names. Distances are not set yet.
    fn edges_of(&self, node: &str) -> BTreeMap<EdgeKey, GraphEdge> {
        let mut edges: BTreeMap<EdgeKey, GraphEdge> = BTreeMap::new();
        let stated = self
            .entities(node)
            .into_iter()
            .flat_map(|it| self.snapshot.edges(it.id));
        for stated in stated.filter(|edge| edge.memory.valid_at(self.as_of)) {
            let relation = fold_name(&stated.relation.relation);
            if self
                .relation
                .as_ref()
                .is_some_and(|wanted| *wanted != relation)
            {
                continue;
            }
            let ends = [stated.relation.from, stated.relation.to];
            let [Some(from), Some(to)] = ends.map(|end| self.snapshot.entity(end)) else {
                continue;
            };
            let key = (fold_name(&from.name), relation, fold_name(&to.name));
            match edges.get_mut(&key) {
                Some(edge) => confirm(edge, &stated),
                None => {
                    edges.insert(key, first_statement(&from, &to, &stated));
                }
            }
        }
        edges
    }
}

fn first_statement(from: &Entity, to: &Entity, stated: &Edge) -> GraphEdge {
    GraphEdge {
        from: from.name.to_string(),
        relation: stated.relation.relation.to_string(),
        to: to.name.to_string(),
        distance: 0,
        memories: vec![stated.memory.id],
        valid_from: stated.memory.valid_from,
        valid_to: stated.memory.valid_to,
    }
}

/// Another memory says so too: the edge holds from the first beginning to the last end.
fn confirm(edge: &mut GraphEdge, stated: &Edge) {
    let memories: BTreeSet<MemoryId> = edge
        .memories
        .iter()
        .copied()
        .chain([stated.memory.id])
        .collect();
    edge.memories = memories.into_iter().collect();
    let (from, to) = (stated.memory.valid_from, stated.memory.valid_to);
    edge.valid_from = edge.valid_from.zip(from).map(|(own, other)| own.min(other));
    edge.valid_to = edge.valid_to.zip(to).map(|(own, other)| own.max(other));
}

/// The way back from `node`, turned round.
fn steps(
    reached: &BTreeMap<NodeName, Option<(NodeName, GraphEdge)>>,
    mut node: NodeName,
) -> Vec<GraphEdge> {
    let mut edges = Vec::new();
    while let Some(Some((before, edge))) = reached.get(&node) {
        edges.push(edge.clone());
        node.clone_from(before);
    }
    edges.reverse();
    edges
}
