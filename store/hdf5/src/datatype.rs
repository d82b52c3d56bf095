//! The datatype: what the bytes of one element mean.
//!
//! Source: HDF5 file format specification, IV.A.2.d "The Datatype Message", versions 1 to 3, and 4 and 5
//! of later libraries, which differ only in types of their own.

mod decode;
mod encode;

use std::fmt;

/// Which end of a number comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ByteOrder {
    /// The low byte.
    Little,
    /// The high byte.
    Big,
    /// Little-endian 16-bit words, the high word first.
    Vax,
}

/// Which characters a string holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Charset {
    /// ASCII (by name; any bytes in practice).
    Ascii,
    /// UTF-8.
    Utf8,
}

/// How a string of fixed length that is shorter ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Padding {
    /// With a NUL.
    NulTerminated,
    /// With NULs to the end.
    NulPadded,
    /// With spaces to the end.
    SpacePadded,
}

/// Where the bits of a floating-point number are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    missing_docs,
    reason = "the fields are the specification's, by its names"
)]
pub struct FloatBits {
    pub bit_offset: u16,
    pub precision_bits: u16,
    pub sign_location: u8,
    pub exponent_location: u8,
    pub exponent_bits: u8,
    pub mantissa_location: u8,
    pub mantissa_bits: u8,
    pub exponent_bias: u32,
    /// 0: no normalization, 1: the high bit is always set, 2: it is set and not stored.
    pub normalization: u8,
}

impl FloatBits {
    const fn ieee(precision_bits: u8, exponent_bits: u8, exponent_bias: u32) -> Self {
        let mantissa_bits = precision_bits - exponent_bits - 1;
        Self {
            bit_offset: 0,
            precision_bits: precision_bits as u16,
            // A 63 here, for every width, is what HDF5 2.0 refuses and 1.10 misreads.
            sign_location: precision_bits - 1,
            exponent_location: mantissa_bits,
            exponent_bits,
            mantissa_location: 0,
            mantissa_bits,
            exponent_bias,
            normalization: 2,
        }
    }

    /// IEEE 754 binary16.
    pub const F16: Self = Self::ieee(16, 5, 15);
    /// bfloat16.
    pub const BF16: Self = Self::ieee(16, 8, 127);
    /// IEEE 754 binary32.
    pub const F32: Self = Self::ieee(32, 8, 127);
    /// IEEE 754 binary64.
    pub const F64: Self = Self::ieee(64, 11, 1023);
}

/// One field of a compound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Where in the element it begins.
    pub offset_bytes: u32,
    /// Its type.
    pub datatype: Datatype,
}

/// What a reference refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReferenceKind {
    /// An object.
    Object,
    /// A region of a dataset.
    Region,
    /// One of the references of HDF5 1.12 and later, by its number.
    Standard(u8),
}

/// What the bytes of one element mean.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "the fields are the specification's, by its names"
)]
pub enum Datatype {
    Integer {
        size_bytes: u32,
        order: ByteOrder,
        signed: bool,
        bit_offset: u16,
        precision_bits: u16,
    },
    Float {
        size_bytes: u32,
        order: ByteOrder,
        bits: FloatBits,
    },
    Time {
        size_bytes: u32,
        order: ByteOrder,
        precision_bits: u16,
    },
    FixedString {
        size_bytes: u32,
        padding: Padding,
        charset: Charset,
    },
    Bitfield {
        size_bytes: u32,
        order: ByteOrder,
        bit_offset: u16,
        precision_bits: u16,
    },
    Opaque {
        size_bytes: u32,
        tag: String,
    },
    Compound {
        size_bytes: u32,
        members: Vec<Member>,
    },
    Reference {
        size_bytes: u32,
        kind: ReferenceKind,
    },
    /// Names for numbers; each value is as wide as `base`, in its byte order.
    Enum {
        base: Box<Datatype>,
        members: Vec<(String, Vec<u8>)>,
    },
    /// As many elements of `base` as each value has.
    Sequence {
        size_bytes: u32,
        base: Box<Datatype>,
    },
    /// A string as long as each value is.
    VlenString {
        size_bytes: u32,
        padding: Padding,
        charset: Charset,
    },
    Array {
        dims: Vec<u32>,
        base: Box<Datatype>,
    },
}

