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

fn write_and_read(n_records: u32) -> (u16, Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let records: Vec<_> = (0..n_records)
        .map(|n| [&n.to_be_bytes()[..], &[7; 7]].concat())
        .collect();
    let mut sink = PieceSink::behind(8);
    let address = write(
        TreePlan {
            kind: 5,
            record_bytes: 11,
        },
        &records.concat(),
        &mut sink,
    )
    .unwrap();
    let file = sink.into_pieces().concat();
    let len = file.len() as u64;
    let source = Source::new(Bytes::Memory(file), len);
    let tree = BtreeV2::read(&source, address).unwrap();
    (tree.depth, records, tree.records(5).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn every_record_reads_back_in_order(n_records in 0..5000_u32) {
        let (_, written, found) = write_and_read(n_records);
        prop_assert_eq!(written, found);
    }
}

#[test]
fn a_tree_is_as_deep_as_its_records_need() {
    // A leaf of 512 bytes holds 45 records of 11 bytes.
    let depths = [0, 45, 46, 1200, 30_000].map(|n| write_and_read(n).0);
    assert_eq!(depths, [0, 0, 1, 2, 3]);
}

#[test]
fn a_search_finds_every_equal_record_and_no_other() {
    // Each key thirty times, so that equal ones lie in several leaves.
    let records: Vec<_> = (0..9000_u32)
        .map(|n| [&(n / 30).to_be_bytes()[..], &n.to_be_bytes(), &[0; 3]].concat())
        .collect();
    let mut sink = PieceSink::behind(8);
    let address = write(
        TreePlan {
            kind: 5,
            record_bytes: 11,
        },
        &records.concat(),
        &mut sink,
    )
    .unwrap();
    let file = sink.into_pieces().concat();
    let len = file.len() as u64;
    let source = Source::new(Bytes::Memory(file), len);
    let tree = BtreeV2::read(&source, address).unwrap();
    for key in 0..301_u32 {
        let mut found = tree
            .search(5, &|record| record[..4].cmp(&key.to_be_bytes()))
            .unwrap();
        found.sort();
        let expected: Vec<_> = records
            .iter()
            .filter(|r| r[..4] == key.to_be_bytes())
            .cloned()
            .collect();
        assert_eq!(found, expected, "{key}");
    }
}
