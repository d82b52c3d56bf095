//! A dataset that is changed: what it is, and where its values are by now.

use std::collections::BTreeMap;

use super::attributes::{self, Attributes};
use super::{Editor, NodeId, Written};
use crate::chunk_index::{
    self, CHUNKS_MAX, ChunkGrid, ChunkRef, EntryPlan, extensible_array, fixed_array,
};
use crate::data;
use crate::dataset::description::Description;
use crate::dataspace::Extent;
use crate::datatype::Datatype;
use crate::error::{Error, Result};
use crate::filter::Pipeline;
use crate::hyperslab::Hyperslab;
use crate::message::layout::{self, ChunkedLayout, IndexKind, Layout};
use crate::message::{
    ATTRIBUTE, ATTRIBUTE_INFO, DATASPACE, DATATYPE, FILL_VALUE, FILL_VALUE_OLD, FILTER_PIPELINE,
    LAYOUT, Message, REFERENCE_COUNT, fill_value, filter_pipeline,
};
use crate::object_header::{self, ObjectHeader};
use crate::sink::Sink;
use crate::source::Source;
use crate::spec::{DatasetSpec, LayoutSpec};

/// A dataset that is changed.
#[derive(Debug)]
pub(super) struct DatasetNode {
    pub(super) extent: Extent,
    pub(super) datatype: Datatype,
    /// The message of its type: that of a file that is there stays as it is.
    datatype_bytes: Vec<u8>,
    pub(super) pipeline: Pipeline,
    pub(super) fill: Option<Vec<u8>>,
    pub(super) values: Values,
    pub(super) alignment_bytes: u64,
    pub(super) attributes: Attributes,
    /// Messages that are kept as they are.
    others: Vec<Message>,
    pub(super) written: Written,
}

/// Where the values are.
#[derive(Debug)]
pub(super) enum Values {
    Compact(Vec<u8>),
    Contiguous {
        address: Option<u64>,
        len_bytes: u64,
    },
    Chunked(Chunks),
}

/// The chunks of a dataset.
#[derive(Debug)]
pub(super) struct Chunks {
    pub(super) shape: Vec<u64>,
    pub(super) element_bytes: u64,
    /// By position in the grid; chunks that were never written are none.
    pub(super) refs: Vec<Option<ChunkRef>>,
    /// Chunks that wait in memory, by position, unfiltered.
    pub(super) open: BTreeMap<u64, Vec<u8>>,
}

impl Chunks {
    pub(super) fn layout(&self, index: IndexKind, address: Option<u64>) -> ChunkedLayout {
        ChunkedLayout {
            chunk_shape: self.shape.clone(),
            element_bytes: self.element_bytes,
            index,
            address,
            edges_unfiltered: false,
        }
    }

    pub(super) fn chunk_bytes(&self) -> u64 {
        self.shape
            .iter()
            .fold(self.element_bytes, |bytes, len| bytes.saturating_mul(*len))
    }

    pub(super) fn get(&self, position: u64) -> Option<ChunkRef> {
        *self.refs.get(usize::try_from(position).ok()?)?
    }

    /// Where a chunk is from now on; where it was.
    ///
    /// # Errors
    ///
    /// Beyond [`CHUNKS_MAX`]: the shape that says so may be a stranger's.
    pub(super) fn set(&mut self, position: u64, chunk: ChunkRef) -> Result<Option<ChunkRef>> {
        check_position(position)?;
        let place = usize::try_from(position).unwrap_or(usize::MAX);
        if place >= self.refs.len() {
            self.refs.resize(place + 1, None);
        }
        Ok(self.refs[place].replace(chunk))
    }
}

