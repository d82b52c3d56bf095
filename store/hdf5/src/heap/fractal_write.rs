//! The fractal heap, written: a whole heap at once, in one go. Its blocks name their header's
//! address, so that a heap whose header moves has to be written anew.
//!
//! Source: HDF5 file format specification, III.G "Disk Format: Level 1G - Fractal Heap".

use crate::btree_v2::{self, TreePlan};
use crate::checksum::lookup3;
use crate::encoder::{Encoder, UNDEFINED};
use crate::error::Result;
use crate::sink::Sink;

/// The kinds of heap, with the C library's parameters for each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HeapPlan {
    id_len: u16,
    first_block_bytes: u64,
    offset_bits: u16,
}

impl HeapPlan {
    /// How long the ids of its objects are.
    pub(crate) fn id_bytes(self) -> usize {
        self.id_len.into()
    }

    /// `H5G_FHEAP_*`.
    pub(crate) const LINKS: Self = Self {
        id_len: 7,
        first_block_bytes: 512,
        offset_bits: 32,
    };
    /// `H5O_FHEAP_*`.
    pub(crate) const ATTRIBUTES: Self = Self {
        id_len: 8,
        first_block_bytes: 1024,
        offset_bits: 40,
    };
}

const WIDTH: u16 = 4;
const DIRECT_BLOCK_BYTES_MAX: u64 = 65_536;
/// A longer object is stored by itself ("huge").
const OBJECT_BYTES_MAX: u32 = 4096;
/// The header's 146 bytes, rounded up.
const HEADER_BYTES: u32 = 152;
/// Direct blocks carry a checksum.
const FLAGS: u8 = 1 << 1;

/// Blocks in the making: each row of four is twice as large as the one before, but for the first two.
struct Blocks {
    plan: HeapPlan,
    /// Heap offset and contents of each block so far; an empty one is left out of the file.
    blocks: Vec<(u64, Encoder)>,
}

impl Blocks {
    /// Signature, version, header address, block offset, checksum.
    fn overhead(&self) -> usize {
        usize::from(self.plan.offset_bits.div_ceil(8)) + 17
    }

    fn block_bytes(&self, number: usize) -> u64 {
        let row = number as u64 / u64::from(WIDTH);
        self.plan.first_block_bytes << row.saturating_sub(1)
    }

    /// Adds an object; its heap offset.
    fn add(&mut self, object: &[u8]) -> u64 {
        loop {
            let number = self.blocks.len().saturating_sub(1);
            let room = usize::try_from(self.block_bytes(number)).unwrap_or(usize::MAX);
            let overhead = self.overhead();
            let next = self
                .blocks
                .last()
                .map_or(0, |(start, _)| start + self.block_bytes(number));
            if let Some((start, body)) = self.blocks.last_mut()
                && overhead + body.len() + object.len() <= room
            {
                let offset = *start + (overhead + body.len()) as u64;
                body.put(object);
                return offset;
            }
            self.blocks.push((next, Encoder::new()));
        }
    }
}

/// A heap that was written.
#[derive(Debug)]
pub(crate) struct WrittenHeap {
    pub(crate) address: u64,
    /// The ids of all objects, one behind the other, in the order given.
    pub(crate) ids: Vec<u8>,
}

/// Writes a heap of `objects`.
pub(crate) fn write(
    plan: HeapPlan,
    objects: &[&[u8]],
    sink: &mut dyn Sink<'_>,
) -> Result<WrittenHeap> {
    let mut blocks = Blocks {
        plan,
        blocks: Vec::new(),
    };
    let mut huge = Huge {
        records: Vec::new(),
        n_objects: 0,
        n_bytes: 0,
        tree: UNDEFINED,
    };
    let offset_width = u8::try_from(plan.offset_bits.div_ceil(8)).unwrap_or(8);
    let mut ids = Encoder::new();
    for (n_ids, object) in objects.iter().enumerate() {
        let id = &mut ids;
        if object.len() > OBJECT_BYTES_MAX as usize {
            let key = huge.add(sink.append(object.to_vec())?, object.len() as u64);
            id.u8(1 << 4)
                .uint(key, u8::try_from(plan.id_len - 1).unwrap_or(8));
        } else {
            id.u8(0)
                .uint(blocks.add(object), offset_width)
                .uint(object.len() as u64, 2);
        }
        id.pad_to((n_ids + 1) * usize::from(plan.id_len));
    }
    if !huge.records.is_empty() {
        let plan = TreePlan {
            kind: 1,
            record_bytes: 24,
        };
        huge.tree = btree_v2::write(plan, &huge.records, sink)?;
    }
    let n_managed = objects.len() - huge.n_objects;
    let address = sink.next_address();
    let bytes = blocks.encode(address, n_managed as u64, &huge);
    sink.append(bytes)?;
    let ids = ids.into_bytes();
    Ok(WrittenHeap { address, ids })
}

