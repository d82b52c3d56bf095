//! Chunks found by a B-tree of either version.
//!
//! Source: HDF5 file format specification, III.A.1 (node type 1), III.A.2 (records of types 10
//! and 11).
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use super::{ChunkRef, EntryReader};
use crate::btree_v1::{NodeKind, for_each_leaf};
use crate::btree_v2::BtreeV2;
use crate::dataspace::Extent;
use crate::error::Result;
use crate::message::layout::ChunkedLayout;

pub(super) fn read_v1(
    reader: &mut EntryReader<'_>,
    layout: &ChunkedLayout,
    extent: &Extent,
    address: u64,
) -> Result<u64> {
    let rank = extent.shape().len();
    let source = reader.source;
    for_each_leaf(
        source,
        address,
        NodeKind::Chunks { rank },
        &mut |mut key, address| {
            let (len_bytes, mask) = (u64::from(key.u32()?), key.u32()?);
            let mut coordinates = Vec::with_capacity(rank);
            for chunk_len in &layout.chunk_shape {
                let offset = key.u64()?;
                match (
                    offset.checked_rem(*chunk_len),
                    offset.checked_div(*chunk_len),
                ) {
                    (Some(0), Some(coordinate)) => coordinates.push(coordinate),
                    _ => {
                        return Err(
                            key.corrupt("an offset that is a multiple of the chunk", offset)
                        );
                    }
                }
            }
            match reader.grid.number(&coordinates) {
                Some(number) => reader.keep(
                    &key,
                    number,
                    ChunkRef {
                        address,
                        len_bytes,
                        mask,
                    },
                ),
                None => Ok(()),
            }
        },
    )
}

pub(super) fn read_v2(reader: &mut EntryReader<'_>, extent: &Extent, address: u64) -> Result<u64> {
    let source = reader.source;
    let rank = extent.shape().len();
    let tree = BtreeV2::read(source, address)?;
    let kind = tree.kind();
    let filtered = kind == 11;
    let (records, storage_bytes) = tree.records_and_bytes(if filtered { 11 } else { 10 })?;
    let coordinate_bytes = rank.saturating_mul(8);
    for record in &records {
        let mut cursor = source.cursor("chunk record", address, record);
        let chunk_address = cursor.defined_address()?;
        let (mut len_bytes, mut mask) = (reader.chunk_bytes, 0);
        if filtered {
            let rest = cursor
                .remaining()
                .saturating_sub(coordinate_bytes)
                .saturating_sub(4);
            (len_bytes, mask) = (cursor.uint(rest)?, cursor.u32()?);
        }
        let coordinates = (0..rank)
            .map(|_| cursor.u64())
            .collect::<Result<Vec<_>>>()?;
        if let Some(number) = reader.grid.number(&coordinates) {
            let chunk = ChunkRef {
                address: chunk_address,
                len_bytes,
                mask,
            };
            reader.keep(&cursor, number, chunk)?;
        }
    }
    Ok(storage_bytes)
}
