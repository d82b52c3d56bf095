//! The object header: the list of messages that say what an object is.
//!
//! Source: HDF5 file format specification, IV.A.1 "Data Object Headers", versions 1 and 2.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::collections::{BTreeSet, VecDeque};

use crate::cursor::Cursor;
use crate::encoder::Encoder;
use crate::error::{Error, Result};
use crate::message::{self, Continuation, Message};
use crate::source::Source;

const NAME: &str = "object header";
/// How many bytes are read before the header's size is known: enough for most.
const FIRST_READ_BYTES: u64 = 512;
/// Flags of version 2: the order in which attributes are made is tracked; it is indexed.
const TRACKS_ATTRIBUTE_ORDER: u8 = 1 << 2;
const INDEXES_ATTRIBUTE_ORDER: u8 = 1 << 3;

/// An object's header, with its continuations.
#[derive(Debug, Clone)]
pub(crate) struct ObjectHeader {
    pub(crate) address: u64,
    pub(crate) messages: Vec<Message>,
    /// How many links lead to it.
    pub(crate) n_links: u32,
    version: u8,
    /// Whether the order in which its attributes are made is tracked, and then whether it is indexed.
    pub(crate) tracks_attributes: Option<bool>,
    /// How many bytes its blocks take in the file.
    pub(crate) len_bytes: u64,
}

/// What one block of messages is read with.
#[derive(Clone, Copy)]
struct Block {
    version: u8,
    with_creation_order: bool,
}

impl ObjectHeader {
    /// Reads the header at `address`.
    pub(crate) fn read(source: &Source, address: u64) -> Result<Self> {
        let mut bytes = source.read_up_to(NAME, address, FIRST_READ_BYTES)?;
        let prefix = Prefix::decode(&mut source.cursor(NAME, address, &bytes))?;
        let len = prefix.block_bytes();
        if len > bytes.len() as u64 {
            bytes = source.read(NAME, address, len)?;
        }
        let mut header = Self {
            address,
            messages: Vec::new(),
            n_links: prefix.n_links,
            version: prefix.block.version,
            tracks_attributes: prefix.tracks_attributes,
            len_bytes: 0,
        };
        let mut waiting = VecDeque::new();
        let whole = bytes
            .get(..usize::try_from(len).unwrap_or(usize::MAX))
            .unwrap_or(&bytes);
        let mut cursor = source.cursor(NAME, address, whole);
        cursor.skip(prefix.len)?;
        header.len_bytes = len;
        let body = usize::try_from(prefix.body_bytes).unwrap_or(usize::MAX);
        header.take_messages(cursor.sub(body)?, prefix.block, &mut waiting)?;
        if prefix.block.version == 2 {
            cursor.checksum()?;
        }
        header.read_continuations(source, prefix.block, waiting)?;
        if let Some(message) = header.find(message::REFERENCE_COUNT) {
            let mut cursor = message.cursor("object reference count", source);
            cursor.version(0)?;
            header.n_links = cursor.u32()?;
        }
        Ok(header)
    }

    fn read_continuations(
        &mut self,
        source: &Source,
        block: Block,
        mut waiting: VecDeque<Continuation>,
    ) -> Result<()> {
        let mut seen = BTreeSet::from([self.address]);
        while let Some(Continuation { address, len_bytes }) = waiting.pop_front() {
            let name = "object header continuation";
            let bytes = source.read(name, address, len_bytes)?;
            let mut cursor = source.cursor(name, address, &bytes);
            self.len_bytes = self.len_bytes.saturating_add(len_bytes);
            // A block met twice is a cycle; and blocks that overlap could hold as many messages as
            // there are bytes, over and over.
            if !seen.insert(address) || self.len_bytes > source.end() {
                return Err(cursor.corrupt("a block that was not read before", address));
            }
            let mut len = cursor.remaining();
            if block.version == 2 {
                cursor.signature(*b"OCHK")?;
                len = len.saturating_sub(8);
            }
            self.take_messages(cursor.sub(len)?, block, &mut waiting)?;
            if block.version == 2 {
                cursor.checksum()?;
            }
        }
        Ok(())
    }

