//! A dataset's bytes out of wherever they are stored, into the caller's buffer.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::borrow::Cow;
use std::sync::Arc;

use rayon::prelude::*;

use super::{Dataset, KeptChunks};
use crate::chunk_index::{self, ChunkGrid, ChunkRef, ChunkTable};
use crate::data::READ_BYTES_MAX;
use crate::dataspace::Extent;
use crate::error::{Error, Result};
use crate::hyperslab::{self, ChunkPart, Hyperslab, Region};
use crate::message::layout::{ChunkedLayout, Layout};

/// How many bytes of chunks are decoded at once, at most (but for one chunk that is larger).
const BATCH_BYTES: u64 = 32 << 20;

/// A chunk that a part is wanted of.
struct Wanted {
    number: u64,
    chunk: ChunkRef,
    part: ChunkPart,
}

/// An unfiltered chunk.
enum Decoded<'a> {
    New(Cow<'a, [u8]>),
    Kept(Arc<Vec<u8>>),
}

impl Decoded<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::New(bytes) => bytes,
            Self::Kept(bytes) => bytes,
        }
    }

    fn kept(self) -> Arc<Vec<u8>> {
        match self {
            Self::New(bytes) => Arc::new(bytes.into_owned()),
            Self::Kept(bytes) => bytes,
        }
    }
}

/// How many bytes of chunks a dataset keeps that only a part was taken of.
const KEPT_BYTES_MAX: u64 = 16 << 20;

impl Dataset {
    /// Reads the selected values' bytes into `to`, whose length has been checked.
    pub(crate) fn read_raw(&self, slab: &Hyperslab, to: &mut [u8]) -> Result<()> {
        if to.is_empty() || *self.extent() == Extent::Null {
            return Ok(());
        }
        if self.description.external {
            return Err(Error::not_supported("values in external files"));
        }
        match &self.description.layout {
            Layout::Compact {
                offset_bytes,
                bytes,
            } => {
                let all = self.all_bytes()?;
                match usize::try_from(all).ok().and_then(|all| bytes.get(..all)) {
                    Some(bytes) => {
                        self.copy_box(slab, bytes, to);
                        Ok(())
                    }
                    None => Err(Error::Truncated {
                        structure: "compact dataset",
                        offset_bytes: *offset_bytes,
                        needed_bytes: all,
                        found_bytes: bytes.len() as u64,
                    }),
                }
            }
            Layout::Contiguous { address: None, .. } => {
                self.description.fill(to);
                Ok(())
            }
            Layout::Contiguous {
                address: Some(address),
                len_bytes,
            } => self.read_contiguous(slab, *address, *len_bytes, to),
            Layout::Chunked(layout) => self.read_chunked(slab, layout, to),
            Layout::Virtual => Err(Error::not_supported("a virtual dataset")),
        }
    }

    /// The selection in the grid of the whole dataset, and in a buffer of its own.
    fn regions(&self, slab: &Hyperslab) -> (Region, Region) {
        let (start, stride) = (slab.start.clone(), slab.stride.clone());
        let from = Region {
            shape: self.shape().to_vec(),
            start,
            stride,
        };
        let all = Hyperslab::all(&slab.count);
        (
            from,
            Region {
                shape: slab.count.clone(),
                start: all.start,
                stride: all.stride,
            },
        )
    }

    fn copy_box(&self, slab: &Hyperslab, bytes: &[u8], to: &mut [u8]) {
        let (from, own) = self.regions(slab);
        let element_bytes = self.datatype().size_bytes().into();
        hyperslab::copy((bytes, &from), (to, &own), &slab.count, element_bytes);
    }

