//! Dense storage, written: links or attributes in a fractal heap, found by the hash of their names.
//!
//! Source: HDF5 file format specification, III.A.2, records of types 5 (links) and 8 (attributes).

use crate::btree_v2::{self, TreePlan};
use crate::checksum::lookup3;
use crate::encoder::Encoder;
use crate::error::Result;
use crate::heap::fractal_write::{self, HeapPlan};
use crate::message::link::DenseStorage;
use crate::sink::Sink;

/// What is kept in dense storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    Links,
    Attributes,
}

/// A message to keep, with what finds it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<'a> {
    pub(crate) name: &'a str,
    pub(crate) creation_order: u64,
    pub(crate) bytes: &'a [u8],
}

/// Writes `entries`; with an index by their creation order where that is asked for.
pub(crate) fn write(
    kept: Kept,
    entries: &[Entry<'_>],
    is_order_indexed: bool,
    sink: &mut dyn Sink<'_>,
) -> Result<DenseStorage> {
    let (heap_plan, name_plan, order_plan) = match kept {
        Kept::Links => (HeapPlan::LINKS, TreePlan::LINK_NAMES, TreePlan::LINK_ORDERS),
        Kept::Attributes => (
            HeapPlan::ATTRIBUTES,
            TreePlan::ATTRIBUTE_NAMES,
            TreePlan::ATTRIBUTE_ORDERS,
        ),
    };
    let objects: Vec<_> = entries.iter().map(|entry| entry.bytes).collect();
    let heap = fractal_write::write(heap_plan, &objects, sink)?;
    let ids = heap.ids.chunks_exact(heap_plan.id_bytes());
    // Names of one hash follow each other in the order of the names themselves.
    let mut by_name: Vec<_> = entries
        .iter()
        .zip(ids)
        .map(|(entry, id)| (lookup3(entry.name.as_bytes()), entry.name, entry, id))
        .collect();
    by_name.sort_unstable_by_key(|(hash, name, ..)| (*hash, *name));
    let mut records = Encoder::new();
    for (hash, _, entry, id) in &by_name {
        match kept {
            Kept::Links => records.u32(*hash).put(id),
            // heap id, message flags, creation order, hash
            Kept::Attributes => records
                .put(id)
                .u8(0)
                .uint(entry.creation_order, 4)
                .u32(*hash),
        };
    }
    let names = btree_v2::write(name_plan, records.bytes(), sink)?;
    let mut orders = None;
    if is_order_indexed {
        by_name.sort_by_key(|(_, _, entry, _)| entry.creation_order);
        let mut records = Encoder::new();
        for (_, _, entry, id) in by_name {
            match kept {
                Kept::Links => records.u64(entry.creation_order).put(id),
                Kept::Attributes => records.put(id).u8(0).uint(entry.creation_order, 4),
            };
        }
        orders = Some(btree_v2::write(order_plan, records.bytes(), sink)?);
    }
    Ok(DenseStorage {
        heap: heap.address,
        names,
        orders,
    })
}
