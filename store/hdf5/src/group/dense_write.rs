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
    messages: &[(&str, Vec<u8>)],
    sink: &mut dyn Sink<'_>,
) -> Result<DenseStorage> {
    let plan = match kept {
        Kept::Links => HeapPlan::LINKS,
        Kept::Attributes => HeapPlan::ATTRIBUTES,
    };
    let objects: Vec<_> = messages.iter().map(|(_, bytes)| bytes.clone()).collect();
    let heap = fractal_write::write(plan, &objects, sink)?;
    // Names of one hash follow each other in the order of the names themselves.
    let mut entries: Vec<_> = messages
        .iter()
        .zip(&heap.ids)
        .map(|((name, _), id)| (lookup3(name.as_bytes()), *name, id))
        .collect();
    entries.sort_unstable();
    let records: Vec<_> = entries
        .iter()
        .map(|(hash, _, id)| record(kept, *hash, id))
        .collect();
    let plan = match kept {
        Kept::Links => TreePlan {
            kind: 5,
            record_bytes: 11,
        },
        Kept::Attributes => TreePlan {
            kind: 8,
            record_bytes: 17,
        },
    };
    let names = btree_v2::write(plan, &records, sink)?;
    Ok(DenseStorage {
        heap: heap.address,
        names,
    })
}

fn record(kept: Kept, hash: u32, id: &[u8]) -> Vec<u8> {
    let mut record = Encoder::new();
    match kept {
        Kept::Links => record.u32(hash).put(id),
        // heap id, message flags, creation order, hash
        Kept::Attributes => record.put(id).u8(0).u32(0).u32(hash),
    };
    record.into_bytes()
}
