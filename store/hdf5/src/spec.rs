//! What a new dataset or attribute is to be: types, extents and storage, chosen by the caller.

use crate::chunk_index::check_room;
use crate::cursor::{Cursor, Sizes};
use crate::dataspace::Extent;
use crate::datatype::Datatype;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::filter::Filter;
use crate::message::fill_value;
use crate::message::filter_pipeline::FILTERS_MAX;
use crate::message::layout::COMPACT_BYTES_MAX;

/// How the values of a new dataset are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LayoutSpec {
    /// In the object header; at most 65,531 bytes.
    Compact,
    /// In one piece, which is only ever written whole.
    Contiguous,
    /// In chunks of this shape, in elements.
    Chunked(Vec<u64>),
}

/// What a new dataset is to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatasetSpec {
    /// What its values are.
    pub datatype: Datatype,
    /// How many there are, and how many there may be. At most one dimension is without limit.
    pub extent: Extent,
    /// How they are stored.
    pub layout: LayoutSpec,
    /// What each chunk goes through, in this order.
    pub filters: Vec<Filter>,
    /// Chunks, or the whole of a contiguous dataset, begin at a multiple of this many bytes.
    pub alignment_bytes: u64,
    /// What is read where nothing was written: the bytes of one element; zeros where none.
    pub fill: Option<Vec<u8>>,
}

impl DatasetSpec {
    /// A dataset in one piece.
    pub fn contiguous(datatype: Datatype, shape: &[u64]) -> Self {
        Self::new(datatype, Extent::fixed(shape), LayoutSpec::Contiguous)
    }

    /// A small dataset in its own header.
    pub fn compact(datatype: Datatype, shape: &[u64]) -> Self {
        Self::new(datatype, Extent::fixed(shape), LayoutSpec::Compact)
    }

    /// A dataset in chunks, that cannot grow.
    pub fn chunked(datatype: Datatype, shape: &[u64], chunk_shape: &[u64]) -> Self {
        Self::new(
            datatype,
            Extent::fixed(shape),
            LayoutSpec::Chunked(chunk_shape.to_vec()),
        )
    }

    /// A dataset in chunks, that can grow by rows without limit.
    pub fn growing(datatype: Datatype, shape: &[u64], chunk_shape: &[u64]) -> Self {
        let mut max_shape: Vec<_> = shape.iter().copied().map(Some).collect();
        if let Some(rows) = max_shape.first_mut() {
            *rows = None;
        }
        let extent = Extent::Simple {
            shape: shape.to_vec(),
            max_shape,
        };
        Self::new(datatype, extent, LayoutSpec::Chunked(chunk_shape.to_vec()))
    }

    fn new(datatype: Datatype, extent: Extent, layout: LayoutSpec) -> Self {
        Self {
            datatype,
            extent,
            layout,
            filters: Vec::new(),
            alignment_bytes: 8,
            fill: None,
        }
    }

    /// The same with these filters.
    #[must_use]
    pub fn filtered(mut self, filters: &[Filter]) -> Self {
        self.filters = filters.to_vec();
        self
    }

    /// The same with chunks that begin at multiples of `alignment_bytes`.
    #[must_use]
    pub fn aligned(mut self, alignment_bytes: u64) -> Self {
        self.alignment_bytes = alignment_bytes;
        self
    }

    /// The same with this value where nothing was written.
    #[must_use]
    pub fn filled<T: Element>(mut self, value: T) -> Self {
        self.fill = Some(bytemuck::bytes_of(&value).to_vec());
        self
    }

    /// Refuses what cannot be written.
    pub(crate) fn check(&self) -> Result<()> {
        let refuse = |what, rule, found| Err(Error::Request { what, rule, found });
        let element_bytes = u64::from(self.datatype.size_bytes());
        check_datatype(&self.datatype)?;
        self.extent.check_countable(self.datatype.size_bytes())?;
        let n_bytes = self.extent.n_elements().unwrap_or(0) * element_bytes;
        if let Some(fill) = &self.fill {
            self.check_fill(fill)?;
        }
        if self.filters.len() > FILTERS_MAX {
            let found = self.filters.len() as u64;
            return refuse("the number of filters", "at most 32", found);
        }
        if !self.alignment_bytes.is_power_of_two() || self.alignment_bytes > 1 << 20 {
            return refuse(
                "an alignment",
                "a power of two up to 1 MiB",
                self.alignment_bytes,
            );
        }
        let chunked = matches!(self.layout, LayoutSpec::Chunked(_));
        let fixed = self.extent.shape().iter().map(|len| Some(*len));
        if !chunked && !self.filters.is_empty() {
            return refuse(
                "the filters of a dataset without chunks",
                "none",
                self.filters.len() as u64,
            );
        }
        if !chunked && !fixed.eq(self.extent.max_shape().iter().copied()) {
            return refuse(
                "the greatest size of a dataset without chunks",
                "its size",
                0,
            );
        }
        match &self.layout {
            LayoutSpec::Compact if n_bytes > COMPACT_BYTES_MAX as u64 => {
                refuse("a compact dataset", "at most 65,531 bytes long", n_bytes)
            }
            LayoutSpec::Compact | LayoutSpec::Contiguous => Ok(()),
            LayoutSpec::Chunked(chunk) => self.check_chunks(chunk, element_bytes),
        }
    }

    fn check_fill(&self, fill: &[u8]) -> Result<()> {
        let refuse = |rule| {
            Err(Error::Request {
                what: "a fill value",
                rule,
                found: fill.len() as u64,
            })
        };
        if fill.len() as u64 != u64::from(self.datatype.size_bytes()) {
            return refuse("as long as an element");
        }
        if fill.len() > fill_value::BYTES_MAX {
            return refuse("at most 65,529 bytes long");
        }
        // Such bytes would refer to a heap that this file does not have.
        if self.datatype.has_heap_data() {
            return refuse("none for a type of variable length");
        }
        Ok(())
    }

