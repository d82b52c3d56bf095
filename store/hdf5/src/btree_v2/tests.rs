use super::*;
use crate::sink::PieceSink;
use crate::source::Bytes;
use proptest::prelude::*;

fn write_and_read(n_records: u32) -> (u16, Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let records: Vec<_> = (0..n_records).map(|n| [&n.to_be_bytes()[..], &[7; 7]].concat()).collect();
    let mut sink = PieceSink::behind(8);
    let address = write(TreePlan { kind: 5, record_bytes: 11 }, &records, &mut sink).unwrap();
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