impl Datatype {
    const fn integer(size_bytes: u32, signed: bool) -> Self {
        let mut precision_bits = 0;
        let mut n_bytes = 0;
        while n_bytes < size_bytes {
            precision_bits += 8;
            n_bytes += 1;
        }
        Self::Integer {
            size_bytes,
            order: ByteOrder::Little,
            signed,
            bit_offset: 0,
            precision_bits,
        }
    }

    /// An unsigned little-endian integer of 1 to 8 bytes.
    ///
    /// # Panics
    ///
    /// Where `size_bytes` is 0 or more than 8.
    pub const fn unsigned(size_bytes: u32) -> Self {
        assert!(
            size_bytes > 0 && size_bytes <= 8,
            "an integer has 1 to 8 bytes"
        );
        Self::integer(size_bytes, false)
    }

    /// A signed little-endian integer of 1 to 8 bytes.
    ///
    /// # Panics
    ///
    /// Where `size_bytes` is 0 or more than 8.
    pub const fn signed(size_bytes: u32) -> Self {
        assert!(
            size_bytes > 0 && size_bytes <= 8,
            "an integer has 1 to 8 bytes"
        );
        Self::integer(size_bytes, true)
    }

    /// A little-endian half.
    pub const fn f16() -> Self {
        Self::Float {
            size_bytes: 2,
            order: ByteOrder::Little,
            bits: FloatBits::F16,
        }
    }

    /// A little-endian float.
    pub const fn f32() -> Self {
        Self::Float {
            size_bytes: 4,
            order: ByteOrder::Little,
            bits: FloatBits::F32,
        }
    }

    /// A little-endian double.
    pub const fn f64() -> Self {
        Self::Float {
            size_bytes: 8,
            order: ByteOrder::Little,
            bits: FloatBits::F64,
        }
    }

    /// UTF-8 text of any length: what h5py reads as `str`.
    pub const fn text() -> Self {
        Self::VlenString {
            size_bytes: VLEN_BYTES,
            padding: Padding::NulTerminated,
            charset: Charset::Utf8,
        }
    }

    /// Bytes of a fixed length, padded with NULs: what h5py reads as `numpy.bytes_`.
    pub const fn fixed_text(size_bytes: u32) -> Self {
        Self::FixedString {
            size_bytes,
            padding: Padding::NulPadded,
            charset: Charset::Utf8,
        }
    }

    /// h5py's `bool`: an enum of FALSE and TRUE over one signed byte.
    pub fn bool() -> Self {
        let members = vec![("FALSE".to_owned(), vec![0]), ("TRUE".to_owned(), vec![1])];
        Self::Enum {
            base: Box::new(Self::signed(1)),
            members,
        }
    }

