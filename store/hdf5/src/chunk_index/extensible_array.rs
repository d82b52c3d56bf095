//! The extensible array: the chunks of a dataset that can grow along one dimension.
//!
//! Source: HDF5 file format specification, VII.D "The Extensible Array Index". Its blocks name
//! their header's address, so that an array whose header moves has to be written anew.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use super::EntryReader;
use super::fixed_array::bit;
use crate::cursor::Cursor;
use crate::error::Result;
use crate::source::{Budget, Source};

const NAME: &str = "extensible array";

/// The numbers that an array is made with, as its header has them.
#[derive(Debug, Clone, Copy)]
struct Parameters {
    /// log2 of the most elements.
    bits_max: u8,
    /// How many elements are in the index block.
    n_index: u64,
    /// How many elements the smallest data block has.
    n_block_min: u64,
    /// How many data blocks the smallest super block has.
    n_pointers_min: u64,
    /// log2 of the elements of a page.
    page_bits: u8,
}

/// What the C library uses.
const WRITTEN: Parameters = Parameters {
    bits_max: 32,
    n_index: 4,
    n_block_min: 16,
    n_pointers_min: 4,
    page_bits: 10,
};

/// The parameters in the order of the layout message.
pub(crate) const MESSAGE_BYTES: [u8; 5] = [32, 4, 4, 16, 10];

/// A super block's data blocks.
#[derive(Debug, Clone, Copy)]
struct SuperBlock {
    n_blocks: u64,
    /// How many elements each data block has.
    n_elements: u64,
    /// The first element, not counting those of the index block.
    first: u64,
}

impl Parameters {
    fn n_super_blocks(&self) -> u32 {
        u32::from(self.bits_max)
            .saturating_sub(self.n_block_min.trailing_zeros())
            .saturating_add(1)
    }

    /// How many super blocks have their data blocks in the index block.
    fn n_super_blocks_inside(&self) -> u32 {
        self.n_pointers_min.trailing_zeros().saturating_mul(2)
    }

    fn super_blocks(&self) -> Vec<SuperBlock> {
        let mut first = 0_u64;
        (0..self.n_super_blocks())
            .map(|number| {
                let n_blocks = 1_u64.checked_shl(number >> 1).unwrap_or(0);
                let doublings = number.saturating_add(1) >> 1;
                let n_elements = self
                    .n_block_min
                    .saturating_mul(1_u64.checked_shl(doublings).unwrap_or(0));
                let block = SuperBlock {
                    n_blocks,
                    n_elements,
                    first,
                };
                first = first.saturating_add(n_blocks.saturating_mul(n_elements));
                block
            })
            .collect()
    }

    fn offset_width(&self) -> u8 {
        self.bits_max.div_ceil(8)
    }

    fn page_elements(&self) -> u64 {
        1_u64.checked_shl(self.page_bits.into()).unwrap_or(u64::MAX)
    }

    /// How many pages a data block has; none where it has none.
    fn n_pages(&self, block: SuperBlock) -> Option<u64> {
        let page = self.page_elements();
        (block.n_elements > page).then(|| block.n_elements.checked_div(page).unwrap_or(0))
    }
}

/// An array being read.
struct Array<'r, 'a> {
    reader: &'r mut EntryReader<'a>,
    address: u64,
    parameters: Parameters,
    filtered: bool,
    entry_bytes: u8,
    /// One more than the last position that was ever set.
    n_set: u64,
    storage_bytes: u64,
    budget: Budget,
}

pub(super) fn read(reader: &mut EntryReader<'_>, address: u64) -> Result<u64> {
    let source = reader.source;
    let bytes = source.read_up_to(NAME, address, 128)?;
    let mut cursor = source.cursor(NAME, address, &bytes);
    cursor.signature(*b"EAHD")?;
    cursor.version(0)?;
    let filtered = cursor.u8()? != 0;
    let entry_bytes = cursor.u8()?;
    let bits_max = cursor.u8()?;
    let n_index = u64::from(cursor.u8()?);
    let n_block_min = u64::from(cursor.u8()?);
    let n_pointers_min = u64::from(cursor.u8()?);
    let page_bits = cursor.u8()?;
    for _ in 0..4 {
        cursor.length()?; // counts and sizes of super and data blocks
    }
    let n_set = cursor.length()?;
    let _n_realized = cursor.length()?;
    let index_block = cursor.address()?;
    cursor.checksum()?;
    let sound = n_block_min.is_power_of_two()
        && n_pointers_min.is_power_of_two()
        && n_pointers_min > 1
        && bits_max <= 64
        && page_bits < 64
        && entry_bytes >= source.sizes().offset_bytes;
    if !sound {
        return Err(cursor.corrupt("creation parameters that are powers of two", n_block_min));
    }
    let parameters = Parameters {
        bits_max,
        n_index,
        n_block_min,
        n_pointers_min,
        page_bits,
    };
    let storage_bytes = cursor.taken() as u64;
    let mut array = Array {
        reader,
        address,
        parameters,
        filtered,
        entry_bytes,
        n_set,
        storage_bytes,
        budget: Budget::of(source),
    };
    if let Some(block) = index_block {
        array.read_index_block(source, block)?;
    }
    Ok(array.storage_bytes)
}

