//! The fractal heap, read: where dense links and attributes are.
//!
//! Source: HDF5 file format specification, III.G "Disk Format: Level 1G - Fractal Heap".
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::btree_v2::BtreeV2;
use crate::checksum::lookup3;
use crate::cursor::{Cursor, width_of};
use crate::error::{Error, Result};
use crate::source::{Budget, Source};

const NAME: &str = "fractal heap";
/// How many indirect blocks may lie above a direct one: each is at least twice as large.
const DEPTH_MAX: u32 = 64;

/// A heap's header.
#[derive(Debug)]
pub(crate) struct FractalHeap<'a> {
    source: &'a Source,
    address: u64,
    id_len: usize,
    object_bytes_max: u64,
    direct_blocks_checksummed: bool,
    huge_objects: Option<u64>,
    width: u64,
    first_block_bytes: u64,
    direct_block_bytes_max: u64,
    offset_bits: u16,
    root: Option<u64>,
    /// 0 where the root is a direct block.
    root_rows: u16,
    allocated_bytes: u64,
    huge_bytes: u64,
    /// The huge objects, once one was asked for.
    huge: RefCell<Option<BTreeMap<u64, (u64, u64)>>>,
    /// How many bytes of objects may still be read: each lies by itself.
    budget: RefCell<Budget>,
    /// The same of direct blocks.
    block_budget: RefCell<Budget>,
    /// The direct blocks whose checksums were found right.
    checked: RefCell<BTreeSet<u64>>,
}

impl<'a> FractalHeap<'a> {
    pub(crate) fn read(source: &'a Source, address: u64) -> Result<Self> {
        let bytes = source.read_up_to(NAME, address, 256)?;
        let mut cursor = source.cursor(NAME, address, &bytes);
        cursor.signature(*b"FRHP")?;
        cursor.version(0)?;
        let id_len = usize::from(cursor.u16()?);
        if cursor.u16()? != 0 {
            return Err(Error::not_supported("a filtered fractal heap"));
        }
        let flags = cursor.u8()?;
        let object_bytes_max = u64::from(cursor.u32()?);
        let _next_huge = cursor.length()?;
        let huge_objects = cursor.address()?;
        let _free = cursor.length()?;
        let _free_manager = cursor.address()?;
        let _managed = cursor.length()?;
        let allocated_bytes = cursor.length()?;
        let (_next, _n_managed) = (cursor.length()?, cursor.length()?);
        let huge_bytes = cursor.length()?;
        for _ in 0..3 {
            cursor.length()?; // how many huge objects, size and number of tiny ones
        }
        let width = u64::from(cursor.u16()?);
        let (first_block_bytes, direct_block_bytes_max) = (cursor.length()?, cursor.length()?);
        let offset_bits = cursor.u16()?;
        let _first_rows = cursor.u16()?;
        let root = cursor.address()?;
        let root_rows = cursor.u16()?;
        cursor.checksum()?;
        let powers =
            first_block_bytes.is_power_of_two() && direct_block_bytes_max.is_power_of_two();
        if !powers || width == 0 || direct_block_bytes_max < first_block_bytes || offset_bits > 64 {
            return Err(cursor.corrupt("block sizes that are powers of two", first_block_bytes));
        }
        Ok(Self {
            source,
            address,
            id_len,
            object_bytes_max,
            direct_blocks_checksummed: flags & 2 != 0,
            huge_objects,
            width,
            first_block_bytes,
            direct_block_bytes_max,
            offset_bits,
            root,
            root_rows,
            allocated_bytes,
            huge_bytes,
            huge: RefCell::default(),
            budget: RefCell::new(Budget::of(source)),
            block_budget: RefCell::new(Budget::of(source)),
            checked: RefCell::default(),
        })
    }

    /// How long the object ids of this heap are.
    pub(crate) fn id_len(&self) -> usize {
        self.id_len
    }

    /// How many bytes of the file it takes, as its header says, and the index of huge objects;
    /// indirect blocks below the root are left out.
    pub(crate) fn storage_bytes(&self) -> Result<u64> {
        let entries = u64::from(self.root_rows).saturating_mul(self.width);
        let indirect = match self.root_rows {
            0 => 0,
            _ => entries
                .saturating_mul(8)
                .saturating_add(self.block_head().into())
                .saturating_add(4),
        };
        let huge_index = match self.huge_objects {
            Some(tree) => {
                let tree = BtreeV2::read(self.source, tree)?;
                tree.records_and_bytes(tree.kind())?.1
            }
            None => 0,
        };
        Ok(self
            .allocated_bytes
            .saturating_add(self.huge_bytes)
            .saturating_add(huge_index)
            .saturating_add(indirect)
            .saturating_add(152))
    }

