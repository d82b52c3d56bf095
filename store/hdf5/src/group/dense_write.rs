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

/// Writes `messages`, each with its name.
pub(crate) fn write(
    kept: Kept,
    messages: &[(&str, &[u8])],
    sink: &mut dyn Sink<'_>,
) -> Result<DenseStorage> {
    let (heap_plan, tree_plan) = match kept {
        Kept::Links => (HeapPlan::LINKS, TreePlan::LINK_NAMES),
        Kept::Attributes => (HeapPlan::ATTRIBUTES, TreePlan::ATTRIBUTE_NAMES),
    };
    let objects: Vec<_> = messages.iter().map(|(_, bytes)| *bytes).collect();
    let heap = fractal_write::write(heap_plan, &objects, sink)?;
    // Names of one hash follow each other in the order of the names themselves.
    let mut entries: Vec<_> = messages
        .iter()
        .zip(heap.ids.chunks_exact(heap_plan.id_bytes()))
        .map(|((name, _), id)| (lookup3(name.as_bytes()), *name, id))
        .collect();
    entries.sort_unstable();
    let mut records = Encoder::new();
    for (hash, _, id) in entries {
        match kept {
            Kept::Links => records.u32(hash).put(id),
            // heap id, message flags, creation order, hash
            Kept::Attributes => records.put(id).u8(0).u32(0).u32(hash),
        };
    }
    let names = btree_v2::write(tree_plan, records.bytes(), sink)?;
    Ok(DenseStorage {
        heap: heap.address,
        names,
    })
}
