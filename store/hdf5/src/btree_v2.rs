//! The version 2 B-tree: sorted records of one size.
//!
//! Source: HDF5 file format specification, III.A.2 "Disk Format: Level 1A2 - Version 2 B-trees".
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::cursor::{undefined, width_of};
use crate::encoder::Encoder;
use crate::error::{Error, Result};
use crate::sink::Sink;
use crate::source::Source;

const NAME: &str = "B-tree version 2";
const DEPTH_MAX: u16 = 32;
/// Signature, version, type and checksum of a node.
const NODE_OVERHEAD_BYTES: u64 = 10;

/// How much fits into the nodes of one depth.
#[derive(Debug, Clone, Copy)]
struct Capacity {
    /// How many records a node has at most.
    records: u64,
    /// How many the whole subtree has at most.
    total: u64,
}

/// How much fits into nodes of each depth up to `depth`, leaves first.
fn capacities(node_bytes: u64, record_bytes: u64, depth: u16, offset_bytes: u8) -> Vec<Capacity> {
    let leaf = node_bytes
        .saturating_sub(NODE_OVERHEAD_BYTES)
        .checked_div(record_bytes)
        .unwrap_or(0);
    let mut capacities = vec![Capacity {
        records: leaf,
        total: leaf,
    }];
    let mut below = leaf;
    for level in 1..=depth {
        let pointer = u64::from(offset_bytes)
            .saturating_add(width_of(leaf).into())
            .saturating_add(if level > 1 { width_of(below).into() } else { 0 });
        let records = node_bytes
            .saturating_sub(NODE_OVERHEAD_BYTES.saturating_add(pointer))
            .checked_div(record_bytes.saturating_add(pointer))
            .unwrap_or(0);
        below = records
            .saturating_add(1)
            .saturating_mul(below)
            .saturating_add(records);
        capacities.push(Capacity {
            records,
            total: below,
        });
    }
    capacities
}

/// What a walk through a tree gathers.
struct Visit {
    capacities: Vec<Capacity>,
    records: Vec<Vec<u8>>,
    n_nodes: u64,
}

/// A tree's header.
#[derive(Debug)]
pub(crate) struct BtreeV2<'a> {
    source: &'a Source,
    address: u64,
    kind: u8,
    node_bytes: u64,
    record_bytes: u16,
    depth: u16,
    root: Option<u64>,
    n_root_records: u16,
    n_records: u64,
}

impl<'a> BtreeV2<'a> {
    pub(crate) fn read(source: &'a Source, address: u64) -> Result<Self> {
        let bytes = source.read_up_to(NAME, address, 64)?;
        let mut cursor = source.cursor(NAME, address, &bytes);
        cursor.signature(*b"BTHD")?;
        cursor.version(0)?;
        let kind = cursor.u8()?;
        let node_bytes = u64::from(cursor.u32()?);
        let (record_bytes, depth) = (cursor.u16()?, cursor.u16()?);
        cursor.skip(2)?; // split and merge percentages
        let root = cursor.address()?;
        let n_root_records = cursor.u16()?;
        let n_records = cursor.length()?;
        cursor.checksum()?;
        if record_bytes == 0 || depth > DEPTH_MAX {
            return Err(cursor.corrupt("records of at least 1 byte, at most 32 deep", depth.into()));
        }
        let tree = Self {
            source,
            address,
            kind,
            node_bytes,
            record_bytes,
            depth,
            root,
            n_root_records,
            n_records,
        };
        let bytes = n_records.saturating_mul(record_bytes.into());
        if bytes > source.end() {
            return Err(cursor.corrupt("records that fit into the file", n_records));
        }
        Ok(tree)
    }

    /// The type of its records.
    pub(crate) fn kind(&self) -> u8 {
        self.kind
    }

    /// All records, in order, of a tree that must be of type `kind`.
    pub(crate) fn records(&self, kind: u8) -> Result<Vec<Vec<u8>>> {
        self.records_and_bytes(kind).map(|(records, _)| records)
    }