impl Array<'_, '_> {
    fn read_block<'s>(
        &mut self,
        source: &'s Source,
        address: u64,
        len: u64,
    ) -> Result<std::borrow::Cow<'s, [u8]>> {
        // Written here, each is as long as a multiple of 8.
        let padded = len.checked_next_multiple_of(8).unwrap_or(len);
        self.storage_bytes = self.storage_bytes.saturating_add(padded);
        self.budget.take(NAME, address, len)?;
        source.read(NAME, address, len)
    }

    fn head(&self, cursor: &mut Cursor<'_>, signature: [u8; 4]) -> Result<()> {
        cursor.signature(signature)?;
        cursor.version(0)?;
        cursor.skip(1)?;
        if cursor.defined_address()? != self.address {
            return Err(cursor.corrupt("the address of its header", self.address));
        }
        Ok(())
    }

    fn head_bytes(source: &Source) -> u64 {
        u64::from(source.sizes().offset_bytes).saturating_add(6)
    }

    fn read_index_block(&mut self, source: &Source, address: u64) -> Result<()> {
        let parameters = self.parameters;
        let super_blocks = parameters.super_blocks();
        let n_inside = usize::try_from(parameters.n_super_blocks_inside()).unwrap_or(usize::MAX);
        let (inside, outside) = super_blocks
            .split_at_checked(n_inside)
            .unwrap_or((&super_blocks, &[]));
        let n_pointers = inside.iter().fold(outside.len() as u64, |sum, block| {
            sum.saturating_add(block.n_blocks)
        });
        let len = parameters
            .n_index
            .saturating_mul(self.entry_bytes.into())
            .saturating_add(n_pointers.saturating_mul(source.sizes().offset_bytes.into()))
            .saturating_add(Self::head_bytes(source))
            .saturating_add(4);
        let bytes = self.read_block(source, address, len)?;
        let mut cursor = source.cursor(NAME, address, &bytes);
        self.head(&mut cursor, *b"EAIB")?;
        for position in 0..parameters.n_index {
            self.reader
                .take(&mut cursor, self.filtered, self.entry_bytes, position)?;
        }
        for block in inside {
            for number in 0..block.n_blocks {
                if let Some(address) = cursor.address()? {
                    self.read_data_block(source, address, *block, number, None)?;
                }
            }
        }
        for block in outside {
            if let Some(address) = cursor.address()? {
                self.read_super_block(source, address, *block)?;
            }
        }
        cursor.checksum()
    }

    fn read_super_block(&mut self, source: &Source, address: u64, block: SuperBlock) -> Result<()> {
        let bitmap_bytes = self.parameters.n_pages(block).map_or(0, |n| n.div_ceil(8));
        let bitmaps_bytes = bitmap_bytes.saturating_mul(block.n_blocks);
        let len = block
            .n_blocks
            .saturating_mul(source.sizes().offset_bytes.into())
            .saturating_add(bitmaps_bytes)
            .saturating_add(Self::head_bytes(source))
            .saturating_add(self.parameters.offset_width().into())
            .saturating_add(4);
        let bytes = self.read_block(source, address, len)?;
        let mut cursor = source.cursor(NAME, address, &bytes);
        self.head(&mut cursor, *b"EASB")?;
        cursor.skip(self.parameters.offset_width().into())?;
        let bitmaps = cursor.take_u64(bitmaps_bytes)?;
        for number in 0..block.n_blocks {
            if let Some(address) = cursor.address()? {
                self.read_data_block(source, address, block, number, Some(bitmaps))?;
            }
        }
        cursor.checksum()
    }

    fn read_data_block(
        &mut self,
        source: &Source,
        address: u64,
        block: SuperBlock,
        number: u64,
        bitmaps: Option<&[u8]>,
    ) -> Result<()> {
        let first = number
            .saturating_mul(block.n_elements)
            .saturating_add(block.first)
            .saturating_add(self.parameters.n_index);
        let n_pages = self.parameters.n_pages(block);
        let n_checksums = n_pages.unwrap_or(0).saturating_add(1);
        let len = block
            .n_elements
            .saturating_mul(self.entry_bytes.into())
            .saturating_add(n_checksums.saturating_mul(4))
            .saturating_add(Self::head_bytes(source))
            .saturating_add(self.parameters.offset_width().into());
        let bytes = self.read_block(source, address, len)?;
        let mut cursor = source.cursor(NAME, address, &bytes);
        self.head(&mut cursor, *b"EADB")?;
        cursor.skip(self.parameters.offset_width().into())?;
        let Some(n_pages) = n_pages else {
            self.take_elements(&mut cursor, first, block.n_elements)?;
            return cursor.checksum();
        };
        cursor.checksum()?;
        let page = self.parameters.page_elements();
        let page_bytes = page
            .saturating_mul(self.entry_bytes.into())
            .saturating_add(4);
        for page_number in 0..n_pages {
            let mut cursor = cursor.sub(usize::try_from(page_bytes).unwrap_or(usize::MAX))?;
            let bit_number = number.saturating_mul(n_pages).saturating_add(page_number);
            if bitmaps.is_some_and(|bitmaps| bit(bitmaps, bit_number)) {
                let first = page_number.saturating_mul(page).saturating_add(first);
                self.take_elements(&mut cursor, first, page)?;
                cursor.checksum()?;
            }
        }
        Ok(())
    }

    fn take_elements(&mut self, cursor: &mut Cursor<'_>, first: u64, n: u64) -> Result<()> {
        for position in first..first.saturating_add(n) {
            if position >= self.n_set {
                let left = first.saturating_add(n).saturating_sub(position);
                cursor.take_u64(left.saturating_mul(self.entry_bytes.into()))?;
                break;
            }
            self.reader
                .take(cursor, self.filtered, self.entry_bytes, position)?;
        }
        Ok(())
    }
}

mod write;
pub(crate) use write::write;
