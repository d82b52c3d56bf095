//! Links: the names in a group, and where they lead.
//!
//! Source: HDF5 file format specification, IV.A.2.g "The Link Message" (version 1) and IV.A.2.c
//! "The Link Info Message" (version 0).
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use crate::cursor::{Cursor, text_noting};
use crate::encoder::Encoder;
use crate::error::{Error, Result};

/// Where a name leads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkTarget {
    /// To the object whose header is at this address.
    Hard(u64),
    /// To whatever has this path, if anything has.
    Soft(String),
    /// To an object of another file. It is never followed unasked.
    External {
        /// The file, as it was named when the link was made.
        file: String,
        /// The path in it.
        path: String,
    },
    /// To something of a type that a user defined.
    User(u8),
}

/// A name in a group.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    /// The name, without slashes.
    pub name: String,
    /// Where it leads.
    pub target: LinkTarget,
    /// When it was made, counted in its group, where that is tracked.
    pub(crate) creation_order: Option<u64>,
    /// Whether all that it says was UTF-8: else it is not known what it says.
    pub(crate) is_exact: bool,
}

impl Link {
    pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Self> {
        cursor.version(1)?;
        let flags = cursor.u8()?;
        let kind = if flags & 1 << 3 != 0 { cursor.u8()? } else { 0 };
        let creation_order = match flags & 1 << 2 {
            0 => None,
            _ => Some(cursor.u64()?),
        };
        let mut is_exact = true;
        let mut text = |bytes: &[u8]| text_noting(bytes, &mut is_exact);
        if flags & 1 << 4 != 0 {
            cursor.skip(1)?; // character set of the name
        }
        let len = cursor.uint(1_usize << (flags & 3))?;
        let name = text(cursor.take_u64(len)?);
        let target = match kind {
            0 => LinkTarget::Hard(cursor.defined_address()?),
            1 => {
                let len = usize::from(cursor.u16()?);
                LinkTarget::Soft(text(cursor.take(len)?))
            }
            64 => {
                let len = usize::from(cursor.u16()?);
                let mut value = cursor.sub(len)?;
                value.skip(1)?; // version and flags
                let file = text(value.nul_terminated()?);
                LinkTarget::External {
                    file,
                    path: text(value.nul_terminated()?),
                }
            }
            65.. => LinkTarget::User(kind),
            kind => return Err(Error::not_supported_number("link type", kind)),
        };
        Ok(Self {
            name,
            target,
            creation_order,
            is_exact,
        })
    }
}

/// Where a group's, or an object's attributes', dense storage is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DenseStorage {
    /// The fractal heap that holds the messages.
    pub(crate) heap: u64,
    /// The B-tree that finds them by name.
    pub(crate) names: u64,
    /// The B-tree that finds them by the order in which they were made, where there is one.
    pub(crate) orders: Option<u64>,
}

/// That the order in which links or attributes are made is tracked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CreationOrder {
    /// What the next one to be made gets.
    pub(crate) next: u64,
    /// Whether dense storage has an index by it.
    pub(crate) is_indexed: bool,
}

/// What a Link Info or an Attribute Info message says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Info {
    pub(crate) order: Option<CreationOrder>,
    pub(crate) dense: Option<DenseStorage>,
}

/// Flags of both messages: the order is tracked; it is indexed.
const TRACKED: u8 = 1;
const INDEXED: u8 = 1 << 1;
/// How wide the next number in the order is in each.
const LINK_ORDER_BYTES: u8 = 8;
const ATTRIBUTE_ORDER_BYTES: u8 = 2;

/// Decodes a Link Info message.
pub(crate) fn decode_link_info(cursor: &mut Cursor<'_>) -> Result<Info> {
    decode_info(cursor, LINK_ORDER_BYTES)
}

/// Decodes an Attribute Info message (IV.A.2.v).
pub(crate) fn decode_attribute_info(cursor: &mut Cursor<'_>) -> Result<Info> {
    decode_info(cursor, ATTRIBUTE_ORDER_BYTES)
}