    fn read_contiguous(
        &self,
        slab: &Hyperslab,
        address: u64,
        len_bytes: Option<u64>,
        to: &mut [u8],
    ) -> Result<()> {
        let name = "contiguous dataset";
        let all = self.all_bytes()?;
        if len_bytes.is_some_and(|len| len < all) {
            let (offset_bytes, found_bytes) = (address, len_bytes.unwrap_or(0));
            return Err(Error::Truncated {
                structure: name,
                offset_bytes,
                needed_bytes: all,
                found_bytes,
            });
        }
        let (from, own) = self.regions(slab);
        let element_bytes = u64::from(self.datatype().size_bytes());
        hyperslab::for_each_run(&from, &own, &slab.count, &mut |from, own, run| {
            let place = from.saturating_mul(element_bytes).saturating_add(address);
            let start = usize::try_from(own.saturating_mul(element_bytes)).unwrap_or(usize::MAX);
            let len = usize::try_from(run.saturating_mul(element_bytes)).unwrap_or(usize::MAX);
            let to = to.get_mut(start..).and_then(|to| to.get_mut(..len));
            self.source.read_into(name, place, to.unwrap_or_default())
        })
    }

    /// The chunk index, read at its first use.
    pub(crate) fn chunk_table(&self) -> Result<Arc<(ChunkGrid, ChunkTable)>> {
        if let Some(chunks) = self.chunks.get() {
            return Ok(Arc::clone(chunks));
        }
        let Layout::Chunked(layout) = &self.description.layout else {
            return Err(Error::Request {
                what: "the layout",
                rule: "chunked",
                found: 0,
            });
        };
        let grid = self.description.grid(layout)?;
        let table = chunk_index::read(&self.source, layout, self.extent(), &grid)?;
        Ok(Arc::clone(
            self.chunks.get_or_init(|| Arc::new((grid, table))),
        ))
    }

    fn read_chunked(&self, slab: &Hyperslab, layout: &ChunkedLayout, to: &mut [u8]) -> Result<()> {
        self.description.pipeline.check_supported()?;
        if layout.chunk_bytes() > READ_BYTES_MAX {
            let (structure, limit) = ("chunk", READ_BYTES_MAX);
            let asked = layout.chunk_bytes();
            return Err(Error::Limit {
                structure,
                offset_bytes: self.address(),
                asked,
                limit,
            });
        }
        let chunks = self.chunk_table()?;
        let (grid, table) = (&chunks.0, &chunks.1);
        if (table.entries().len() as u64) < grid.n_chunks() {
            self.description.fill(to);
        }
        let batch_max = BATCH_BYTES
            .checked_div(layout.chunk_bytes())
            .unwrap_or(1)
            .max(1);
        let mut batch = Vec::new();
        let mut take = |part: ChunkPart, to: &mut [u8]| {
            self.source.note_work(0);
            let number = grid.number(&part.coordinates);
            let Some((number, chunk)) = number.and_then(|n| Some((n, table.get(n)?))) else {
                return Ok(());
            };
            if self.description.pipeline.is_empty() {
                return self.copy_unfiltered(layout, chunk, &part, to);
            }
            batch.push(Wanted {
                number,
                chunk,
                part,
            });
            if batch.len() as u64 >= batch_max {
                self.flush(layout, &mut batch, to)
            } else {
                Ok(())
            }
        };
        // Of few chunks in a grid of many each is looked for in the selection, and not each of the grid.
        if (table.entries().len() as u64) < hyperslab::n_chunks(slab, &layout.chunk_shape) {
            for (number, _) in table.entries() {
                let coordinates = grid.coordinates(*number);
                if let Some(part) = hyperslab::part_of(slab, &layout.chunk_shape, &coordinates) {
                    take(part, to)?;
                }
            }
        } else {
            hyperslab::for_each_chunk(slab, &layout.chunk_shape, &mut |part| take(part, to))?;
        }
        self.flush(layout, &mut batch, to)
    }

