//! The attributes of an object, whichever way it keeps them.
//!
//! Source: HDF5 file format specification, IV.A.2.m and v; B-tree record type 8.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::sync::Arc;

use crate::btree_v2::BtreeV2;
use crate::checksum::lookup3;
use crate::data;
use crate::dataspace::Extent;
use crate::datatype::Datatype;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::heap::fractal::FractalHeap;
use crate::message::attribute::{AttributeMessage, CommittedTypes, decode_name};
use crate::message::link::{CreationOrder, Info, decode_attribute_info};
use crate::message::{ATTRIBUTE, ATTRIBUTE_INFO, Message};
use crate::object_header::ObjectHeader;
use crate::source::{Budget, Source};
use crate::value::Value;

/// The B-tree type of records that find attributes by name.
const NAME_RECORDS: u8 = 8;
/// How long a heap id of an attribute is.
const HEAP_ID_BYTES: usize = 8;

/// A small named value beside an object.
#[derive(Debug, Clone)]
pub struct Attribute {
    source: Arc<Source>,
    message: AttributeMessage,
}

impl Attribute {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.message.name
    }

    /// What its values are.
    pub fn datatype(&self) -> &Datatype {
        &self.message.datatype
    }

    /// How many values it has.
    pub fn extent(&self) -> &Extent {
        &self.message.extent
    }

    /// Its bytes, as they are in the file.
    pub fn bytes(&self) -> &[u8] {
        &self.message.bytes
    }

    /// Its values as numbers.
    ///
    /// # Errors
    ///
    /// [`Error::WrongType`] where not every value of its type is a `T`.
    pub fn read<T: Element>(&self) -> Result<Vec<T>> {
        data::numbers(self.datatype(), self.bytes())
    }

    /// Its only value as a number.
    ///
    /// # Errors
    ///
    /// As [`Self::read`], and [`Error::Request`] where it has another number of values.
    pub fn scalar<T: Element>(&self) -> Result<T> {
        only(self.read()?)
    }

    /// Its values as strings.
    ///
    /// # Errors
    ///
    /// [`Error::WrongType`] where they are none, [`Error::Corrupt`] where they are no UTF-8.
    pub fn read_strings(&self) -> Result<Vec<String>> {
        data::utf8(self.read_byte_strings()?)
    }

    /// Its values as strings, whatever their encoding.
    ///
    /// # Errors
    ///
    /// [`Error::WrongType`] where they are none.
    pub fn read_byte_strings(&self) -> Result<Vec<Vec<u8>>> {
        data::strings(&self.source, self.datatype(), self.bytes())
    }

    /// The elements of each of its vlen sequences, as bytes in the file's order.
    ///
    /// # Errors
    ///
    /// [`Error::WrongType`] where its values are no sequences.
    pub fn read_sequences(&self) -> Result<Vec<Vec<u8>>> {
        data::sequences(&self.source, self.datatype(), self.bytes())
    }

    /// Its only value as a string.
    ///
    /// # Errors
    ///
    /// As [`Self::read_strings`], and [`Error::Request`] where it has another number of values.
    pub fn text(&self) -> Result<String> {
        only(self.read_strings()?)
    }

    /// Its values, whatever their type.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] where the file's heap is.
    pub fn values(&self) -> Result<Vec<Value>> {
        data::values(&self.source, self.datatype(), self.bytes())
    }
}

fn only<T>(values: Vec<T>) -> Result<T> {
    let found = values.len() as u64;
    let mut values = values.into_iter();
    match (values.next(), values.next()) {
        (Some(value), None) => Ok(value),
        _ => Err(Error::Request {
            what: "the number of values of a scalar",
            rule: "1",
            found,
        }),
    }
}

/// The messages of all attributes, in the order of the file.
pub(crate) fn messages(source: &Source, header: &ObjectHeader) -> Result<Vec<Message>> {
    let mut messages = Vec::new();
    let mut shared = Budget::of(source);
    for message in header.all(ATTRIBUTE) {
        messages.push(message.resolved_within(source, &mut shared)?);
    }
    if let Some(dense) = info(source, header)?.dense {
        let heap = FractalHeap::read(source, dense.heap)?;
        for record in BtreeV2::read(source, dense.names)?.records(NAME_RECORDS)? {
            let message = dense_message(&heap, &record)?;
            messages.push(message.resolved_within(source, &mut shared)?);
        }
    }
    Ok(messages)
}

