use super::*;
use crate::source::Bytes;
use proptest::prelude::*;

fn source(bytes: Vec<u8>) -> Source {
    let len = bytes.len() as u64;
    Source::new(Bytes::Memory(bytes), len)
}

fn message(kind: u16, bytes: Vec<u8>) -> Message {
    Message {
        kind,
        flags: 0,
        creation_order: 0,
        offset_bytes: 0,
        bytes,
    }
}

proptest! {
    #[test]
    fn every_header_reads_back(bodies in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 0..9)) {
        let messages: Vec<_> = bodies.into_iter().map(|bytes| message(0x0c, bytes)).collect();
        let bytes = encode(&messages, None).unwrap();
        let len = bytes.len() as u64;
        let header = ObjectHeader::read(&source(bytes), 0).unwrap();
        prop_assert_eq!(header.len_bytes, len);
        let bodies = |messages: &[Message]| messages.iter().map(|m| m.bytes.clone()).collect::<Vec<_>>();
        prop_assert_eq!(bodies(&header.messages), bodies(&messages));
    }
}

#[test]
fn a_header_that_continues_in_itself_is_refused() {
    // A continuation that leads to itself, in a version 1 header.
    let mut bytes = vec![1, 0, 1, 0, 1, 0, 0, 0, 24, 0, 0, 0, 0, 0, 0, 0];
    bytes.extend_from_slice(&[0x10, 0, 16, 0, 0, 0, 0, 0]);
    bytes.extend_from_slice(&16_u64.to_le_bytes());
    bytes.extend_from_slice(&24_u64.to_le_bytes());
    let error = ObjectHeader::read(&source(bytes), 0).unwrap_err();
    assert!(matches!(error, Error::Corrupt { .. }), "{error}");
}

#[test]
fn a_message_above_65535_bytes_is_refused() {
    let error = encode(&[message(0x0c, vec![0; 70_000])], None).unwrap_err();
    assert!(matches!(error, Error::Request { found: 70_000, .. }));
}