impl DatasetNode {
    pub(super) fn new(spec: &DatasetSpec) -> Result<Self> {
        let element_bytes = u64::from(spec.datatype.size_bytes());
        let n_bytes = spec.extent.n_elements().unwrap_or(0) * element_bytes;
        let filters = spec
            .filters
            .iter()
            .map(|filter| filter.entry(&spec.datatype));
        let values = match &spec.layout {
            LayoutSpec::Compact => {
                let mut bytes = vec![0; usize::try_from(n_bytes).unwrap_or(usize::MAX)];
                if let Some(fill) = &spec.fill {
                    bytes
                        .chunks_exact_mut(fill.len())
                        .for_each(|to| to.copy_from_slice(fill));
                }
                Values::Compact(bytes)
            }
            LayoutSpec::Contiguous => Values::Contiguous {
                address: None,
                len_bytes: n_bytes,
            },
            LayoutSpec::Chunked(shape) => Values::Chunked(Chunks {
                shape: shape.clone(),
                element_bytes,
                refs: Vec::new(),
                open: BTreeMap::new(),
            }),
        };
        Ok(Self {
            extent: spec.extent.clone(),
            datatype: spec.datatype.clone(),
            datatype_bytes: spec.datatype.encode(),
            pipeline: Pipeline {
                entries: filters.collect::<Result<_>>()?,
            },
            fill: spec.fill.clone(),
            values,
            alignment_bytes: spec.alignment_bytes,
            attributes: Attributes::default(),
            others: Vec::new(),
            written: Written {
                changed: true,
                ..Written::default()
            },
        })
    }

    pub(super) fn read(source: &Source, header: &ObjectHeader) -> Result<Self> {
        let description = Description::decode(source, header)?;
        if description.external {
            return Err(Error::not_supported(
                "changing a dataset with external files",
            ));
        }
        let rewritten = [
            DATASPACE,
            DATATYPE,
            FILL_VALUE,
            FILL_VALUE_OLD,
            FILTER_PIPELINE,
            LAYOUT,
            ATTRIBUTE,
            ATTRIBUTE_INFO,
            REFERENCE_COUNT,
        ];
        let others = header
            .messages
            .iter()
            .filter(|message| !rewritten.contains(&message.kind));
        let mut metadata_bytes = header
            .len_bytes
            .saturating_add(attributes::dense_bytes(source, header)?);
        let mut alignment_bytes = 8;
        let n_bytes = description
            .extent
            .n_elements()
            .unwrap_or(0)
            .saturating_mul(description.datatype.size_bytes().into());
        let values = match &description.layout {
            Layout::Compact { bytes, .. } => Values::Compact(bytes.clone()),
            Layout::Contiguous { address, .. } => {
                alignment_bytes = alignment_of(address.iter().copied());
                Values::Contiguous {
                    address: *address,
                    len_bytes: n_bytes,
                }
            }
            Layout::Chunked(layout) => {
                let (chunks, index_bytes) = read_chunks(source, &description, layout)?;
                metadata_bytes = metadata_bytes.saturating_add(index_bytes);
                alignment_bytes = alignment_of(chunks.refs.iter().flatten().map(|c| c.address));
                Values::Chunked(chunks)
            }
            Layout::Virtual => return Err(Error::not_supported("changing a virtual dataset")),
        };
        Ok(Self {
            attributes: Attributes::read(source, header)?,
            extent: description.extent,
            datatype: description.datatype,
            datatype_bytes: header
                .require(DATATYPE, "a datatype")?
                .resolved(source)?
                .bytes,
            pipeline: description.pipeline,
            fill: description.fill,
            values,
            alignment_bytes,
            others: others.cloned().collect(),
            written: Written {
                address: Some(header.address),
                metadata_bytes,
                changed: false,
            },
        })
    }

    /// How many bytes of the file its values take, but for texts.
    pub(super) fn stored_bytes(&self) -> u64 {
        match &self.values {
            Values::Compact(_) | Values::Contiguous { address: None, .. } => 0,
            Values::Contiguous { len_bytes, .. } => *len_bytes,
            Values::Chunked(chunks) => chunks
                .refs
                .iter()
                .flatten()
                .fold(0, |bytes, chunk| chunk.len_bytes.saturating_add(bytes)),
        }
    }

    /// How many bytes of its chunks wait in memory.
    pub(super) fn open_bytes(&self) -> u64 {
        match &self.values {
            Values::Chunked(chunks) => chunks.open.values().map(|chunk| chunk.len() as u64).sum(),
            _ => 0,
        }
    }

    pub(super) fn grid(&self) -> Result<ChunkGrid> {
        let Values::Chunked(chunks) = &self.values else {
            return Err(Error::Request {
                what: "the layout",
                rule: "chunked",
                found: 0,
            });
        };
        let too_large = Error::Request {
            what: "the number of chunks",
            rule: "countable",
            found: u64::MAX,
        };
        ChunkGrid::new(&self.extent, &chunks.shape).ok_or(too_large)
    }

