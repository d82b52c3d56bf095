//! Slots against the table of `FORMAT.md`.

use super::{Slot, SlotBytes};
use crate::Seq;

fn slot() -> Slot {
    Slot {
        counter: 7,
        store_id: 0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10,
        generation: 0x1122_3344_5566_7788,
        checkpoint: 3,
        base_seq: Seq(42),
        durable_end: 9000,
        image: b"superblock".to_vec(),
    }
}

#[test]
fn the_bytes_are_those_that_format_md_lays_down() {
    let bytes = slot().encode();
    let mut expected = Vec::new();
    expected.extend_from_slice(b"PALIMLOG");
    expected.extend_from_slice(&[1, 0, 0, 0, 10, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]);
    expected.extend_from_slice(&[16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expected.extend_from_slice(&[0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11]);
    expected.extend_from_slice(&[3, 0, 0, 0, 0, 0, 0, 0, 42, 0, 0, 0, 0, 0, 0, 0]);
    expected.extend_from_slice(&[0x28, 0x23, 0, 0, 0, 0, 0, 0]);
    expected.extend_from_slice(b"superblock");
    expected.resize(200, 0);
    expected.extend_from_slice(&crc32c::crc32c(&expected).to_le_bytes());
    assert_eq!(bytes.as_slice(), expected);
}

#[test]
fn a_slot_decodes_to_itself_and_any_other_byte_is_noticed() {
    let bytes = slot().encode();
    assert_eq!(Slot::decode(&bytes), SlotBytes::Valid(slot()));
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes;
            flipped[at] ^= 1 << bit;
            assert_eq!(
                Slot::decode(&flipped),
                SlotBytes::Invalid,
                "byte {at}, bit {bit}"
            );
        }
    }
}

#[test]
fn numbers_that_cannot_be_are_refused_under_a_good_checksum() {
    // The version, the image's length, and the durable end, which is 8,192 before.
    for (at, value) in [(8, 0), (12, 129), (65, 0x1f)] {
        let mut bytes = Slot {
            durable_end: 8192,
            ..slot()
        }
        .encode();
        bytes[at] = value;
        let crc = crc32c::crc32c(&bytes[..200]);
        bytes[200..].copy_from_slice(&crc.to_le_bytes());
        assert_eq!(
            Slot::decode(&bytes),
            SlotBytes::Invalid,
            "byte {at} is {value}"
        );
    }
}
