//! A dataset's bytes out of wherever they are stored, into the caller's buffer.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::borrow::Cow;
use std::sync::Arc;

use rayon::prelude::*;

use super::Dataset;
use crate::chunk_index::{self, ChunkGrid, ChunkRef, ChunkTable};
use crate::data::READ_BYTES_MAX;
use crate::dataspace::Extent;
use crate::error::{Error, Result};
use crate::hyperslab::{self, ChunkPart, Hyperslab, Region};
use crate::message::layout::{ChunkedLayout, Layout};

/// How many bytes of chunks are decoded at once, at most (but for one chunk that is larger).
const BATCH_BYTES: u64 = 32 << 20;

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
        hyperslab::for_each_chunk(slab, &layout.chunk_shape, &mut |part| {
            let number = grid.number(&part.coordinates);
            let Some(chunk) = number.and_then(|number| table.get(number)) else {
                return Ok(());
            };
            if self.description.pipeline.is_empty() {
                return self.copy_unfiltered(layout, chunk, &part, to);
            }
            batch.push((chunk, part));
            if batch.len() as u64 >= batch_max {
                self.flush(layout, &mut batch, to)
            } else {
                Ok(())
            }
        })?;
        self.flush(layout, &mut batch, to)
    }

    fn flush(
        &self,
        layout: &ChunkedLayout,
        batch: &mut Vec<(ChunkRef, ChunkPart)>,
        to: &mut [u8],
    ) -> Result<()> {
        let decode = |(chunk, part): (ChunkRef, ChunkPart)| {
            self.decode_chunk(layout, &part.coordinates, chunk)
                .map(|bytes| (bytes, part))
        };
        let element_bytes = self.datatype().size_bytes().into();
        let batch = std::mem::take(batch);
        let decoded: Vec<_> = if batch.len() == 1 {
            batch.into_iter().map(decode).collect::<Result<_>>()?
        } else {
            batch.into_par_iter().map(decode).collect::<Result<_>>()?
        };
        for (bytes, part) in decoded {
            hyperslab::copy(
                (&bytes, &part.in_chunk),
                (to, &part.in_slab),
                &part.count,
                element_bytes,
            );
        }
        Ok(())
    }

    /// The unfiltered bytes of a chunk.
    pub(crate) fn decode_chunk(
        &self,
        layout: &ChunkedLayout,
        coordinates: &[u64],
        chunk: ChunkRef,
    ) -> Result<Cow<'_, [u8]>> {
        let bytes = self.source.read("chunk", chunk.address, chunk.len_bytes)?;
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
