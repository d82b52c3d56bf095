//! Values on their way into a dataset: cut into chunks, filtered in parallel, written in order.

use std::borrow::Cow;

use rayon::prelude::*;

use super::Target;
use super::dataset::{Chunks, Values};
use super::{Editor, Node, NodeId};
use crate::chunk_index::ChunkRef;
use crate::dataspace::Extent;
use crate::datatype::{Datatype, VLEN_BYTES};
use crate::error::{Error, Result};
use crate::filter::Pipeline;
use crate::hyperslab::{self, ChunkPart, Hyperslab, Region};

/// How many bytes of chunks may wait in memory before they are written.
const OPEN_BYTES_MAX: u64 = 64 << 20;
/// How many bytes of chunks are filtered at once.
const BATCH_BYTES: u64 = 32 << 20;

/// A chunk to write, unfiltered.
type Pending<'a> = (u64, Cow<'a, [u8]>);

impl<'a> Editor<'a> {
    /// Refuses strings that the dataset cannot hold; how many bytes of references they take.
    pub(super) fn check_strings<S: AsRef<str>>(&self, id: NodeId, values: &[S]) -> Result<u64> {
        match &self.dataset_ref(id)?.datatype {
            Datatype::VlenString { .. } => {}
            _ => return Err(self.wrong_type(id, "text")),
        }
        if let Some(value) = values.iter().find(|value| value.as_ref().contains('\0')) {
            let found = value.as_ref().len() as u64;
            return Err(Error::Request {
                what: "a string",
                rule: "without NUL",
                found,
            });
        }
        Ok(values.len() as u64 * u64::from(VLEN_BYTES))
    }

    /// Puts strings into the heap; the bytes of their references.
    pub(super) fn put_strings<S: AsRef<str>>(&mut self, values: &[S]) -> Result<Vec<u8>> {
        let values: Vec<_> = values
            .iter()
            .map(|value| value.as_ref().as_bytes())
            .collect();
        let references = self.heap.add_all(&values, self.target.sink())?;
        Ok(references
            .iter()
            .flat_map(super::super::heap::global::HeapReference::encode)
            .collect())
    }

    /// Refuses to write `n_bytes` bytes to a selection that has others, or that cannot be written.
    pub(super) fn check_slab(&self, id: NodeId, slab: &Hyperslab, n_bytes: u64) -> Result<()> {
        let refuse = |what, rule, found| Err(Error::Request { what, rule, found });
        let dataset = self.dataset_ref(id)?;
        let shape = dataset.extent.shape();
        let n = slab.n_elements_in(shape)?;
        if dataset.extent == Extent::Null {
            return refuse("the extent of a dataset that is written", "not null", n);
        }
        if n.checked_mul(dataset.datatype.size_bytes().into()) != Some(n_bytes) {
            let rule = "that of the selection";
            return refuse("the length of the values", rule, n_bytes);
        }
        if matches!(dataset.values, Values::Contiguous { .. }) && *slab != Hyperslab::all(shape) {
            let what = "what is written to a contiguous dataset";
            return refuse(what, "all of it", n);
        }
        dataset.check_writable(slab)
    }

    /// Writes the bytes of a selection.
    pub(super) fn write_slab(
        &mut self,
        id: NodeId,
        slab: &Hyperslab,
        bytes: Cow<'a, [u8]>,
    ) -> Result<()> {
        self.check_slab(id, slab, bytes.len() as u64)?;
        if bytes.is_empty() {
            return Ok(());
        }
        let Node::Dataset(dataset) = &mut self.nodes[id] else {
            return Err(Error::Poisoned);
        };
        let alignment = dataset.alignment_bytes;
        dataset.written.changed = true;
        let shape = dataset.extent.shape().to_vec();
        match &mut dataset.values {
            Values::Compact(values) => {
                let region = |shape: &[u64], slab: &Hyperslab| Region {
                    shape: shape.to_vec(),
                    start: slab.start.clone(),
                    stride: slab.stride.clone(),
                };
                let own = region(&slab.count, &Hyperslab::all(&slab.count));
                let element_bytes = dataset.datatype.size_bytes().into();
                hyperslab::copy(
                    (&bytes, &own),
                    (values, &region(&shape, slab)),
                    &slab.count,
                    element_bytes,
                );
                Ok(())
            }
            Values::Contiguous { address, .. } => {
                let len = bytes.len() as u64;
                let replaced = address.take();
                *address = Some(self.target.sink().put(bytes, alignment)?);
                self.bury(replaced.map_or(0, |_| len));
                Ok(())
            }
            Values::Chunked(_) => match bytes {
                Cow::Borrowed(bytes) => self.write_parts(id, slab, bytes, &Cow::Borrowed),
                Cow::Owned(bytes) => {
                    self.write_parts(id, slab, &bytes, &|bytes| Cow::Owned(bytes.to_vec()))
                }
            },
        }
    }