    fn take_messages(
        &mut self,
        mut cursor: Cursor<'_>,
        block: Block,
        waiting: &mut VecDeque<Continuation>,
    ) -> Result<()> {
        let head = match (block.version, block.with_creation_order) {
            (1, _) => 8,
            (_, false) => 4,
            (_, true) => 6,
        };
        // What is too short for a message is a gap.
        while cursor.remaining() >= head {
            let (kind, len, flags, creation_order);
            if block.version == 1 {
                (kind, len, flags) = (cursor.u16()?, cursor.u16()?, cursor.u8()?);
                cursor.skip(3)?;
                creation_order = 0;
            } else {
                (kind, len, flags) = (cursor.u8()?.into(), cursor.u16()?, cursor.u8()?);
                creation_order = if head > 4 { cursor.u16()? } else { 0 };
            }
            let offset_bytes = cursor.offset();
            let bytes = cursor.take(usize::from(len))?;
            match kind {
                message::NIL => {}
                message::CONTINUATION => {
                    let mut body = Cursor::new(NAME, offset_bytes, bytes, cursor.sizes());
                    waiting.push_back(Continuation::decode(&mut body)?);
                }
                kind => {
                    let bytes = bytes.to_vec();
                    self.messages.push(Message {
                        kind,
                        flags,
                        creation_order,
                        offset_bytes,
                        bytes,
                    });
                }
            }
        }
        Ok(())
    }

    /// Whether more than one link leads to the object.
    pub(crate) fn has_several_names(&self) -> bool {
        self.n_links > 1 || self.find(message::REFERENCE_COUNT).is_some()
    }

    /// The bytes of a header like this, in one block and without times, of an object with `n_links`
    /// names. What its messages lead to stays where it is.
    pub(crate) fn encode_as_named(&self, n_links: u32) -> Result<Vec<u8>> {
        if self.version == 1 {
            return encode_v1(&self.messages, n_links);
        }
        let others = self
            .messages
            .iter()
            .filter(|message| message.kind != message::REFERENCE_COUNT);
        let mut messages: Vec<_> = others.cloned().collect();
        if n_links > 1 {
            let mut count = vec![0];
            count.extend_from_slice(&n_links.to_le_bytes());
            messages.push(Message::new(message::REFERENCE_COUNT, count));
        }
        encode(&messages, self.tracks_attributes)
    }

    /// The first message of a kind.
    pub(crate) fn find(&self, kind: u16) -> Option<&Message> {
        self.messages.iter().find(|message| message.kind == kind)
    }

    /// All messages of a kind.
    pub(crate) fn all(&self, kind: u16) -> impl Iterator<Item = &Message> {
        self.messages
            .iter()
            .filter(move |message| message.kind == kind)
    }

    /// The first message of a kind, which must be there.
    pub(crate) fn require(&self, kind: u16, expected: &'static str) -> Result<&Message> {
        self.find(kind).ok_or(Error::Corrupt {
            structure: NAME,
            offset_bytes: self.address,
            expected,
            found: 0,
        })
    }
}

struct Prefix {
    block: Block,
    /// How long the prefix itself is.
    len: usize,
    body_bytes: u64,
    n_links: u32,
    tracks_attributes: Option<bool>,
}

impl Prefix {
    fn decode(cursor: &mut Cursor<'_>) -> Result<Self> {
        let first = cursor.clone().u8()?;
        if first == 1 {
            return Self::decode_v1(cursor);
        }
        cursor.signature(*b"OHDR")?;
        cursor.version(2)?;
        let flags = cursor.u8()?;
        if flags & 1 << 5 != 0 {
            cursor.skip(16)?; // access, modification, change and birth times
        }
        if flags & 1 << 4 != 0 {
            cursor.skip(4)?; // attribute phase change values
        }
        let body_bytes = cursor.uint(1_usize << (flags & 3))?;
        let with_creation_order = flags & TRACKS_ATTRIBUTE_ORDER != 0;
        let block = Block {
            version: 2,
            with_creation_order,
        };
        Ok(Self {
            block,
            len: cursor.taken(),
            body_bytes,
            n_links: 1,
            tracks_attributes: with_creation_order.then_some(flags & INDEXES_ATTRIBUTE_ORDER != 0),
        })
    }