    /// All records, and how many bytes header and nodes take.
    pub(crate) fn records_and_bytes(&self, kind: u8) -> Result<(Vec<Vec<u8>>, u64)> {
        self.check_kind(kind)?;
        let capacities = self.capacities();
        let mut visit = Visit {
            capacities,
            records: Vec::new(),
            n_nodes: 0,
        };
        if let Some(root) = self.root {
            self.visit(root, self.n_root_records.into(), self.depth, &mut visit)?;
        }
        let records = visit.records;
        if records.len() as u64 != self.n_records {
            return Err(Error::Corrupt {
                structure: NAME,
                offset_bytes: self.address,
                expected: "as many records as the header says",
                found: records.len() as u64,
            });
        }
        let sizes = self.source.sizes();
        let header_bytes = 22_u64
            .saturating_add(sizes.offset_bytes.into())
            .saturating_add(sizes.length_bytes.into());
        Ok((
            records,
            self.node_bytes
                .saturating_mul(visit.n_nodes)
                .saturating_add(header_bytes),
        ))
    }

    /// The records that `compare` finds equal, given that it finds those before them less and those
    /// behind them greater: only the nodes on the way are read.
    pub(crate) fn search(
        &self,
        kind: u8,
        compare: &dyn Fn(&[u8]) -> Ordering,
    ) -> Result<Vec<Vec<u8>>> {
        self.check_kind(kind)?;
        let capacities = self.capacities();
        let mut visit = Visit {
            capacities,
            records: Vec::new(),
            n_nodes: 0,
        };
        if let Some(root) = self.root {
            self.descend(
                root,
                self.n_root_records.into(),
                self.depth,
                compare,
                &mut visit,
            )?;
        }
        Ok(visit.records)
    }

    fn descend(
        &self,
        address: u64,
        n_records: u64,
        depth: u16,
        compare: &dyn Fn(&[u8]) -> Ordering,
        to: &mut Visit,
    ) -> Result<()> {
        to.n_nodes = to.n_nodes.saturating_add(1);
        let node = self.read_node(address, n_records, depth, to)?;
        // Child n lies between record n - 1 and record n.
        let mut records = node.records.chunks_exact(self.record_bytes.into());
        let mut children = node.children.iter();
        let mut before = Ordering::Less;
        loop {
            let record = records.next();
            let behind = record.map_or(Ordering::Greater, compare);
            if let Some((child, n_child)) = children.next()
                && before.is_le()
                && behind.is_ge()
            {
                self.descend(*child, *n_child, depth.saturating_sub(1), compare, to)?;
            }
            let Some(record) = record else {
                return Ok(());
            };
            if behind.is_eq() {
                to.records.push(record.to_vec());
            }
            before = behind;
        }
    }

    fn check_kind(&self, kind: u8) -> Result<()> {
        if self.kind == kind {
            return Ok(());
        }
        Err(Error::Corrupt {
            structure: NAME,
            offset_bytes: self.address,
            expected: "a tree of the type that its use asks for",
            found: self.kind.into(),
        })
    }

    fn capacities(&self) -> Vec<Capacity> {
        let offset_bytes = self.source.sizes().offset_bytes;
        capacities(
            self.node_bytes,
            self.record_bytes.into(),
            self.depth,
            offset_bytes,
        )
    }

    fn visit(&self, address: u64, n_records: u64, depth: u16, to: &mut Visit) -> Result<()> {
        to.n_nodes = to.n_nodes.saturating_add(1);
        let node = self.read_node(address, n_records, depth, to)?;
        let mut records = node.records.chunks_exact(self.record_bytes.into());
        for (child, n_child) in node.children {
            self.visit(child, n_child, depth.saturating_sub(1), to)?;
            to.records.extend(records.next().map(<[u8]>::to_vec));
        }
        to.records.extend(records.map(<[u8]>::to_vec));
        Ok(())
    }