/// Where the attributes are that are not in the header, and whether their order is tracked.
pub(crate) fn info(source: &Source, header: &ObjectHeader) -> Result<Info> {
    let mut info = match header.find(ATTRIBUTE_INFO) {
        Some(info) => decode_attribute_info(&mut info.cursor("attribute info", source))?,
        None => Info::default(),
    };
    // Before the first attribute only the header says so.
    if let (None, Some(is_indexed)) = (info.order, header.tracks_attributes) {
        let next = 0;
        info.order = Some(CreationOrder { next, is_indexed });
    }
    Ok(info)
}

fn dense_message(heap: &FractalHeap<'_>, record: &[u8]) -> Result<Message> {
    let (id, rest) = record
        .split_at_checked(HEAP_ID_BYTES)
        .unwrap_or((record, &[]));
    let (offset_bytes, bytes) = heap.object(id)?;
    let flags = rest.first().copied().unwrap_or_default();
    // Four bytes wide, and never more than two are used.
    let order = rest.get(1..3).and_then(|order| order.try_into().ok());
    let message = Message {
        kind: ATTRIBUTE,
        flags,
        creation_order: u16::from_le_bytes(order.unwrap_or_default()),
        offset_bytes,
        bytes: bytes.into_owned(),
    };
    Ok(message)
}

/// The names of all attributes.
pub(crate) fn names(source: &Source, header: &ObjectHeader) -> Result<Vec<String>> {
    let messages = messages(source, header)?;
    messages
        .iter()
        .map(|m| decode_name(&mut m.cursor("attribute", source)))
        .collect()
}

/// An attribute with its name, or why it cannot be read.
pub(crate) type Named = (String, Result<Attribute>);

/// All attributes, each with its name.
pub(crate) fn all(source: &Arc<Source>, header: &ObjectHeader) -> Result<Vec<Named>> {
    let mut committed = CommittedTypes::of(source);
    let one = |message: Message| {
        let name = decode_name(&mut message.cursor("attribute", source))?;
        let mut cursor = message.cursor("attribute", source);
        let decoded = AttributeMessage::decode(&mut cursor, source, &mut committed);
        let source = Arc::clone(source);
        Ok((name, decoded.map(|message| Attribute { source, message })))
    };
    messages(source, header)?.into_iter().map(one).collect()
}

/// The attribute of this name.
pub(crate) fn find(source: &Arc<Source>, header: &ObjectHeader, name: &str) -> Result<Attribute> {
    let found = match find_compact(source, header, name)? {
        Some(found) => Some(found),
        None => find_dense(source, header, name)?,
    };
    let message = found.ok_or_else(|| Error::NotFound {
        path: name.to_owned(),
    })?;
    let mut cursor = message.cursor("attribute", source);
    let mut committed = CommittedTypes::of(source);
    let message = AttributeMessage::decode(&mut cursor, source, &mut committed)?;
    Ok(Attribute {
        source: Arc::clone(source),
        message,
    })
}

fn find_compact(source: &Source, header: &ObjectHeader, name: &str) -> Result<Option<Message>> {
    let mut shared = Budget::of(source);
    for message in header.all(ATTRIBUTE) {
        let message = message.resolved_within(source, &mut shared)?;
        if decode_name(&mut message.cursor("attribute", source))? == name {
            return Ok(Some(message));
        }
    }
    Ok(None)
}

fn find_dense(source: &Source, header: &ObjectHeader, name: &str) -> Result<Option<Message>> {
    let Some(dense) = info(source, header)?.dense else {
        return Ok(None);
    };
    let heap = FractalHeap::read(source, dense.heap)?;
    let wanted = lookup3(name.as_bytes());
    let hash = |record: &[u8]| {
        record
            .last_chunk()
            .map_or(0, |hash| u32::from_le_bytes(*hash))
    };
    let tree = BtreeV2::read(source, dense.names)?;
    for record in tree.search(NAME_RECORDS, &|record| hash(record).cmp(&wanted))? {
        let message = dense_message(&heap, &record)?.resolved(source)?;
        if decode_name(&mut message.cursor("attribute", source))? == name {
            return Ok(Some(message));
        }
    }
    Ok(None)
}
