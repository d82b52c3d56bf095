//! The local heap: the names of an old group.
//!
//! Source: HDF5 file format specification, III.D "Disk Format: Level 1D - Local Heaps".
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::borrow::Cow;

use crate::cursor::text_noting;
use crate::error::Result;
use crate::source::Source;

const NAME: &str = "local heap";

/// A local heap's data segment.
#[derive(Debug)]
pub(crate) struct LocalHeap<'a> {
    address: u64,
    data: Cow<'a, [u8]>,
}

impl<'a> LocalHeap<'a> {
    pub(crate) fn read(source: &'a Source, address: u64) -> Result<Self> {
        let bytes = source.read_up_to(NAME, address, 64)?;
        let mut cursor = source.cursor(NAME, address, &bytes);
        cursor.signature(*b"HEAP")?;
        cursor.version(0)?;
        cursor.skip(3)?;
        let len = cursor.length()?;
        let _free_list = cursor.length()?;
        let address = cursor.defined_address()?;
        Ok(Self {
            address,
            data: source.read(NAME, address, len)?,
        })
    }

    /// The string that begins `offset` bytes into the data; noted where it is not exact.
    pub(crate) fn text(&self, source: &Source, offset: u64, is_exact: &mut bool) -> Result<String> {
        let mut cursor = source.cursor(NAME, self.address, &self.data);
        cursor.take_u64(offset)?;
        let text = cursor.nul_terminated()?;
        source.note_work(text.len() as u64);
        Ok(text_noting(text, is_exact))
    }
}