    fn check_chunks(&self, chunk: &[u64], element_bytes: u64) -> Result<()> {
        let refuse = |what, rule, found| Err(Error::Request { what, rule, found });
        let rank = self.extent.shape().len();
        if chunk.len() != rank || rank == 0 {
            return refuse(
                "the rank of a chunk",
                "the dataset's, at least 1",
                chunk.len() as u64,
            );
        }
        if chunk.contains(&0) {
            return refuse("each dimension of a chunk", "at least 1", 0);
        }
        let bytes = crate::dataspace::product(chunk).and_then(|n| n.checked_mul(element_bytes));
        if bytes.is_none_or(|bytes| bytes > crate::data::READ_BYTES_MAX) {
            return refuse("a chunk", "at most 512 MiB long", bytes.unwrap_or(u64::MAX));
        }
        let maxima = self.extent.max_shape();
        for (max, chunk) in maxima.iter().zip(chunk) {
            if max.is_some_and(|max| *chunk > max.max(1)) {
                return refuse(
                    "a chunk's dimension",
                    "at most the dataset's greatest",
                    *chunk,
                );
            }
        }
        let n_unlimited = maxima.iter().filter(|max| max.is_none()).count();
        if n_unlimited > 1 {
            // Such a dataset needs a version 2 B-tree, which is not written.
            return Err(Error::not_supported_number(
                "a new dataset with several unlimited dimensions:",
                n_unlimited as u64,
            ));
        }
        check_room(&self.extent, chunk)
    }
}

/// Refuses types that cannot be written: those whose message is too long, or says another type
/// when it is read.
pub(crate) fn check_datatype(datatype: &Datatype) -> Result<()> {
    check_parts(datatype)?;
    let bytes = datatype.encode();
    let found = bytes.len() as u64;
    let refuse = |rule| {
        let what = "the description of a type";
        Err(Error::Request { what, rule, found })
    };
    if bytes.len() > usize::from(u16::MAX) {
        return refuse("at most 65,535 bytes long");
    }
    let read = Datatype::decode(&mut Cursor::new("datatype", 0, &bytes, Sizes::WRITTEN));
    if read.is_ok_and(|read| read == *datatype) {
        Ok(())
    } else {
        refuse(
            "one that the format can hold: members within their element, bits within their number, a tag of at most 248 bytes",
        )
    }
}

/// Refuses what a type's message could not even say.
fn check_parts(datatype: &Datatype) -> Result<()> {
    let refuse = |what, rule, found| Err(Error::Request { what, rule, found });
    if datatype.size_bytes() == 0 {
        return refuse("an element", "at least 1 byte long", 0);
    }
    match datatype {
        Datatype::Compound { members, .. } => {
            let names = members.iter().map(|member| member.name.as_str());
            check_names(&names.collect::<Vec<_>>())?;
            members
                .iter()
                .try_for_each(|member| check_parts(&member.datatype))
        }
        Datatype::Enum { base, members } => {
            let names = members.iter().map(|(name, _)| name.as_str());
            check_names(&names.collect::<Vec<_>>())?;
            let len = base.size_bytes() as usize;
            match members.iter().find(|(_, value)| value.len() != len) {
                Some((_, value)) => refuse(
                    "a value of an enum",
                    "as long as its base",
                    value.len() as u64,
                ),
                None => check_parts(base),
            }
        }
        Datatype::Array { dims, base } => {
            if dims.is_empty() || dims.contains(&0) {
                return refuse("each dimension of an array type", "at least 1", 0);
            }
            check_parts(base)
        }
        Datatype::Sequence { base, .. } => check_parts(base),
        _ => Ok(()),
    }
}

fn check_names(names: &[&str]) -> Result<()> {
    let n = names.len();
    let refuse = |rule| {
        Err(Error::Request {
            what: "the names of members",
            rule,
            found: n as u64,
        })
    };
    if n == 0 || n > usize::from(u16::MAX) {
        return refuse("1 to 65,535");
    }
    if names
        .iter()
        .any(|name| name.contains('\0') || name.is_empty())
    {
        return refuse("not empty and without NUL");
    }
    if names
        .iter()
        .collect::<std::collections::BTreeSet<_>>()
        .len()
        != n
    {
        return refuse("all different");
    }
    Ok(())
}

/// The value of a new attribute.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AttributeValue {
    /// Values of any type without variable length, as bytes in C order.
    Raw {
        /// What they are.
        datatype: Datatype,
        /// How many.
        extent: Extent,
        /// Their bytes.
        bytes: Vec<u8>,
    },
    /// One UTF-8 string.
    Text(String),
    /// A list of UTF-8 strings.
    Texts(Vec<String>),
}

impl AttributeValue {
    /// One number.
    pub fn scalar<T: Element>(value: T) -> Self {
        let bytes = bytemuck::bytes_of(&value).to_vec();
        Self::Raw {
            datatype: T::datatype(),
            extent: Extent::Scalar,
            bytes,
        }
    }

    /// A list of numbers.
    pub fn list<T: Element>(values: &[T]) -> Self {
        let bytes = bytemuck::cast_slice(values).to_vec();
        let extent = Extent::fixed(&[values.len() as u64]);
        Self::Raw {
            datatype: T::datatype(),
            extent,
            bytes,
        }
    }
}

impl From<&str> for AttributeValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

macro_rules! from_number {
    ($($type:ty),*) => {
        $(impl From<$type> for AttributeValue {
            fn from(value: $type) -> Self {
                Self::scalar(value)
            }
        })*
    };
}

from_number!(u8, u16, u32, u64, i8, i16, i32, i64, f32, f64);
