//! The version 1 B-tree: the names of an old group, or the chunks of an old dataset.
//!
//! Source: HDF5 file format specification, III.A.1 "Disk Format: Level 1A1 - Version 1 B-trees".
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::collections::BTreeSet;

use crate::cursor::Cursor;
use crate::error::Result;
use crate::source::{Budget, Source};

const NAME: &str = "B-tree version 1";

/// What a tree's keys and leaves are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeKind {
    /// Names in a local heap; leaves are symbol table nodes.
    Group,
    /// Places of chunks in a dataset of this rank; leaves are chunks.
    Chunks {
        /// How many dimensions the dataset has.
        rank: usize,
    },
}

impl NodeKind {
    fn number(self) -> u8 {
        match self {
            Self::Group => 0,
            Self::Chunks { .. } => 1,
        }
    }

    fn key_bytes(self, length_bytes: u8) -> usize {
        match self {
            Self::Group => length_bytes.into(),
            // size, filter mask, and an offset for each dimension and the element
            Self::Chunks { rank } => rank.saturating_add(1).saturating_mul(8).saturating_add(8),
        }
    }
}

/// Visits every leaf of the tree at `address`, with the key in front of it. How many bytes the
/// nodes take.
pub(crate) fn for_each_leaf(
    source: &Source,
    address: u64,
    kind: NodeKind,
    visit: &mut dyn FnMut(Cursor<'_>, u64) -> Result<()>,
) -> Result<u64> {
    let mut seen = BTreeSet::new();
    let mut waiting = vec![(address, None)];
    let mut node_bytes = 0_u64;
    let mut budget = Budget::of(source);
    while let Some((address, expected_level)) = waiting.pop() {
        let sizes = source.sizes();
        let head_bytes = u64::from(sizes.offset_bytes)
            .saturating_mul(2)
            .saturating_add(8);
        let bytes = source.read(NAME, address, head_bytes)?;
        let mut cursor = source.cursor(NAME, address, &bytes);
        cursor.signature(*b"TREE")?;
        let found_kind = cursor.u8()?;
        let level = cursor.u8()?;
        let n_entries = cursor.u16()?;
        if found_kind != kind.number() {
            return Err(cursor.corrupt("a node of the tree's type", found_kind.into()));
        }
        // Levels fall by one on the way down, so there are no cycles; a node met twice would be
        // read over and over.
        if expected_level.is_some_and(|expected| expected != level) || !seen.insert(address) {
            return Err(cursor.corrupt("a node one level below its parent", level.into()));
        }
        let key_bytes = kind.key_bytes(sizes.length_bytes);
        let entry_bytes = key_bytes.saturating_add(sizes.offset_bytes.into());
        let body = u64::from(n_entries).saturating_mul(entry_bytes as u64);
        let start = address.saturating_add(head_bytes);
        budget.take(NAME, address, body)?;
        let bytes = source.read(NAME, start, body)?;
        node_bytes = node_bytes
            .saturating_add(head_bytes)
            .saturating_add(body)
            .saturating_add(key_bytes as u64);
        let mut cursor = source.cursor(NAME, start, &bytes);
        let mut children = Vec::new();
        for _ in 0..n_entries {
            let key = cursor.sub(key_bytes)?;
            let child = cursor.defined_address()?;
            match level.checked_sub(1) {
                None => visit(key, child)?,
                Some(below) => children.push((child, Some(below))),
            }
        }
        waiting.extend(children.into_iter().rev());
    }
    Ok(node_bytes)
}

#[cfg(test)]
mod tests;
