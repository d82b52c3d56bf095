//! Rows added behind the last one of a dataset: one at a time, or many.

use std::borrow::Cow;

use super::dataset::Values;
use super::{Editor, Node, NodeId};
use crate::chunk_index::ChunkRef;
use crate::dataspace::{Extent, product};
use crate::error::{Error, Result};
use crate::hyperslab::Hyperslab;

/// Rows on their way into a dataset.
#[derive(Clone, Copy)]
struct NewRows<'b> {
    /// How many there are before them.
    n_old: u64,
    n_new: u64,
    bytes: &'b [u8],
}

impl NewRows<'_> {
    fn end(self) -> u64 {
        self.n_old.saturating_add(self.n_new)
    }
}

impl Editor<'_> {
    /// How many rows `n_bytes` more bytes are behind those that are there.
    fn count_rows(&self, id: NodeId, n_bytes: u64) -> Result<(u64, u64)> {
        let dataset = self.dataset_ref(id)?;
        let shape = dataset.extent.shape();
        let (Some(n_old), Some(inner)) = (shape.first().copied(), shape.get(1..)) else {
            let (what, rule) = ("the rank of a dataset that grows", "at least 1");
            return Err(Error::Request {
                what,
                rule,
                found: 0,
            });
        };
        let row_bytes = product(inner)
            .and_then(|n| n.checked_mul(dataset.datatype.size_bytes().into()))
            .filter(|bytes| *bytes > 0)
            .ok_or(Error::Request {
                what: "a row",
                rule: "at least one element",
                found: 0,
            })?;
        if !n_bytes.is_multiple_of(row_bytes) {
            let (what, rule) = ("what is appended", "whole rows");
            return Err(Error::Request {
                what,
                rule,
                found: n_bytes,
            });
        }
        Ok((n_old, n_bytes / row_bytes))
    }

    /// Refuses rows of `n_bytes` bytes that cannot be added; where they would lie.
    pub(super) fn check_append(&self, id: NodeId, n_bytes: u64) -> Result<Hyperslab> {
        let (n_old, n_new) = self.count_rows(id, n_bytes)?;
        let dataset = self.dataset_ref(id)?;
        let mut grown = dataset.extent.shape().to_vec();
        grown[0] = n_old.saturating_add(n_new);
        dataset.resized(&grown)?;
        let slab = Hyperslab::rows(&grown, n_old, n_new);
        dataset.check_writable(&slab)?;
        Ok(slab)
    }

    /// Adds rows behind the last one.
    pub(super) fn append_rows(&mut self, id: NodeId, bytes: &[u8]) -> Result<()> {
        let (n_old, n_new) = self.count_rows(id, bytes.len() as u64)?;
        let rows = NewRows {
            n_old,
            n_new,
            bytes,
        };
        let unfiltered = self.dataset_ref(id)?.pipeline.is_empty();
        if !self.append_to_open_chunk(id, rows) {
            let slab = self.check_append(id, bytes.len() as u64)?;
            if bytes.is_empty() {
                return Ok(());
            }
            let mut grown = self.dataset_ref(id)?.extent.shape().to_vec();
            grown[0] = rows.end();
            let before = self.dataset_ref(id)?.extent.clone();
            self.resize_node(id, &grown)?;
            // Complete chunks are taken straight from the caller's rows, the rest is copied.
            let written = self.write_parts(id, &slab, bytes, &|bytes| Cow::Owned(bytes.to_vec()));
            if let Err(error) = written {
                // Of a chunk that cannot be read there are no more rows than before.
                self.dataset_mut(id)?.extent = before;
                return Err(error);
            }
        }
        // Filters are worth waiting for: many chunks at once go through them in parallel.
        if unfiltered {
            self.write_complete_chunks(id, n_old, rows.end())?;
        }
        Ok(())
    }

    /// The short way for few rows: where chunks are as wide as rows, and the last one waits in
    /// memory and has room. Whether it was one.
    fn append_to_open_chunk(&mut self, id: NodeId, rows: NewRows<'_>) -> bool {
        let Some(Node::Dataset(dataset)) = self.nodes.get_mut(id) else {
            return false;
        };
        let (Extent::Simple { shape, max_shape }, Values::Chunked(chunks)) =
            (&mut dataset.extent, &mut dataset.values)
        else {
            return false;
        };
        if rows.bytes.is_empty() {
            return false;
        }
        let is_wide = shape.get(1..) == chunks.shape.get(1..)
            && shape
                .iter()
                .zip(&*max_shape)
                .skip(1)
                .all(|(len, max)| *max == Some(*len));
        let may_grow = max_shape.first() == Some(&None);
        let rows_chunk = chunks.shape.first().copied().unwrap_or(1).max(1);
        let first = rows.n_old % rows_chunk;
        if !is_wide || !may_grow || first + rows.n_new > rows_chunk {
            return false;
        }
        // With one chunk to a row of chunks, positions count rows of chunks.
        let Some(chunk) = chunks.open.get_mut(&(rows.n_old / rows_chunk)) else {
            return false;
        };
        let row_bytes = chunk.len() as u64 / rows_chunk;
        let start = usize::try_from(first * row_bytes).unwrap_or(usize::MAX);
        let to = chunk
            .get_mut(start..)
            .and_then(|to| to.get_mut(..rows.bytes.len()));
        let Some(to) = to else {
            return false;
        };
        to.copy_from_slice(rows.bytes);
        shape[0] = rows.end();
        dataset.written.changed = true;
        true
    }

    /// Writes the chunks that wait in memory and that rows `from` to `to` have completed.
    fn write_complete_chunks(&mut self, id: NodeId, from: u64, to: u64) -> Result<()> {
        let chunks = self.dataset_chunks(id)?;
        let rows = chunks.shape.first().copied().unwrap_or(1).max(1);
        let (first, end) = (from / rows, to / rows);
        if first == end {
            return Ok(());
        }
        let grid = self.dataset_ref(id)?.grid()?;
        let is_complete = |position: u64| {
            let number = grid.number_at(position);
            let row = number.and_then(|number| grid.coordinates(number).first().copied());
            row.is_some_and(|row| (first..end).contains(&row))
        };
        let chunks = self.dataset_chunks(id)?;
        let complete = chunks.open.keys().copied().filter(|at| is_complete(*at));
        for position in complete.collect::<Vec<_>>() {
            self.write_open_chunk(id, position)?;
        }
        Ok(())
    }

    /// Writes an unfiltered chunk that waits in memory; its buffer serves the next one.
    fn write_open_chunk(&mut self, id: NodeId, position: u64) -> Result<()> {
        let Some(chunk) = self.dataset_chunks(id)?.open.remove(&position) else {
            return Ok(());
        };
        self.open_bytes -= chunk.len() as u64;
        let alignment = self.dataset_ref(id)?.alignment_bytes;
        let address = self.target.sink().put_copy(&chunk, alignment)?;
        let written = ChunkRef {
            address,
            len_bytes: chunk.len() as u64,
            mask: 0,
        };
        if let Some(replaced) = self.dataset_chunks(id)?.set(position, written)? {
            self.bury(replaced.len_bytes);
        }
        self.spare_chunk = chunk;
        Ok(())
    }
}