    fn decode_v1(cursor: &mut Cursor<'_>) -> Result<Self> {
        // version, reserved, number of messages
        cursor.skip(4)?;
        let n_links = cursor.u32()?;
        let body_bytes = u64::from(cursor.u32()?);
        cursor.skip(4)?;
        let block = Block {
            version: 1,
            with_creation_order: false,
        };
        Ok(Self {
            block,
            len: cursor.taken(),
            body_bytes,
            n_links,
            tracks_attributes: None,
        })
    }

    fn block_bytes(&self) -> u64 {
        let checksum = if self.block.version == 2 { 4 } else { 0 };
        self.body_bytes
            .saturating_add(self.len as u64)
            .saturating_add(checksum)
    }
}

/// The bytes of a version 2 header of one block, without times, that holds `messages` in order.
/// `tracks_attributes` is [`ObjectHeader::tracks_attributes`].
pub(crate) fn encode(messages: &[Message], tracks_attributes: Option<bool>) -> Result<Vec<u8>> {
    let head = if tracks_attributes.is_some() { 6 } else { 4 };
    let lens = messages.iter().map(|message| message.bytes.len());
    let body_bytes = lens.fold(0, |sum: usize, len| {
        sum.saturating_add(len).saturating_add(head)
    });
    let mut encoder = Encoder::with_room_for(body_bytes.saturating_add(16));
    let (width_flag, width) = match body_bytes {
        0..=0xff => (0, 1),
        0x100..=0xffff => (1, 2),
        _ => (2, 4),
    };
    let order_flags = match tracks_attributes {
        None => 0,
        Some(false) => TRACKS_ATTRIBUTE_ORDER,
        Some(true) => TRACKS_ATTRIBUTE_ORDER | INDEXES_ATTRIBUTE_ORDER,
    };
    encoder.put(b"OHDR").u8(2);
    encoder.u8(width_flag | order_flags);
    encoder.uint(body_bytes as u64, width);
    for message in messages {
        let kind = u8::try_from(message.kind).unwrap_or(u8::MAX);
        let len = u16::try_from(message.bytes.len()).map_err(|_| Error::Request {
            what: "a message of an object header",
            rule: "at most 65,535 bytes long",
            found: message.bytes.len() as u64,
        })?;
        encoder.u8(kind).u16(len).u8(message.flags);
        if tracks_attributes.is_some() {
            encoder.u16(message.creation_order);
        }
        encoder.put(&message.bytes);
    }
    Ok(encoder.checksummed())
}

/// The bytes of a version 1 header of one block that holds `messages`, which came out of one.
fn encode_v1(messages: &[Message], n_links: u32) -> Result<Vec<u8>> {
    let mut body = Encoder::new();
    for message in messages {
        let len = message.bytes.len().next_multiple_of(8);
        let len_field = u16::try_from(len).map_err(|_| Error::Request {
            what: "a message of an object header",
            rule: "at most 65,528 bytes long",
            found: len as u64,
        })?;
        body.u16(message.kind).u16(len_field).u8(message.flags);
        body.zeros(3).put(&message.bytes);
        body.zeros(len.saturating_sub(message.bytes.len()));
    }
    let too_many = |found: usize| Error::Request {
        what: "the messages of an object header, and their bytes,",
        rule: "at most 65,535, and less than 4 GiB",
        found: found as u64,
    };
    let n_messages = u16::try_from(messages.len()).map_err(|_| too_many(messages.len()))?;
    let body_bytes = u32::try_from(body.len()).map_err(|_| too_many(body.len()))?;
    let mut encoder = Encoder::with_room_for(body.len().saturating_add(16));
    encoder.u8(1).u8(0).u16(n_messages).u32(n_links);
    encoder.u32(body_bytes).zeros(4).put(body.bytes());
    Ok(encoder.into_bytes())
}

#[cfg(test)]
mod tests;
