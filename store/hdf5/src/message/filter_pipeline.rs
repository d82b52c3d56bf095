//! The filter pipeline: what each chunk went through on its way to the disk.
//!
//! Source: HDF5 file format specification, IV.A.2.l "The Data Storage - Filter Pipeline
//! Message", versions 1 and 2.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use crate::cursor::{Cursor, text};
use crate::encoder::Encoder;
use crate::error::{Error, Result};

/// The most filters that a pipeline has (`H5Z_MAX_NFILTERS`).
pub(crate) const FILTERS_MAX: usize = 32;
/// Numbers below this are the library's own, and have no name in version 2.
const FIRST_NAMED: u16 = 256;

/// One filter with its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FilterEntry {
    /// Its registered number.
    pub(crate) number: u16,
    pub(crate) name: String,
    /// A chunk may have been stored without it.
    pub(crate) optional: bool,
    pub(crate) parameters: Vec<u32>,
}

/// Decodes the message: filters in the order in which a chunk is written.
pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Vec<FilterEntry>> {
    let version = cursor.u8()?;
    if !matches!(version, 1 | 2) {
        return Err(Error::not_supported_number(
            "filter pipeline version",
            version,
        ));
    }
    let n_filters = usize::from(cursor.u8()?);
    if n_filters > FILTERS_MAX {
        return Err(cursor.corrupt("at most 32 filters", n_filters as u64));
    }
    if version == 1 {
        cursor.skip(6)?;
    }
    (0..n_filters)
        .map(|_| decode_entry(cursor, version))
        .collect()
}

fn decode_entry(cursor: &mut Cursor<'_>, version: u8) -> Result<FilterEntry> {
    let number = cursor.u16()?;
    let has_name = version == 1 || number >= FIRST_NAMED;
    let name_len = if has_name {
        usize::from(cursor.u16()?)
    } else {
        0
    };
    let flags = cursor.u16()?;
    let n_parameters = usize::from(cursor.u16()?);
    let name = cursor.take(name_len)?;
    if version == 1 {
        cursor.skip(name_len.next_multiple_of(8).saturating_sub(name_len))?;
    }
    let name = text(name.split(|byte| *byte == 0).next().unwrap_or_default());
    let parameters = (0..n_parameters)
        .map(|_| cursor.u32())
        .collect::<Result<Vec<_>>>()?;
    if version == 1 && n_parameters % 2 == 1 {
        cursor.skip(4)?;
    }
    Ok(FilterEntry {
        number,
        name,
        optional: flags & 1 != 0,
        parameters,
    })
}

/// The bytes of a version 2 message.
pub(crate) fn encode(filters: &[FilterEntry]) -> Vec<u8> {
    let mut encoder = Encoder::new();
    encoder
        .u8(2)
        .u8(u8::try_from(filters.len()).unwrap_or(u8::MAX));
    for filter in filters {
        encoder.u16(filter.number);
        let named = filter.number >= FIRST_NAMED;
        let name_len = filter.name.len().saturating_add(1);
        if named {
            encoder.u16(u16::try_from(name_len).unwrap_or(u16::MAX));
        }
        encoder.u16(filter.optional.into());
        encoder.u16(u16::try_from(filter.parameters.len()).unwrap_or(u16::MAX));
        if named {
            encoder.put(filter.name.as_bytes()).u8(0);
        }
        for parameter in &filter.parameters {
            encoder.u32(*parameter);
        }
    }
    encoder.into_bytes()
}
