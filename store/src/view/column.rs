//! A list that grows at its end and shares what two copies have in common. Knows nothing of rows.
//!
//! A tree of fixed shape: leaves of [`LEAF_LEN`] items under branches of [`BRANCH_LEN`]. A change
//! copies the nodes on its way down unless this list alone holds them, so that one commit costs a
//! few small copies, and a bulk of commits changes its own nodes in place.

use std::sync::Arc;

const LEAF_BITS: u32 = 6;
const LEAF_LEN: usize = 1 << LEAF_BITS;
const BRANCH_BITS: u32 = 5;
const BRANCH_LEN: usize = 1 << BRANCH_BITS;

/// A list; a clone is cheap and never changes.
#[derive(Debug, Clone)]
pub(crate) struct Column<T> {
    len: usize,
    /// Levels of branches above the leaves.
    height: u32,
    root: Arc<Node<T>>,
}

#[derive(Debug, Clone)]
enum Node<T> {
    Leaf(Vec<T>),
    Branch(Vec<Arc<Node<T>>>),
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self {
            len: 0,
            height: 0,
            root: Arc::new(Node::Leaf(Vec::new())),
        }
    }
}

impl<T: Clone> Column<T> {
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn last(&self) -> Option<&T> {
        self.get(self.len.checked_sub(1)?)
    }

    pub(crate) fn get(&self, idx: usize) -> Option<&T> {
        self.leaf(idx)?.get(idx % LEAF_LEN)
    }

    /// The item at `idx`, to be changed.
    ///
    /// # Panics
    /// Where `idx` is not below [`Self::len`].
    pub(crate) fn get_mut(&mut self, idx: usize) -> &mut T {
        assert!(idx < self.len, "no item {idx} among {}", self.len);
        let mut height = self.height;
        let mut node = Arc::make_mut(&mut self.root);
        loop {
            match node {
                Node::Leaf(items) => return &mut items[idx % LEAF_LEN],
                Node::Branch(children) => {
                    height -= 1;
                    node = Arc::make_mut(&mut children[child_idx(idx, height)]);
                }
            }
        }
    }

    pub(crate) fn push(&mut self, item: T) {
        if self.len == LEAF_LEN << (BRANCH_BITS * self.height) {
            let full = std::mem::replace(&mut self.root, Arc::new(Node::Branch(Vec::new())));
            if let Node::Branch(children) = Arc::make_mut(&mut self.root) {
                children.push(full);
            }
            self.height += 1;
        }
        let mut height = self.height;
        let mut node = Arc::make_mut(&mut self.root);
        loop {
            match node {
                Node::Leaf(items) => {
                    items.push(item);
                    self.len += 1;
                    return;
                }
                Node::Branch(children) => {
                    height -= 1;
                    let child = child_idx(self.len, height);
                    if child == children.len() {
                        children.push(Arc::new(Node::empty(height)));
                    }
                    node = Arc::make_mut(&mut children[child]);
                }
            }
        }
    }

    /// The items from `from` on.
    pub(crate) fn iter_from(&self, from: usize) -> impl Iterator<Item = &T> {
        let leaves = (from / LEAF_LEN..).map_while(|leaf| self.leaf(leaf * LEAF_LEN));
        leaves.flatten().skip(from % LEAF_LEN)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.iter_from(0)
    }

    /// How many items at the front satisfy `holds`, which none does behind one that does not.
    pub(crate) fn partition_point(&self, holds: impl Fn(&T) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low.midpoint(high);
            if self.get(middle).is_some_and(&holds) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The leaf that holds `idx`, and the items beside it: its first has an `idx` that is a
    /// multiple of [`LEAF_LEN`].
    fn leaf(&self, idx: usize) -> Option<&[T]> {
        if idx >= self.len {
            return None;
        }
        let mut height = self.height;
        let mut node = &self.root;
        loop {
            match &**node {
                Node::Leaf(items) => return Some(items),
                Node::Branch(children) => {
                    height -= 1;
                    node = children.get(child_idx(idx, height))?;
                }
            }
        }
    }
}

impl<T> Node<T> {
    /// With `height` levels of branches, this one's own among them.
    const fn empty(height: u32) -> Self {
        if height == 0 {
            Self::Leaf(Vec::new())
        } else {
            Self::Branch(Vec::new())
        }
    }
}

/// Which child of a branch holds `idx`, where the child has `height` levels of branches.
const fn child_idx(idx: usize, height: u32) -> usize {
    (idx >> (LEAF_BITS + BRANCH_BITS * height)) % BRANCH_LEN
}

/// Looks items up one after another, quickest where they are near each other.
#[derive(Debug)]
pub(crate) struct Cursor<'a, T> {
    column: &'a Column<T>,
    leaf_idx: usize,
    leaf: &'a [T],
}

impl<'a, T: Clone> Cursor<'a, T> {
    pub(crate) const fn new(column: &'a Column<T>) -> Self {
        Self {
            column,
            leaf_idx: usize::MAX,
            leaf: &[],
        }
    }

    pub(crate) fn get(&mut self, idx: usize) -> Option<&'a T> {
        if self.leaf_idx != idx / LEAF_LEN {
            self.leaf = self.column.leaf(idx)?;
            self.leaf_idx = idx / LEAF_LEN;
        }
        self.leaf.get(idx % LEAF_LEN)
    }
}

#[cfg(test)]
mod tests;