    /// Writes index and header where the dataset changed; where the header is.
    pub(super) fn write(&mut self, sink: &mut dyn Sink<'_>, dead_bytes: &mut u64) -> Result<u64> {
        if let (Some(address), false) = (self.written.address, self.written.changed) {
            return Ok(address);
        }
        let start = sink.put_bytes();
        let layout = self.write_layout(sink)?;
        let incremental = matches!(self.values, Values::Chunked(_));
        let mut messages = vec![
            Message::new(DATASPACE, self.extent.encode()),
            Message::constant(DATATYPE, self.datatype_bytes.clone()),
            Message::constant(
                FILL_VALUE,
                fill_value::encode(self.fill.as_deref(), incremental),
            ),
            Message::new(LAYOUT, layout),
        ];
        if !self.pipeline.is_empty() {
            let pipeline = filter_pipeline::encode(&self.pipeline.entries);
            messages.push(Message::constant(FILTER_PIPELINE, pipeline));
        }
        self.attributes.write(&mut messages, sink)?;
        messages.extend(self.others.iter().cloned());
        let address = sink.append(object_header::encode(
            &messages,
            self.attributes.tracks_order(),
        )?)?;
        *dead_bytes = dead_bytes.saturating_add(self.written.metadata_bytes);
        let metadata_bytes = sink.put_bytes() - start;
        self.written = Written {
            address: Some(address),
            metadata_bytes,
            changed: false,
        };
        Ok(address)
    }

    /// Writes the chunk index; the bytes of the layout message.
    fn write_layout(&self, sink: &mut dyn Sink<'_>) -> Result<Vec<u8>> {
        let chunks = match &self.values {
            Values::Compact(bytes) => return Ok(layout::encode_compact(bytes)),
            Values::Contiguous { address, len_bytes } => {
                return Ok(layout::encode_contiguous(*address, *len_bytes));
            }
            Values::Chunked(chunks) => chunks,
        };
        let grid = self.grid()?;
        let any = chunks.refs.iter().any(Option::is_some);
        let filtered = !self.pipeline.is_empty();
        let growing = self.extent.max_shape().contains(&None);
        let plain = chunks.layout(IndexKind::FixedArray, None);
        let plan = EntryPlan {
            size_width: filtered.then(|| plain.size_width()),
        };
        if growing {
            let address = if any {
                Some(extensible_array::write(plan, &chunks.refs, sink)?)
            } else {
                None
            };
            let layout = chunks.layout(IndexKind::ExtensibleArray, address);
            return Ok(layout.encode(4, &extensible_array::MESSAGE_BYTES));
        }
        // The C library asks for a single chunk where the greatest extent is one.
        if grid.n_positions_max() == Some(1) {
            let chunk = chunks.refs.first().copied().flatten();
            let entry =
                filtered.then(|| chunk.map_or((0, 0), |chunk| (chunk.len_bytes, chunk.mask)));
            let layout = chunks.layout(
                IndexKind::Single { filtered: entry },
                chunk.map(|c| c.address),
            );
            let mut bytes = Vec::new();
            if let Some((len_bytes, mask)) = entry {
                bytes.extend_from_slice(&len_bytes.to_le_bytes());
                bytes.extend_from_slice(&mask.to_le_bytes());
            }
            return Ok(layout.encode(1, &bytes));
        }
        let address = if any {
            let n_positions = grid.n_positions_max().unwrap_or(0);
            let mut positions = chunks.refs.clone();
            // There is room for all: the extent was checked when it was set.
            positions.resize(usize::try_from(n_positions).unwrap_or(usize::MAX), None);
            Some(fixed_array::write(plan, &positions, sink)?)
        } else {
            None
        };
        let layout = chunks.layout(IndexKind::FixedArray, address);
        Ok(layout.encode(3, &[fixed_array::PAGE_BITS]))
    }
}

fn check_position(position: u64) -> Result<()> {
    if position < CHUNKS_MAX {
        return Ok(());
    }
    Err(Error::Request {
        what: "the number of a chunk that is written",
        rule: "below 16,777,216: give larger chunks",
        found: position,
    })
}

/// The mask of a chunk that went through none of the filters, of which there are at most 32.
fn all_filters(pipeline: &Pipeline) -> u32 {
    let n_filters = u32::try_from(pipeline.entries.len()).unwrap_or(u32::MAX);
    1_u32.checked_shl(n_filters).unwrap_or(0).wrapping_sub(1)
}

