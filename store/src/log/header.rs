//! The two header slots as they were read at one moment, and which of them rules.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use super::layout::{BLOCK_LEN, MAGIC, SLOT_LEN};
use super::slot::{Slot, SlotBytes};

#[expect(clippy::cast_possible_truncation, reason = "4 KiB and a slot")]
pub(super) const HEADER_READ_LEN: usize = BLOCK_LEN as usize + SLOT_LEN;

/// The bytes of both slots. Equal headers say the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Header {
    slots: [[u8; SLOT_LEN]; 2],
}

/// The slot that rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Newest {
    /// Which slot, and what it says.
    Slot(usize, Slot),
    /// A newer version of Palimpsest wrote it.
    Newer(u32),
    /// Neither slot is valid.
    None,
}

impl Header {
    /// From the file's first bytes; what is missing counts as blank.
    pub(super) fn from_bytes(bytes: &[u8; HEADER_READ_LEN]) -> Self {
        let first = *bytes.first_chunk().expect("two slots were read");
        let second = *bytes.last_chunk().expect("two slots were read");
        Self {
            slots: [first, second],
        }
    }

    /// The valid slot with the greater counter.
    pub(crate) fn newest(&self) -> Newest {
        let [first, second] = [Slot::decode(&self.slots[0]), Slot::decode(&self.slots[1])];
        match (first, second) {
            (SlotBytes::Newer(version), _) | (_, SlotBytes::Newer(version)) => {
                Newest::Newer(version)
            }
            (SlotBytes::Valid(first), SlotBytes::Valid(second)) => {
                if second.counter > first.counter {
                    Newest::Slot(1, second)
                } else {
                    Newest::Slot(0, first)
                }
            }
            (SlotBytes::Valid(first), SlotBytes::Invalid) => Newest::Slot(0, first),
            (SlotBytes::Invalid, SlotBytes::Valid(second)) => Newest::Slot(1, second),
            (SlotBytes::Invalid, SlotBytes::Invalid) => Newest::None,
        }
    }

    /// Whether each slot may be what is left of one of ours: byte for byte, where the magic number
    /// stands, that number or a blank. A file of another program begins otherwise.
    pub(crate) fn may_be_ours(&self) -> bool {
        self.slots.iter().all(|slot| {
            let head = slot.iter().zip(MAGIC);
            head.into_iter()
                .all(|(byte, ours)| *byte == 0 || *byte == ours)
        })
    }

    /// This header after `slot` was written to slot `idx`.
    pub(crate) fn with(&self, idx: usize, slot: &Slot) -> Self {
        let mut header = self.clone();
        if let Some(bytes) = header.slots.get_mut(idx) {
            *bytes = slot.encode();
        }
        header
    }

    /// The bytes of slot `idx`, as they were read.
    pub(crate) fn slot_bytes(&self, idx: usize) -> &[u8] {
        self.slots.get(idx).map_or(&[], |slot| slot.as_slice())
    }
}
