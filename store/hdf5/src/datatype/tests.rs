use super::*;
use crate::cursor::{Cursor, Sizes};
use crate::error::Error;
use proptest::prelude::*;

fn decode(bytes: &[u8]) -> crate::error::Result<Datatype> {
    Datatype::decode(&mut Cursor::new("datatype", 0, bytes, Sizes::WRITTEN))
}

fn any_datatype() -> impl Strategy<Value = Datatype> {
    let leaf = prop_oneof![
        (1..=8_u32).prop_map(Datatype::signed),
        (1..=8_u32).prop_map(Datatype::unsigned),
        Just(Datatype::f16()),
        Just(Datatype::f32()),
        Just(Datatype::f64()),
        Just(Datatype::bool()),
        Just(Datatype::text()),
        (1..300_u32).prop_map(Datatype::fixed_text),
        Just(Datatype::Opaque {
            size_bytes: 3,
            tag: "a tag".to_owned()
        }),
        Just(Datatype::Reference {
            size_bytes: 8,
            kind: ReferenceKind::Object
        }),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            (inner.clone(), prop::collection::vec(1..5_u32, 1..4))
                .prop_map(|(base, dims)| Datatype::array(base, &dims)),
            inner.clone().prop_map(|base| Datatype::Sequence {
                size_bytes: VLEN_BYTES,
                base: Box::new(base)
            }),
            prop::collection::vec(("[a-z\u{e4}]{1,9}", inner), 1..4).prop_map(Datatype::packed),
        ]
    })
}

proptest! {
    #[test]
    fn every_datatype_reads_back(datatype in any_datatype()) {
        prop_assert_eq!(decode(&datatype.encode()).unwrap(), datatype);
    }

    #[test]
    fn no_bytes_make_decoding_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        // An error or a type: either is an answer.
        let answer = decode(&bytes);
        prop_assert!(answer.is_ok() || answer.is_err());
    }
}

#[test]
fn the_sign_of_each_float_is_its_highest_bit() {
    for (datatype, sign) in [
        (Datatype::f16(), 15),
        (Datatype::f32(), 31),
        (Datatype::f64(), 63),
    ] {
        assert_eq!(datatype.encode()[2], sign);
    }
}

#[test]
fn an_f32_whose_sign_lies_outside_is_refused() {
    let mut bytes = Datatype::f32().encode();
    bytes[2] = 63;
    assert!(matches!(decode(&bytes), Err(Error::Corrupt { .. })));
}

#[test]
fn types_nested_without_end_are_refused() {
    let mut bytes = Vec::new();
    for _ in 0..1000 {
        bytes.extend_from_slice(&[0x19, 0, 0, 0, 16, 0, 0, 0]);
    }
    assert!(matches!(decode(&bytes), Err(Error::Corrupt { .. })));
}
