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

fn layout(index: IndexKind, address: u64, chunk_shape: &[u64]) -> ChunkedLayout {
    let chunk_shape = chunk_shape.to_vec();
    let address = Some(address);
    ChunkedLayout {
        chunk_shape,
        element_bytes: 4,
        index,
        address,
        edges_unfiltered: false,
    }
}

/// Writes `n` chunks with every seventh missing, and reads them back.
fn check(index: IndexKind, n: u64, size_width: Option<u8>) {
    let positions: Vec<_> = (0..n)
        .map(|n| {
            let len_bytes = match (size_width, n) {
                (None, _) => 12,
                (_, 5) => 40_000,
                _ => n % 13 + 1,
            };
            (n % 7 != 3).then_some(ChunkRef {
                address: n * 8,
                len_bytes,
                mask: 0,
            })
        })
        .collect();
    let mut sink = PieceSink::behind(48);
    let plan = EntryPlan { size_width };
    let max = match index {
        IndexKind::FixedArray => Some(n * 3),
        _ => None,
    };
    let address = match index {
        IndexKind::FixedArray => fixed_array::write(plan, &positions, &mut sink).unwrap(),
        _ => extensible_array::write(plan, &positions, &mut sink).unwrap(),
    };
    let mut bytes = sink.into_pieces().concat();
    // There is room for the chunks, which nobody reads.
    bytes.resize(bytes.len() + 16 * n as usize + 50_000, 0);
    let len = bytes.len() as u64;
    let source = Source::new(Bytes::Memory(bytes), len);
    let extent = Extent::Simple {
        shape: vec![n * 3],
        max_shape: vec![max],
    };
    let grid = ChunkGrid::new(&extent, &[3]).unwrap();
    let table = read(&source, &layout(index, address, &[3]), &extent, &grid).unwrap();
    let found: Vec<_> = (0..n).map(|n| table.get(n)).collect();
    assert_eq!(found, positions);
}

#[test]
fn arrays_of_every_form_read_back() {
    // 1,024 is a page; 244 is where super blocks begin, 131,044 where data blocks have pages.
    for n in [
        1, 4, 5, 20, 243, 244, 245, 1023, 1024, 1025, 9000, 131_043, 131_044, 131_045, 200_000,
    ] {
        for size_width in [None, Some(2), Some(4)] {
            let width = size_width.filter(|width| *width == 4 || n < 1 << 16);
            check(IndexKind::FixedArray, n, width);
            check(IndexKind::ExtensibleArray, n, width);
        }
    }
}

proptest! {
    #[test]
    fn a_position_leads_back_to_its_chunk(
        dims in prop::collection::vec((1..9_u64, 0..9_u64, 1..4_u64), 1..4), unlimited in 0..5_usize
    ) {
        let shape: Vec<_> = dims.iter().map(|dim| dim.0).collect();
        let chunk: Vec<_> = dims.iter().map(|dim| dim.2).collect();
        let max_shape = dims.iter().enumerate().map(|(n, dim)| (n != unlimited).then_some(dim.0 + dim.1)).collect();
        let extent = Extent::Simple { shape, max_shape };
        let grid = ChunkGrid::new(&extent, &chunk).unwrap();
        for number in 0..grid.n_chunks() {
            prop_assert_eq!(grid.number_at(grid.position(number)), Some(number));
            prop_assert_eq!(grid.number(&grid.coordinates(number)), Some(number));
        }
    }
}

#[test]
fn positions_of_an_unlimited_second_dimension_count_it_outermost() {
    let extent = Extent::Simple {
        shape: vec![2, 3],
        max_shape: vec![Some(2), None],
    };
    let grid = ChunkGrid::new(&extent, &[1, 1]).unwrap();
    let positions: Vec<_> = (0..6).map(|number| grid.position(number)).collect();
    assert_eq!(positions, [0, 2, 4, 1, 3, 5]);
}

/// Chunks that were all of the file, each of them, were read for each.
#[test]
fn chunks_that_lie_over_each_other_are_refused() {
    for (share, refused) in [(40, false), (20, true)] {
        let mut sink = PieceSink::behind(10_000);
        let chunk = ChunkRef {
            address: 0,
            len_bytes: 10_000 / share,
            mask: 0,
        };
        let plan = EntryPlan {
            size_width: Some(4),
        };
        let address = fixed_array::write(plan, &[Some(chunk); 40], &mut sink).unwrap();
        let bytes = sink.into_pieces().concat();
        let len = bytes.len() as u64;
        let source = Source::new(Bytes::Memory(bytes), len);
        let extent = Extent::fixed(&[40]);
        let grid = ChunkGrid::new(&extent, &[1]).unwrap();
        let layout = layout(IndexKind::FixedArray, address, &[1]);
        let table = read(&source, &layout, &extent, &grid);
        assert_eq!(table.is_err(), refused, "{table:?}");
    }
}
