//! Counting the bytes that nothing leads to any more, once an object or a value is gone.

use std::collections::BTreeSet;

use super::attributes;
use super::group::{Child, DEPTH_MAX, GroupNode};
use super::{Editor, Node, NodeId};
use crate::message::Message;
use crate::message::link::LinkTarget;

impl Editor<'_> {
    /// Counts bytes as dead. A stranger's file may say of anything how long it is.
    pub(super) fn bury(&mut self, n_bytes: u64) {
        self.dead_bytes = self.dead_bytes.saturating_add(n_bytes);
    }

    /// Counts the texts of an attribute that is gone.
    pub(super) fn bury_texts(&mut self, attribute: &Message) {
        if let Some(source) = &self.source {
            let n_bytes = attributes::heap_bytes(attribute, source);
            self.bury(n_bytes);
        }
    }

    /// Counts what a name led to, in `depth` groups that are gone. What cannot be read, or has other
    /// names too, is not counted. `met` are the addresses that were met.
    pub(super) fn bury_child(&mut self, child: &Child, depth: usize, met: &mut BTreeSet<u64>) {
        match child {
            Child::Node(id) => self.bury_node(*id, depth, met),
            Child::Other(LinkTarget::Hard(address)) => {
                if depth > DEPTH_MAX || !met.insert(*address) {
                    return;
                }
                if let Ok(node) = self.read_node(*address) {
                    self.bury_object(node, depth, met);
                }
            }
            Child::Other(_) => {}
        }
    }

    fn bury_node(&mut self, id: NodeId, depth: usize, met: &mut BTreeSet<u64>) {
        let gone = Node::Group(GroupNode::empty());
        let node = std::mem::replace(&mut self.nodes[id], gone);
        self.bury_object(node, depth, met);
    }

    pub(super) fn bury_object(&mut self, node: Node, depth: usize, met: &mut BTreeSet<u64>) {
        let (written, attributes) = match &node {
            Node::Group(group) => (&group.written, &group.attributes),
            Node::Dataset(dataset) => (&dataset.written, &dataset.attributes),
        };
        self.bury(written.metadata_bytes);
        if let Some(source) = &self.source {
            let n_bytes = attributes.heap_bytes(source);
            self.bury(n_bytes);
        }
        match node {
            Node::Group(group) => {
                for place in group.links.values() {
                    self.bury_child(&place.child, depth + 1, met);
                }
            }
            Node::Dataset(dataset) => {
                self.open_bytes -= dataset.open_bytes();
                self.bury(dataset.stored_bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests;
