//! The layout: where a dataset's values are, and how they are cut up.
//!
//! Source: HDF5 file format specification, IV.A.2.i "The Data Layout Message", versions 1 to 4,
//! and version 5 of HDF5 2.0, which differs in chunks of 4 GiB and more.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use crate::cursor::{Cursor, width_of};
use crate::dataspace::RANK_MAX;
use crate::encoder::Encoder;
use crate::error::{Error, Result};

/// Where a dataset's values are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Layout {
    /// In the header itself; where in the file they begin.
    Compact { offset_bytes: u64, bytes: Vec<u8> },
    /// In one piece; `len_bytes` is unknown in versions 1 and 2.
    Contiguous {
        address: Option<u64>,
        len_bytes: Option<u64>,
    },
    /// In chunks.
    Chunked(ChunkedLayout),
    /// In other datasets.
    Virtual,
}

/// How a dataset is cut into chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChunkedLayout {
    /// The size of a chunk in elements, each at least 1.
    pub(crate) chunk_shape: Vec<u64>,
    /// The size of an element, as the layout states it.
    pub(crate) element_bytes: u64,
    pub(crate) index: IndexKind,
    pub(crate) address: Option<u64>,
    /// Chunks that reach beyond the dataset's edge are stored without filters.
    pub(crate) edges_unfiltered: bool,
}

/// How chunks are found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum IndexKind {
    BtreeV1,
    /// One chunk; where it is filtered, its size on disk and the filters that were left out.
    Single {
        filtered: Option<(u64, u32)>,
    },
    Implicit,
    FixedArray,
    ExtensibleArray,
    BtreeV2,
}

impl Layout {
    pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Self> {
        match cursor.u8()? {
            1 | 2 => decode_v1(cursor),
            version @ 3..=5 => match cursor.u8()? {
                0 => {
                    let len = usize::from(cursor.u16()?);
                    let offset_bytes = cursor.offset();
                    Ok(Self::Compact {
                        offset_bytes,
                        bytes: cursor.take(len)?.to_vec(),
                    })
                }
                1 => {
                    let address = cursor.address()?;
                    Ok(Self::Contiguous {
                        address,
                        len_bytes: Some(cursor.length()?),
                    })
                }
                2 if version == 3 => decode_chunked_v3(cursor).map(Self::Chunked),
                2 => decode_chunked_v4(cursor).map(Self::Chunked),
                3 if version > 3 => Ok(Self::Virtual),
                class => Err(cursor.corrupt("a layout class of 0 to 3", class.into())),
            },
            version => Err(Error::not_supported_number("layout version", version)),
        }
    }
}

fn decode_v1(cursor: &mut Cursor<'_>) -> Result<Layout> {
    let rank = usize::from(cursor.u8()?);
    let class = cursor.u8()?;
    cursor.skip(5)?;
    let address = if class == 0 { None } else { cursor.address()? };
    let mut dims = (0..rank)
        .map(|_| cursor.u32().map(u64::from))
        .collect::<Result<Vec<_>>>()?;
    match class {
        0 => {
            let len = cursor.u32()?;
            let offset_bytes = cursor.offset();
            Ok(Layout::Compact {
                offset_bytes,
                bytes: cursor.take_u64(len.into())?.to_vec(),
            })
        }
        1 => Ok(Layout::Contiguous {
            address,
            len_bytes: None,
        }),
        2 => {
            let element_bytes = match dims.pop() {
                Some(_) if dims.is_empty() => return Err(cursor.corrupt("a chunk's dimensions", 1)),
                Some(element_bytes) => element_bytes,
                None => return Err(cursor.corrupt("a chunk's dimensions", 0)),
            };
            chunked(
                cursor,
                dims,
                element_bytes,
                IndexKind::BtreeV1,
                address,
                false,
            )
            .map(Layout::Chunked)
        }
        class => Err(cursor.corrupt("a layout class of 0 to 2", class.into())),
    }
}

fn decode_chunked_v3(cursor: &mut Cursor<'_>) -> Result<ChunkedLayout> {
    let rank = rank(cursor)?;
    let address = cursor.address()?;
    let dims = (0..rank)
        .map(|_| cursor.u32().map(u64::from))
        .collect::<Result<Vec<_>>>()?;
    let element_bytes = u64::from(cursor.u32()?);
    chunked(
        cursor,
        dims,
        element_bytes,
        IndexKind::BtreeV1,
        address,
        false,
    )
}

/// The rank of the dataset: one less than the layout's, whose last dimension is the element.
fn rank(cursor: &mut Cursor<'_>) -> Result<usize> {
    let rank = usize::from(cursor.u8()?);
    match rank.checked_sub(1) {
        Some(rank @ 1..=RANK_MAX) => Ok(rank),
        _ => Err(cursor.corrupt("2 to 33 dimensions of a chunk", rank as u64)),
    }
}

