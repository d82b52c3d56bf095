//! One message of an object header, and the kinds that are read or written.
//!
//! Source: HDF5 file format specification, IV.A.2 "Disk Format: Level 2A2 - Data Object Header Messages".
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

pub(crate) mod attribute;
pub(crate) mod fill_value;
pub(crate) mod filter_pipeline;
pub(crate) mod layout;
pub(crate) mod link;

use crate::cursor::Cursor;
use crate::error::{Error, Result};
use crate::object_header::ObjectHeader;
use crate::source::{Budget, Source};

pub(crate) const NIL: u16 = 0x00;
pub(crate) const DATASPACE: u16 = 0x01;
pub(crate) const LINK_INFO: u16 = 0x02;
pub(crate) const DATATYPE: u16 = 0x03;
pub(crate) const FILL_VALUE_OLD: u16 = 0x04;
pub(crate) const FILL_VALUE: u16 = 0x05;
pub(crate) const LINK: u16 = 0x06;
pub(crate) const EXTERNAL_FILES: u16 = 0x07;
pub(crate) const LAYOUT: u16 = 0x08;
pub(crate) const GROUP_INFO: u16 = 0x0a;
pub(crate) const FILTER_PIPELINE: u16 = 0x0b;
pub(crate) const ATTRIBUTE: u16 = 0x0c;
pub(crate) const CONTINUATION: u16 = 0x10;
pub(crate) const SYMBOL_TABLE: u16 = 0x11;
pub(crate) const ATTRIBUTE_INFO: u16 = 0x15;
pub(crate) const REFERENCE_COUNT: u16 = 0x16;

/// The message is stored elsewhere, and its bytes say where.
const FLAG_SHARED: u8 = 1 << 1;

/// A message, not yet looked into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) kind: u16,
    pub(crate) flags: u8,
    /// Which of its object's attributes it was the making of, where that is tracked.
    pub(crate) creation_order: u16,
    /// Where in the file its bytes are.
    pub(crate) offset_bytes: u64,
    pub(crate) bytes: Vec<u8>,
}

impl Message {
    /// A message to write.
    pub(crate) fn new(kind: u16, bytes: Vec<u8>) -> Self {
        Self {
            kind,
            flags: 0,
            creation_order: 0,
            offset_bytes: 0,
            bytes,
        }
    }

    /// A message to write that never changes.
    pub(crate) fn constant(kind: u16, bytes: Vec<u8>) -> Self {
        Self {
            flags: 1,
            ..Self::new(kind, bytes)
        }
    }

    pub(crate) fn cursor(&self, structure: &'static str, source: &Source) -> Cursor<'_> {
        source.cursor(structure, self.offset_bytes, &self.bytes)
    }

    pub(crate) fn is_shared(&self) -> bool {
        self.flags & FLAG_SHARED != 0
    }

    /// The message itself: where it is shared, that of the object that it is shared from.
    pub(crate) fn resolved(&self, source: &Source) -> Result<Self> {
        self.resolved_within(source, &mut Budget::of(source))
    }

    /// As [`Self::resolved`], where the headers of all messages that are read together have `budget`.
    pub(crate) fn resolved_within(&self, source: &Source, budget: &mut Budget) -> Result<Self> {
        if !self.is_shared() {
            return Ok(self.clone());
        }
        let address = shared_address(&mut self.cursor("shared message", source))?;
        let header = ObjectHeader::read(source, address)?;
        budget.take(
            "object header of a shared message",
            address,
            header.len_bytes,
        )?;
        let found = header.require(self.kind, "the shared message")?;
        if found.is_shared() {
            return Err(Error::Corrupt {
                structure: "shared message",
                offset_bytes: found.offset_bytes,
                expected: "a message that is not itself shared",
                found: address,
            });
        }
        Ok(Self {
            creation_order: self.creation_order,
            ..found.clone()
        })
    }
}

/// Where the object header is that holds a shared message.
pub(crate) fn shared_address(cursor: &mut Cursor<'_>) -> Result<u64> {
    let version = cursor.u8()?;
    let kind = cursor.u8()?;
    match (version, kind) {
        (1, _) => {
            cursor.skip(6)?;
            // The name of a symbol table entry, of no use here.
            let _name = cursor.length()?;
            cursor.defined_address()
        }
        (2, _) | (3, 2) => cursor.defined_address(),
        (3, _) => Err(Error::not_supported(
            "messages shared in the file's own heap",
        )),
        (version, _) => Err(Error::not_supported_number(
            "shared message version",
            version,
        )),
    }
}

/// Where a header goes on (IV.A.2.q "The Object Header Continuation Message").
#[derive(Debug, Clone, Copy)]
pub(crate) struct Continuation {
    pub(crate) address: u64,
    pub(crate) len_bytes: u64,
}

impl Continuation {
    pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Self> {
        Ok(Self {
            address: cursor.defined_address()?,
            len_bytes: cursor.length()?,
        })
    }
}