    fn read_node(
        &self,
        address: u64,
        n_records: u64,
        depth: u16,
        so_far: &Visit,
    ) -> Result<Node<'a>> {
        // Nodes of a sound tree do not lie over each other.
        if so_far.n_nodes.saturating_mul(self.node_bytes) > self.source.end() {
            return Err(Error::Corrupt {
                structure: NAME,
                offset_bytes: address,
                expected: "nodes that all fit into the file",
                found: so_far.n_nodes,
            });
        }
        let bytes = self.source.read(NAME, address, self.node_bytes)?;
        let mut cursor = self.source.cursor(NAME, address, &bytes);
        cursor.signature(if depth == 0 { *b"BTLF" } else { *b"BTIN" })?;
        cursor.version(0)?;
        if cursor.u8()? != self.kind {
            return Err(cursor.corrupt("a node of the tree's type", self.kind.into()));
        }
        // Every record was counted in the header, so a cycle runs into one of these.
        let after = n_records.saturating_add(so_far.records.len() as u64);
        if after > self.n_records || so_far.n_nodes > self.n_records.saturating_add(1) {
            return Err(cursor.corrupt("no more records than the header says", after));
        }
        let records_bytes = n_records.saturating_mul(self.record_bytes.into());
        let first = cursor.taken();
        let records = cursor.take_u64(records_bytes)?.len();
        let mut children = Vec::new();
        let Some(child_depth) = depth.checked_sub(1) else {
            cursor.checksum()?;
            return Ok(Node::of(bytes, first, records, children));
        };
        let leaf = so_far.capacities.first().map_or(0, |leaf| leaf.records);
        let below = so_far
            .capacities
            .get(usize::from(child_depth))
            .map_or(0, |below| below.total);
        for _ in 0..=n_records {
            let child = cursor.address()?;
            let n_child = cursor.uint(width_of(leaf).into())?;
            if depth > 1 {
                cursor.uint(width_of(below).into())?;
            }
            match child {
                Some(child) if n_child > 0 => children.push((child, n_child)),
                _ => return Err(cursor.corrupt("a child with records", n_child)),
            }
        }
        cursor.checksum()?;
        Ok(Node::of(bytes, first, records, children))
    }
}

/// A node: its records, and the address and number of records of each child.
struct Node<'a> {
    /// One behind the other.
    records: Cow<'a, [u8]>,
    children: Vec<(u64, u64)>,
}

impl<'a> Node<'a> {
    /// The node whose records are the `len` bytes from `first` on.
    fn of(bytes: Cow<'a, [u8]>, first: usize, len: usize, children: Vec<(u64, u64)>) -> Self {
        let range = first..first.saturating_add(len);
        let records = match bytes {
            Cow::Borrowed(bytes) => Cow::Borrowed(bytes.get(range).unwrap_or_default()),
            Cow::Owned(bytes) => Cow::Owned(bytes.get(range).unwrap_or_default().to_vec()),
        };
        Self { records, children }
    }
}

/// What a tree is written with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TreePlan {
    pub(crate) kind: u8,
    pub(crate) record_bytes: u16,
}

impl TreePlan {
    /// Type 5: hash and heap id of a link.
    pub(crate) const LINK_NAMES: Self = Self {
        kind: 5,
        record_bytes: 11,
    };
    /// Type 6: order of creation and heap id of a link.
    pub(crate) const LINK_ORDERS: Self = Self {
        kind: 6,
        record_bytes: 15,
    };
    /// Type 9: heap id, flags and order of creation of an attribute.
    pub(crate) const ATTRIBUTE_ORDERS: Self = Self {
        kind: 9,
        record_bytes: 13,
    };
    /// Type 8: heap id, flags, order of creation and hash of an attribute.
    pub(crate) const ATTRIBUTE_NAMES: Self = Self {
        kind: 8,
        record_bytes: 17,
    };

    fn n_records(self, records: &[u8]) -> usize {
        let record_bytes = usize::from(self.record_bytes);
        records.len().checked_div(record_bytes).unwrap_or(0)
    }
}

