#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "a test fails by panicking"
)]
use super::*;
use crate::sink::PieceSink;
use crate::source::Bytes;
use proptest::prelude::*;

fn write(values: &[Vec<u8>]) -> (Source, Vec<HeapReference>) {
    let mut sink = PieceSink::behind(48);
    let mut writer = HeapWriter::default();
    let values: Vec<_> = values.iter().map(Vec::as_slice).collect();
    let (first, rest) = values.split_at(values.len() / 3);
    let mut references = writer.add_all(first, &mut sink).unwrap();
    references.extend(writer.add_all(rest, &mut sink).unwrap());
    writer.finish(&mut sink).unwrap();
    let bytes = sink.into_pieces().concat();
    let len = bytes.len() as u64;
    (Source::new(Bytes::Memory(bytes), len), references)
}

fn check(values: &[Vec<u8>]) {
    let (source, references) = write(values);
    let mut reader = HeapReader::new(&source);
    for (value, reference) in values.iter().zip(references) {
        assert_eq!(reference.len as usize, value.len());
        assert_eq!(
            reader.value(reference, value.len() as u64).unwrap(),
            &value[..]
        );
    }
}

proptest! {
    #[test]
    fn every_value_reads_back(
        values in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..600), 0..40)
    ) {
        check(&values);
    }
}

#[test]
fn one_megabyte_among_short_ones_reads_back() {
    check(&[
        vec![1; 10],
        vec![2; 1 << 20],
        vec![3; 10],
        vec![4; 65_536 - 32],
        vec![5; 1],
    ]);
}

#[test]
fn more_values_than_a_collection_can_count_read_back() {
    check(&vec![vec![7]; 70_000]);
}

#[test]
fn an_index_that_is_not_there_is_an_error() {
    let (source, references) = write(&[b"one".to_vec()]);
    let reference = HeapReference {
        index: 2,
        ..references[0]
    };
    assert!(HeapReader::new(&source).value(reference, 3).is_err());
}
