//! The bytes of a file that something leads to, by a walk through it: for tests of the accounting.

use std::sync::Arc;

use super::group::Child;
use super::{Editor, Node, Target};
use crate::backend::File;
use crate::message::link::LinkTarget;
use crate::sink::PieceSink;
use crate::source::{Bytes, Source};
use crate::superblock::{self, Superblock};

/// What lives in a file.
#[derive(Debug, Default)]
pub(crate) struct Live {
    /// Superblock, headers, indexes, dense storage, chunks.
    pub(crate) structures_bytes: u64,
    /// The texts of attributes in the heap.
    pub(crate) attribute_texts_bytes: u64,
    /// How many collections the heap has.
    pub(crate) collections: u64,
}

/// What lives in the file of `device`, which ends at `end`.
pub(crate) fn live_bytes(device: &Arc<dyn File>, end: u64) -> Live {
    let bytes = Bytes::Device(Box::new(Arc::clone(device)));
    let source = Arc::new(Source::new(bytes, end));
    let root = Superblock::find(&source).unwrap().root;
    let target = Target::Pieces(PieceSink::default());
    let editor = Editor::of_file(target, Arc::clone(&source), root).unwrap();
    let mut live = Live {
        structures_bytes: superblock::WRITTEN_LEN as u64,
        collections: count_collections(&source, end),
        ..Live::default()
    };
    let mut waiting = vec![root];
    while let Some(address) = waiting.pop() {
        let node = editor.read_node(address).unwrap();
        let (written, attributes) = match &node {
            Node::Group(group) => (&group.written, &group.attributes),
            Node::Dataset(dataset) => (&dataset.written, &dataset.attributes),
        };
        live.structures_bytes += written.metadata_bytes;
        live.attribute_texts_bytes += attributes.heap_bytes(&source);
        match node {
            Node::Dataset(dataset) => live.structures_bytes += dataset.stored_bytes(),
            Node::Group(group) => {
                let children = group.links.values().filter_map(|place| match &place.child {
                    Child::Other(LinkTarget::Hard(address)) => Some(*address),
                    _ => None,
                });
                waiting.extend(children);
            }
        }
    }
    live
}

/// Collections begin at multiples of 8, and nothing else in the tests' files looks like one.
fn count_collections(source: &Source, end: u64) -> u64 {
    let bytes = source.read("file", 0, end).unwrap();
    let heads = bytes.chunks(8).filter(|word| word.starts_with(b"GCOL\x01"));
    heads.count() as u64
}