    /// Names for the numbers of `base`.
    pub fn enumeration(base: Self, members: &[(&str, &[u8])]) -> Self {
        let members = members
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.to_vec()));
        Self::Enum {
            base: Box::new(base),
            members: members.collect(),
        }
    }

    /// A compound of `fields` one behind the other, without gaps.
    pub fn packed(fields: Vec<(String, Self)>) -> Self {
        let mut size_bytes = 0_u32;
        let members = fields.into_iter().map(|(name, datatype)| {
            let offset_bytes = size_bytes;
            size_bytes = size_bytes.saturating_add(datatype.size_bytes());
            Member {
                name,
                offset_bytes,
                datatype,
            }
        });
        let members = members.collect();
        Self::Compound {
            size_bytes,
            members,
        }
    }

    /// A small grid of `base` as one element.
    pub fn array(base: Self, dims: &[u32]) -> Self {
        Self::Array {
            dims: dims.to_vec(),
            base: Box::new(base),
        }
    }

    /// How many bytes an element takes in the file.
    pub fn size_bytes(&self) -> u32 {
        match self {
            Self::Integer { size_bytes, .. }
            | Self::Float { size_bytes, .. }
            | Self::Time { size_bytes, .. }
            | Self::FixedString { size_bytes, .. }
            | Self::Bitfield { size_bytes, .. }
            | Self::Opaque { size_bytes, .. }
            | Self::Compound { size_bytes, .. }
            | Self::Reference { size_bytes, .. }
            | Self::Sequence { size_bytes, .. }
            | Self::VlenString { size_bytes, .. } => *size_bytes,
            Self::Enum { base, .. } => base.size_bytes(),
            Self::Array { dims, base } => dims
                .iter()
                .fold(base.size_bytes(), |size, len| size.saturating_mul(*len)),
        }
    }

    /// Whether an element points to bytes in a global heap.
    pub fn has_heap_data(&self) -> bool {
        match self {
            Self::Sequence { .. } | Self::VlenString { .. } => true,
            Self::Compound { members, .. } => members.iter().any(|m| m.datatype.has_heap_data()),
            Self::Array { base, .. } => base.has_heap_data(),
            Self::Reference { kind, .. } => *kind != ReferenceKind::Object,
            _ => false,
        }
    }
}

/// How wide a reference to variable-length data is where addresses have 8 bytes: length (4),
/// collection address (8), index (4).
pub(crate) const VLEN_BYTES: u32 = 16;

impl fmt::Display for Datatype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = |order: &ByteOrder| match order {
            ByteOrder::Little => "",
            ByteOrder::Big => " big-endian",
            ByteOrder::Vax => " VAX",
        };
        match self {
            Self::Integer {
                size_bytes,
                order: o,
                signed,
                ..
            } => {
                write!(
                    f,
                    "{}{}{}",
                    if *signed { "i" } else { "u" },
                    size_bytes * 8,
                    order(o)
                )
            }
            Self::Float {
                size_bytes,
                order: o,
                bits,
            } => match (*size_bytes, *bits) {
                (2, FloatBits::BF16) => write!(f, "bf16{}", order(o)),
                _ => write!(f, "f{}{}", size_bytes.saturating_mul(8), order(o)),
            },
            Self::Time { size_bytes, .. } => write!(f, "time of {size_bytes} bytes"),
            Self::FixedString { size_bytes, .. } => write!(f, "string of {size_bytes} bytes"),
            Self::Bitfield { size_bytes, .. } => write!(f, "bitfield of {size_bytes} bytes"),
            Self::Opaque { size_bytes, tag } => write!(f, "opaque {tag:?} of {size_bytes} bytes"),
            Self::Compound { members, .. } => {
                f.write_str("{")?;
                for (idx, member) in members.iter().enumerate() {
                    let comma = if idx == 0 { "" } else { ", " };
                    write!(f, "{comma}{}: {}", member.name, member.datatype)?;
                }
                f.write_str("}")
            }
            Self::Reference {
                kind: ReferenceKind::Object,
                ..
            } => f.write_str("object reference"),
            Self::Reference {
                kind: ReferenceKind::Region,
                ..
            } => f.write_str("region reference"),
            Self::Reference { .. } => f.write_str("reference"),
            Self::Enum { base, members } => write!(f, "enum of {} over {base}", members.len()),
            Self::Sequence { base, .. } => write!(f, "sequence of {base}"),
            Self::VlenString {
                charset: Charset::Utf8,
                ..
            } => f.write_str("text"),
            Self::VlenString { .. } => f.write_str("ASCII text"),
            Self::Array { dims, base } => write!(f, "{base}{dims:?}"),
        }
    }
}

#[cfg(test)]
mod tests;