    /// Cuts a selection into chunks: complete ones are written, others wait for more.
    pub(super) fn write_parts<'b>(
        &mut self,
        id: NodeId,
        slab: &Hyperslab,
        bytes: &'b [u8],
        keep: &dyn Fn(&'b [u8]) -> Cow<'a, [u8]>,
    ) -> Result<()> {
        let dataset = self.dataset_mut(id)?;
        dataset.written.changed = true;
        let grid = dataset.grid()?;
        let shape = dataset.extent.shape().to_vec();
        let Values::Chunked(chunks) = &dataset.values else {
            return Ok(());
        };
        let (chunk_shape, element_bytes) = (chunks.shape.clone(), chunks.element_bytes);
        let batch_max = (BATCH_BYTES / chunks.chunk_bytes().max(1)).max(1);
        let mut batch: Vec<Pending<'a>> = Vec::new();
        hyperslab::for_each_chunk(slab, &chunk_shape, &mut |part| {
            let Some(number) = grid.number(&part.coordinates) else {
                return Ok(());
            };
            let position = grid.position(number);
            if !covers_chunk(&part, &chunk_shape) {
                return self.patch(id, position, &part, bytes, &shape);
            }
            let chunk = if let Some(run) = whole_run(&part, bytes, element_bytes) {
                keep(run)
            } else {
                let len = self.dataset_chunks(id)?.chunk_bytes();
                let mut chunk = vec![0; usize::try_from(len).unwrap_or(usize::MAX)];
                let to = (&mut chunk[..], &part.in_chunk);
                hyperslab::copy((bytes, &part.in_slab), to, &part.count, element_bytes);
                Cow::Owned(chunk)
            };
            self.close_chunk(id, position)?;
            batch.push((position, chunk));
            let full = batch.len() as u64 >= batch_max;
            if full {
                self.write_chunks(id, std::mem::take(&mut batch))
            } else {
                Ok(())
            }
        })?;
        self.write_chunks(id, batch)
    }

    pub(super) fn dataset_chunks(&mut self, id: NodeId) -> Result<&mut Chunks> {
        match &mut self.dataset_mut(id)?.values {
            Values::Chunked(chunks) => Ok(chunks),
            _ => Err(Error::Request {
                what: "the layout",
                rule: "chunked",
                found: 0,
            }),
        }
    }

    /// Forgets what waits in memory of a chunk that is about to be written whole.
    fn close_chunk(&mut self, id: NodeId, position: u64) -> Result<()> {
        if let Some(open) = self.dataset_chunks(id)?.open.remove(&position) {
            self.open_bytes -= open.len() as u64;
        }
        Ok(())
    }

    /// Changes a part of a chunk, which waits in memory.
    fn patch(
        &mut self,
        id: NodeId,
        position: u64,
        part: &ChunkPart,
        bytes: &[u8],
        shape: &[u64],
    ) -> Result<()> {
        if !self.dataset_chunks(id)?.open.contains_key(&position) {
            let covered = covers_extent(part, shape);
            let chunk = self.load_chunk(id, position, covered)?;
            self.open_bytes += chunk.len() as u64;
            self.dataset_chunks(id)?.open.insert(position, chunk);
        }
        let chunks = self.dataset_chunks(id)?;
        let element_bytes = chunks.element_bytes;
        if let Some(chunk) = chunks.open.get_mut(&position) {
            let to = (&mut chunk[..], &part.in_chunk);
            hyperslab::copy((bytes, &part.in_slab), to, &part.count, element_bytes);
        }
        // What a builder writes a second time stays in its file.
        let is_device = matches!(self.target, Target::Device(_));
        if is_device && self.open_bytes > OPEN_BYTES_MAX {
            self.write_chunks_ahead()?;
        }
        Ok(())
    }