fn decode_info(cursor: &mut Cursor<'_>, order_bytes: u8) -> Result<Info> {
    cursor.version(0)?;
    let flags = cursor.u8()?;
    let is_indexed = flags & INDEXED != 0;
    let order = match flags & TRACKED {
        0 => None,
        _ => Some(CreationOrder {
            next: cursor.uint(order_bytes.into())?,
            is_indexed,
        }),
    };
    let (heap, names) = (cursor.address()?, cursor.address()?);
    let orders = if is_indexed { cursor.address()? } else { None };
    let dense = match (heap, names) {
        (None, _) => None,
        (Some(heap), Some(names)) => Some(DenseStorage {
            heap,
            names,
            orders,
        }),
        (Some(_), None) => {
            return Err(cursor.corrupt("an index of the dense storage", u64::MAX));
        }
    };
    Ok(Info { order, dense })
}

/// The bytes of a link's message; none of a user's own link type can be written.
pub(crate) fn encode(
    name: &str,
    target: &LinkTarget,
    creation_order: Option<u64>,
) -> Result<Vec<u8>> {
    let mut encoder = Encoder::new();
    let (width_flag, width) = match name.len() {
        0..=0xff => (0, 1),
        0x100..=0xffff => (1, 2),
        _ => (2, 4),
    };
    let kind = match target {
        LinkTarget::Hard(_) => 0,
        LinkTarget::Soft(_) => 1,
        LinkTarget::External { .. } => 64,
        LinkTarget::User(kind) => {
            return Err(Error::not_supported_number("writing a link of type", *kind));
        }
    };
    let kind_flag = u8::from(kind != 0) << 3;
    let utf8 = u8::from(!name.is_ascii());
    let order_flag = u8::from(creation_order.is_some()) << 2;
    encoder
        .u8(1)
        .u8(width_flag | order_flag | kind_flag | utf8 << 4);
    if kind != 0 {
        encoder.u8(kind);
    }
    if let Some(creation_order) = creation_order {
        encoder.u64(creation_order);
    }
    if utf8 == 1 {
        encoder.u8(1);
    }
    encoder.uint(name.len() as u64, width).put(name.as_bytes());
    match target {
        LinkTarget::Hard(address) => {
            encoder.u64(*address);
        }
        LinkTarget::Soft(path) => {
            encoder
                .u16(u16::try_from(path.len()).unwrap_or(u16::MAX))
                .put(path.as_bytes());
        }
        LinkTarget::External { file, path } => {
            let len = file.len().saturating_add(path.len()).saturating_add(3);
            encoder.u16(u16::try_from(len).unwrap_or(u16::MAX)).u8(0);
            encoder
                .put(file.as_bytes())
                .u8(0)
                .put(path.as_bytes())
                .u8(0);
        }
        LinkTarget::User(_) => {}
    }
    Ok(encoder.into_bytes())
}

/// The bytes of a Link Info message.
pub(crate) fn encode_link_info(info: Info) -> Vec<u8> {
    encode_info(info, LINK_ORDER_BYTES)
}

/// The bytes of an Attribute Info message.
pub(crate) fn encode_attribute_info(info: Info) -> Vec<u8> {
    encode_info(info, ATTRIBUTE_ORDER_BYTES)
}

fn encode_info(info: Info, order_bytes: u8) -> Vec<u8> {
    let mut encoder = Encoder::new();
    let is_indexed = info.order.is_some_and(|order| order.is_indexed);
    let tracked = if info.order.is_some() { TRACKED } else { 0 };
    let indexed = if is_indexed { INDEXED } else { 0 };
    encoder.u8(0).u8(tracked | indexed);
    if let Some(order) = info.order {
        encoder.uint(order.next, order_bytes);
    }
    encoder
        .address(info.dense.map(|dense| dense.heap))
        .address(info.dense.map(|dense| dense.names));
    if is_indexed {
        encoder.address(info.dense.and_then(|dense| dense.orders));
    }
    encoder.into_bytes()
}