    /// Decodes the wanted chunks and takes the wanted parts of them. What is left of a chunk is most
    /// often wanted next: those that no more than a part was taken of are kept until then.
    fn flush(&self, layout: &ChunkedLayout, batch: &mut Vec<Wanted>, to: &mut [u8]) -> Result<()> {
        let kept = match self.kept.lock() {
            Ok(kept) => kept.clone(),
            Err(_) => KeptChunks::default(),
        };
        let decode = |wanted: Wanted| {
            if let Some(bytes) = kept.get(&wanted.number) {
                return Ok((Decoded::Kept(Arc::clone(bytes)), wanted));
            }
            let coordinates = &wanted.part.coordinates;
            let bytes = self.decode_chunk(layout, coordinates, wanted.chunk)?;
            Ok((Decoded::New(bytes), wanted))
        };
        let element_bytes = self.datatype().size_bytes().into();
        let batch = std::mem::take(batch);
        let decoded: Vec<_> = if batch.len() == 1 {
            batch.into_iter().map(decode).collect::<Result<_>>()?
        } else {
            batch.into_par_iter().map(decode).collect::<Result<_>>()?
        };
        let (mut left, mut left_bytes) = (KeptChunks::default(), KEPT_BYTES_MAX);
        for (bytes, wanted) in decoded {
            let part = &wanted.part;
            hyperslab::copy(
                (bytes.bytes(), &part.in_chunk),
                (to, &part.in_slab),
                &part.count,
                element_bytes,
            );
            let is_used_up = self.is_all_of_chunk(layout, part);
            if !is_used_up && layout.chunk_bytes() <= left_bytes {
                left_bytes = left_bytes.saturating_sub(layout.chunk_bytes());
                left.insert(wanted.number, bytes.kept());
            }
        }
        if let (false, Ok(mut kept)) = (left.is_empty(), self.kept.lock()) {
            *kept = left;
        }
        Ok(())
    }

    /// Whether a part is all of its chunk that lies in the dataset.
    fn is_all_of_chunk(&self, layout: &ChunkedLayout, part: &ChunkPart) -> bool {
        let chunks = part.coordinates.iter().zip(&layout.chunk_shape);
        chunks
            .zip(self.shape())
            .zip(&part.count)
            .all(|(((coordinate, chunk), len), count)| {
                let first = coordinate.saturating_mul(*chunk);
                *count >= len.saturating_sub(first).min(*chunk)
            })
    }

    /// The unfiltered bytes of a chunk.
    pub(crate) fn decode_chunk(
        &self,
        layout: &ChunkedLayout,
        coordinates: &[u64],
        chunk: ChunkRef,
    ) -> Result<Cow<'_, [u8]>> {
        let bytes = self.source.read("chunk", chunk.address, chunk.len_bytes)?;
        let n_filters = self.description.pipeline.entries.len() as u64;
        self.source
            .note_work(layout.chunk_bytes().saturating_mul(n_filters));
        let chunk_bytes = usize::try_from(layout.chunk_bytes()).unwrap_or(usize::MAX);
        let mask = if layout.edges_unfiltered && self.description.reaches_over(layout, coordinates)
        {
            u32::MAX
        } else {
            chunk.mask
        };
        self.description
            .pipeline
            .decode(bytes, mask, chunk_bytes, chunk.address)
    }

    /// Copies the selected part of a chunk straight from where it is.
    fn copy_unfiltered(
        &self,
        layout: &ChunkedLayout,
        chunk: ChunkRef,
        part: &ChunkPart,
        to: &mut [u8],
    ) -> Result<()> {
        let element_bytes = u64::from(self.datatype().size_bytes());
        if let Some(bytes) = self.source.in_place(chunk.address, layout.chunk_bytes()) {
            let n = part
                .count
                .iter()
                .fold(element_bytes, |n, len| n.saturating_mul(*len));
            self.source.note_work(n);
            hyperslab::copy(
                (bytes, &part.in_chunk),
                (to, &part.in_slab),
                &part.count,
                element_bytes,
            );
            return Ok(());
        }
        hyperslab::for_each_run(
            &part.in_chunk,
            &part.in_slab,
            &part.count,
            &mut |from, own, run| {
                let place = from
                    .saturating_mul(element_bytes)
                    .saturating_add(chunk.address);
                let start =
                    usize::try_from(own.saturating_mul(element_bytes)).unwrap_or(usize::MAX);
                let len = usize::try_from(run.saturating_mul(element_bytes)).unwrap_or(usize::MAX);
                let to = to.get_mut(start..).and_then(|to| to.get_mut(..len));
                self.source
                    .read_into("chunk", place, to.unwrap_or_default())
            },
        )
    }
}
