use super::*;

/// The last chunk that can be written is one, and the one behind it is none, whatever is skipped on the
/// way to it.
#[test]
fn a_selection_up_to_the_last_chunk_is_writable() {
    let spec = DatasetSpec::growing(Datatype::unsigned(1), &[4 * CHUNKS_MAX], &[2]);
    let dataset = DatasetNode::new(&spec).unwrap();
    let last = 2 * CHUNKS_MAX - 1;
    for (count, stride) in [(1, 1), (3, 1), (2, 5), (7, 4)] {
        let slab = |last: u64| Hyperslab {
            start: vec![last - (count - 1) * stride],
            count: vec![count],
            stride: vec![stride],
        };
        dataset.check_writable(&slab(last)).unwrap();
        dataset.check_writable(&slab(last + 1)).unwrap_err();
    }
}