fn decode_chunked_v4(cursor: &mut Cursor<'_>) -> Result<ChunkedLayout> {
    let flags = cursor.u8()?;
    let rank = rank(cursor)?;
    let width = usize::from(cursor.u8()?);
    let dims = (0..rank)
        .map(|_| cursor.uint(width))
        .collect::<Result<Vec<_>>>()?;
    let element_bytes = cursor.uint(width)?;
    let index = match cursor.u8()? {
        1 if flags & 2 != 0 => IndexKind::Single {
            filtered: Some((cursor.length()?, cursor.u32()?)),
        },
        1 => IndexKind::Single { filtered: None },
        2 => IndexKind::Implicit,
        // The creation parameters are in the index's own header, too.
        3 => skipping(cursor, 1, IndexKind::FixedArray)?,
        4 => skipping(cursor, 5, IndexKind::ExtensibleArray)?,
        5 => skipping(cursor, 6, IndexKind::BtreeV2)?,
        kind => return Err(Error::not_supported_number("chunk index type", kind)),
    };
    let address = cursor.address()?;
    chunked(cursor, dims, element_bytes, index, address, flags & 1 != 0)
}

fn skipping(cursor: &mut Cursor<'_>, len: usize, index: IndexKind) -> Result<IndexKind> {
    cursor.skip(len)?;
    Ok(index)
}

fn chunked(
    cursor: &Cursor<'_>,
    chunk_shape: Vec<u64>,
    element_bytes: u64,
    index: IndexKind,
    address: Option<u64>,
    edges_unfiltered: bool,
) -> Result<ChunkedLayout> {
    if chunk_shape.contains(&0) || element_bytes == 0 {
        return Err(cursor.corrupt("chunk dimensions of at least 1", 0));
    }
    let bytes = crate::dataspace::product(&chunk_shape);
    if bytes.and_then(|n| n.checked_mul(element_bytes)).is_none() {
        return Err(cursor.corrupt("a chunk whose bytes can be counted", u64::MAX));
    }
    Ok(ChunkedLayout {
        chunk_shape,
        element_bytes,
        index,
        address,
        edges_unfiltered,
    })
}

impl ChunkedLayout {
    /// How many bytes a chunk has before its filters.
    pub(crate) fn chunk_bytes(&self) -> u64 {
        self.chunk_shape
            .iter()
            .fold(self.element_bytes, |bytes, len| bytes.saturating_mul(*len))
    }

    /// How wide an index entry's field for a filtered chunk's size is (`H5D_chunk_size_len`).
    pub(crate) fn size_width(&self) -> u8 {
        let bits = 64_u32.saturating_sub(self.chunk_bytes().leading_zeros());
        // One byte more than the unfiltered size takes, since filters may lengthen a chunk.
        let log2 = bits.saturating_sub(1);
        u8::try_from(
            log2.saturating_add(8)
                .checked_div(8)
                .unwrap_or(0)
                .saturating_add(1)
                .min(8),
        )
        .unwrap_or(8)
    }

    /// The bytes of a version 4 message. `index_bytes` are the index type's parameters.
    pub(crate) fn encode(&self, index_number: u8, index_bytes: &[u8]) -> Vec<u8> {
        let filtered_single = matches!(self.index, IndexKind::Single { filtered: Some(_) });
        let rank = u8::try_from(self.chunk_shape.len().saturating_add(1)).unwrap_or(u8::MAX);
        let dims = || self.chunk_shape.iter().chain([&self.element_bytes]);
        let width = dims().map(|len| width_of(*len)).max().unwrap_or(1);
        let mut encoder = Encoder::new();
        encoder.put(&[4, 2, u8::from(filtered_single) << 1, rank, width]);
        for len in dims() {
            encoder.uint(*len, width);
        }
        encoder
            .u8(index_number)
            .put(index_bytes)
            .address(self.address);
        encoder.into_bytes()
    }
}

/// The bytes of a contiguous layout.
pub(crate) fn encode_contiguous(address: Option<u64>, len_bytes: u64) -> Vec<u8> {
    let mut encoder = Encoder::new();
    encoder.u8(4).u8(1).address(address).u64(len_bytes);
    encoder.into_bytes()
}

/// The bytes of a compact layout of at most [`COMPACT_BYTES_MAX`].
pub(crate) fn encode_compact(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = Encoder::new();
    encoder
        .u8(4)
        .u8(0)
        .u16(u16::try_from(bytes.len()).unwrap_or(u16::MAX))
        .put(bytes);
    encoder.into_bytes()
}

/// The most bytes of a compact dataset: those of a message less version, class and length.
pub(crate) const COMPACT_BYTES_MAX: usize = 65_535 - 4;
