//! The best few of many: a bounded heap. Knows no index.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

/// An owner and its best row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Whose vector it is.
    pub owner: u64,
    /// Which of the owner's vectors was nearest, the first of equals.
    pub window: u32,
    /// Dot product with the query.
    pub similarity: f32,
}

impl Hit {
    /// `Less` where this hit comes before the other: greater similarity, then lesser owner, then
    /// lesser window.
    pub(crate) fn rank(&self, other: &Self) -> Ordering {
        let nearer = other.similarity.total_cmp(&self.similarity);
        nearer.then((self.owner, self.window).cmp(&(other.owner, other.window)))
    }
}

/// A hit in a heap whose top is the worst.
#[derive(Debug, Clone, Copy)]
struct Ranked(Hit);

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.rank(&other.0)
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ranked {}

/// The `k` best hits so far, each owner once.
#[derive(Debug)]
pub(crate) struct Nearest {
    k: usize,
    heap: BinaryHeap<Ranked>,
}

impl Nearest {
    /// None yet, `k` at most.
    pub(crate) const fn new(k: usize) -> Self {
        Self {
            k,
            heap: BinaryHeap::new(),
        }
    }

    /// Whether `hit` would be among the best. An owner's hits must come one after another, or be
    /// brought together by [`Self::merge`].
    pub(crate) fn wants(&self, hit: &Hit) -> bool {
        if self.heap.len() < self.k {
            return true;
        }
        let worst = self.heap.peek();
        worst.is_some_and(|worst| hit.rank(&worst.0).is_lt())
    }

    /// Adds `hit` where it is among the best.
    pub(crate) fn push(&mut self, hit: Hit) {
        if !self.wants(&hit) {
            return;
        }
        if self.heap.len() == self.k {
            self.heap.pop();
        }
        self.heap.push(Ranked(hit));
    }

    /// The best of several: those of `others` too, each owner by its best.
    #[must_use]
    pub(crate) fn merge(k: usize, parts: impl IntoIterator<Item = Self>) -> Self {
        let mut best_of: HashMap<u64, Hit> = HashMap::new();
        for Ranked(hit) in parts.into_iter().flat_map(|part| part.heap) {
            let best = best_of.entry(hit.owner).or_insert(hit);
            if hit.rank(best).is_lt() {
                *best = hit;
            }
        }
        let mut merged = Self::new(k);
        for hit in best_of.into_values() {
            merged.push(hit);
        }
        merged
    }

    /// The hits, best first.
    pub(crate) fn into_hits(self) -> Vec<Hit> {
        let sorted = self.heap.into_sorted_vec();
        sorted.into_iter().map(|Ranked(hit)| hit).collect()
    }
}
