#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "a test fails by panicking"
)]
use super::*;
use crate::heap::fractal::FractalHeap;
use crate::sink::PieceSink;
use crate::source::{Bytes, Source};
use proptest::prelude::*;

fn check(plan: HeapPlan, objects: &[Vec<u8>]) {
    let mut sink = PieceSink::behind(48);
    let slices: Vec<&[u8]> = objects.iter().map(Vec::as_slice).collect();
    let written = write(plan, &slices, &mut sink).unwrap();
    let bytes = sink.into_pieces().concat();
    let len = bytes.len() as u64;
    let source = Source::new(Bytes::Memory(bytes), len);
    let heap = FractalHeap::read(&source, written.address).unwrap();
    for (object, id) in objects
        .iter()
        .zip(written.ids.chunks_exact(plan.id_bytes()))
    {
        assert_eq!(heap.object(id).unwrap().1.as_ref(), &object[..]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn every_object_reads_back(lens in prop::collection::vec(1..5000_usize, 0..60)) {
        let objects: Vec<_> = lens.iter().map(|len| vec![(len % 251) as u8; *len]).collect();
        check(HeapPlan::LINKS, &objects);
        check(HeapPlan::ATTRIBUTES, &objects);
    }
}

#[test]
fn a_heap_grows_past_its_largest_usual_block() {
    let objects: Vec<_> = (0..20_000_u32)
        .map(|n| n.to_le_bytes().repeat(12))
        .collect();
    check(HeapPlan::LINKS, &objects);
}

#[test]
fn a_flipped_bit_in_a_block_is_found() {
    let mut sink = PieceSink::behind(48);
    let written = write(HeapPlan::ATTRIBUTES, &[&[7; 300]], &mut sink).unwrap();
    let mut bytes = sink.into_pieces().concat();
    let last = bytes.len() - 1;
    bytes[last - 600] ^= 1;
    let source = Source::new(Bytes::Memory(bytes), last as u64 + 1);
    let heap = FractalHeap::read(&source, written.address).unwrap();
    let refusal = heap.object(&written.ids).unwrap_err().to_string();
    assert!(refusal.contains("checksum"), "{refusal}");
}
