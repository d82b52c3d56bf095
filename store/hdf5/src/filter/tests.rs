#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "a test fails by panicking"
)]
use super::*;
use proptest::prelude::*;

fn pipeline(filters: &[Filter], element_bytes: u32) -> Pipeline {
    Pipeline {
        entries: filters
            .iter()
            .map(|filter| filter.entry(element_bytes).unwrap())
            .collect(),
    }
}

fn check(filters: &[Filter], element_bytes: u32, bytes: &[u8]) {
    let pipeline = pipeline(filters, element_bytes);
    let (encoded, mask) = pipeline.encode(Cow::Borrowed(bytes)).unwrap();
    let decoded = pipeline.decode(encoded, mask, bytes.len(), 0).unwrap();
    assert_eq!(decoded, bytes);
}

const PIPELINES: [&[Filter]; 5] = [
    &[Filter::Shuffle],
    &[Filter::Deflate { level: 6 }],
    &[Filter::Fletcher32],
    &[
        Filter::Shuffle,
        Filter::Deflate { level: 1 },
        Filter::Fletcher32,
    ],
    &[
        Filter::Fletcher32,
        Filter::Shuffle,
        Filter::Deflate { level: 9 },
    ],
];

proptest! {
    #[test]
    fn every_pipeline_gives_back_its_chunk(
        bytes in prop::collection::vec(any::<u8>(), 0..3000), element_bytes in 1..20_u32
    ) {
        for filters in PIPELINES {
            check(filters, element_bytes, &bytes);
        }
    }

    #[test]
    fn no_bytes_make_a_filter_panic_or_give_more_than_the_chunk(
        bytes in prop::collection::vec(any::<u8>(), 0..300), chunk_bytes in 0..100_usize
    ) {
        for filters in PIPELINES {
            if let Ok(decoded) = pipeline(filters, 4).decode(Cow::Borrowed(&bytes), 0, chunk_bytes, 0) {
                prop_assert_eq!(decoded.len(), chunk_bytes);
            }
        }
    }
}

#[test]
fn compressible_chunks_get_shorter() {
    let pipeline = pipeline(&[Filter::Shuffle, Filter::Deflate { level: 6 }], 4);
    let chunk: Vec<u8> = (0..10_000_u32).flat_map(u32::to_le_bytes).collect();
    let (encoded, mask) = pipeline.encode(Cow::Borrowed(&chunk)).unwrap();
    assert!(encoded.len() < chunk.len() / 10 && mask == 0);
}

#[test]
fn a_flipped_bit_under_a_checksum_is_found() {
    let pipeline = pipeline(&[Filter::Fletcher32], 1);
    let (encoded, mask) = pipeline.encode(Cow::Borrowed(b"a chunk")).unwrap();
    for bit in 0..encoded.len() * 8 {
        let mut encoded = encoded.to_vec();
        encoded[bit / 8] ^= 1 << (bit % 8);
        assert!(
            pipeline.decode(Cow::Owned(encoded), mask, 7, 0).is_err(),
            "bit {bit}"
        );
    }
}

#[test]
fn an_unknown_filter_is_named() {
    let entry = FilterEntry {
        number: 32_001,
        name: String::new(),
        optional: true,
        parameters: vec![],
    };
    let error = Pipeline {
        entries: vec![entry],
    }
    .check_supported()
    .unwrap_err();
    assert_eq!(error.to_string(), "not supported: filter 32001");
}
