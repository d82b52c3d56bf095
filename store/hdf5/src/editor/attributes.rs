//! The attributes of an object that is changed, each as the bytes of its message.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::attribute;
use crate::btree_v2::{BtreeV2, TreePlan};
use crate::dataspace::Extent;
use crate::datatype::Datatype;
use crate::error::{Error, Result};
use crate::group::dense_write::{self, Kept};
use crate::heap::fractal::FractalHeap;
use crate::heap::global::{HeapReference, HeapWriter};
use crate::message::attribute::{AttributeMessage, CommittedTypes, NewAttribute, decode_name};
use crate::message::link::{CreationOrder, DenseStorage, Info, encode_attribute_info};
use crate::message::{ATTRIBUTE, ATTRIBUTE_INFO, Message};
use crate::object_header::ObjectHeader;
use crate::sink::Sink;
use crate::source::Source;
use crate::spec::{AttributeValue, check_datatype};

/// More than this many are kept in dense storage, as the C library does.
const COMPACT_MAX: usize = 8;
/// A longer message does not fit into an object header.
pub(super) const MESSAGE_BYTES_MAX: usize = 65_535;
/// The longest name, which has a NUL behind it.
const NAME_BYTES_MAX: usize = 65_534;

/// Attributes by name.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    messages: BTreeMap<String, Message>,
    /// Where the order in which they are made is tracked.
    order: Option<CreationOrder>,
}

impl Attributes {
    pub(super) fn read(source: &Source, header: &ObjectHeader) -> Result<Self> {
        let mut attributes = Self::none_of(source, header)?;
        for message in attribute::messages(source, header)? {
            let name = decode_name(&mut message.cursor("attribute", source).strict())?;
            attributes.messages.insert(name, message);
        }
        Ok(attributes)
    }

    /// None of an object's attributes, to be filled with them: their order is tracked as there.
    pub(super) fn none_of(source: &Source, header: &ObjectHeader) -> Result<Self> {
        Ok(Self {
            messages: BTreeMap::new(),
            order: attribute::info(source, header)?.order,
        })
    }

    /// Sets one; what it was before.
    ///
    /// # Errors
    ///
    /// Where the order is tracked and cannot be counted further.
    pub(super) fn set(&mut self, name: &str, mut message: Message) -> Result<Option<Message>> {
        let vacant = match self.messages.entry(name.to_owned()) {
            Entry::Occupied(mut before) => {
                message.creation_order = before.get().creation_order;
                return Ok(Some(before.insert(message)));
            }
            Entry::Vacant(vacant) => vacant,
        };
        if let Some(order) = &mut self.order {
            let next = u16::try_from(order.next).ok().filter(|n| *n < u16::MAX);
            message.creation_order = next.ok_or(Error::Request {
                what: "the number of attributes ever made of an object that tracks their order",
                rule: "less than 65,535",
                found: order.next,
            })?;
            order.next += 1;
        }
        vacant.insert(message);
        Ok(None)
    }

