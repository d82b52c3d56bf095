#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "a test fails by panicking"
)]
use super::*;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn every_piece_is_where_it_was_said_to_be(
        lens in prop::collection::vec((0..140_000_usize, 0..3_usize, any::<bool>()), 0..8)
    ) {
        let source: Vec<u8> = (0..140_000_u32).map(|n| (n % 251) as u8).collect();
        let mut sink = PieceSink::behind(48);
        let mut put = Vec::new();
        for (len, align, borrowed) in lens {
            let bytes = &source[..len];
            let piece = if borrowed { Cow::Borrowed(bytes) } else { Cow::Owned(bytes.to_vec()) };
            let address = sink.put(piece, [1, 8, 4096][align]).unwrap();
            prop_assert_eq!(address % [1, 8, 4096][align], 0);
            put.push((address, len));
        }
        let kept = sink.append(vec![0; 5]).unwrap();
        sink.fill(kept, b"later").unwrap();
        for (address, len) in &put {
            if *len > 0 {
                prop_assert_eq!(&*sink.read(*address, *len as u64), &source[..*len]);
            }
        }
        let end = sink.end();
        let file = sink.into_pieces().concat();
        prop_assert_eq!(file.len() as u64, end);
        prop_assert_eq!(&file[kept as usize..], b"later");
        for (address, len) in put {
            prop_assert_eq!(&file[address as usize..][..len], &source[..len]);
        }
    }
}
