//! The filters that chunks go through, and the registry that finds them by number.
//!
//! Source: HDF5 file format specification, IV.A.2.l; the HDF Group's list of registered filters.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

mod deflate;
mod fletcher32;
mod pcodec;
mod shuffle;
mod zstd;

use std::borrow::Cow;

use crate::datatype::Datatype;
use crate::error::{Error, Result};
use crate::message::filter_pipeline::FilterEntry;

/// A filter to write chunks through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Filter {
    /// The first bytes of all elements, then the second, and so on: numbers compress better so.
    Shuffle,
    /// zlib's deflate, which every HDF5 library reads.
    Deflate {
        /// 0 (none) to 9 (small).
        level: u8,
    },
    /// A checksum behind the chunk.
    Fletcher32,
    /// Small chunks of numbers, as the only filter: faster and smaller than deflate, but no other
    /// program reads it.
    Pcodec {
        /// 0 (fast) to 12 (small).
        level: u8,
    },
}

/// One filter of the registry.
trait Codec: Sync {
    /// Its registered number.
    fn number(&self) -> u16;

    /// Undoes the filter; the result must not be longer than `limit`.
    fn decode(&self, parameters: &[u32], bytes: Cow<'_, [u8]>, limit: usize) -> Decoded;

    /// Applies the filter; none where the chunk is better left as it is.
    fn encode(&self, parameters: &[u32], bytes: &[u8]) -> Option<Vec<u8>>;
}

/// A decoded chunk, or why it is not one.
type Decoded = std::result::Result<Vec<u8>, &'static str>;

/// All filters that are known here.
const REGISTRY: [&dyn Codec; 5] = [
    &deflate::Deflate,
    &shuffle::Shuffle,
    &fletcher32::Fletcher32,
    &zstd::Zstd,
    &pcodec::Pcodec,
];

fn codec(number: u16) -> Option<&'static dyn Codec> {
    REGISTRY.into_iter().find(|codec| codec.number() == number)
}

impl Filter {
    /// The filter as a dataset of this type states it.
    pub(crate) fn entry(self, datatype: &Datatype) -> Result<FilterEntry> {
        let entry = |number, optional, parameters| {
            Ok(FilterEntry {
                number,
                name: String::from(if number == pcodec::NUMBER {
                    "pcodec"
                } else {
                    ""
                }),
                optional,
                parameters,
            })
        };
        match self {
            Self::Shuffle => entry(2, true, vec![datatype.size_bytes()]),
            Self::Deflate { level } if level <= 9 => entry(1, true, vec![level.into()]),
            Self::Deflate { level } => Err(Error::Request {
                what: "the level of deflate",
                rule: "0 to 9",
                found: level.into(),
            }),
            Self::Fletcher32 => entry(3, false, Vec::new()),
            Self::Pcodec { level } => {
                entry(pcodec::NUMBER, true, pcodec::parameters(datatype, level)?)
            }
        }
    }
}

/// The filters of a dataset, in the order in which a chunk is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Pipeline {
    pub(crate) entries: Vec<FilterEntry>,
}

impl Pipeline {
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Refuses a pipeline with a filter that is not known.
    pub(crate) fn check_supported(&self) -> Result<()> {
        match self
            .entries
            .iter()
            .find(|entry| codec(entry.number).is_none())
        {
            Some(entry) => Err(Error::not_supported_number("filter", entry.number)),
            None => Ok(()),
        }
    }

    /// The `chunk_bytes` bytes of the chunk at `address`, out of what is on disk.
    pub(crate) fn decode<'b>(
        &self,
        bytes: Cow<'b, [u8]>,
        mask: u32,
        chunk_bytes: usize,
        address: u64,
    ) -> Result<Cow<'b, [u8]>> {
        // Between two filters a chunk may be longer than at the end, by a checksum or two.
        let limit = chunk_bytes.saturating_add(64);
        let mut bytes = bytes;
        let mut last = 0;
        for (place, entry) in self.entries.iter().enumerate().rev() {
            if mask
                .checked_shr(u32::try_from(place).unwrap_or(u32::MAX))
                .unwrap_or(0)
                & 1
                == 1
            {
                continue;
            }
            let codec = codec(entry.number)
                .ok_or_else(|| Error::not_supported_number("filter", entry.number))?;
            last = entry.number;
            let decoded = codec.decode(&entry.parameters, bytes, limit);
            let fault = |reason| Error::Filter {
                filter: last,
                offset_bytes: address,
                reason,
            };
            bytes = Cow::Owned(decoded.map_err(fault)?);
        }
        if bytes.len() != chunk_bytes {
            let reason = "the chunk has another length than its dataset says";
            return Err(Error::Filter {
                filter: last,
                offset_bytes: address,
                reason,
            });
        }
        Ok(bytes)
    }

    /// The bytes of a chunk for the disk, and which filters were left out.
    pub(crate) fn encode<'b>(&self, chunk: Cow<'b, [u8]>) -> Result<(Cow<'b, [u8]>, u32)> {
        let mut bytes = chunk;
        let mut mask = 0_u32;
        for (place, entry) in self.entries.iter().enumerate() {
            let codec = codec(entry.number)
                .ok_or_else(|| Error::not_supported_number("filter", entry.number))?;
            match codec.encode(&entry.parameters, &bytes) {
                Some(encoded) => bytes = Cow::Owned(encoded),
                None => {
                    mask |= 1_u32
                        .checked_shl(u32::try_from(place).unwrap_or(0))
                        .unwrap_or(0);
                }
            }
        }
        Ok((bytes, mask))
    }
}

#[cfg(test)]
mod tests;
