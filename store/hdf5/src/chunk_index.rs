//! Where each chunk of a dataset is: the six indexes of the format, read into one table.
//!
//! Source: HDF5 file format specification, VII "Appendix C: Types of Indexes for Dataset Chunks".
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

pub(crate) mod btree;
pub(crate) mod extensible_array;
pub(crate) mod fixed_array;

use crate::cursor::Cursor;
use crate::dataspace::{Extent, product};
use crate::encoder::{Encoder, UNDEFINED};
use crate::error::{Error, Result};
use crate::message::layout::{ChunkedLayout, IndexKind};
use crate::source::{Budget, Source};

/// Where a chunk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChunkRef {
    pub(crate) address: u64,
    /// How long it is on disk.
    pub(crate) len_bytes: u64,
    /// The filters that were left out: bit n stands for the nth.
    pub(crate) mask: u32,
}

/// The most chunks of one dataset that are written: where they are is kept in memory, which takes
/// 512 MiB then, and is written whole.
pub(crate) const CHUNKS_MAX: u64 = 1 << 24;

/// Refuses a dataset whose chunks could not all be found by a written index.
pub(crate) fn check_room(extent: &Extent, chunk_shape: &[u64]) -> Result<()> {
    let maxima = extent.max_shape().iter().zip(chunk_shape);
    let limited: Vec<_> = maxima
        .filter_map(|(max, chunk)| max.map(|max| max.div_ceil((*chunk).max(1))))
        .collect();
    let found = product(&limited).unwrap_or(u64::MAX);
    if found <= CHUNKS_MAX {
        return Ok(());
    }
    let rule = if limited.len() == chunk_shape.len() {
        "at most 16,777,216 where no dimension is unlimited: give larger chunks"
    } else {
        "at most 16,777,216 at each step along the unlimited dimension: give larger chunks"
    };
    let what = "the greatest number of chunks";
    Err(Error::Request { what, rule, found })
}

/// How the chunks of a dataset lie beside each other, and how the indexes count them.
///
/// A chunk's *number* counts the chunks of the present extent in C order. Its *position* is what
/// arrays count: the chunks of the greatest extent in C order, the unlimited dimension outermost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChunkGrid {
    /// How many chunks there are along each dimension.
    pub(crate) counts: Vec<u64>,
    /// The dimensions, slowest first, as positions count them.
    order: Vec<usize>,
    /// How many positions a step along each dimension of `order` takes.
    strides: Vec<u64>,
    /// How many positions there can be; none without limit.
    n_positions_max: Option<u64>,
}

impl ChunkGrid {
    /// None where the numbers are too large to be counted.
    pub(crate) fn new(extent: &Extent, chunk_shape: &[u64]) -> Option<Self> {
        let counts: Vec<_> = extent
            .shape()
            .iter()
            .zip(chunk_shape)
            .map(|(len, chunk)| len.div_ceil(*chunk))
            .collect();
        product(&counts)?;
        let maxima: Vec<_> = extent
            .max_shape()
            .iter()
            .zip(chunk_shape)
            .map(|(max, chunk)| max.map(|max| max.div_ceil(*chunk)))
            .collect();
        let mut order: Vec<_> = (0..counts.len()).collect();
        let mut unlimited = order
            .iter()
            .copied()
            .filter(|dim| maxima.get(*dim) == Some(&None));
        if let (Some(dim), None) = (unlimited.next(), unlimited.next()) {
            order.sort_by_key(|other| *other != dim);
        }
        let mut strides = vec![1_u64; order.len()];
        let mut stride = Some(1_u64);
        for (place, dim) in order.iter().enumerate().rev() {
            *strides.get_mut(place)? = stride?;
            let max = maxima.get(*dim).copied().flatten();
            stride = max.and_then(|max| stride?.checked_mul(max));
            if place > 0 {
                // Only B-trees index more than one unlimited dimension, and they use no positions.
                stride = stride.or(Some(0));
            }
        }
        Some(Self {
            counts,
            order,
            strides,
            n_positions_max: stride,
        })
    }

