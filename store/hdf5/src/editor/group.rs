//! A group that is changed, and finding objects by their paths.

use std::collections::BTreeMap;

use super::attributes::{self, Attributes, MESSAGE_BYTES_MAX};
use super::dataset::DatasetNode;
use super::{Editor, Node, NodeId, ROOT, Written};
use crate::cursor::REPLACED;
use crate::error::{Error, Result};
use crate::group::dense_write::{self, Kept};
use crate::group::links;
use crate::message::link::{self, Link, LinkTarget, encode_info};
use crate::message::{
    ATTRIBUTE, ATTRIBUTE_INFO, GROUP_INFO, LAYOUT, LINK, LINK_INFO, Message, REFERENCE_COUNT,
    SYMBOL_TABLE,
};
use crate::object_header::{self, ObjectHeader};
use crate::sink::Sink;
use crate::source::Source;

/// More links than this are kept in dense storage, as the C library does.
const COMPACT_MAX: usize = 8;
/// The B-tree type of records that find links by name.
const NAME_RECORDS: u8 = 5;
/// The longest name of a link: longer ones do not fit into an object header.
const NAME_BYTES_MAX: usize = 4000;
/// How many groups may lie in each other, each taking a part of the stack when they are written.
pub(super) const DEPTH_MAX: usize = 128;

/// What a name leads to.
#[derive(Debug)]
pub(super) enum Child {
    /// An object that is in the tree.
    Node(NodeId),
    /// An object that nobody looked into, or a link of another kind.
    Other(LinkTarget),
}

/// A group that is changed.
#[derive(Debug)]
pub(super) struct GroupNode {
    pub(super) links: BTreeMap<String, Child>,
    pub(super) attributes: Attributes,
    /// Messages that are kept as they are.
    others: Vec<Message>,
    pub(super) written: Written,
}

impl GroupNode {
    pub(super) fn empty() -> Self {
        let written = Written {
            changed: true,
            ..Written::default()
        };
        Self {
            links: BTreeMap::new(),
            attributes: Attributes::default(),
            others: Vec::new(),
            written,
        }
    }

    pub(super) fn read(source: &Source, header: &ObjectHeader) -> Result<Self> {
        let all = links::read_all(source, header)?;
        all.iter().try_for_each(check_link)?;
        let rewritten = [
            LINK,
            LINK_INFO,
            GROUP_INFO,
            SYMBOL_TABLE,
            ATTRIBUTE,
            ATTRIBUTE_INFO,
            REFERENCE_COUNT,
        ];
        let others = header
            .messages
            .iter()
            .filter(|message| !rewritten.contains(&message.kind));
        let mut metadata_bytes = header
            .len_bytes
            .saturating_add(attributes::dense_bytes(source, header)?);
        if let Some(dense) = links::dense_storage(source, header)? {
            let storage_bytes = attributes::storage_bytes(source, dense, NAME_RECORDS)?;
            metadata_bytes = metadata_bytes.saturating_add(storage_bytes);
        }
        Ok(Self {
            links: all
                .into_iter()
                .map(|link| (link.name, Child::Other(link.target)))
                .collect(),
            attributes: Attributes::read(source, header)?,
            others: others.cloned().collect(),
            written: Written {
                address: Some(header.address),
                metadata_bytes,
                changed: false,
            },
        })
    }

    /// The objects of the tree that names lead to, in the names' order.
    pub(super) fn child_nodes(&self) -> Vec<NodeId> {
        let nodes = self.links.values().filter_map(|child| match child {
            Child::Node(id) => Some(*id),
            Child::Other(_) => None,
        });
        nodes.collect()
    }

