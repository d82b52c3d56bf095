//! The fill value: what is read where nothing was written.
//!
//! Source: HDF5 file format specification, IV.A.2.e and f "The Data Storage - Fill Value
//! (Old) Message", versions 1 to 3 of the new one.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use crate::cursor::Cursor;
use crate::error::{Error, Result};

/// The bytes of one element; none is all zeros.
pub(crate) type FillValue = Option<Vec<u8>>;

/// The most bytes of one that is written: those of a message less version, flags and length.
pub(crate) const BYTES_MAX: usize = 65_535 - 6;

/// Decodes the new message.
pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<FillValue> {
    match cursor.u8()? {
        version @ (1 | 2) => {
            cursor.skip(2)?;
            let defined = cursor.u8()? != 0;
            // Version 1 has a size even where nothing is defined.
            if version == 2 && !defined {
                Ok(None)
            } else {
                sized(cursor)
            }
        }
        3 => {
            let flags = cursor.u8()?;
            if flags & 1 << 5 == 0 {
                Ok(None)
            } else {
                sized(cursor)
            }
        }
        version => Err(Error::not_supported_number("fill value version", version)),
    }
}

/// Decodes the old message: a size and a value.
pub(crate) fn decode_old(cursor: &mut Cursor<'_>) -> Result<FillValue> {
    sized(cursor)
}

fn sized(cursor: &mut Cursor<'_>) -> Result<FillValue> {
    let len = cursor.u32()?;
    if len == 0 || len == u32::MAX {
        return Ok(None);
    }
    Ok(Some(cursor.take_u64(len.into())?.to_vec()))
}

/// The bytes of a version 3 message: space is taken when it is written, for chunks, else at once;
/// the value is written where one is set.
pub(crate) fn encode(fill: Option<&[u8]>, incremental: bool) -> Vec<u8> {
    let allocation = if incremental { 3 } else { 2 };
    let write_if_set = 2 << 2;
    match fill {
        None => vec![3, allocation | write_if_set],
        Some(value) => {
            let mut bytes = vec![3, allocation | write_if_set | 1 << 5];
            bytes.extend_from_slice(&u32::try_from(value.len()).unwrap_or_default().to_le_bytes());
            bytes.extend_from_slice(value);
            bytes
        }
    }
}
