#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "a test fails by panicking"
)]
use super::*;
use proptest::prelude::*;

fn pipeline(filters: &[Filter], element_bytes: u32) -> Pipeline {
    pipeline_of(filters, &Datatype::fixed_text(element_bytes))
}

fn pipeline_of(filters: &[Filter], datatype: &Datatype) -> Pipeline {
    let entries = filters.iter().map(|filter| filter.entry(datatype).unwrap());
    Pipeline {
        entries: entries.collect(),
    }
}

fn number_types() -> [Datatype; 9] {
    [
        Datatype::unsigned(2),
        Datatype::unsigned(4),
        Datatype::unsigned(8),
        Datatype::signed(2),
        Datatype::signed(4),
        Datatype::signed(8),
        Datatype::f16(),
        Datatype::f32(),
        Datatype::f64(),
    ]
}

const PCODEC: [Filter; 1] = [Filter::Pcodec { level: 8 }];

fn zstd(bytes: &[u8]) -> Vec<u8> {
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    ruzstd::encoding::compress_to_vec(bytes, level)
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

proptest! {
    #[test]
    fn pcodec_gives_back_its_numbers_whatever_their_bits(
        bytes in prop::collection::vec(any::<u8>(), 0..400), n_repeats in 1..20_usize
    ) {
        let chunk = bytes[..bytes.len() / 8 * 8].repeat(n_repeats);
        for datatype in number_types() {
            let pipeline = pipeline_of(&PCODEC, &datatype);
            let (encoded, mask) = pipeline.encode(Cow::Borrowed(&chunk)).unwrap();
            let decoded = pipeline.decode(encoded, mask, chunk.len(), 0).unwrap();
            prop_assert_eq!(&*decoded, &chunk);
        }
    }

    #[test]
    fn damaged_streams_of_other_crates_get_an_answer(
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        len in any::<prop::sample::Index>(), kind in 0..9_usize
    ) {
        let chunk: Vec<u8> = (0..3000_u64).flat_map(|n| (n * n % 1013).to_le_bytes()).collect();
        let number = number_types()[kind].clone();
        let pcodec = pipeline_of(&PCODEC, &number);
        let (pcodec_bytes, mask) = pcodec.encode(Cow::Borrowed(&chunk)).unwrap();
        prop_assert_eq!(mask, 0, "this chunk gets shorter");
        for (pipeline, bytes) in [(pcodec.clone(), pcodec_bytes.to_vec()), (zstd_pipeline(), zstd(&chunk))] {
            let mut bytes = bytes;
            for (at, byte) in &cuts {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            bytes.truncate(bytes.len() - len.index(bytes.len()) * usize::from(kind % 2 == 0));
            if let Ok(decoded) = pipeline.decode(Cow::Owned(bytes), 0, chunk.len(), 0) {
                prop_assert_eq!(decoded.len(), chunk.len());
            }
        }
    }
}

fn zstd_pipeline() -> Pipeline {
    let entry = FilterEntry {
        number: 32_015,
        name: "zstd".to_owned(),
        optional: true,
        parameters: vec![3],
    };
    Pipeline {
        entries: vec![entry],
    }
}

#[test]
fn zstandard_is_read_and_a_frame_longer_than_its_chunk_is_refused() {
    let chunk: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
    let read = |len| zstd_pipeline().decode(Cow::Owned(zstd(&chunk)), 0, len, 0);
    assert_eq!(*read(chunk.len()).unwrap(), chunk);
    let refusal = read(chunk.len() - 100).unwrap_err().to_string();
    assert!(refusal.contains("longer than the chunk"), "{refusal}");
}

#[test]
fn a_pcodec_file_with_more_numbers_than_its_chunk_is_refused() {
    let chunk: Vec<u8> = (0..5000_u32).flat_map(u32::to_le_bytes).collect();
    let pipeline = pipeline_of(&PCODEC, &Datatype::unsigned(4));
    let (encoded, mask) = pipeline.encode(Cow::Borrowed(&chunk)).unwrap();
    let refusal = pipeline.decode(encoded, mask, chunk.len() - 100, 0);
    let refusal = refusal.unwrap_err().to_string();
    assert!(refusal.contains("more numbers than the chunk"), "{refusal}");
}

#[test]
fn zstandard_is_not_written_so_chunks_are_stored_without_it() {
    let (bytes, mask) = zstd_pipeline().encode(Cow::Borrowed(&[7; 99])).unwrap();
    assert_eq!((&*bytes, mask), (&[7; 99][..], 1));
}

#[test]
fn pcodec_is_refused_where_there_are_no_numbers_for_it() {
    for datatype in [
        Datatype::unsigned(1),
        Datatype::text(),
        Datatype::fixed_text(4),
        Datatype::bool(),
        Datatype::array(Datatype::f32(), &[2]),
    ] {
        assert!(PCODEC[0].entry(&datatype).is_err(), "{datatype}");
    }
    assert!(
        Filter::Pcodec { level: 13 }
            .entry(&Datatype::f32())
            .is_err()
    );
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

#[test]
fn a_level_that_no_file_should_have_is_the_greatest() {
    let bytes = b"the same again and again ".repeat(50);
    for level in [9, 10, 0xffff, u32::MAX] {
        let codec = deflate::Deflate;
        let encoded = codec.encode(&[level], &bytes).expect("it gets shorter");
        let decoded = codec.decode(&[], encoded.into(), bytes.len());
        assert_eq!(decoded.as_deref(), Ok(&*bytes), "level {level}");
    }
}