fn read_chunks(
    source: &Source,
    description: &Description,
    layout: &ChunkedLayout,
) -> Result<(Chunks, u64)> {
    if description
        .extent
        .max_shape()
        .iter()
        .filter(|max| max.is_none())
        .count()
        > 1
    {
        return Err(Error::not_supported(
            "changing a dataset with several unlimited dimensions",
        ));
    }
    chunk_index::check_room(&description.extent, &layout.chunk_shape)?;
    // A chunk is decoded whole to change a part of it.
    data::check_limit("chunk", layout.chunk_bytes(), 1)?;
    let grid = description.grid(layout)?;
    let table = chunk_index::read(source, layout, &description.extent, &grid)?;
    let mut chunks = Chunks {
        shape: layout.chunk_shape.clone(),
        element_bytes: layout.element_bytes,
        refs: Vec::new(),
        open: BTreeMap::new(),
    };
    for (number, chunk) in table.entries() {
        let position = grid.position(*number);
        let mut chunk = *chunk;
        if layout.edges_unfiltered && description.reaches_over(layout, &grid.coordinates(*number)) {
            // Written again, every chunk states for itself which filters it went without.
            chunk.mask = all_filters(&description.pipeline);
        }
        chunks.set(position, chunk)?;
    }
    Ok((chunks, table.index_bytes))
}

/// How chunks that lie at `addresses` seem to be aligned: at 4,096 bytes, or not at all.
fn alignment_of(addresses: impl Iterator<Item = u64>) -> u64 {
    let mut any = false;
    let mut addresses = addresses.inspect(|_| any = true);
    let all = addresses.all(|address| address % 4096 == 0);
    if any && all { 4096 } else { 8 }
}

impl DatasetNode {
    /// Refuses to write to a selection in chunks that cannot be written.
    pub(super) fn check_writable(&self, slab: &Hyperslab) -> Result<()> {
        let Values::Chunked(chunks) = &self.values else {
            return Ok(());
        };
        self.pipeline.check_supported()?;
        if slab.count.contains(&0) {
            return Ok(());
        }
        // Positions grow along every dimension: the last chunk has the greatest.
        let places = slab.start.iter().zip(&slab.count).zip(&slab.stride);
        let last = places
            .zip(&chunks.shape)
            .map(|(((start, count), stride), chunk)| {
                let steps = count.saturating_sub(1).saturating_mul(*stride);
                start.saturating_add(steps) / chunk
            });
        check_position(self.grid()?.position_of(&last.collect::<Vec<_>>()))
    }

    /// The extent of this dataset when it has another shape.
    pub(super) fn resized(&self, shape: &[u64]) -> Result<Extent> {
        let refuse = |what, rule, found| Err(Error::Request { what, rule, found });
        let Extent::Simple {
            shape: old,
            max_shape,
        } = &self.extent
        else {
            return refuse("the extent of a dataset that grows", "a grid", 0);
        };
        let Values::Chunked(chunks) = &self.values else {
            return refuse("the layout of a dataset that grows", "chunked", 0);
        };
        if old.len() != shape.len() {
            return refuse("the rank of a size", "the dataset's", shape.len() as u64);
        }
        let mut max_shape = max_shape.clone();
        for (dim, len) in shape.iter().enumerate() {
            if max_shape[dim].is_some_and(|max| *len > max) {
                // A dataset whose greatest size is its size stays so; positions of chunks do not
                // depend on the first dimension.
                if dim == 0 && max_shape[0] == Some(old[0]) && !max_shape.contains(&None) {
                    max_shape[0] = Some(*len);
                } else {
                    return refuse("a size", "at most the greatest size", *len);
                }
            }
        }
        if shape.iter().zip(old).any(|(new, old)| new < old) {
            return Err(Error::not_supported("making a dataset smaller"));
        }
        let extent = Extent::Simple {
            shape: shape.to_vec(),
            max_shape,
        };
        extent.check_countable(self.datatype.size_bytes())?;
        chunk_index::check_room(&extent, &chunks.shape)?;
        Ok(extent)
    }
}

impl Editor<'_> {
    /// Gives a dataset another shape.
    ///
    /// A chunk at the old edge may then hold values that were never written: it was padded with
    /// the fill value, so they read as such.
    pub(super) fn resize_node(&mut self, id: NodeId, shape: &[u64]) -> Result<()> {
        let dataset = self.dataset_mut(id)?;
        let extent = dataset.resized(shape)?;
        if extent != dataset.extent {
            dataset.extent = extent;
            dataset.written.changed = true;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