    /// The object that has `id`, and where in the file it begins.
    pub(crate) fn object(&self, id: &[u8]) -> Result<(u64, Cow<'a, [u8]>)> {
        let mut cursor = self.source.cursor("fractal heap id", self.address, id);
        let first = cursor.u8()?;
        let (address, bytes) = match first >> 4 & 3 {
            0 => self.managed(&mut cursor)?,
            1 => self.huge(&mut cursor)?,
            2 => self.tiny(&mut cursor, first)?,
            kind => return Err(cursor.corrupt("a heap id of type 0 to 2", kind.into())),
        };
        let len = bytes.len() as u64;
        self.budget.borrow_mut().take(NAME, address, len)?;
        Ok((address, bytes))
    }

    fn tiny(&self, cursor: &mut Cursor<'_>, first: u8) -> Result<(u64, Cow<'a, [u8]>)> {
        let mut len = u64::from(first & 15);
        if self.id_len > 17 {
            len = len << 8 | u64::from(cursor.u8()?);
        }
        let bytes = cursor.take_u64(len.saturating_add(1))?;
        Ok((self.address, Cow::Owned(bytes.to_vec())))
    }

    fn huge(&self, cursor: &mut Cursor<'_>) -> Result<(u64, Cow<'a, [u8]>)> {
        let sizes = cursor.sizes();
        let direct = usize::from(sizes.offset_bytes).saturating_add(sizes.length_bytes.into());
        if self.id_len.saturating_sub(1) >= direct {
            let (address, len) = (cursor.defined_address()?, cursor.length()?);
            return Ok((address, self.source.read("huge object", address, len)?));
        }
        let width = self.id_len.saturating_sub(1).min(sizes.length_bytes.into());
        let id = cursor.uint(width)?;
        let Some(tree) = self.huge_objects else {
            return Err(cursor.corrupt("an index of huge objects", id));
        };
        if self.huge.borrow().is_none() {
            *self.huge.borrow_mut() = Some(self.read_huge_index(tree)?);
        }
        let found = self
            .huge
            .borrow()
            .as_ref()
            .and_then(|all| all.get(&id).copied());
        match found {
            Some((address, len)) => Ok((address, self.source.read("huge object", address, len)?)),
            None => Err(cursor.corrupt("a huge object that is in the index", id)),
        }
    }

    /// Where each huge object is, and how long, by its number.
    fn read_huge_index(&self, tree: u64) -> Result<BTreeMap<u64, (u64, u64)>> {
        let mut all = BTreeMap::new();
        for record in BtreeV2::read(self.source, tree)?.records(1)? {
            let mut record = self.source.cursor("huge object record", tree, &record);
            let (address, len) = (record.defined_address()?, record.length()?);
            all.insert(record.length()?, (address, len));
        }
        Ok(all)
    }

    fn managed(&self, cursor: &mut Cursor<'_>) -> Result<(u64, Cow<'a, [u8]>)> {
        let offset = cursor.uint(usize::from(self.offset_bits.div_ceil(8)))?;
        let block_width = width_of(self.direct_block_bytes_max.saturating_sub(1));
        let len = cursor.uint(usize::from(
            block_width.min(width_of(self.object_bytes_max)),
        ))?;
        let (block, block_offset) = self.direct_block(offset)?;
        let address = offset
            .checked_sub(block_offset)
            .and_then(|n| block.checked_add(n));
        match address {
            Some(address) => Ok((address, self.source.read("heap object", address, len)?)),
            None => Err(cursor.corrupt("an object within its block", offset)),
        }
    }

