use super::*;
use crate::cursor::Sizes;
use proptest::prelude::*;

fn round_trip(extent: &Extent) -> Extent {
    let bytes = extent.encode();
    Extent::decode(&mut Cursor::new("dataspace", 0, &bytes, Sizes::WRITTEN)).unwrap()
}

proptest! {
    #[test]
    fn every_extent_reads_back(dims in prop::collection::vec((0..9_u64, prop::option::of(9..20_u64)), 1..9)) {
        let (shape, max_shape) = dims.into_iter().unzip();
        let extent = Extent::Simple { shape, max_shape };
        prop_assert_eq!(round_trip(&extent), extent);
    }
}

#[test]
fn null_and_scalar_read_back() {
    for extent in [Extent::Null, Extent::Scalar, Extent::fixed(&[3, 0])] {
        assert_eq!(round_trip(&extent), extent);
    }
}

#[test]
fn a_size_above_its_maximum_is_refused() {
    let extent = Extent::Simple {
        shape: vec![5],
        max_shape: vec![Some(4)],
    };
    let bytes = extent.encode();
    let error = Extent::decode(&mut Cursor::new("dataspace", 0, &bytes, Sizes::WRITTEN));
    assert!(matches!(error, Err(Error::Corrupt { found: 5, .. })));
}
