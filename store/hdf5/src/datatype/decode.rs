//! A datatype out of the bytes of its message.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use super::{ByteOrder, Charset, Datatype, FloatBits, Member, Padding, ReferenceKind};
use crate::cursor::{Cursor, width_of};
use crate::dataspace::RANK_MAX;
use crate::error::{Error, Result};

/// How deep types may hold types.
const DEPTH_MAX: u32 = 32;

/// The first eight bytes: class and version, class bit field, size.
struct Head {
    version: u8,
    bits: [u8; 3],
    size_bytes: u32,
}

impl Head {
    fn bit(&self, bit: u32) -> bool {
        let word = u32::from_le_bytes([self.bits[0], self.bits[1], self.bits[2], 0]);
        word.checked_shr(bit).unwrap_or_default() & 1 == 1
    }

    fn order(&self) -> ByteOrder {
        if self.bit(0) {
            ByteOrder::Big
        } else {
            ByteOrder::Little
        }
    }

    fn count(&self) -> usize {
        usize::from(u16::from_le_bytes([self.bits[0], self.bits[1]]))
    }
}

impl Datatype {
    /// Reads a datatype, and leaves the cursor behind it.
    pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Self> {
        decode(cursor, DEPTH_MAX)
    }
}

fn decode(cursor: &mut Cursor<'_>, depth: u32) -> Result<Datatype> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(cursor.corrupt("types nested at most 32 deep", DEPTH_MAX.into()));
    };
    let class_and_version = cursor.u8()?;
    let (class, version) = (class_and_version & 15, class_and_version >> 4);
    let bits = [cursor.u8()?, cursor.u8()?, cursor.u8()?];
    let head = Head {
        version,
        bits,
        size_bytes: cursor.u32()?,
    };
    if !(1..=5).contains(&version) {
        return Err(Error::not_supported_number("datatype version", version));
    }
    if head.size_bytes == 0 {
        return Err(cursor.corrupt("a type of at least 1 byte", 0));
    }
    match class {
        0 => integer(cursor, &head),
        1 => float(cursor, &head),
        2 => {
            let precision_bits = cursor.u16()?;
            Ok(Datatype::Time {
                size_bytes: head.size_bytes,
                order: head.order(),
                precision_bits,
            })
        }
        3 => fixed_string(cursor, &head),
        4 => bitfield(cursor, &head),
        5 => opaque(cursor, &head),
        6 => compound(cursor, &head, depth),
        7 => reference(cursor, &head),
        8 => enumeration(cursor, &head, depth),
        9 => vlen(cursor, &head, depth),
        10 => array(cursor, &head, depth),
        class => Err(Error::not_supported_number("datatype class", class)),
    }
}

fn integer(cursor: &mut Cursor<'_>, head: &Head) -> Result<Datatype> {
    let (bit_offset, precision_bits) = bit_range(cursor, head)?;
    Ok(Datatype::Integer {
        size_bytes: head.size_bytes,
        order: head.order(),
        signed: head.bit(3),
        bit_offset,
        precision_bits,
    })
}

fn bit_range(cursor: &mut Cursor<'_>, head: &Head) -> Result<(u16, u16)> {
    let (bit_offset, precision_bits) = (cursor.u16()?, cursor.u16()?);
    let end_bits = u64::from(bit_offset).saturating_add(precision_bits.into());
    if precision_bits == 0 || end_bits > u64::from(head.size_bytes).saturating_mul(8) {
        return Err(cursor.corrupt("bits within the type's bytes", end_bits));
    }
    Ok((bit_offset, precision_bits))
}