    /// How many chunks there are now.
    pub(crate) fn n_chunks(&self) -> u64 {
        product(&self.counts).unwrap_or(u64::MAX)
    }

    pub(crate) fn n_positions_max(&self) -> Option<u64> {
        self.n_positions_max
    }

    /// The number of the chunk at these coordinates, where it is within the extent.
    pub(crate) fn number(&self, coordinates: &[u64]) -> Option<u64> {
        let mut number = 0_u64;
        for (coordinate, count) in coordinates.iter().zip(&self.counts) {
            if coordinate >= count {
                return None;
            }
            number = number.checked_mul(*count)?.checked_add(*coordinate)?;
        }
        Some(number)
    }

    pub(crate) fn coordinates(&self, number: u64) -> Vec<u64> {
        let mut rest = number;
        let mut coordinates = vec![0; self.counts.len()];
        for (coordinate, count) in coordinates.iter_mut().zip(&self.counts).rev() {
            *coordinate = rest.checked_rem(*count).unwrap_or(0);
            rest = rest.checked_div(*count).unwrap_or(0);
        }
        coordinates
    }

    /// The number of the chunk at a position, where it is within the extent.
    pub(crate) fn number_at(&self, position: u64) -> Option<u64> {
        let mut rest = position;
        let mut coordinates = vec![0; self.counts.len()];
        for (dim, stride) in self.order.iter().zip(&self.strides) {
            *coordinates.get_mut(*dim)? = rest.checked_div(*stride)?;
            rest = rest.checked_rem(*stride)?;
        }
        self.number(&coordinates)
    }

    /// The position of a chunk.
    pub(crate) fn position(&self, number: u64) -> u64 {
        self.position_of(&self.coordinates(number))
    }

    /// The position of the chunk at these coordinates, within the greatest extent.
    pub(crate) fn position_of(&self, coordinates: &[u64]) -> u64 {
        let steps = self.order.iter().zip(&self.strides).map(|(dim, stride)| {
            coordinates
                .get(*dim)
                .copied()
                .unwrap_or_default()
                .saturating_mul(*stride)
        });
        steps.fold(0, u64::saturating_add)
    }
}

/// The chunks that are in the file, by number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ChunkTable {
    entries: Vec<(u64, ChunkRef)>,
    /// How many bytes of the file the index takes.
    pub(crate) index_bytes: u64,
}

impl ChunkTable {
    pub(crate) fn get(&self, number: u64) -> Option<ChunkRef> {
        let place = self
            .entries
            .binary_search_by_key(&number, |entry| entry.0)
            .ok()?;
        self.entries.get(place).map(|entry| entry.1)
    }

    pub(crate) fn entries(&self) -> &[(u64, ChunkRef)] {
        &self.entries
    }
}

/// What index entries look like, and how many there may be.
#[derive(Debug)]
pub(crate) struct EntryReader<'a> {
    source: &'a Source,
    grid: &'a ChunkGrid,
    chunk_bytes: u64,
    entries: Vec<(u64, ChunkRef)>,
}

impl EntryReader<'_> {
    /// Takes one entry of an array, of `entry_bytes`, and keeps it where a chunk is there.
    fn take(
        &mut self,
        cursor: &mut Cursor<'_>,
        filtered: bool,
        entry_bytes: u8,
        position: u64,
    ) -> Result<()> {
        let address = cursor.address()?;
        let (mut len_bytes, mut mask) = (self.chunk_bytes, 0);
        if filtered {
            let offset_bytes = self.source.sizes().offset_bytes;
            let width = entry_bytes.saturating_sub(offset_bytes).saturating_sub(4);
            (len_bytes, mask) = (cursor.uint(width.into())?, cursor.u32()?);
        }
        let Some(address) = address else {
            return Ok(());
        };
        if let Some(number) = self.grid.number_at(position) {
            self.keep(
                cursor,
                number,
                ChunkRef {
                    address,
                    len_bytes,
                    mask,
                },
            )?;
        }
        Ok(())
    }

    fn keep(&mut self, cursor: &Cursor<'_>, number: u64, chunk: ChunkRef) -> Result<()> {
        // Each entry takes more than one byte of the file, unless blocks are shared in error.
        if self.entries.len() as u64 >= self.source.end() {
            return Err(cursor.corrupt("no more chunks than the file has bytes", number));
        }
        self.entries.push((number, chunk));
        Ok(())
    }
}