/// The objects that are stored by themselves.
struct Huge {
    /// One behind the other: 24 bytes each.
    records: Vec<u8>,
    n_objects: usize,
    n_bytes: u64,
    tree: u64,
}

impl Huge {
    /// Adds an object; its key.
    fn add(&mut self, address: u64, len: u64) -> u64 {
        self.n_objects += 1;
        let key = self.n_objects as u64;
        for number in [address, len, key] {
            self.records.extend_from_slice(&number.to_le_bytes());
        }
        self.n_bytes += len;
        key
    }
}

impl Blocks {
    /// The whole heap as one piece at `address`: header, direct blocks, root indirect block.
    fn encode(self, address: u64, n_managed: u64, huge: &Huge) -> Vec<u8> {
        let mut body = Encoder::new();
        let mut children = Vec::new();
        let (mut allocated, mut used) = (0, 0);
        for (number, (start, contents)) in self.blocks.iter().enumerate() {
            if contents.len() == 0 {
                children.push(UNDEFINED);
                continue;
            }
            children.push(address + u64::from(HEADER_BYTES) + body.len() as u64);
            body.put(&self.direct_block(address, *start, contents, number));
            allocated += self.block_bytes(number);
            used += (contents.len() + self.overhead()) as u64;
        }
        let n_rows = (children.len() as u64).div_ceil(WIDTH.into());
        let last = children.len().saturating_sub(1);
        let (root, root_rows, managed) = match children.as_slice() {
            [] => (UNDEFINED, 0, 0),
            [root] => (*root, 0, self.plan.first_block_bytes),
            _ => {
                children.resize(
                    usize::try_from(n_rows * u64::from(WIDTH)).unwrap_or(usize::MAX),
                    UNDEFINED,
                );
                let root = address + u64::from(HEADER_BYTES) + body.len() as u64;
                body.put(&self.indirect_block(address, &children));
                let rows = 0..n_rows * u64::from(WIDTH);
                let blocks = rows.map(|n| self.block_bytes(usize::try_from(n).unwrap_or(0)));
                (root, n_rows, blocks.sum())
            }
        };
        let end = self
            .blocks
            .last()
            .map_or(0, |(start, _)| start + self.block_bytes(last));
        let mut header = Encoder::signed(*b"FRHP", 0);
        header
            .u16(self.plan.id_len)
            .u16(0)
            .u8(FLAGS)
            .u32(OBJECT_BYTES_MAX);
        header.u64(huge.n_objects as u64 + 1).u64(huge.tree);
        header.u64(allocated - used).u64(UNDEFINED);
        header.u64(managed).u64(allocated).u64(end).u64(n_managed);
        header
            .u64(huge.n_bytes)
            .u64(huge.n_objects as u64)
            .u64(0)
            .u64(0);
        header.u16(WIDTH).u64(self.plan.first_block_bytes);
        header.u64(DIRECT_BLOCK_BYTES_MAX.max(self.block_bytes(last)));
        header.u16(self.plan.offset_bits).u16(1).u64(root);
        header.u16(u16::try_from(root_rows).unwrap_or(u16::MAX));
        let mut piece = header.checksummed();
        piece.resize(HEADER_BYTES as usize, 0);
        piece.extend(body.into_bytes());
        piece
    }

    fn direct_block(&self, heap: u64, start: u64, contents: &Encoder, number: usize) -> Vec<u8> {
        let mut block = self.block_head(*b"FHDB", heap, start);
        let checksum_at = block.len();
        block.u32(0).put(contents.bytes());
        block.pad_to(usize::try_from(self.block_bytes(number)).unwrap_or(usize::MAX));
        let mut block = block.into_bytes();
        let checksum = lookup3(&block);
        block[checksum_at..checksum_at + 4].copy_from_slice(&checksum.to_le_bytes());
        block
    }

    fn indirect_block(&self, heap: u64, children: &[u64]) -> Vec<u8> {
        let mut block = self.block_head(*b"FHIB", heap, 0);
        for child in children {
            block.u64(*child);
        }
        block.checksummed()
    }

    fn block_head(&self, signature: [u8; 4], heap: u64, start: u64) -> Encoder {
        let mut block = Encoder::signed(signature, 0);
        let offset_width = u8::try_from(self.plan.offset_bits.div_ceil(8)).unwrap_or(8);
        block.u64(heap).uint(start, offset_width);
        block
    }
}

#[cfg(test)]
mod tests;