fn float(cursor: &mut Cursor<'_>, head: &Head) -> Result<Datatype> {
    let (bit_offset, precision_bits) = bit_range(cursor, head)?;
    let bits = FloatBits {
        bit_offset,
        precision_bits,
        sign_location: head.bits[1],
        exponent_location: cursor.u8()?,
        exponent_bits: cursor.u8()?,
        mantissa_location: cursor.u8()?,
        mantissa_bits: cursor.u8()?,
        exponent_bias: cursor.u32()?,
        normalization: head.bits[0] >> 4 & 3,
    };
    let order = match (head.bit(0), head.bit(6)) {
        (false, false) => ByteOrder::Little,
        (true, false) => ByteOrder::Big,
        (true, true) => ByteOrder::Vax,
        (false, true) => return Err(cursor.corrupt("a byte order", head.bits[0].into())),
    };
    let precision = u32::from(precision_bits);
    let within = |location: u8, n_bits: u8| {
        u32::from(location).saturating_add(n_bits.into())
            <= precision.saturating_add(bit_offset.into())
    };
    // The C library of 2.0 refuses a sign outside the number; reading on would give wrong signs.
    if !within(bits.sign_location, 1)
        || !within(bits.exponent_location, bits.exponent_bits)
        || !within(bits.mantissa_location, bits.mantissa_bits)
    {
        return Err(cursor.corrupt(
            "sign, exponent and mantissa within the number",
            precision.into(),
        ));
    }
    Ok(Datatype::Float {
        size_bytes: head.size_bytes,
        order,
        bits,
    })
}

fn padding(cursor: &Cursor<'_>, number: u8) -> Result<Padding> {
    match number & 15 {
        0 => Ok(Padding::NulTerminated),
        1 => Ok(Padding::NulPadded),
        2 => Ok(Padding::SpacePadded),
        other => Err(cursor.corrupt("a string padding of 0 to 2", other.into())),
    }
}

fn charset(cursor: &Cursor<'_>, number: u8) -> Result<Charset> {
    match number & 15 {
        0 => Ok(Charset::Ascii),
        1 => Ok(Charset::Utf8),
        other => Err(cursor.corrupt("a character set of 0 or 1", other.into())),
    }
}

fn fixed_string(cursor: &Cursor<'_>, head: &Head) -> Result<Datatype> {
    Ok(Datatype::FixedString {
        size_bytes: head.size_bytes,
        padding: padding(cursor, head.bits[0])?,
        charset: charset(cursor, head.bits[0] >> 4)?,
    })
}

fn bitfield(cursor: &mut Cursor<'_>, head: &Head) -> Result<Datatype> {
    let (bit_offset, precision_bits) = bit_range(cursor, head)?;
    let (size_bytes, order) = (head.size_bytes, head.order());
    Ok(Datatype::Bitfield {
        size_bytes,
        order,
        bit_offset,
        precision_bits,
    })
}

fn opaque(cursor: &mut Cursor<'_>, head: &Head) -> Result<Datatype> {
    let tag = cursor.take(usize::from(head.bits[0]))?;
    let tag = tag.split(|byte| *byte == 0).next().unwrap_or_default();
    Ok(Datatype::Opaque {
        size_bytes: head.size_bytes,
        tag: cursor.text(tag)?,
    })
}

/// A name, padded with NULs to a multiple of 8 in versions 1 and 2.
fn name(cursor: &mut Cursor<'_>, version: u8) -> Result<String> {
    let name = cursor.nul_terminated()?;
    if version < 3 {
        let taken = name.len().saturating_add(1);
        cursor.skip(taken.next_multiple_of(8).saturating_sub(taken))?;
    }
    cursor.text(name)
}

fn compound(cursor: &mut Cursor<'_>, head: &Head, depth: u32) -> Result<Datatype> {
    let mut members = Vec::new();
    for _ in 0..head.count() {
        let name = name(cursor, head.version)?;
        let offset_bytes = if head.version < 3 {
            cursor.u32()?
        } else {
            let width = width_of(head.size_bytes.into());
            u32::try_from(cursor.uint(usize::from(width))?).unwrap_or(u32::MAX)
        };
        let dims = if head.version == 1 {
            member_dims(cursor)?
        } else {
            Vec::new()
        };
        let mut datatype = decode(cursor, depth)?;
        if !dims.is_empty() {
            datatype = Datatype::Array {
                dims,
                base: Box::new(datatype),
            };
        }
        let end = u64::from(offset_bytes).saturating_add(datatype.size_bytes().into());
        if end > head.size_bytes.into() {
            return Err(cursor.corrupt("a member within its compound", end));
        }
        members.push(Member {
            name,
            offset_bytes,
            datatype,
        });
    }
    if members.is_empty() {
        return Err(cursor.corrupt("at least one member", 0));
    }
    Ok(Datatype::Compound {
        size_bytes: head.size_bytes,
        members,
    })
}

