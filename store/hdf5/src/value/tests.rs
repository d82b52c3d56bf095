use super::*;
use crate::source::Bytes;

fn reader(source: &Source) -> ValueReader<'_> {
    ValueReader {
        text_bytes_left: 1000,
        ..ValueReader::new(source)
    }
}

/// A name that many values have, and a text that many elements lead to, were given for each without
/// an end.
#[test]
fn what_many_values_share_is_counted_for_each() {
    let mut collection = b"GCOL\x01\0\0\0\x80\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0".to_vec();
    collection.extend_from_slice(&90_u64.to_le_bytes());
    collection.resize(128 + 8, b't');
    // The collection is at byte 8: at none, it would be that of an empty text.
    let file = [[0; 8].to_vec(), collection].concat();
    let len = file.len() as u64;
    let source = Source::new(Bytes::Memory(file), len);
    let reference = HeapReference {
        len: 90,
        collection: 8,
        index: 1,
    };
    let compound = Datatype::packed(vec![("n".repeat(90), Datatype::unsigned(1))]);
    let names = Datatype::enumeration(Datatype::unsigned(1), &[(&"n".repeat(90), &[7])]);
    let sequence = Datatype::Sequence {
        size_bytes: 16,
        base: Box::new(Datatype::unsigned(1)),
    };
    for (datatype, element) in [
        (compound, vec![7]),
        (names, vec![7]),
        (Datatype::text(), reference.encode().to_vec()),
        (sequence, reference.encode().to_vec()),
    ] {
        let eleven = reader(&source)
            .values(&datatype, &element.repeat(11))
            .unwrap();
        assert_eq!(eleven.len(), 11);
        let twelve = reader(&source).values(&datatype, &element.repeat(12));
        assert!(matches!(twelve, Err(Error::Limit { .. })), "{datatype}");
    }
}
