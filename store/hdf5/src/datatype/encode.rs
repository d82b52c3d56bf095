//! The bytes of a datatype's message: version 3 for compound, enum and array, else version 1.

use super::{ByteOrder, Charset, Datatype, Member, Padding, ReferenceKind};
use crate::cursor::width_of;
use crate::encoder::Encoder;

impl Datatype {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut encoder = Encoder::new();
        self.encode_to(&mut encoder);
        encoder.into_bytes()
    }

    /// Adds the bytes of its message to others.
    pub(crate) fn encode_to(&self, e: &mut Encoder) {
        let size = self.size_bytes();
        match self {
            Self::Integer { .. }
            | Self::Float { .. }
            | Self::Time { .. }
            | Self::Bitfield { .. } => {
                self.encode_number(e);
            }
            Self::FixedString {
                padding, charset, ..
            } => {
                let bits = padding_number(*padding) | charset_number(*charset) << 4;
                head(e, 1, 3, [bits, 0, 0], size);
            }
            Self::Opaque { tag, .. } => {
                let len = tag.len().min(248).next_multiple_of(8);
                head(e, 1, 5, [u8::try_from(len).unwrap_or(248), 0, 0], size);
                let start = e.len();
                e.put(&tag.as_bytes()[..tag.len().min(248)])
                    .pad_to(start + len);
            }
            Self::Compound { members, .. } => encode_compound(e, members, size),
            Self::Reference { kind, .. } => match kind {
                ReferenceKind::Object => _ = head(e, 1, 7, [0, 0, 0], size),
                ReferenceKind::Region => _ = head(e, 1, 7, [1, 0, 0], size),
                ReferenceKind::Standard(kind) => _ = head(e, 4, 7, [*kind | 1 << 4, 0, 0], size),
            },
            Self::Enum { base, members } => encode_enum(e, base, members),
            Self::Sequence { base, .. } => {
                head(e, 1, 9, [0, 0, 0], size);
                base.encode_to(e);
            }
            Self::VlenString {
                padding, charset, ..
            } => {
                let bits = 1 | padding_number(*padding) << 4;
                head(e, 1, 9, [bits, charset_number(*charset), 0], size);
                // The element is a character: what the C library gives a string's base type.
                let (padding, charset) = (*padding, *charset);
                let character = Self::FixedString {
                    size_bytes: 1,
                    padding,
                    charset,
                };
                character.encode_to(e);
            }
            Self::Array { dims, base } => {
                head(e, 3, 10, [0, 0, 0], size).u8(u8::try_from(dims.len()).unwrap_or(u8::MAX));
                for len in dims {
                    e.u32(*len);
                }
                base.encode_to(e);
            }
        }
    }

    /// The types that say which of their bits count.
    fn encode_number(&self, e: &mut Encoder) {
        let size = self.size_bytes();
        match self {
            Self::Integer {
                order,
                signed,
                bit_offset,
                precision_bits,
                ..
            } => {
                let bits = order_bit(*order) | u8::from(*signed) << 3;
                head(e, 1, 0, [bits, 0, 0], size)
                    .u16(*bit_offset)
                    .u16(*precision_bits);
            }
            Self::Float { order, bits, .. } => {
                let order = if *order == ByteOrder::Vax {
                    0x41
                } else {
                    order_bit(*order)
                };
                let low = order | bits.normalization << 4;
                head(e, 1, 1, [low, bits.sign_location, 0], size);
                e.u16(bits.bit_offset).u16(bits.precision_bits);
                e.u8(bits.exponent_location).u8(bits.exponent_bits);
                e.u8(bits.mantissa_location)
                    .u8(bits.mantissa_bits)
                    .u32(bits.exponent_bias);
            }
            Self::Time {
                order,
                precision_bits,
                ..
            } => {
                head(e, 1, 2, [order_bit(*order), 0, 0], size).u16(*precision_bits);
            }
            Self::Bitfield {
                order,
                bit_offset,
                precision_bits,
                ..
            } => {
                head(e, 1, 4, [order_bit(*order), 0, 0], size);
                e.u16(*bit_offset).u16(*precision_bits);
            }
            _ => unreachable!("only numbers come here"),
        }
    }
}

fn encode_enum(e: &mut Encoder, base: &Datatype, members: &[(String, Vec<u8>)]) {
    head(e, 3, 8, count_bits(members.len()), base.size_bytes());
    base.encode_to(e);
    for (name, _) in members {
        e.put(name.as_bytes()).u8(0);
    }
    for (_, value) in members {
        e.put(value);
    }
}

fn encode_compound(e: &mut Encoder, members: &[Member], size_bytes: u32) {
    head(e, 3, 6, count_bits(members.len()), size_bytes);
    for member in members {
        e.put(member.name.as_bytes()).u8(0);
        e.uint(member.offset_bytes.into(), width_of(size_bytes.into()));
        member.datatype.encode_to(e);
    }
}

fn head(e: &mut Encoder, version: u8, class: u8, bits: [u8; 3], size_bytes: u32) -> &mut Encoder {
    e.u8(version << 4 | class).put(&bits).u32(size_bytes)
}

fn count_bits(count: usize) -> [u8; 3] {
    let [low, high] = u16::try_from(count).unwrap_or(u16::MAX).to_le_bytes();
    [low, high, 0]
}

fn order_bit(order: ByteOrder) -> u8 {
    u8::from(order != ByteOrder::Little)
}

fn padding_number(padding: Padding) -> u8 {
    match padding {
        Padding::NulTerminated => 0,
        Padding::NulPadded => 1,
        Padding::SpacePadded => 2,
    }
}

fn charset_number(charset: Charset) -> u8 {
    match charset {
        Charset::Ascii => 0,
        Charset::Utf8 => 1,
    }
}