/// The dimensions that a member of a version 1 compound has of its own.
fn member_dims(cursor: &mut Cursor<'_>) -> Result<Vec<u32>> {
    let rank = usize::from(cursor.u8()?);
    cursor.skip(11)?;
    let dims = [cursor.u32()?, cursor.u32()?, cursor.u32()?, cursor.u32()?];
    match dims.get(..rank) {
        Some(dims) if !dims.contains(&0) => Ok(dims.to_vec()),
        _ => Err(cursor.corrupt(
            "at most 4 dimensions of a member, none of them 0",
            rank as u64,
        )),
    }
}

fn reference(cursor: &Cursor<'_>, head: &Head) -> Result<Datatype> {
    let kind = match head.bits[0] & 15 {
        0 => ReferenceKind::Object,
        1 => ReferenceKind::Region,
        kind @ 2..=4 => ReferenceKind::Standard(kind),
        kind => return Err(cursor.corrupt("a reference type of 0 to 4", kind.into())),
    };
    Ok(Datatype::Reference {
        size_bytes: head.size_bytes,
        kind,
    })
}

fn enumeration(cursor: &mut Cursor<'_>, head: &Head, depth: u32) -> Result<Datatype> {
    let base = decode(cursor, depth)?;
    if !matches!(base, Datatype::Integer { .. }) || base.size_bytes() != head.size_bytes {
        return Err(cursor.corrupt(
            "an enum over an integer of its size",
            head.size_bytes.into(),
        ));
    }
    let names = (0..head.count())
        .map(|_| name(cursor, head.version))
        .collect::<Result<Vec<_>>>()?;
    let mut members = Vec::new();
    for name in names {
        members.push((name, cursor.take_u64(base.size_bytes().into())?.to_vec()));
    }
    Ok(Datatype::Enum {
        base: Box::new(base),
        members,
    })
}

fn vlen(cursor: &mut Cursor<'_>, head: &Head, depth: u32) -> Result<Datatype> {
    let base = decode(cursor, depth)?;
    let reference_bytes = u32::from(cursor.sizes().offset_bytes).saturating_add(8);
    if head.size_bytes != reference_bytes {
        return Err(cursor.corrupt(
            "the size of a global heap reference",
            head.size_bytes.into(),
        ));
    }
    match head.bits[0] & 15 {
        0 => Ok(Datatype::Sequence {
            size_bytes: head.size_bytes,
            base: Box::new(base),
        }),
        1 => Ok(Datatype::VlenString {
            size_bytes: head.size_bytes,
            padding: padding(cursor, head.bits[0] >> 4)?,
            charset: charset(cursor, head.bits[1])?,
        }),
        kind => Err(cursor.corrupt("a sequence (0) or a string (1)", kind.into())),
    }
}

fn array(cursor: &mut Cursor<'_>, head: &Head, depth: u32) -> Result<Datatype> {
    let rank = usize::from(cursor.u8()?);
    if rank == 0 || rank > RANK_MAX {
        return Err(cursor.corrupt("1 to 32 dimensions", rank as u64));
    }
    if head.version < 3 {
        cursor.skip(3)?;
    }
    let dims = (0..rank)
        .map(|_| cursor.u32())
        .collect::<Result<Vec<_>>>()?;
    if head.version < 3 {
        cursor.skip(rank.saturating_mul(4))?;
    }
    let base = decode(cursor, depth)?;
    let size = dims
        .iter()
        .try_fold(base.size_bytes(), |size, len| size.checked_mul(*len));
    if size != Some(head.size_bytes) {
        return Err(cursor.corrupt(
            "an array of as many bytes as it says",
            head.size_bytes.into(),
        ));
    }
    Ok(Datatype::Array {
        dims,
        base: Box::new(base),
    })
}