    /// Writes the group where it changed; where it is. `children` are the addresses of
    /// [`Self::child_nodes`], in that order.
    pub(super) fn write(
        &mut self,
        children: &[u64],
        sink: &mut dyn Sink<'_>,
        dead_bytes: &mut u64,
    ) -> Result<u64> {
        if let (Some(address), false) = (self.written.address, self.written.changed) {
            return Ok(address);
        }
        let mut children = children.iter();
        let mut encoded = Vec::new();
        for (name, child) in &self.links {
            let bytes = match child {
                Child::Node(_) => {
                    let address = children.next().copied();
                    let address = address.expect("there is an address for each child");
                    link::encode(name, &LinkTarget::Hard(address))?
                }
                Child::Other(target) => link::encode(name, target)?,
            };
            encoded.push((name.as_str(), bytes));
        }
        let start = sink.put_bytes();
        let mut messages = Vec::new();
        let longest = encoded.iter().map(|(_, bytes)| bytes.len()).max();
        if encoded.len() > COMPACT_MAX || longest.unwrap_or(0) > MESSAGE_BYTES_MAX {
            let encoded: Vec<_> = encoded.iter().map(|(name, it)| (*name, &**it)).collect();
            let dense = dense_write::write(Kept::Links, &encoded, sink)?;
            messages.push(Message::new(LINK_INFO, encode_info(Some(dense))));
            messages.push(Message::constant(GROUP_INFO, vec![0, 0]));
        } else {
            messages.push(Message::new(LINK_INFO, encode_info(None)));
            messages.push(Message::constant(GROUP_INFO, vec![0, 0]));
            messages.extend(
                encoded
                    .into_iter()
                    .map(|(_, bytes)| Message::new(LINK, bytes)),
            );
        }
        self.attributes.write(&mut messages, sink)?;
        messages.extend(self.others.iter().cloned());
        let address = sink.append(object_header::encode(&messages)?)?;
        *dead_bytes = dead_bytes.saturating_add(self.written.metadata_bytes);
        let metadata_bytes = sink.put_bytes() - start;
        self.written = Written {
            address: Some(address),
            metadata_bytes,
            changed: false,
        };
        Ok(address)
    }
}

/// The path of the parent of what has `path`, and the last name, which a link may have.
pub(super) fn split(path: &str) -> Result<(&str, &str)> {
    let path = path.trim_matches('/');
    let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
    check_name(name)?;
    Ok((parent, name))
}

/// The names of a path, one after the other.
fn names(path: &str) -> Result<Vec<&str>> {
    let names: Vec<_> = path.split('/').filter(|name| !name.is_empty()).collect();
    if names.len() > DEPTH_MAX {
        let (what, rule) = ("the number of names in a path", "at most 128");
        let found = names.len() as u64;
        return Err(Error::Request { what, rule, found });
    }
    Ok(names)
}

/// Refuses a link that could not be written again as it is.
pub(super) fn check_link(link: &Link) -> Result<()> {
    let parts: [&str; 3] = match &link.target {
        LinkTarget::Hard(_) => [&link.name, "", ""],
        LinkTarget::Soft(path) => [&link.name, path, ""],
        LinkTarget::External { file, path } => [&link.name, file, path],
        LinkTarget::User(kind) => {
            return Err(Error::not_supported_number(
                "writing a group with a link of type",
                *kind,
            ));
        }
    };
    if parts.iter().any(|part| part.contains(REPLACED)) {
        return Err(Error::not_supported(
            "writing a group with names that are no UTF-8",
        ));
    }
    Ok(())
}

fn check_name(name: &str) -> Result<()> {
    if name.is_empty() || name.contains('\0') || name == "." || name.len() > NAME_BYTES_MAX {
        let rule = "1 to 4,000 bytes long, without NUL, and not a dot";
        return Err(Error::Request {
            what: "a name",
            rule,
            found: name.len() as u64,
        });
    }
    Ok(())
}