    /// The address of the direct block that holds heap offset `offset`, and its own offset.
    fn direct_block(&self, offset: u64) -> Result<(u64, u64)> {
        let corrupt = |found| Error::Corrupt {
            structure: NAME,
            offset_bytes: self.address,
            expected: "a block that holds the object",
            found,
        };
        let mut block = self.root.ok_or_else(|| corrupt(offset))?;
        let mut rows = u64::from(self.root_rows);
        let mut block_offset = 0_u64;
        if rows == 0 {
            self.check_direct(block, block_offset, self.first_block_bytes)?;
            return Ok((block, block_offset));
        }
        for _ in 0..DEPTH_MAX {
            self.check_block(block, block_offset, *b"FHIB")?;
            let entry = self
                .entry_of(offset, block_offset, rows)
                .ok_or_else(|| corrupt(offset))?;
            let child = self
                .child(block, entry.number)?
                .ok_or_else(|| corrupt(offset))?;
            block_offset = entry.offset;
            block = child;
            if entry.bytes <= self.direct_block_bytes_max {
                self.check_direct(block, block_offset, entry.bytes)?;
                return Ok((block, block_offset));
            }
            // An indirect block has as many rows as give it the bytes that its row says.
            rows = u64::from(entry.bytes.trailing_zeros())
                .saturating_sub(self.first_block_bytes.trailing_zeros().into())
                .saturating_sub(self.width.trailing_zeros().into())
                .saturating_add(1);
        }
        Err(corrupt(offset))
    }

    /// Which entry of an indirect block of `rows` rows holds `offset`.
    fn entry_of(&self, offset: u64, block_offset: u64, rows: u64) -> Option<Entry> {
        let mut start = block_offset;
        for row in 0..rows {
            let doublings = u32::try_from(row.saturating_sub(1)).ok()?;
            let bytes = self
                .first_block_bytes
                .checked_mul(1_u64.checked_shl(doublings)?)?;
            let end = start.checked_add(bytes.checked_mul(self.width)?)?;
            if offset >= start && offset < end {
                let column = offset.checked_sub(start)?.checked_div(bytes)?;
                let number = row.checked_mul(self.width)?.checked_add(column)?;
                let offset = column.checked_mul(bytes)?.checked_add(start)?;
                return Some(Entry {
                    number,
                    offset,
                    bytes,
                });
            }
            start = end;
        }
        None
    }

    fn child(&self, block: u64, number: u64) -> Result<Option<u64>> {
        let sizes = self.source.sizes();
        let head = u64::from(self.block_head());
        let place = u64::from(sizes.offset_bytes)
            .saturating_mul(number)
            .saturating_add(head);
        let address = block.saturating_add(place);
        let bytes = self.source.read(NAME, address, sizes.offset_bytes.into())?;
        self.source.cursor(NAME, address, &bytes).address()
    }

    /// Signature, version, header address, block offset.
    fn block_head(&self) -> u16 {
        let offset_width = self.offset_bits.div_ceil(8);
        offset_width
            .saturating_add(u16::from(self.source.sizes().offset_bytes))
            .saturating_add(5)
    }

    /// Checks a direct block, once: its checksum stands for all that is in it.
    fn check_direct(&self, address: u64, offset: u64, len_bytes: u64) -> Result<()> {
        self.check_block(address, offset, *b"FHDB")?;
        if !self.direct_blocks_checksummed || !self.checked.borrow_mut().insert(address) {
            return Ok(());
        }
        let name = "fractal heap block";
        self.block_budget
            .borrow_mut()
            .take(name, address, len_bytes)?;
        let mut bytes = self.source.read(name, address, len_bytes)?.into_owned();
        let start = usize::from(self.block_head());
        let place = bytes
            .get_mut(start..)
            .and_then(|rest| rest.first_chunk_mut());
        let Some(place) = place else {
            return Err(Error::Truncated {
                structure: name,
                offset_bytes: address,
                needed_bytes: u64::from(self.block_head()).saturating_add(4),
                found_bytes: len_bytes,
            });
        };
        // The checksum is that of the block with zeros in its place.
        let stated = u32::from_le_bytes(std::mem::take(place));
        let found = lookup3(&bytes);
        if stated == found {
            return Ok(());
        }
        Err(Error::Corrupt {
            structure: name,
            offset_bytes: address,
            expected: "the checksum that its bytes have",
            found: stated.into(),
        })
    }

    fn check_block(&self, address: u64, offset: u64, signature: [u8; 4]) -> Result<()> {
        let name = if self.direct_blocks_checksummed {
            "fractal heap block"
        } else {
            NAME
        };
        let bytes = self.source.read(name, address, self.block_head().into())?;
        let mut cursor = self.source.cursor(name, address, &bytes);
        cursor.signature(signature)?;
        cursor.version(0)?;
        let heap = cursor.defined_address()?;
        let found = cursor.uint(usize::from(self.offset_bits.div_ceil(8)))?;
        if heap != self.address || found != offset {
            return Err(cursor.corrupt("a block of this heap at this offset", found));
        }
        Ok(())
    }
}

/// An entry of an indirect block.
struct Entry {
    number: u64,
    /// The heap offset where its block begins.
    offset: u64,
    bytes: u64,
}