    /// Keeps one as it was, its place in the order included; what it was before.
    pub(super) fn keep(&mut self, name: &str, message: Message) -> Option<Message> {
        self.messages.insert(name.to_owned(), message)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Whether the object's header tracks the order, and then whether it is indexed.
    pub(super) fn tracks_order(&self) -> Option<bool> {
        self.order.map(|order| order.is_indexed)
    }

    pub(super) fn remove(&mut self, name: &str) -> Option<Message> {
        self.messages.remove(name)
    }

    /// How many bytes of the heap the texts of all of them take.
    pub(super) fn heap_bytes(&self, source: &Source) -> u64 {
        let all = self.messages.values();
        all.fold(0, |bytes, message| {
            heap_bytes(message, source).saturating_add(bytes)
        })
    }

    /// Adds the messages for an object header to `messages`.
    pub(super) fn write(&self, messages: &mut Vec<Message>, sink: &mut dyn Sink<'_>) -> Result<()> {
        let longest = self
            .messages
            .values()
            .map(|message| message.bytes.len())
            .max();
        let mut info = Info {
            order: self.order,
            dense: None,
        };
        if self.messages.len() <= COMPACT_MAX && longest.unwrap_or(0) <= MESSAGE_BYTES_MAX {
            // The C library counts no attributes where this message is missing.
            if !self.messages.is_empty() || info.order.is_some_and(|order| order.next > 0) {
                messages.push(Message::new(ATTRIBUTE_INFO, encode_attribute_info(info)));
            }
            messages.extend(self.messages.values().cloned());
            return Ok(());
        }
        let entries = self
            .messages
            .iter()
            .map(|(name, message)| dense_write::Entry {
                name,
                creation_order: message.creation_order.into(),
                bytes: &message.bytes,
            });
        let is_indexed = self.tracks_order() == Some(true);
        let entries: Vec<_> = entries.collect();
        let dense = dense_write::write(Kept::Attributes, &entries, is_indexed, sink)?;
        info.dense = Some(dense);
        messages.push(Message::new(ATTRIBUTE_INFO, encode_attribute_info(info)));
        Ok(())
    }
}

/// An attribute's message, with its texts in the heap.
pub(super) fn encode(
    name: &str,
    value: AttributeValue,
    heap: &mut HeapWriter,
    sink: &mut dyn Sink<'_>,
) -> Result<Message> {
    let refuse = |what, rule, found| Error::Request { what, rule, found };
    if name.is_empty() || name.contains('\0') {
        let rule = "not empty and without NUL";
        return Err(refuse("the name of an attribute", rule, name.len() as u64));
    }
    if name.len() > NAME_BYTES_MAX {
        let rule = "at most 65,534 bytes long";
        return Err(refuse("the name of an attribute", rule, name.len() as u64));
    }
    let mut texts = |values: &[String], extent| {
        if values.iter().any(|value| value.contains('\0')) {
            return Err(refuse("a string", "without NUL", 0));
        }
        let values: Vec<_> = values.iter().map(String::as_bytes).collect();
        let references = heap.add_all(&values, sink)?;
        let bytes = references
            .iter()
            .flat_map(super::super::heap::global::HeapReference::encode)
            .collect();
        Ok((Datatype::text(), extent, bytes))
    };
    let (datatype, extent, bytes) = match value {
        AttributeValue::Raw {
            datatype,
            extent,
            bytes,
        } => {
            let n_bytes = extent
                .n_elements()
                .and_then(|n| n.checked_mul(datatype.size_bytes().into()));
            if n_bytes != Some(bytes.len() as u64) || datatype.has_heap_data() {
                let rule = "those of its extent, without variable length";
                return Err(refuse(
                    "the bytes of an attribute",
                    rule,
                    bytes.len() as u64,
                ));
            }
            check_datatype(&datatype)?;
            extent.check_countable(datatype.size_bytes())?;
            (datatype, extent, bytes)
        }
        AttributeValue::Text(text) => texts(&[text], Extent::Scalar)?,
        AttributeValue::Texts(all) => {
            let extent = Extent::fixed(&[all.len() as u64]);
            texts(&all, extent)?
        }
    };
    let attribute = NewAttribute {
        name,
        datatype: &datatype,
        extent: &extent,
        bytes: &bytes,
    };
    Ok(Message::new(ATTRIBUTE, attribute.encode()?))
}

/// How many bytes of the heap the texts of an attribute take, as far as it can be read.
pub(super) fn heap_bytes(message: &Message, source: &Source) -> u64 {
    let mut cursor = message.cursor("attribute", source);
    let mut committed = CommittedTypes::of(source);
    let decoded = AttributeMessage::decode(&mut cursor, source, &mut committed);
    let Ok(attribute) = decoded else {
        return 0;
    };
    if !matches!(*attribute.datatype, Datatype::VlenString { .. }) {
        return 0;
    }
    let size = attribute.datatype.size_bytes() as usize;
    let references = attribute.bytes.chunks_exact(size).filter_map(|element| {
        HeapReference::decode(&mut source.cursor("global heap reference", 0, element)).ok()
    });
    references.fold(0, |bytes, reference| {
        reference.stored_bytes().saturating_add(bytes)
    })
}

/// How many bytes the dense storage of an object's attributes takes.
pub(super) fn dense_bytes(source: &Source, header: &ObjectHeader) -> Result<u64> {
    match attribute::info(source, header)?.dense {
        Some(dense) => storage_bytes(
            source,
            dense,
            TreePlan::ATTRIBUTE_NAMES,
            TreePlan::ATTRIBUTE_ORDERS,
        ),
        None => Ok(0),
    }
}

/// How many bytes dense storage takes whose indexes are of these plans' types.
pub(super) fn storage_bytes(
    source: &Source,
    dense: DenseStorage,
    names: TreePlan,
    orders: TreePlan,
) -> Result<u64> {
    let mut bytes = FractalHeap::read(source, dense.heap)?.storage_bytes()?;
    let trees = [(Some(dense.names), names), (dense.orders, orders)];
    for (tree, plan) in trees {
        let Some(tree) = tree else { continue };
        let (_, index_bytes) = BtreeV2::read(source, tree)?.records_and_bytes(plan.kind)?;
        bytes = bytes.saturating_add(index_bytes);
    }
    Ok(bytes)
}
