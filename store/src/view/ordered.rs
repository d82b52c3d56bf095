//! A sorted map that shares what two copies have in common. Knows nothing of its keys.
//!
//! A B+ tree without removal: what ends stays, and is told by its lifespan. A change copies the
//! nodes on its way down unless this map alone holds them.

use std::cmp::Ordering;
use std::sync::Arc;

const NODE_LEN_MAX: usize = 32;

/// A sorted map; a clone is cheap and never changes.
#[derive(Debug, Clone)]
pub(crate) struct Ordered<K, V> {
    root: Arc<Node<K, V>>,
}

#[derive(Debug, Clone)]
enum Node<K, V> {
    Leaf(Vec<(K, V)>),
    /// Each child with a key that is not greater than its own (the first child's is not looked at)
    /// and greater than those of the child before; never empty.
    Branch(Vec<Child<K, V>>),
}

type Child<K, V> = (K, Arc<Node<K, V>>);

impl<K, V> Default for Ordered<K, V> {
    fn default() -> Self {
        Self {
            root: Arc::new(Node::Leaf(Vec::new())),
        }
    }
}

impl<K: Ord + Clone, V: Clone> Ordered<K, V> {
    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.find(|other| other.cmp(key))
    }

    /// The value of the key that `probe` calls equal; it says how other keys compare to that one.
    pub(crate) fn find(&self, probe: impl Fn(&K) -> Ordering) -> Option<&V> {
        let mut node = &*self.root;
        loop {
            match node {
                Node::Leaf(entries) => {
                    let idx = entries.binary_search_by(|entry| probe(&entry.0)).ok()?;
                    return Some(&entries[idx].1);
                }
                Node::Branch(children) => node = &children[child_idx(children, &probe)].1,
            }
        }
    }

    /// As [`Self::find`], to be changed. A key that is not there costs the copies
    /// that inserting it would make.
    pub(crate) fn find_mut(&mut self, probe: impl Fn(&K) -> Ordering) -> Option<&mut V> {
        let mut node = Arc::make_mut(&mut self.root);
        loop {
            match node {
                Node::Leaf(entries) => {
                    let idx = entries.binary_search_by(|entry| probe(&entry.0)).ok()?;
                    return Some(&mut entries[idx].1);
                }
                Node::Branch(children) => {
                    let idx = child_idx(children, &probe);
                    node = Arc::make_mut(&mut children[idx].1);
                }
            }
        }
    }

    /// Adds `key`, or gives it another value.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        let Some((split_key, split)) = insert(&mut self.root, key, value) else {
            return;
        };
        let left = Arc::clone(&self.root);
        let left_key = left.least_key().unwrap_or(&split_key).clone();
        self.root = Arc::new(Node::Branch(vec![(left_key, left), (split_key, split)]));
    }

    /// The entries from `key` on, in order.
    pub(crate) fn range_from(&self, key: &K) -> Range<'_, K, V> {
        let mut branches = Vec::new();
        let mut node = &*self.root;
        loop {
            match node {
                Node::Leaf(entries) => {
                    let first = entries.partition_point(|entry| entry.0 < *key);
                    return Range {
                        branches,
                        leaf: entries[first..].iter(),
                    };
                }
                Node::Branch(children) => {
                    let idx = child_idx(children, |other| other.cmp(key));
                    branches.push(children[idx + 1..].iter());
                    node = &children[idx].1;
                }
            }
        }
    }
}

impl<K, V> Node<K, V> {
    fn least_key(&self) -> Option<&K> {
        match self {
            Self::Leaf(entries) => entries.first().map(|entry| &entry.0),
            Self::Branch(children) => children.first().map(|child| &child.0),
        }
    }
}

/// The child that holds the key that `probe` calls equal, if any does: the last that does not begin
/// behind it.
fn child_idx<K, C>(children: &[(K, C)], probe: impl Fn(&K) -> Ordering) -> usize {
    let n_before = children.partition_point(|child| probe(&child.0).is_le());
    n_before.saturating_sub(1)
}

/// Inserts below `node`; what no longer fits comes back as a node of its own, with its least key.
fn insert<K: Ord + Clone, V: Clone>(
    node: &mut Arc<Node<K, V>>,
    key: K,
    value: V,
) -> Option<Child<K, V>> {
    match Arc::make_mut(node) {
        Node::Leaf(entries) => {
            let idx = match entries.binary_search_by(|entry| entry.0.cmp(&key)) {
                Ok(idx) => {
                    entries[idx].1 = value;
                    return None;
                }
                Err(idx) => idx,
            };
            entries.insert(idx, (key, value));
            let split = split(entries, idx)?;
            Some((split[0].0.clone(), Arc::new(Node::Leaf(split))))
        }
        Node::Branch(children) => {
            let idx = child_idx(children, |other| other.cmp(&key));
            let (split_key, split_child) = insert(&mut children[idx].1, key, value)?;
            children.insert(idx + 1, (split_key, split_child));
            let split = split(children, idx + 1)?;
            Some((split[0].0.clone(), Arc::new(Node::Branch(split))))
        }
    }
}

/// Where there are too many items, after one came to `idx`, takes the last of them away: half, or
/// only the new one where it is the last, so that keys that come in order fill their nodes.
fn split<T>(items: &mut Vec<T>, idx: usize) -> Option<Vec<T>> {
    if items.len() <= NODE_LEN_MAX {
        return None;
    }
    let at_end = idx + 1 == items.len();
    Some(items.split_off(if at_end { idx } else { NODE_LEN_MAX / 2 }))
}

/// Entries in order.
#[derive(Debug)]
pub(crate) struct Range<'a, K, V> {
    /// What is left to visit of each branch on the way down.
    branches: Vec<std::slice::Iter<'a, Child<K, V>>>,
    leaf: std::slice::Iter<'a, (K, V)>,
}

impl<'a, K, V> Iterator for Range<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((key, value)) = self.leaf.next() {
                return Some((key, value));
            }
            let mut node = loop {
                match self.branches.last_mut()?.next() {
                    Some((_, child)) => break &**child,
                    None => self.branches.pop(),
                };
            };
            loop {
                match node {
                    Node::Leaf(entries) => {
                        self.leaf = entries.iter();
                        break;
                    }
                    Node::Branch(children) => {
                        let mut children = children.iter();
                        let Some((_, first)) = children.next() else {
                            break;
                        };
                        node = first;
                        self.branches.push(children);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
