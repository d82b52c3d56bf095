//! An attribute: a small named value beside an object.
//!
//! Source: HDF5 file format specification, IV.A.2.m "The Attribute Message", versions 1 to 3.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::cursor::Cursor;
use crate::dataspace::Extent;
use crate::datatype::Datatype;
use crate::encoder::Encoder;
use crate::error::{Error, Result};
use crate::message::{DATATYPE, shared_address};
use crate::object_header::ObjectHeader;
use crate::source::{Budget, Source};

/// An attribute as its message holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AttributeMessage {
    pub(crate) name: String,
    pub(crate) datatype: Arc<Datatype>,
    pub(crate) extent: Extent,
    pub(crate) offset_bytes: u64,
    pub(crate) bytes: Vec<u8>,
}

/// Reads the name of an attribute, and nothing more.
pub(crate) fn decode_name(cursor: &mut Cursor<'_>) -> Result<String> {
    Ok(Head::decode(cursor)?.name)
}

struct Head {
    version: u8,
    flags: u8,
    datatype_len: usize,
    dataspace_len: usize,
    name: String,
}

impl Head {
    fn decode(cursor: &mut Cursor<'_>) -> Result<Self> {
        let version = cursor.u8()?;
        if !(1..=3).contains(&version) {
            return Err(Error::not_supported_number("attribute version", version));
        }
        let flags = cursor.u8()?;
        let flags = if version == 1 { 0 } else { flags };
        let name_len = usize::from(cursor.u16()?);
        let datatype_len = usize::from(cursor.u16()?);
        let dataspace_len = usize::from(cursor.u16()?);
        if version == 3 {
            cursor.skip(1)?; // character set of the name
        }
        let name = cursor.sub(padded(version, name_len))?.rest();
        let name = name.get(..name_len).unwrap_or(name);
        let name = cursor.text(name.split(|byte| *byte == 0).next().unwrap_or_default())?;
        Ok(Self {
            version,
            flags,
            datatype_len,
            dataspace_len,
            name,
        })
    }
}

/// Version 1 pads each part to a multiple of 8.
fn padded(version: u8, len: usize) -> usize {
    if version == 1 {
        len.next_multiple_of(8)
    } else {
        len
    }
}

/// The committed types of attributes that are decoded together: each is read once, and the headers
/// that hold them are together no longer than the file.
#[derive(Debug)]
pub(crate) struct CommittedTypes {
    read: BTreeMap<u64, Arc<Datatype>>,
    budget: Budget,
}

impl CommittedTypes {
    pub(crate) fn of(source: &Source) -> Self {
        Self {
            read: BTreeMap::new(),
            budget: Budget::of(source),
        }
    }

    fn read(&mut self, source: &Source, address: u64, is_strict: bool) -> Result<Arc<Datatype>> {
        if let Some(datatype) = self.read.get(&address) {
            return Ok(Arc::clone(datatype));
        }
        let header = ObjectHeader::read(source, address)?;
        let structure = "object header of a committed datatype";
        self.budget.take(structure, address, header.len_bytes)?;
        let message = header.require(DATATYPE, "a committed datatype")?;
        let mut cursor = message.cursor("datatype", source).strict_as(is_strict);
        let datatype = Arc::new(Datatype::decode(&mut cursor)?);
        self.read.insert(address, Arc::clone(&datatype));
        Ok(datatype)
    }
}

impl AttributeMessage {
    /// Decodes a message; `committed` is of all that are decoded together.
    pub(crate) fn decode(
        cursor: &mut Cursor<'_>,
        source: &Source,
        committed: &mut CommittedTypes,
    ) -> Result<Self> {
        let head = Head::decode(cursor)?;
        let mut part = cursor
            .sub(padded(head.version, head.datatype_len))?
            .named("datatype");
        let datatype = if head.flags & 1 != 0 {
            let address = shared_address(&mut part)?;
            committed.read(source, address, part.is_strict())?
        } else {
            Arc::new(Datatype::decode(&mut part)?)
        };
        if head.flags & 2 != 0 {
            return Err(Error::not_supported("an attribute with a shared dataspace"));
        }
        let mut part = cursor
            .sub(padded(head.version, head.dataspace_len))?
            .named("dataspace");
        let extent = Extent::decode(&mut part)?;
        let len = extent
            .n_elements()
            .and_then(|n| n.checked_mul(datatype.size_bytes().into()));
        let Some(len) = len else {
            return Err(cursor.corrupt("a number of elements", u64::MAX));
        };
        let offset_bytes = cursor.offset();
        let bytes = cursor.take_u64(len)?.to_vec();
        Ok(Self {
            name: head.name,
            datatype,
            extent,
            offset_bytes,
            bytes,
        })
    }

    /// The bytes of a version 3 message.
    pub(crate) fn encode(&self) -> Result<Vec<u8>> {
        let attribute = NewAttribute {
            name: &self.name,
            datatype: &self.datatype,
            extent: &self.extent,
            bytes: &self.bytes,
        };
        attribute.encode()
    }
}

/// What an attribute is written from.
#[derive(Debug)]
pub(crate) struct NewAttribute<'a> {
    pub(crate) name: &'a str,
    pub(crate) datatype: &'a Datatype,
    pub(crate) extent: &'a Extent,
    pub(crate) bytes: &'a [u8],
}

impl NewAttribute<'_> {
    /// The bytes of a version 3 message.
    pub(crate) fn encode(&self) -> Result<Vec<u8>> {
        let mut encoder = Encoder::with_room_for(self.bytes.len().saturating_add(128));
        let charset = u8::from(!self.name.is_ascii());
        // The three lengths are known when what they measure is written.
        encoder.u8(3).u8(0).zeros(6).u8(charset);
        let name_start = encoder.len();
        encoder.put(self.name.as_bytes()).u8(0);
        let datatype_start = encoder.len();
        self.datatype.encode_to(&mut encoder);
        let extent_start = encoder.len();
        self.extent.encode_to(&mut encoder);
        let extent_end = encoder.len();
        for (place, start, end) in [
            (2, name_start, datatype_start),
            (4, datatype_start, extent_start),
            (6, extent_start, extent_end),
        ] {
            let found = end.saturating_sub(start) as u64;
            let rule = "at most 65,535 bytes in the file";
            let what = "each of an attribute's name, type and extent";
            let len = u16::try_from(found).map_err(|_| Error::Request { what, rule, found })?;
            encoder.fill(place, &len.to_le_bytes());
        }
        encoder.put(self.bytes);
        Ok(encoder.into_bytes())
    }
}