    /// A chunk's values as they are by now; the fill value where it was never written, or where
    /// all of it will be `covered`.
    fn load_chunk(&mut self, id: NodeId, position: u64, covered: bool) -> Result<Vec<u8>> {
        self.settle()?;
        let spare = std::mem::take(&mut self.spare_chunk);
        let dataset = self.dataset_ref(id)?;
        let Values::Chunked(chunks) = &dataset.values else {
            return Ok(Vec::new());
        };
        let len = usize::try_from(chunks.chunk_bytes()).unwrap_or(usize::MAX);
        let stored = chunks.get(position).filter(|_| !covered);
        let Some(chunk) = stored else {
            let mut bytes = spare;
            bytes.clear();
            bytes.resize(len, 0);
            if let Some(fill) = &dataset.fill {
                bytes
                    .chunks_exact_mut(fill.len())
                    .for_each(|to| to.copy_from_slice(fill));
            }
            return Ok(bytes);
        };
        let bytes = match (&self.target, &self.source) {
            (Target::Pieces(sink), _) => sink.read(chunk.address, chunk.len_bytes),
            (_, Some(source)) => source.read("chunk", chunk.address, chunk.len_bytes)?,
            (_, None) => return Err(Error::Poisoned),
        };
        Ok(dataset
            .pipeline
            .decode(bytes, chunk.mask, len, chunk.address)?
            .into_owned())
    }

    /// Writes the chunks of a node that wait in memory.
    pub(super) fn flush_chunks(&mut self, id: NodeId) -> Result<()> {
        let Ok(chunks) = self.dataset_chunks(id) else {
            return Ok(());
        };
        let open = std::mem::take(&mut chunks.open);
        self.open_bytes -= open.values().map(|chunk| chunk.len() as u64).sum::<u64>();
        self.write_chunks(
            id,
            open.into_iter()
                .map(|(place, chunk)| (place, Cow::Owned(chunk)))
                .collect(),
        )
    }

    /// Filters chunks in parallel, and writes them in order.
    fn write_chunks(&mut self, id: NodeId, batch: Vec<Pending<'a>>) -> Result<()> {
        let dataset = self.dataset_ref(id)?;
        let alignment = dataset.alignment_bytes;
        let encoded = encode(&dataset.pipeline, batch)?;
        for (position, bytes, mask) in encoded {
            let len_bytes = bytes.len() as u64;
            let address = self.target.sink().put(bytes, alignment)?;
            let chunk = ChunkRef {
                address,
                len_bytes,
                mask,
            };
            if let Some(replaced) = self.dataset_chunks(id)?.set(position, chunk)? {
                self.bury(replaced.len_bytes);
            }
        }
        Ok(())
    }
}

type Encoded<'a> = (u64, Cow<'a, [u8]>, u32);

fn encode<'a>(pipeline: &Pipeline, batch: Vec<Pending<'a>>) -> Result<Vec<Encoded<'a>>> {
    let one = |(position, chunk): Pending<'a>| {
        pipeline
            .encode(chunk)
            .map(|(bytes, mask)| (position, bytes, mask))
    };
    if pipeline.is_empty() || batch.len() == 1 {
        return batch.into_iter().map(one).collect();
    }
    batch.into_par_iter().map(one).collect()
}

/// Whether a part is all of its chunk.
fn covers_chunk(part: &ChunkPart, chunk_shape: &[u64]) -> bool {
    part.count == chunk_shape
}

/// Whether a part is all of its chunk that lies in the dataset.
fn covers_extent(part: &ChunkPart, shape: &[u64]) -> bool {
    let ends = part.coordinates.iter().zip(&part.in_chunk.shape).zip(shape);
    ends.zip(&part.count)
        .all(|(((coordinate, chunk), len), count)| {
            let first = coordinate * chunk;
            *count == (len - first.min(*len)).min(*chunk)
        })
}

/// The bytes of a whole chunk, where they lie in one piece.
fn whole_run<'b>(part: &ChunkPart, bytes: &'b [u8], element_bytes: u64) -> Option<&'b [u8]> {
    let mut run = None;
    let n = part.count.iter().product::<u64>();
    let mut n_runs = 0;
    hyperslab::for_each_run(
        &part.in_slab,
        &part.in_chunk,
        &part.count,
        &mut |from, _, len| {
            n_runs += 1;
            run = (len == n).then_some(from);
            if n_runs > 1 {
                Err(Error::Poisoned)
            } else {
                Ok(())
            }
        },
    )
    .ok()?;
    let start = usize::try_from(run?.checked_mul(element_bytes)?).ok()?;
    let len = usize::try_from(n.checked_mul(element_bytes)?).ok()?;
    bytes.get(start..start.checked_add(len)?)
}
