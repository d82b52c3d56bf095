//! The numbers of Rust that elements are read as and written from.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use bytemuck::Pod;
use half::f16;

use crate::datatype::{ByteOrder, Datatype, FloatBits};
use crate::error::{Error, Result};

/// A number that elements can be read as and written from.
///
/// Integers are read from every integer, enum or bitfield type whose whole range fits, floats from
/// every IEEE float (or bfloat16) that is not wider: nothing is ever rounded or cut.
pub trait Element: Pod + sealed::FromNumber {
    /// What it is called in errors.
    const NAME: &'static str;

    /// The type that its values are written as.
    fn datatype() -> Datatype;
}

mod sealed {
    use super::Number;

    pub trait FromNumber: Sized {
        /// None where the number is no value of the type.
        fn from_number(number: Number) -> Option<Self>;
        /// How many value bits an unsigned number may have, whether a signed one fits at all.
        const INTEGER_BITS: Option<(u32, bool)>;
        /// How many bits a float may have.
        const FLOAT_BITS: u32;
    }
}

/// A number out of a file.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the variants say it")]
pub enum Number {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
}

macro_rules! integer {
    ($type:ty, $name:literal, $datatype:expr, $bits:literal, $signed:literal) => {
        impl sealed::FromNumber for $type {
            const INTEGER_BITS: Option<(u32, bool)> = Some(($bits, $signed));
            const FLOAT_BITS: u32 = 0;

            fn from_number(number: Number) -> Option<Self> {
                match number {
                    Number::Unsigned(value) => value.try_into().ok(),
                    Number::Signed(value) => value.try_into().ok(),
                    Number::Float(_) => None,
                }
            }
        }

        impl Element for $type {
            const NAME: &'static str = $name;

            fn datatype() -> Datatype {
                $datatype
            }
        }
    };
}

integer!(u8, "u8", Datatype::unsigned(1), 8, false);
integer!(u16, "u16", Datatype::unsigned(2), 16, false);
integer!(u32, "u32", Datatype::unsigned(4), 32, false);
integer!(u64, "u64", Datatype::unsigned(8), 64, false);
integer!(i8, "i8", Datatype::signed(1), 7, true);
integer!(i16, "i16", Datatype::signed(2), 15, true);
integer!(i32, "i32", Datatype::signed(4), 31, true);
integer!(i64, "i64", Datatype::signed(8), 63, true);

macro_rules! float {
    ($type:ty, $name:literal, $datatype:expr, $bits:literal, $from:expr) => {
        impl sealed::FromNumber for $type {
            const INTEGER_BITS: Option<(u32, bool)> = None;
            const FLOAT_BITS: u32 = $bits;

            fn from_number(number: Number) -> Option<Self> {
                match number {
                    Number::Float(value) => Some($from(value)),
                    Number::Unsigned(_) | Number::Signed(_) => None,
                }
            }
        }

        impl Element for $type {
            const NAME: &'static str = $name;

            fn datatype() -> Datatype {
                $datatype
            }
        }
    };
}

float!(f16, "f16", Datatype::f16(), 16, f16::from_f64);
#[expect(
    clippy::cast_possible_truncation,
    reason = "only from floats that are not wider"
)]
fn narrow(value: f64) -> f32 {
    value as f32
}
float!(f32, "f32", Datatype::f32(), 32, narrow);
float!(f64, "f64", Datatype::f64(), 64, std::convert::identity);

/// Whether every value of `datatype` is one of `T`.
pub(crate) fn fits<T: Element>(datatype: &Datatype) -> bool {
    match datatype {
        Datatype::Enum { base, .. } => fits::<T>(base),
        Datatype::Integer {
            size_bytes,
            signed,
            precision_bits,
            ..
        } => {
            let (size, precision) = (*size_bytes, u32::from(*precision_bits));
            match T::INTEGER_BITS {
                Some((bits, true)) if *signed => precision.saturating_sub(1) <= bits && size <= 8,
                Some((bits, _)) if !*signed => precision <= bits && size <= 8,
                _ => false,
            }
        }
        Datatype::Bitfield {
            size_bytes,
            precision_bits,
            ..
        } => {
            let precision = u32::from(*precision_bits);
            T::INTEGER_BITS.is_some_and(|(bits, _)| precision <= bits && *size_bytes <= 8)
        }
        Datatype::Float { bits, .. } => {
            let wide_enough = match *bits {
                FloatBits::F16 => 16,
                FloatBits::BF16 | FloatBits::F32 => 32,
                FloatBits::F64 => 64,
                _ => return false,
            };
            T::FLOAT_BITS >= wide_enough
        }
        _ => false,
    }
}

