//! Takes values from the front of hostile bytes. Knows what is left, not what it means.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::sync::Arc;

use crate::Error;
use crate::error::PayloadProblem;
use crate::operation::TEXT_LEN_BYTES_MAX;

/// What is left of a payload, where that is, and what is being read.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    left: &'a [u8],
    offset_bytes: u64,
    structure: &'static str,
}

impl<'a> Reader<'a> {
    /// Reads `structure` from the whole of `bytes`.
    pub(super) fn new(bytes: &'a [u8], structure: &'static str) -> Self {
        Self {
            left: bytes,
            offset_bytes: 0,
            structure,
        }
    }

    /// Says what the next values belong to.
    pub(super) fn enter(&mut self, structure: &'static str) {
        self.structure = structure;
    }

    /// Where the byte that was just read as a tag stands.
    pub(super) fn mark_tag(&self) -> u64 {
        self.offset_bytes.saturating_sub(1)
    }

    /// The error of the tag that was just read.
    pub(super) fn unknown_tag(&self, structure: &'static str, tag: u8) -> Error {
        Error::UnknownTag {
            structure,
            offset_bytes: self.mark_tag(),
            tag,
        }
    }

    /// The error of a value that ends here.
    pub(super) fn problem(&self, problem: PayloadProblem) -> Error {
        Error::Payload {
            structure: self.structure,
            offset_bytes: self.offset_bytes,
            problem,
        }
    }

    /// The next `len_bytes`.
    pub(super) fn bytes(&mut self, len_bytes: usize) -> Result<&'a [u8], Error> {
        let Some((taken, left)) = self.left.split_at_checked(len_bytes) else {
            return Err(self.problem(PayloadProblem::Truncated));
        };
        self.left = left;
        self.offset_bytes = self.offset_bytes.saturating_add(len_bytes as u64);
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let bytes = self.bytes(N)?;
        Ok(bytes.try_into().expect("N bytes were taken"))
    }

    pub(super) fn u8(&mut self) -> Result<u8, Error> {
        self.array().map(u8::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, Error> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, Error> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn i64(&mut self) -> Result<i64, Error> {
        self.array().map(i64::from_le_bytes)
    }

    pub(super) fn f32(&mut self) -> Result<f32, Error> {
        self.array().map(f32::from_le_bytes)
    }

    /// A reader of the next part, whose length stands before it.
    pub(super) fn sub(&mut self, structure: &'static str) -> Result<Self, Error> {
        let len_bytes = self.len()?;
        let offset_bytes = self.offset_bytes;
        Ok(Self {
            left: self.bytes(len_bytes)?,
            offset_bytes,
            structure,
        })
    }

    /// UTF-8 text, its length before it.
    pub(super) fn string(&mut self) -> Result<Arc<str>, Error> {
        let len_bytes = self.len()?;
        if len_bytes > TEXT_LEN_BYTES_MAX {
            return Err(self.problem(PayloadProblem::TooLong));
        }
        match std::str::from_utf8(self.bytes(len_bytes)?) {
            Ok(text) => Ok(text.into()),
            Err(_) => Err(self.problem(PayloadProblem::NotUtf8)),
        }
    }

    /// 0, or 1 and a value.
    pub(super) fn option<T>(
        &mut self,
        value: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        match self.u8()? {
            0 => Ok(None),
            1 => value(self).map(Some),
            tag => Err(self.unknown_tag(self.structure, tag)),
        }
    }

    /// Items, their number before them; each takes at least `item_len_min_bytes`.
    pub(super) fn list<T>(
        &mut self,
        item_len_min_bytes: usize,
        mut item: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let n_items = self.len()?;
        if n_items.saturating_mul(item_len_min_bytes) > self.left.len() {
            return Err(self.problem(PayloadProblem::Truncated));
        }
        let mut items = Vec::with_capacity(n_items);
        for _ in 0..n_items {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Checks that nothing is left.
    pub(super) fn finish(&self) -> Result<(), Error> {
        if self.left.is_empty() {
            Ok(())
        } else {
            Err(self.problem(PayloadProblem::TrailingBytes))
        }
    }

    fn len(&mut self) -> Result<usize, Error> {
        self.u32()
            .map(|len| usize::try_from(len).unwrap_or(usize::MAX))
    }
}
