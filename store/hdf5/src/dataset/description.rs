//! What a dataset's header says of it.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use crate::chunk_index::ChunkGrid;
use crate::dataspace::Extent;
use crate::datatype::Datatype;
use crate::error::{Error, Result};
use crate::filter::Pipeline;
use crate::message::fill_value::{self, FillValue};
use crate::message::layout::{ChunkedLayout, Layout};
use crate::message::{
    DATASPACE, DATATYPE, EXTERNAL_FILES, FILL_VALUE, FILL_VALUE_OLD, FILTER_PIPELINE, LAYOUT,
    filter_pipeline,
};
use crate::object_header::ObjectHeader;
use crate::source::Source;

/// What a dataset's header says of it.
#[derive(Debug, Clone)]
pub(crate) struct Description {
    pub(crate) extent: Extent,
    pub(crate) datatype: Datatype,
    pub(crate) layout: Layout,
    pub(crate) pipeline: Pipeline,
    pub(crate) fill: FillValue,
    /// The values are in other files.
    pub(crate) external: bool,
}

impl Description {
    pub(crate) fn decode(source: &Source, header: &ObjectHeader) -> Result<Self> {
        let extent = header.require(DATASPACE, "a dataspace")?.resolved(source)?;
        let extent = Extent::decode(&mut extent.cursor("dataspace", source))?;
        let datatype = header.require(DATATYPE, "a datatype")?.resolved(source)?;
        let datatype = Datatype::decode(&mut datatype.cursor("datatype", source))?;
        let layout = header.require(LAYOUT, "a layout")?.resolved(source)?;
        let layout = Layout::decode(&mut layout.cursor("layout", source))?;
        let entries = match header.find(FILTER_PIPELINE) {
            Some(message) => {
                let message = message.resolved(source)?;
                filter_pipeline::decode(&mut message.cursor("filter pipeline", source))?
            }
            None => Vec::new(),
        };
        let description = Self {
            extent,
            datatype,
            layout,
            pipeline: Pipeline { entries },
            fill: read_fill(source, header)?,
            external: header.find(EXTERNAL_FILES).is_some(),
        };
        description.check(header)?;
        Ok(description)
    }

    fn check(&self, header: &ObjectHeader) -> Result<()> {
        let corrupt = |expected, found| {
            let structure = "dataset";
            Err(Error::Corrupt {
                structure,
                offset_bytes: header.address,
                expected,
                found,
            })
        };
        let element_bytes = u64::from(self.datatype.size_bytes());
        if let Layout::Chunked(layout) = &self.layout {
            if layout.chunk_shape.len() != self.extent.shape().len() {
                return corrupt(
                    "a chunk of the dataset's rank",
                    layout.chunk_shape.len() as u64,
                );
            }
            if layout.element_bytes != element_bytes {
                return corrupt("a chunk of the dataset's elements", layout.element_bytes);
            }
        }
        if self
            .fill
            .as_ref()
            .is_some_and(|fill| fill.len() as u64 != element_bytes)
        {
            let found = self.fill.as_ref().map_or(0, Vec::len) as u64;
            return corrupt("a fill value of the element's size", found);
        }
        Ok(())
    }

    /// The chunks beside each other.
    pub(crate) fn grid(&self, layout: &ChunkedLayout) -> Result<ChunkGrid> {
        ChunkGrid::new(&self.extent, &layout.chunk_shape).ok_or(Error::Limit {
            structure: "dataspace",
            offset_bytes: 0,
            asked: u64::MAX,
            limit: u64::MAX,
        })
    }

    /// Whether a chunk reaches beyond the dataset's edge.
    pub(crate) fn reaches_over(&self, layout: &ChunkedLayout, coordinates: &[u64]) -> bool {
        let ends = coordinates.iter().zip(&layout.chunk_shape);
        ends.zip(self.extent.shape())
            .any(|((coordinate, chunk), len)| {
                coordinate.saturating_add(1).saturating_mul(*chunk) > *len
            })
    }

    /// Fills a buffer with the fill value.
    pub(crate) fn fill(&self, to: &mut [u8]) {
        match self.fill.as_deref() {
            Some(fill) if fill.iter().any(|byte| *byte != 0) => {
                for element in to.chunks_exact_mut(fill.len().max(1)) {
                    element.copy_from_slice(fill);
                }
            }
            _ => to.fill(0),
        }
    }
}

fn read_fill(source: &Source, header: &ObjectHeader) -> Result<FillValue> {
    if let Some(message) = header.find(FILL_VALUE) {
        let message = message.resolved(source)?;
        return fill_value::decode(&mut message.cursor("fill value", source));
    }
    match header.find(FILL_VALUE_OLD) {
        Some(message) => {
            let message = message.resolved(source)?;
            fill_value::decode_old(&mut message.cursor("fill value", source))
        }
        None => Ok(None),
    }
}