/// Refuses a type whose values are not all values of `T`.
pub(crate) fn check_fits<T: Element>(datatype: &Datatype) -> Result<()> {
    if fits::<T>(datatype) {
        return Ok(());
    }
    Err(Error::WrongType {
        expected: T::NAME,
        found: Box::new(datatype.clone()),
    })
}

/// Whether the bytes of `datatype` are those of `T` in memory.
pub(crate) fn is_native<T: Element>(datatype: &Datatype) -> bool {
    let is_same = match datatype {
        Datatype::Enum { base, .. } => **base == T::datatype(),
        other => *other == T::datatype(),
    };
    is_same && (cfg!(target_endian = "little") || size_of::<T>() == 1)
}

/// Reads elements of `datatype`, one behind the other, as `T`.
pub(crate) fn convert<T: Element>(datatype: &Datatype, bytes: &[u8], to: &mut [T]) -> Result<()> {
    check_fits::<T>(datatype)?;
    let size = usize::try_from(datatype.size_bytes())
        .unwrap_or(usize::MAX)
        .max(1);
    for (element, to) in bytes.chunks_exact(size).zip(to) {
        let number = number(datatype, element).and_then(T::from_number);
        let wrong = || Error::WrongType {
            expected: T::NAME,
            found: Box::new(datatype.clone()),
        };
        *to = number.ok_or_else(wrong)?;
    }
    Ok(())
}

/// The number that `element` is; none where its type is no number of at most 64 bits.
pub(crate) fn number(datatype: &Datatype, element: &[u8]) -> Option<Number> {
    match datatype {
        Datatype::Enum { base, .. } => number(base, element),
        Datatype::Integer {
            order,
            signed,
            bit_offset,
            precision_bits,
            ..
        } => {
            let raw = bits(element, *order)? >> (*bit_offset).min(63);
            let unused = 64_u32.saturating_sub(u32::from(*precision_bits));
            let raised = raw.checked_shl(unused)?;
            Some(if *signed {
                Number::Signed(raised.cast_signed().checked_shr(unused)?)
            } else {
                Number::Unsigned(raised.checked_shr(unused)?)
            })
        }
        Datatype::Bitfield {
            order,
            bit_offset,
            precision_bits,
            ..
        } => {
            let raw = bits(element, *order)? >> (*bit_offset).min(63);
            let unused = 64_u32.saturating_sub(u32::from(*precision_bits));
            Some(Number::Unsigned(
                raw.checked_shl(unused)?.checked_shr(unused)?,
            ))
        }
        Datatype::Float {
            order,
            bits: float_bits,
            ..
        } => {
            let raw = bits(element, *order)?;
            let low = |mask: u64| u32::try_from(raw & mask).unwrap_or_default();
            let half = u16::try_from(raw & 0xffff).unwrap_or_default();
            Some(Number::Float(match *float_bits {
                FloatBits::F16 => f16::from_bits(half).to_f64(),
                FloatBits::BF16 => half::bf16::from_bits(half).to_f64(),
                FloatBits::F32 => f32::from_bits(low(0xffff_ffff)).into(),
                FloatBits::F64 => f64::from_bits(raw),
                _ => return None,
            }))
        }
        _ => None,
    }
}

/// At most eight bytes as a number.
fn bits(element: &[u8], order: ByteOrder) -> Option<u64> {
    let mut value = [0_u8; 8];
    value.get_mut(..element.len())?.copy_from_slice(element);
    match order {
        ByteOrder::Little => {}
        ByteOrder::Big => value.get_mut(..element.len())?.reverse(),
        ByteOrder::Vax => return None,
    }
    Some(u64::from_le_bytes(value))
}
