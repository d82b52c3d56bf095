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

/// One leaf that was every child of its parent was read for each, and with it all of its length.
#[test]
fn nodes_that_do_not_all_fit_into_the_file_are_refused() {
    const NODE_BYTES: u32 = 8192;
    const N: u64 = 300;
    let plan = TreePlan::LINK_NAMES;
    let node = |signature, content: &dyn Fn(&mut Encoder)| {
        let mut node = Encoder::signed(signature, 0);
        node.u8(plan.kind);
        content(&mut node);
        padded(node, NODE_BYTES as usize)
    };
    let record = [7_u8; 11];
    let mut bytes = node(*b"BTLF", &|node| {
        node.put(&record);
    });
    let leaf_max = capacities(NODE_BYTES.into(), 11, 0, 8)[0].records;
    bytes.extend(node(*b"BTIN", &|node| {
        for _ in 0..N {
            node.put(&record);
        }
        for _ in 0..=N {
            node.u64(0).uint(1, width_of(leaf_max));
        }
    }));
    let header_address = bytes.len() as u64;
    let mut header = Encoder::signed(*b"BTHD", 0);
    header.u8(plan.kind).u32(NODE_BYTES).u16(11).u16(1).u8(100);
    header.u8(40).u64(NODE_BYTES.into()).u16(N as u16);
    header.u64(2 * N + 1);
    bytes.extend(header.checksummed());
    let len = bytes.len() as u64;
    let source = Source::new(crate::source::Bytes::Memory(bytes), len);
    let tree = BtreeV2::read(&source, header_address).unwrap();
    let error = tree.records(plan.kind).unwrap_err();
    assert!(
        error.to_string().contains("all fit into the file"),
        "{error}"
    );
    assert!(source.work_bytes() < 16 * len, "{}", source.work_bytes());
}
