//! What is read of an element's bytes, shared by datasets and attributes: numbers, strings, values.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use crate::datatype::Datatype;
use crate::element::{Element, check_fits, convert, is_native};
use crate::error::{Error, Result};
use crate::source::Source;
use crate::value::{Value, ValueReader, trim};

/// The most bytes that a method which allocates its answer gives; what is larger is read in
/// parts, or into the caller's own buffer.
pub const READ_BYTES_MAX: u64 = 1 << 29;

/// Refuses an answer of more than [`READ_BYTES_MAX`] bytes.
pub(crate) fn check_limit(structure: &'static str, n: u64, each_bytes: u64) -> Result<usize> {
    let asked = n.saturating_mul(each_bytes);
    if asked > READ_BYTES_MAX {
        let limit = READ_BYTES_MAX;
        return Err(Error::Limit {
            structure,
            offset_bytes: 0,
            asked,
            limit,
        });
    }
    Ok(usize::try_from(n).unwrap_or(usize::MAX))
}

/// `bytes` as numbers.
pub(crate) fn numbers<T: Element>(datatype: &Datatype, bytes: &[u8]) -> Result<Vec<T>> {
    check_fits::<T>(datatype)?;
    let size = usize::try_from(datatype.size_bytes())
        .unwrap_or(usize::MAX)
        .max(1);
    let n = bytes.len().checked_div(size).unwrap_or(0);
    let mut numbers = vec![T::zeroed(); n];
    let native = is_native::<T>(datatype);
    match bytemuck::cast_slice_mut::<T, u8>(&mut numbers) {
        to if native && to.len() == bytes.len() => to.copy_from_slice(bytes),
        _ => convert(datatype, bytes, &mut numbers)?,
    }
    Ok(numbers)
}

/// `bytes` as strings, each as its bytes without padding.
pub(crate) fn strings(source: &Source, datatype: &Datatype, bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
    let size = usize::try_from(datatype.size_bytes())
        .unwrap_or(usize::MAX)
        .max(1);
    let elements = bytes.chunks_exact(size);
    match datatype {
        Datatype::FixedString { padding, .. } => Ok(elements
            .map(|element| trim(element, *padding).to_vec())
            .collect()),
        Datatype::VlenString { .. } => {
            let mut reader = ValueReader::new(source);
            let mut strings = Vec::new();
            let mut n_bytes = 0_u64;
            for element in elements {
                let string = reader.heap_text(element)?.to_vec();
                n_bytes = n_bytes.saturating_add(string.len() as u64);
                check_limit("strings", n_bytes, 1)?;
                strings.push(string);
            }
            Ok(strings)
        }
        other => Err(Error::WrongType {
            expected: "text",
            found: Box::new(other.clone()),
        }),
    }
}

/// Strings as UTF-8.
pub(crate) fn utf8(strings: Vec<Vec<u8>>) -> Result<Vec<String>> {
    let decode = |bytes| {
        String::from_utf8(bytes).map_err(|error| Error::Corrupt {
            structure: "string",
            offset_bytes: 0,
            expected: "UTF-8; its first bad byte is counted from its beginning",
            found: error.utf8_error().valid_up_to() as u64,
        })
    };
    strings.into_iter().map(decode).collect()
}

/// `bytes` as values.
pub(crate) fn values(source: &Source, datatype: &Datatype, bytes: &[u8]) -> Result<Vec<Value>> {
    ValueReader::new(source).values(datatype, bytes)
}

/// For each value of a vlen sequence its bytes in the file's order.
pub(crate) fn sequences(
    source: &Source,
    datatype: &Datatype,
    bytes: &[u8],
) -> Result<Vec<Vec<u8>>> {
    let Datatype::Sequence { size_bytes, base } = datatype else {
        let found = Box::new(datatype.clone());
        return Err(Error::WrongType {
            expected: "a sequence",
            found,
        });
    };
    let size = usize::try_from(*size_bytes).unwrap_or(usize::MAX).max(1);
    let mut reader = ValueReader::new(source);
    let mut sequences = Vec::new();
    let mut n_bytes = 0_u64;
    for element in bytes.chunks_exact(size) {
        let sequence = reader.heap_bytes(element, base.size_bytes())?.to_vec();
        n_bytes = n_bytes.saturating_add(sequence.len() as u64);
        check_limit("sequences", n_bytes, 1)?;
        sequences.push(sequence);
    }
    Ok(sequences)
}
