//! The dataspace: how many elements there are, and how many there may be.
//!
//! Source: HDF5 file format specification, IV.A.2.b "The Dataspace Message", versions 1 and 2.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use crate::cursor::Cursor;
use crate::encoder::{Encoder, UNDEFINED};
use crate::error::{Error, Result};

/// The most dimensions that the format has.
pub(crate) const RANK_MAX: usize = 32;

/// The extent of a dataset or attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extent {
    /// No value at all.
    Null,
    /// One value.
    Scalar,
    /// A grid of values, in C order.
    Simple {
        /// How many there are along each dimension; may be 0.
        shape: Vec<u64>,
        /// How many there may be along each; none is without limit.
        max_shape: Vec<Option<u64>>,
    },
}

impl Extent {
    /// A grid that cannot grow.
    pub fn fixed(shape: &[u64]) -> Self {
        Self::Simple {
            shape: shape.to_vec(),
            max_shape: shape.iter().copied().map(Some).collect(),
        }
    }

    /// The dimensions of a grid; none for a scalar.
    pub fn shape(&self) -> &[u64] {
        match self {
            Self::Null | Self::Scalar => &[],
            Self::Simple { shape, .. } => shape,
        }
    }

    /// The greatest dimensions.
    pub fn max_shape(&self) -> &[Option<u64>] {
        match self {
            Self::Null | Self::Scalar => &[],
            Self::Simple { max_shape, .. } => max_shape,
        }
    }

    /// How many elements there are; none where the product is no u64.
    pub fn n_elements(&self) -> Option<u64> {
        match self {
            Self::Null => Some(0),
            Self::Scalar => Some(1),
            Self::Simple { shape, .. } => product(shape),
        }
    }

    /// Refuses what no file can hold: too many dimensions, sizes beyond their maxima, and more
    /// bytes than can be counted.
    pub(crate) fn check_countable(&self, element_bytes: u32) -> Result<()> {
        let refuse = |what, rule, found| Err(Error::Request { what, rule, found });
        let rank = self.shape().len();
        if rank > RANK_MAX || self.max_shape().len() != rank {
            let rule = "at most 32, and the same for its greatest size";
            return refuse("the rank of an extent", rule, rank as u64);
        }
        let sizes = || self.shape().iter().zip(self.max_shape());
        if let Some((len, _)) = sizes().find(|(len, max)| max.is_some_and(|max| max < **len)) {
            return refuse("a size", "at most the greatest size", *len);
        }
        let n_bytes = self
            .n_elements()
            .and_then(|n| n.checked_mul(element_bytes.into()));
        match n_bytes {
            Some(_) => Ok(()),
            None => refuse("the size of an extent", "less than 2^64 bytes", u64::MAX),
        }
    }

    pub(crate) fn decode(cursor: &mut Cursor<'_>) -> Result<Self> {
        let version = cursor.u8()?;
        let rank = usize::from(cursor.u8()?);
        let flags = cursor.u8()?;
        if rank > RANK_MAX {
            return Err(cursor.corrupt("at most 32 dimensions", rank as u64));
        }
        match version {
            1 => cursor.skip(5)?,
            2 => match cursor.u8()? {
                0 if rank != 0 => {
                    return Err(cursor.corrupt("no dimensions of a scalar", rank as u64));
                }
                0 | 1 => {}
                2 => return Ok(Self::Null),
                kind => return Err(cursor.corrupt("a dataspace type of 0 to 2", kind.into())),
            },
            version => return Err(Error::not_supported_number("dataspace version", version)),
        }
        if rank == 0 {
            return Ok(Self::Scalar);
        }
        let shape = (0..rank)
            .map(|_| cursor.length())
            .collect::<Result<Vec<_>>>()?;
        let max_shape = if flags & 1 == 0 {
            shape.iter().copied().map(Some).collect()
        } else {
            let unlimited = crate::cursor::undefined(cursor.sizes().length_bytes);
            let read = |_| cursor.length().map(|max| (max != unlimited).then_some(max));
            (0..rank).map(read).collect::<Result<Vec<_>>>()?
        };
        for (len, max) in shape.iter().zip(&max_shape) {
            if max.is_some_and(|max| max < *len) {
                return Err(cursor.corrupt("a size within its maximum", *len));
            }
        }
        Ok(Self::Simple { shape, max_shape })
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut encoder = Encoder::new();
        self.encode_to(&mut encoder);
        encoder.into_bytes()
    }

    /// Adds the bytes of its message to others.
    pub(crate) fn encode_to(&self, encoder: &mut Encoder) {
        match self {
            Self::Null => encoder.put(&[2, 0, 0, 2]),
            Self::Scalar => encoder.put(&[2, 0, 0, 0]),
            Self::Simple { shape, max_shape } => {
                let rank = u8::try_from(shape.len()).unwrap_or(u8::MAX);
                let fixed = shape
                    .iter()
                    .zip(max_shape)
                    .all(|(len, max)| Some(*len) == *max);
                encoder.put(&[2, rank, u8::from(!fixed), 1]);
                for len in shape {
                    encoder.u64(*len);
                }
                for max in max_shape.iter().filter(|_| !fixed) {
                    encoder.u64(max.unwrap_or(UNDEFINED));
                }
                encoder
            }
        };
    }
}

/// The product of all of `dims`, 1 where there are none.
pub(crate) fn product(dims: &[u64]) -> Option<u64> {
    if dims.contains(&0) {
        return Some(0);
    }
    dims.iter()
        .try_fold(1_u64, |product, len| product.checked_mul(*len))
}

#[cfg(test)]
mod tests;
