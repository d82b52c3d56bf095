//! A header slot and its bytes. Knows neither where it stands nor that there are two.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use super::layout::{
    BASE_SEQ_AT, CHECKPOINT_AT, COUNTER_AT, DURABLE_LEN_AT, FORMAT_VERSION, FRAMES_OFFSET,
    GENERATION_AT, IMAGE_AT, IMAGE_LEN_AT, IMAGE_LEN_MAX, MAGIC, MAGIC_AT, SLOT_CRC_AT, SLOT_LEN,
    STORE_ID_AT, VERSION_AT,
};
use crate::Seq;

/// What a header slot says of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slot {
    /// The valid slot with the greater one rules.
    pub(crate) counter: u64,
    /// The store's random identity.
    pub(crate) store_id: u128,
    /// Random, new with each reset: frames of another generation are none.
    pub(crate) generation: u64,
    /// The checkpoint that the frames continue.
    pub(crate) checkpoint: u64,
    /// The last commit of that checkpoint; the first frame has the next one.
    pub(crate) base_seq: Seq,
    /// Where the durable frames end in the file.
    pub(crate) durable_end: u64,
    /// A copy of the memory file's superblock; empty before the first checkpoint.
    pub(crate) image: Vec<u8>,
}

/// What the bytes of a slot are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SlotBytes {
    Valid(Slot),
    /// Whole, of a version that is not known here.
    Newer(u32),
    /// Blank, torn or damaged.
    Invalid,
}

impl Slot {
    /// The slot of an empty log.
    pub(crate) fn first(store_id: u128, generation: u64) -> Self {
        Self {
            counter: 1,
            store_id,
            generation,
            checkpoint: 0,
            base_seq: Seq::ZERO,
            durable_end: FRAMES_OFFSET,
            image: Vec::new(),
        }
    }

    pub(super) fn encode(&self) -> [u8; SLOT_LEN] {
        let mut bytes = [0; SLOT_LEN];
        let image_len = u32::try_from(self.image.len()).expect("a superblock is short");
        put(&mut bytes, MAGIC_AT, &MAGIC);
        put(&mut bytes, VERSION_AT, &FORMAT_VERSION.to_le_bytes());
        put(&mut bytes, IMAGE_LEN_AT, &image_len.to_le_bytes());
        put(&mut bytes, COUNTER_AT, &self.counter.to_le_bytes());
        put(&mut bytes, STORE_ID_AT, &self.store_id.to_le_bytes());
        put(&mut bytes, GENERATION_AT, &self.generation.to_le_bytes());
        put(&mut bytes, CHECKPOINT_AT, &self.checkpoint.to_le_bytes());
        put(&mut bytes, BASE_SEQ_AT, &self.base_seq.0.to_le_bytes());
        put(&mut bytes, DURABLE_LEN_AT, &self.durable_end.to_le_bytes());
        put(&mut bytes, IMAGE_AT, &self.image);
        let crc = crc32c::crc32c(
            bytes
                .first_chunk::<SLOT_CRC_AT>()
                .expect("a slot is longer"),
        );
        put(&mut bytes, SLOT_CRC_AT, &crc.to_le_bytes());
        bytes
    }

    pub(super) fn decode(bytes: &[u8; SLOT_LEN]) -> SlotBytes {
        let summed = bytes
            .first_chunk::<SLOT_CRC_AT>()
            .expect("a slot is longer");
        let crc = u32::from_le_bytes(take(bytes, SLOT_CRC_AT));
        if take(bytes, MAGIC_AT) != MAGIC || crc != crc32c::crc32c(summed) {
            return SlotBytes::Invalid;
        }
        let version = u32::from_le_bytes(take(bytes, VERSION_AT));
        if version > FORMAT_VERSION {
            return SlotBytes::Newer(version);
        }
        let image_len = usize::try_from(u32::from_le_bytes(take(bytes, IMAGE_LEN_AT)));
        let image: [u8; IMAGE_LEN_MAX] = take(bytes, IMAGE_AT);
        let Some(image) = image_len.ok().and_then(|len| image.get(..len)) else {
            return SlotBytes::Invalid;
        };
        let slot = Self {
            counter: u64::from_le_bytes(take(bytes, COUNTER_AT)),
            store_id: u128::from_le_bytes(take(bytes, STORE_ID_AT)),
            generation: u64::from_le_bytes(take(bytes, GENERATION_AT)),
            checkpoint: u64::from_le_bytes(take(bytes, CHECKPOINT_AT)),
            base_seq: Seq(u64::from_le_bytes(take(bytes, BASE_SEQ_AT))),
            durable_end: u64::from_le_bytes(take(bytes, DURABLE_LEN_AT)),
            image: image.to_vec(),
        };
        if version == 0 || slot.durable_end < FRAMES_OFFSET {
            return SlotBytes::Invalid;
        }
        SlotBytes::Valid(slot)
    }
}

fn put(bytes: &mut [u8; SLOT_LEN], at: usize, field: &[u8]) {
    let rest = bytes
        .get_mut(at..)
        .expect("every field begins within the slot");
    rest.get_mut(..field.len())
        .expect("every field ends within the slot")
        .copy_from_slice(field);
}

fn take<const N: usize>(bytes: &[u8; SLOT_LEN], at: usize) -> [u8; N] {
    let rest = bytes.get(at..).expect("every field begins within the slot");
    *rest
        .first_chunk()
        .expect("every field ends within the slot")
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may panic")]
mod tests;
