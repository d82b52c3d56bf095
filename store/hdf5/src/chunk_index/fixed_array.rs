//! The fixed array: the chunks of a dataset that cannot grow.
//!
//! Source: HDF5 file format specification, VII.C "The Fixed Array Index".
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use super::{EntryPlan, EntryReader, Positions, too_many};
use crate::encoder::Encoder;
use crate::error::Result;
use crate::sink::Sink;

const NAME: &str = "fixed array";
/// The log2 of the entries of a page that the C library uses.
pub(crate) const PAGE_BITS: u8 = 10;
const HEADER_BYTES: u64 = 28;

pub(super) fn read(reader: &mut EntryReader<'_>, address: u64) -> Result<u64> {
    let source = reader.source;
    let bytes = source.read_up_to(NAME, address, 64)?;
    let mut cursor = source.cursor(NAME, address, &bytes);
    cursor.signature(*b"FAHD")?;
    cursor.version(0)?;
    let filtered = cursor.u8()? != 0;
    let (entry_bytes, page_bits) = (cursor.u8()?, cursor.u8()?);
    let n_entries = cursor.length()?;
    let block = cursor.address()?;
    cursor.checksum()?;
    let header_bytes = cursor.taken() as u64;
    let all_bytes = n_entries.saturating_mul(entry_bytes.into());
    if all_bytes > source.end() || entry_bytes < source.sizes().offset_bytes || page_bits > 63 {
        return Err(cursor.corrupt("entries that fit into the file", n_entries));
    }
    let Some(block) = block else {
        return Ok(header_bytes);
    };
    let page_entries = 1_u64 << page_bits;
    let paged = n_entries > page_entries;
    let n_pages = if paged {
        n_entries.div_ceil(page_entries)
    } else {
        0
    };
    let head_bytes = u64::from(source.sizes().offset_bytes)
        .saturating_add(6)
        .saturating_add(n_pages.div_ceil(8));
    let body_bytes = if paged {
        all_bytes.saturating_add(n_pages.saturating_add(1).saturating_mul(4))
    } else {
        all_bytes.saturating_add(4)
    };
    let block_bytes = head_bytes.saturating_add(body_bytes);
    let bytes = source.read("fixed array data block", block, block_bytes)?;
    let mut cursor = source.cursor("fixed array data block", block, &bytes);
    cursor.signature(*b"FADB")?;
    cursor.version(0)?;
    cursor.skip(1)?;
    if cursor.defined_address()? != address {
        return Err(cursor.corrupt("the address of its header", address));
    }
    if paged {
        let bitmap = cursor.take_u64(n_pages.div_ceil(8))?;
        cursor.checksum()?;
        for page in 0..n_pages {
            let first = page.saturating_mul(page_entries);
            let n = page_entries.min(n_entries.saturating_sub(first));
            let page_bytes = n.saturating_mul(entry_bytes.into()).saturating_add(4);
            let mut cursor = cursor.sub(usize::try_from(page_bytes).unwrap_or(usize::MAX))?;
            if !bit(bitmap, page) {
                continue;
            }
            for position in (first..).take(usize::try_from(n).unwrap_or(usize::MAX)) {
                reader.take(&mut cursor, filtered, entry_bytes, position)?;
            }
            cursor.checksum()?;
        }
    } else {
        for position in 0..n_entries {
            reader.take(&mut cursor, filtered, entry_bytes, position)?;
        }
        cursor.checksum()?;
    }
    Ok(header_bytes.next_multiple_of(8).saturating_add(block_bytes))
}

/// Bit `number` of a bitmap, the high bit of a byte first.
pub(super) fn bit(bitmap: &[u8], number: u64) -> bool {
    let byte = usize::try_from(number >> 3)
        .ok()
        .and_then(|place| bitmap.get(place));
    byte.is_some_and(|byte| byte & (0x80 >> (number & 7)) != 0)
}

/// Writes an array of all `positions`; its address.
pub(crate) fn write(
    plan: EntryPlan,
    positions: &Positions,
    sink: &mut dyn Sink<'_>,
) -> Result<u64> {
    let n_entries = positions.len() as u64;
    if n_entries > u32::MAX.into() {
        return Err(too_many(NAME, n_entries, u32::MAX.into()));
    }
    let address = sink.next_address();
    let mut header = Encoder::signed(*b"FAHD", 0);
    header
        .u8(plan.client())
        .u8(plan.entry_bytes())
        .u8(PAGE_BITS)
        .u64(n_entries);
    // The block follows the header: 28 bytes, rounded up to a multiple of 8.
    let block = address.saturating_add(HEADER_BYTES.next_multiple_of(8));
    header.u64(block);
    let mut piece = header.checksummed();
    piece.resize(piece.len().next_multiple_of(8), 0);
    let mut data = Encoder::signed(*b"FADB", 0);
    data.u8(plan.client()).u64(address);
    let page_entries = 1_usize << PAGE_BITS;
    if positions.len() > page_entries {
        let n_pages = positions.len().div_ceil(page_entries);
        let mut bitmap = vec![0xff_u8; n_pages.div_ceil(8)];
        if let Some(last) = bitmap.last_mut().filter(|_| !n_pages.is_multiple_of(8)) {
            *last = !(0xff_u8 >> (n_pages % 8));
        }
        data.put(&bitmap);
        piece.extend(data.checksummed());
        for page in positions.chunks(page_entries) {
            piece.extend(entries(plan, Encoder::new(), page));
        }
    } else {
        piece.extend(entries(plan, data, positions));
    }
    sink.append(piece)
}

fn entries(plan: EntryPlan, mut encoder: Encoder, positions: &Positions) -> Vec<u8> {
    for chunk in positions {
        plan.put(&mut encoder, chunk.as_ref());
    }
    encoder.checksummed()
}
