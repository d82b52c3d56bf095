#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "a test fails by panicking"
)]
use super::*;
use crate::encoder::Encoder;
use crate::message::SYMBOL_TABLE;
use crate::source::Bytes;

const N: u16 = 500;
const TEXT_BYTES: u64 = 20_000;

/// A table of `n_nodes` leaves, all of them one node of `n_entries` entries, whose names begin one byte
/// behind the other.
fn table(n_nodes: u16, n_entries: u16) -> (Source, Message) {
    let mut bytes = Encoder::new();
    // The heap's head, the text, the tree, the node.
    let tree = 32 + TEXT_BYTES;
    let node = tree + 24 + u64::from(n_nodes) * 16 + 8;
    bytes.put(b"HEAP").u8(0).zeros(3).u64(TEXT_BYTES);
    bytes.u64(0).u64(32);
    bytes.put(&vec![b'n'; TEXT_BYTES as usize - 1]).u8(0);
    bytes.put(b"TREE").u8(0).u8(0).u16(n_nodes);
    bytes.address(None).address(None);
    for _ in 0..n_nodes {
        bytes.u64(0).u64(node);
    }
    bytes.u64(0);
    bytes.put(b"SNOD").u8(1).u8(0).u16(n_entries);
    for entry in 0..n_entries {
        bytes.u64(entry.into()).u64(8).zeros(24);
    }
    let bytes = bytes.into_bytes();
    let len = bytes.len() as u64;
    let mut message = Encoder::new();
    message.u64(tree).u64(0);
    let message = Message::new(SYMBOL_TABLE, message.into_bytes());
    (Source::new(Bytes::Memory(bytes), len), message)
}

#[test]
fn a_table_of_one_entry_is_read() {
    let (source, message) = table(1, 1);
    let links = read(&source, &message).unwrap();
    assert_eq!(links[0].name.len() as u64, TEXT_BYTES - 1);
}

/// A node that many leaves are, and names that are the ends of others, were read for each.
#[test]
fn nodes_and_names_that_lie_over_each_other_are_refused() {
    for (n_nodes, n_entries) in [(N, 1), (1, N), (N, N)] {
        let (source, message) = table(n_nodes, n_entries);
        let error = read(&source, &message).unwrap_err();
        assert!(
            error.to_string().contains("do not lie over each other"),
            "{error}"
        );
        let work = source.work_bytes();
        assert!(work < 16 * source.end(), "{work} of {}", source.end());
    }
    // Nodes alone, whose names are short.
    let (source, message) = table(N, 0);
    read(&source, &message).unwrap();
}
