//! A group that is changed, and finding objects by their paths.

use std::collections::BTreeMap;

use super::attributes::{self, Attributes, MESSAGE_BYTES_MAX};
use super::dataset::DatasetNode;
use super::{Editor, Node, NodeId, ROOT, Written};
use crate::btree_v2::TreePlan;
use crate::error::{Error, Result};
use crate::group::dense_write::{self, Entry, Kept};
use crate::group::links;
use crate::message::link::{self, CreationOrder, Info, Link, LinkTarget, encode_link_info};
use crate::message::{
    ATTRIBUTE, ATTRIBUTE_INFO, GROUP_INFO, LAYOUT, LINK, LINK_INFO, Message, REFERENCE_COUNT,
    SYMBOL_TABLE,
};
use crate::object_header::{self, ObjectHeader};
use crate::sink::Sink;
use crate::source::Source;

/// More links than this are kept in dense storage, as the C library does.
const COMPACT_MAX: usize = 8;
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

/// A name's place in its group.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) child: Child,
    /// When it was made, counted in its group; 0 where that is not tracked.
    pub(super) creation_order: u64,
}

/// A group that is changed.
#[derive(Debug)]
pub(super) struct GroupNode {
    pub(super) links: BTreeMap<String, Place>,
    /// Where the order in which its links are made is tracked.
    order: Option<CreationOrder>,
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
            order: None,
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
        let info = links::info(source, header)?;
        if let Some(dense) = info.dense {
            let (names, orders) = (TreePlan::LINK_NAMES, TreePlan::LINK_ORDERS);
            let storage_bytes = attributes::storage_bytes(source, dense, names, orders)?;
            metadata_bytes = metadata_bytes.saturating_add(storage_bytes);
        }
        Ok(Self {
            links: all
                .into_iter()
                .map(|link| {
                    let place = Place {
                        child: Child::Other(link.target),
                        creation_order: link.creation_order.unwrap_or(0),
                    };
                    (link.name, place)
                })
                .collect(),
            order: info.order,
            attributes: Attributes::read(source, header)?,
            others: others.cloned().collect(),
            written: Written {
                address: Some(header.address),
                metadata_bytes,
                changed: false,
            },
        })
    }

    /// Tracks the order of links and attributes, of which there are none yet, as the group that has
    /// `header` does.
    pub(super) fn track_as(&mut self, source: &Source, header: &ObjectHeader) -> Result<()> {
        if self.links.is_empty() {
            self.order = links::info(source, header)?.order;
        }
        if self.attributes.is_empty() {
            self.attributes = Attributes::none_of(source, header)?;
        }
        Ok(())
    }

    /// Makes a link of a name that is free.
    pub(super) fn add(&mut self, name: &str, child: Child) {
        let creation_order = self.order.map_or(0, |order| order.next);
        if let Some(order) = &mut self.order {
            order.next = order.next.saturating_add(1);
        }
        self.keep(name, creation_order, child);
    }

    /// Takes over a link with its place in the order.
    pub(super) fn keep(&mut self, name: &str, creation_order: u64, child: Child) {
        let place = Place {
            child,
            creation_order,
        };
        self.links.insert(name.to_owned(), place);
    }

    /// The objects of the tree that names lead to, in the names' order.
    pub(super) fn child_nodes(&self) -> Vec<NodeId> {
        let nodes = self.links.values().filter_map(|place| match &place.child {
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
        for (name, place) in &self.links {
            let node_target;
            let target = match &place.child {
                Child::Node(_) => {
                    let address = children.next().copied();
                    let address = address.expect("there is an address for each child");
                    node_target = LinkTarget::Hard(address);
                    &node_target
                }
                Child::Other(target) => target,
            };
            let creation_order = self.order.map(|_| place.creation_order);
            let bytes = link::encode(name, target, creation_order)?;
            encoded.push((name.as_str(), place.creation_order, bytes));
        }
        let start = sink.put_bytes();
        let mut messages = self.link_messages(encoded, sink)?;
        self.attributes.write(&mut messages, sink)?;
        messages.extend(self.others.iter().cloned());
        let address = sink.append(object_header::encode(
            &messages,
            self.attributes.tracks_order(),
        )?)?;
        *dead_bytes = dead_bytes.saturating_add(self.written.metadata_bytes);
        let metadata_bytes = sink.put_bytes() - start;
        self.written = Written {
            address: Some(address),
            metadata_bytes,
            changed: false,
        };
        Ok(address)
    }

    /// The messages of links, each given with its name and its place in the order; many are written
    /// to storage of their own.
    fn link_messages(
        &self,
        links: Vec<(&str, u64, Vec<u8>)>,
        sink: &mut dyn Sink<'_>,
    ) -> Result<Vec<Message>> {
        let longest = links.iter().map(|(.., bytes)| bytes.len()).max();
        let is_dense = links.len() > COMPACT_MAX || longest.unwrap_or(0) > MESSAGE_BYTES_MAX;
        let mut info = Info {
            order: self.order,
            dense: None,
        };
        if is_dense {
            let entries = links.iter().map(|(name, creation_order, bytes)| Entry {
                name,
                creation_order: *creation_order,
                bytes,
            });
            let is_indexed = self.order.is_some_and(|order| order.is_indexed);
            let entries: Vec<_> = entries.collect();
            info.dense = Some(dense_write::write(Kept::Links, &entries, is_indexed, sink)?);
        }
        let mut messages = vec![
            Message::new(LINK_INFO, encode_link_info(info)),
            Message::constant(GROUP_INFO, vec![0, 0]),
        ];
        if !is_dense {
            let links = links.into_iter();
            messages.extend(links.map(|(.., bytes)| Message::new(LINK, bytes)));
        }
        Ok(messages)
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
    if let LinkTarget::User(kind) = &link.target {
        return Err(Error::not_supported_number(
            "writing a group with a link of type",
            *kind,
        ));
    }
    if !link.is_exact {
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
        self.group_mut(parent)?.add(name, Child::Node(id));
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
    pub(super) fn child(&mut self, id: NodeId, name: &str) -> Result<Option<NodeId>> {
        let address = match self
            .group_ref(id)?
            .links
            .get(name)
            .map(|place| &place.child)
        {
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
        if let Some(Node::Group(group)) = self.nodes.get_mut(id)
            && let Some(place) = group.links.get_mut(name)
        {
            place.child = Child::Node(child);
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
        node_of(source, &header)
    }
}

/// The object that has `header`, looked into, however many names it has.
pub(super) fn node_of(source: &Source, header: &ObjectHeader) -> Result<Node> {
    if header.find(LAYOUT).is_some() {
        return DatasetNode::read(source, header).map(|dataset| Node::Dataset(Box::new(dataset)));
    }
    if links::is_group(header) {
        return GroupNode::read(source, header).map(Node::Group);
    }
    Err(Error::not_supported("changing a committed datatype"))
}

#[cfg(test)]
mod tests;
