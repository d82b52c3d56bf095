#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "a test fails by panicking"
)]
use super::*;
use crate::source::Bytes;

fn source(bytes: Vec<u8>) -> Source {
    let len = bytes.len() as u64;
    Source::new(Bytes::Memory(bytes), len)
}

#[test]
fn a_written_superblock_reads_back() {
    let found = Superblock::find(&source(Superblock::image(48, 48).to_vec())).unwrap();
    let expected = Superblock {
        version: 2,
        sizes: Sizes::WRITTEN,
        base_bytes: 0,
        end: 48,
        root: 48,
        extension: None,
    };
    assert_eq!(found, expected);
}

#[test]
fn any_flipped_bit_of_a_superblock_is_refused() {
    let image = Superblock::image(48, 48);
    for bit in 0..image.len() * 8 {
        let mut bytes = image.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(Superblock::find(&source(bytes)).is_err(), "bit {bit}");
    }
}

#[test]
fn a_file_shorter_than_its_superblock_says_is_refused() {
    let error = Superblock::find(&source(Superblock::image(48, 49).to_vec())).unwrap_err();
    assert!(matches!(
        error,
        Error::Truncated {
            structure: "file",
            needed_bytes: 49,
            ..
        }
    ));
}
