//! The extensible array, written: a whole array at once, as one piece.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "nothing here comes from a file: all sizes follow from constants and the number of chunks"
)]

use super::{NAME, Parameters, SuperBlock, WRITTEN};
use crate::chunk_index::{EntryPlan, Positions, too_many};
use crate::encoder::{Encoder, UNDEFINED};
use crate::error::Result;
use crate::sink::Sink;

const HEADER_BYTES: usize = 72;

/// The blocks behind header and index block, and the counts that the header states of them.
struct Writer<'p> {
    plan: EntryPlan,
    positions: &'p Positions,
    /// Where the piece begins: the header's address.
    address: u64,
    piece: Vec<u8>,
    n_super_blocks: u64,
    super_block_bytes: u64,
    n_data_blocks: u64,
    data_block_bytes: u64,
    n_realized: u64,
}

/// Writes an array of all `positions`; its address.
pub(crate) fn write(
    plan: EntryPlan,
    positions: &Positions,
    sink: &mut dyn Sink<'_>,
) -> Result<u64> {
    let limit = 1_u64 << WRITTEN.bits_max;
    if positions.len() as u64 >= limit {
        return Err(too_many(NAME, positions.len() as u64, limit));
    }
    let super_blocks = WRITTEN.super_blocks();
    let (inside, outside) = super_blocks.split_at(WRITTEN.n_super_blocks_inside() as usize);
    let n_pointers =
        inside.iter().map(|block| block.n_blocks).sum::<u64>() as usize + outside.len();
    let entries_bytes = WRITTEN.n_index as usize * usize::from(plan.entry_bytes());
    let index_bytes = (14 + entries_bytes + n_pointers * 8 + 4).next_multiple_of(8);
    let mut writer = Writer {
        plan,
        positions,
        address: sink.next_address(),
        piece: vec![0; HEADER_BYTES + index_bytes],
        n_super_blocks: 0,
        super_block_bytes: 0,
        n_data_blocks: 0,
        data_block_bytes: 0,
        n_realized: WRITTEN.n_index,
    };
    let mut index = writer.head(*b"EAIB");
    for position in 0..WRITTEN.n_index {
        plan.put(&mut index, writer.chunk(position));
    }
    for block in inside {
        for number in 0..block.n_blocks {
            index.u64(writer.data_block(*block, number));
        }
    }
    for block in outside {
        index.u64(writer.super_block(*block));
    }
    let index = index.checksummed();
    writer.piece[HEADER_BYTES..HEADER_BYTES + index.len()].copy_from_slice(&index);
    let header = writer.header();
    writer.piece[..HEADER_BYTES].copy_from_slice(&header);
    sink.append(writer.piece)
}

impl<'p> Writer<'p> {
    fn chunk(&self, position: u64) -> Option<&'p crate::chunk_index::ChunkRef> {
        self.positions
            .get(usize::try_from(position).ok()?)?
            .as_ref()
    }

    fn header(&self) -> Vec<u8> {
        let Parameters {
            bits_max,
            n_index,
            n_block_min,
            n_pointers_min,
            page_bits,
        } = WRITTEN;
        let mut header = Encoder::signed(*b"EAHD", 0);
        header
            .u8(self.plan.client())
            .u8(self.plan.entry_bytes())
            .u8(bits_max);
        header
            .u8(n_index as u8)
            .u8(n_block_min as u8)
            .u8(n_pointers_min as u8)
            .u8(page_bits);
        header.u64(self.n_super_blocks).u64(self.super_block_bytes);
        header.u64(self.n_data_blocks).u64(self.data_block_bytes);
        header.u64(self.positions.len() as u64).u64(self.n_realized);
        header.u64(self.address + HEADER_BYTES as u64);
        header.checksummed()
    }

    fn head(&self, signature: [u8; 4]) -> Encoder {
        let mut block = Encoder::signed(signature, 0);
        block.u8(self.plan.client()).u64(self.address);
        block
    }

    /// Adds a block to the piece; its address.
    fn add(&mut self, block: &[u8]) -> u64 {
        let address = self.address + self.piece.len() as u64;
        self.piece.extend_from_slice(block);
        self.piece.resize(self.piece.len().next_multiple_of(8), 0);
        address
    }

    /// Whether any element from `first` on, counted without those of the index block, is set.
    fn reaches(&self, first: u64) -> bool {
        first + WRITTEN.n_index < self.positions.len() as u64
    }

    fn super_block(&mut self, block: SuperBlock) -> u64 {
        if !self.reaches(block.first) {
            return UNDEFINED;
        }
        let mut encoder = self.head(*b"EASB");
        encoder.uint(block.first, WRITTEN.offset_width());
        if let Some(n_pages) = WRITTEN.n_pages(block) {
            let bitmap_bytes = n_pages.div_ceil(8) * block.n_blocks;
            let mut bitmap = vec![0_u8; bitmap_bytes as usize];
            for page in 0..n_pages * block.n_blocks {
                if self.reaches(block.first + page * WRITTEN.page_elements()) {
                    bitmap[(page / 8) as usize] |= 0x80 >> (page % 8);
                }
            }
            encoder.put(&bitmap);
        }
        for number in 0..block.n_blocks {
            encoder.u64(self.data_block(block, number));
        }
        let bytes = encoder.checksummed();
        self.n_super_blocks += 1;
        self.super_block_bytes += bytes.len() as u64;
        self.add(&bytes)
    }

    fn data_block(&mut self, block: SuperBlock, number: u64) -> u64 {
        let first = block.first + number * block.n_elements;
        if !self.reaches(first) {
            return UNDEFINED;
        }
        let mut encoder = self.head(*b"EADB");
        encoder.uint(first, WRITTEN.offset_width());
        let position = first + WRITTEN.n_index;
        let bytes = if WRITTEN.n_pages(block).is_some() {
            let mut bytes = encoder.checksummed();
            let page = WRITTEN.page_elements();
            for start in (position..position + block.n_elements).step_by(page as usize) {
                bytes.extend(self.elements(Encoder::new(), start, page));
            }
            bytes
        } else {
            self.elements(encoder, position, block.n_elements)
        };
        self.n_data_blocks += 1;
        self.data_block_bytes += bytes.len() as u64;
        self.n_realized += block.n_elements;
        self.add(&bytes)
    }

    fn elements(&self, mut encoder: Encoder, first: u64, n: u64) -> Vec<u8> {
        for position in first..first + n {
            self.plan.put(&mut encoder, self.chunk(position));
        }
        encoder.checksummed()
    }
}