impl Editor<'_> {
    pub(super) fn group_ref(&self, id: NodeId) -> Result<&GroupNode> {
        match &self.nodes[id] {
            Node::Group(group) => Ok(group),
            Node::Dataset(_) => Err(Error::WrongKind {
                path: String::new(),
                expected: "group",
            }),
        }
    }

    /// A group that is about to be changed.
    pub(super) fn group_mut(&mut self, id: NodeId) -> Result<&mut GroupNode> {
        match &mut self.nodes[id] {
            Node::Group(group) => {
                group.written.changed = true;
                Ok(group)
            }
            Node::Dataset(_) => Err(Error::WrongKind {
                path: String::new(),
                expected: "group",
            }),
        }
    }

    /// The parent group of `path`, made where it is not there, and the last name.
    pub(super) fn parent_of<'p>(&mut self, path: &'p str) -> Result<(NodeId, &'p str)> {
        names(path)?;
        let (parent, name) = split(path)?;
        Ok((self.group_at(parent)?, name))
    }

    pub(super) fn check_free(&self, parent: NodeId, name: &str) -> Result<()> {
        if self.group_ref(parent)?.links.contains_key(name) {
            let (what, rule) = (
                "the name of a new object",
                "one that nothing has in its group",
            );
            return Err(Error::Request {
                what,
                rule,
                found: name.len() as u64,
            });
        }
        Ok(())
    }

    pub(super) fn insert(&mut self, parent: NodeId, name: &str, node: Node) -> Result<()> {
        self.check_free(parent, name)?;
        let id = self.nodes.len();
        self.nodes.push(node);
        self.group_mut(parent)?
            .links
            .insert(name.to_owned(), Child::Node(id));
        Ok(())
    }

    /// The group at `path`, made where it is not there: all on the way to it, or nothing.
    pub(super) fn group_at(&mut self, path: &str) -> Result<NodeId> {
        let names = names(path)?;
        let mut here = ROOT;
        let mut n_found = 0;
        for name in &names {
            let Some(child) = self.child(here, name)? else {
                break;
            };
            self.group_ref(child).map_err(|_| Error::WrongKind {
                path: path.to_owned(),
                expected: "group",
            })?;
            here = child;
            n_found += 1;
        }
        let new = &names[n_found..];
        new.iter().try_for_each(|name| check_name(name))?;
        for name in new {
            self.insert(here, name, Node::Group(GroupNode::empty()))?;
            here = self.nodes.len() - 1;
        }
        Ok(here)
    }

    /// The object at `path`, looked into. Nothing is changed by looking.
    pub(super) fn node_at(&mut self, path: &str) -> Result<NodeId> {
        let mut here = ROOT;
        for name in names(path)? {
            let child = self.child(here, name)?;
            here = child.ok_or_else(|| Error::NotFound {
                path: path.to_owned(),
            })?;
        }
        Ok(here)
    }

    /// The object that `name` leads to in the group `id`, read where it was not yet.
    fn child(&mut self, id: NodeId, name: &str) -> Result<Option<NodeId>> {
        let address = match self.group_ref(id)?.links.get(name) {
            None => return Ok(None),
            Some(Child::Node(child)) => return Ok(Some(*child)),
            Some(Child::Other(LinkTarget::Hard(address))) => *address,
            Some(Child::Other(_)) => {
                return Err(Error::not_supported(
                    "changing an object through a soft or external link",
                ));
            }
        };
        let node = self.read_node(address)?;
        let child = self.nodes.len();
        self.nodes.push(node);
        if let Some(Node::Group(group)) = self.nodes.get_mut(id) {
            group.links.insert(name.to_owned(), Child::Node(child));
        }
        Ok(Some(child))
    }

    pub(super) fn read_node(&self, address: u64) -> Result<Node> {
        let source = self.source.as_ref().ok_or(Error::Poisoned)?;
        let header = ObjectHeader::read(source, address)?;
        if header.has_several_names() {
            // It has several names, and only one of them would lead to the changed object.
            return Err(Error::not_supported(
                "changing an object that has several hard links",
            ));
        }
        if header.find(LAYOUT).is_some() {
            return DatasetNode::read(source, &header)
                .map(|dataset| Node::Dataset(Box::new(dataset)));
        }
        if links::is_group(&header) {
            return GroupNode::read(source, &header).map(Node::Group);
        }
        Err(Error::not_supported("changing a committed datatype"))
    }
}

#[cfg(test)]
mod tests;