/// Reads the index of a dataset of this layout and extent.
pub(crate) fn read(
    source: &Source,
    layout: &ChunkedLayout,
    extent: &Extent,
    grid: &ChunkGrid,
) -> Result<ChunkTable> {
    let Some(address) = layout.address else {
        return Ok(ChunkTable::default());
    };
    if grid.n_chunks() == 0 {
        return Ok(ChunkTable::default());
    }
    let chunk_bytes = layout.chunk_bytes();
    let mut reader = EntryReader {
        source,
        grid,
        chunk_bytes,
        entries: Vec::new(),
    };
    let index_bytes = match &layout.index {
        IndexKind::Single { filtered } => {
            let (len_bytes, mask) = filtered.unwrap_or((chunk_bytes, 0));
            reader.entries.push((
                0,
                ChunkRef {
                    address,
                    len_bytes,
                    mask,
                },
            ));
            0
        }
        IndexKind::Implicit => read_implicit(&mut reader, address)?,
        IndexKind::FixedArray => fixed_array::read(&mut reader, address)?,
        IndexKind::ExtensibleArray => extensible_array::read(&mut reader, address)?,
        IndexKind::BtreeV1 => btree::read_v1(&mut reader, layout, extent, address)?,
        IndexKind::BtreeV2 => btree::read_v2(&mut reader, extent, address)?,
    };
    let mut entries = reader.entries;
    entries.sort_by_key(|entry| entry.0);
    entries.dedup_by_key(|entry| entry.0);
    let mut budget = Budget::of(source);
    for (_, chunk) in &entries {
        budget.take("chunks", chunk.address, chunk.len_bytes)?;
    }
    Ok(ChunkTable {
        entries,
        index_bytes,
    })
}

/// The chunks lie one behind the other, every one of the greatest extent.
fn read_implicit(reader: &mut EntryReader<'_>, address: u64) -> Result<u64> {
    let cursor = reader.source.cursor("implicit chunk index", address, &[]);
    for number in 0..reader.grid.n_chunks() {
        let position = reader.grid.position(number);
        let place = position
            .checked_mul(reader.chunk_bytes)
            .and_then(|n| n.checked_add(address));
        let Some(address) = place.filter(|place| *place < reader.source.end()) else {
            return Err(cursor.corrupt("chunks within the file", position));
        };
        reader.keep(
            &cursor,
            number,
            ChunkRef {
                address,
                len_bytes: reader.chunk_bytes,
                mask: 0,
            },
        )?;
    }
    Ok(0)
}

/// How entries of the written arrays look: client 0 without filters, client 1 with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EntryPlan {
    /// How wide the field for a filtered chunk's size is; none without filters.
    pub(crate) size_width: Option<u8>,
}

impl EntryPlan {
    fn client(self) -> u8 {
        self.size_width.is_some().into()
    }

    fn entry_bytes(self) -> u8 {
        self.size_width.map_or(8, |width| width.saturating_add(12))
    }

    fn put(self, encoder: &mut Encoder, chunk: Option<&ChunkRef>) {
        encoder.u64(chunk.map_or(UNDEFINED, |chunk| chunk.address));
        if let Some(width) = self.size_width {
            encoder.uint(chunk.map_or(0, |chunk| chunk.len_bytes), width);
            encoder.u32(chunk.map_or(0, |chunk| chunk.mask));
        }
    }
}

/// The chunks to write, by position.
pub(crate) type Positions = [Option<ChunkRef>];

fn too_many(structure: &'static str, asked: u64, limit: u64) -> Error {
    Error::Limit {
        structure,
        offset_bytes: 0,
        asked,
        limit,
    }
}

#[cfg(test)]
mod tests;