/// What the C library uses for its name indexes.
const NODE_BYTES: u32 = 512;

/// Writes a tree of `records`, which lie one behind the other in order; the address of its header.
pub(crate) fn write(plan: TreePlan, records: &[u8], sink: &mut dyn Sink<'_>) -> Result<u64> {
    let n_records = plan.n_records(records) as u64;
    let mut depth = 0_u16;
    let capacity = |depth| capacities(NODE_BYTES.into(), plan.record_bytes.into(), depth, 8);
    while depth < DEPTH_MAX
        && capacity(depth)
            .last()
            .is_some_and(|all| all.total < n_records)
    {
        depth = depth.saturating_add(1);
    }
    let capacities = capacity(depth);
    let (root, n_root_records) = if records.is_empty() {
        (undefined(8), 0)
    } else {
        write_node(plan, records, depth, &capacities, sink)?
    };
    let mut header = Encoder::signed(*b"BTHD", 0);
    header
        .u8(plan.kind)
        .u32(NODE_BYTES)
        .u16(plan.record_bytes)
        .u16(depth)
        .u8(100)
        .u8(40);
    header
        .u64(root)
        .u16(u16::try_from(n_root_records).unwrap_or(u16::MAX))
        .u64(n_records);
    sink.append(header.checksummed())
}

/// Writes the subtree of `records`; its address, and how many records its top node has.
fn write_node(
    plan: TreePlan,
    records: &[u8],
    depth: u16,
    capacities: &[Capacity],
    sink: &mut dyn Sink<'_>,
) -> Result<(u64, usize)> {
    let node_bytes = usize::try_from(NODE_BYTES).unwrap_or(usize::MAX);
    let below = depth
        .checked_sub(1)
        .and_then(|below| capacities.get(usize::from(below)));
    let Some(below) = below else {
        let mut node = Encoder::signed(*b"BTLF", 0);
        node.u8(plan.kind).put(records);
        let n_records = plan.n_records(records);
        return Ok((sink.append(padded(node, node_bytes))?, n_records));
    };
    let leaf = capacities.first().map_or(0, |leaf| leaf.records);
    // One record lies between every two children.
    let n_all = plan.n_records(records).saturating_add(1);
    let child_max = usize::try_from(below.total.saturating_add(1)).unwrap_or(usize::MAX);
    let n_children = n_all.div_ceil(child_max.max(1)).max(2);
    let mut node = Encoder::signed(*b"BTIN", 0);
    node.u8(plan.kind);
    let mut pointers = Encoder::new();
    let mut rest = records;
    for child in 0..n_children {
        let left = n_children.saturating_sub(child);
        let share = plan
            .n_records(rest)
            .saturating_add(1)
            .div_ceil(left)
            .saturating_sub(1);
        let record_bytes = usize::from(plan.record_bytes);
        let own_bytes = share.saturating_mul(record_bytes);
        let (own, after) = rest.split_at_checked(own_bytes).unwrap_or((rest, &[]));
        let child_depth = depth.saturating_sub(1);
        let (address, n_child) = write_node(plan, own, child_depth, capacities, sink)?;
        pointers.u64(address).uint(n_child as u64, width_of(leaf));
        if depth > 1 {
            pointers.uint(share as u64, width_of(below.total));
        }
        rest = after;
        if let Some((between, after)) = rest.split_at_checked(record_bytes) {
            node.put(between);
            rest = after;
        }
    }
    node.put(&pointers.into_bytes());
    Ok((
        sink.append(padded(node, node_bytes))?,
        n_children.saturating_sub(1),
    ))
}

/// The checksum follows the last record; the node is as long as every other.
fn padded(node: Encoder, node_bytes: usize) -> Vec<u8> {
    let mut bytes = node.checksummed();
    bytes.resize(node_bytes.max(bytes.len()), 0);
    bytes
}

#[cfg(test)]
mod tests;
