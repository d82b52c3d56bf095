//! Bytes from disk that nobody has checked yet, and the only way to take numbers out of them.
//! It knows no structure.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use crate::checksum::lookup3;
use crate::error::{Error, Result};

/// How wide addresses and lengths are in a file (superblock fields "Size of Offsets", "Size of
/// Lengths"): 2, 4 or 8 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub(crate) offset_bytes: u8,
    pub(crate) length_bytes: u8,
}

impl Sizes {
    /// What this crate writes.
    pub(crate) const WRITTEN: Self = Self {
        offset_bytes: 8,
        length_bytes: 8,
    };
}

/// A place in the bytes of one structure. Everything taken is bounded by the structure's end.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    structure: &'static str,
    start_bytes: u64,
    bytes: &'a [u8],
    at: usize,
    sizes: Sizes,
    /// Whether text that is no UTF-8 is refused, and not replaced.
    is_strict: bool,
}

impl<'a> Cursor<'a> {
    /// The bytes of `structure`, which begins at `start_bytes` of the file.
    pub(crate) fn new(
        structure: &'static str,
        start_bytes: u64,
        bytes: &'a [u8],
        sizes: Sizes,
    ) -> Self {
        Self {
            structure,
            start_bytes,
            bytes,
            at: 0,
            sizes,
            is_strict: false,
        }
    }

    pub(crate) fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// The same place, read as a structure of another name.
    pub(crate) fn named(mut self, structure: &'static str) -> Self {
        self.structure = structure;
        self
    }

    /// The same place, where text that is no UTF-8 is refused: it could not be written again as it is.
    pub(crate) fn strict(self) -> Self {
        self.strict_as(true)
    }

    /// The same place, as strict as another.
    pub(crate) fn strict_as(self, is_strict: bool) -> Self {
        Self { is_strict, ..self }
    }

    pub(crate) fn is_strict(&self) -> bool {
        self.is_strict
    }

    /// A string of the structure as text; bytes that are no UTF-8 are replaced by U+FFFD, or refused.
    pub(crate) fn text(&self, bytes: &[u8]) -> Result<String> {
        if self.is_strict && std::str::from_utf8(bytes).is_err() {
            return Err(Error::not_supported("writing names that are no UTF-8"));
        }
        Ok(text(bytes))
    }

    /// Where in the file the next byte is.
    pub(crate) fn offset(&self) -> u64 {
        self.start_bytes.saturating_add(self.at as u64)
    }

    /// How many bytes of the structure have been taken.
    pub(crate) fn taken(&self) -> usize {
        self.at
    }

    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let end = self.at.checked_add(len);
        match end.and_then(|end| self.bytes.get(self.at..end)) {
            Some(taken) => {
                self.at = self.at.saturating_add(len);
                Ok(taken)
            }
            None => Err(Error::Truncated {
                structure: self.structure,
                offset_bytes: self.offset(),
                needed_bytes: len as u64,
                found_bytes: self.remaining() as u64,
            }),
        }
    }

    /// Takes as many bytes as a number from the file says.
    pub(crate) fn take_u64(&mut self, len: u64) -> Result<&'a [u8]> {
        self.take(usize::try_from(len).unwrap_or(usize::MAX))
    }

    /// A cursor over the next `len` bytes alone.
    pub(crate) fn sub(&mut self, len: usize) -> Result<Cursor<'a>> {
        let start_bytes = self.offset();
        let bytes = self.take(len)?;
        Ok(Cursor {
            structure: self.structure,
            start_bytes,
            bytes,
            at: 0,
            sizes: self.sizes,
            is_strict: self.is_strict,
        })
    }

    pub(crate) fn rest(&mut self) -> &'a [u8] {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at = self.bytes.len();
        rest
    }

    pub(crate) fn skip(&mut self, len: usize) -> Result<()> {
        self.take(len).map(|_| ())
    }

    /// Skips up to the next multiple of `align` from the structure's beginning, or to its end.
    pub(crate) fn align(&mut self, align: usize) {
        let aligned = self.at.checked_next_multiple_of(align).unwrap_or(self.at);
        self.at = aligned.min(self.bytes.len()).max(self.at);
    }

    /// An unsigned little-endian number of `width` bytes, 0 to 8.
    pub(crate) fn uint(&mut self, width: usize) -> Result<u64> {
        let mut value = [0_u8; 8];
        let taken = self.take(width)?;
        match value.get_mut(..width) {
            Some(low) => low.copy_from_slice(taken),
            None => return Err(self.corrupt("a number of at most 8 bytes", width as u64)),
        }
        Ok(u64::from_le_bytes(value))
    }

    pub(crate) fn u8(&mut self) -> Result<u8> {
        let taken = self.take(1)?;
        Ok(taken.first().copied().unwrap_or_default())
    }

    pub(crate) fn u16(&mut self) -> Result<u16> {
        let mut value = [0_u8; 2];
        value.copy_from_slice(self.take(2)?);
        Ok(u16::from_le_bytes(value))
    }

    pub(crate) fn u32(&mut self) -> Result<u32> {
        let mut value = [0_u8; 4];
        value.copy_from_slice(self.take(4)?);
        Ok(u32::from_le_bytes(value))
    }

    pub(crate) fn u64(&mut self) -> Result<u64> {
        self.uint(8)
    }

    /// A length of the file's width.
    pub(crate) fn length(&mut self) -> Result<u64> {
        self.uint(usize::from(self.sizes.length_bytes))
    }

    /// An address of the file's width; none where all bits are set ("undefined address").
    pub(crate) fn address(&mut self) -> Result<Option<u64>> {
        let width = self.sizes.offset_bytes;
        let address = self.uint(usize::from(width))?;
        Ok((address != undefined(width)).then_some(address))
    }

    /// An address that must be there.
    pub(crate) fn defined_address(&mut self) -> Result<u64> {
        match self.address()? {
            Some(address) => Ok(address),
            None => Err(self.corrupt("a defined address", u64::MAX)),
        }
    }

    /// Refuses anything but `signature`.
    pub(crate) fn signature(&mut self, signature: [u8; 4]) -> Result<()> {
        let found = self.u32()?;
        if found.to_le_bytes() == signature {
            return Ok(());
        }
        Err(Error::Corrupt {
            structure: self.structure,
            offset_bytes: self.offset().saturating_sub(4),
            expected: "its signature",
            found: u64::from(found),
        })
    }

    /// Refuses a version byte other than `version`.
    pub(crate) fn version(&mut self, version: u8) -> Result<()> {
        let found = self.u8()?;
        if found == version {
            return Ok(());
        }
        Err(Error::not_supported_number(self.structure, found))
    }

    /// A string up to and without its NUL, which is taken too.
    pub(crate) fn nul_terminated(&mut self) -> Result<&'a [u8]> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        match rest.iter().position(|byte| *byte == 0) {
            Some(len) => {
                let text = self.take(len)?;
                self.skip(1)?;
                Ok(text)
            }
            None => Err(self.corrupt("a NUL at the end of a name", rest.len() as u64)),
        }
    }

    /// Compares the checksum that follows with that of everything taken so far.
    pub(crate) fn checksum(&mut self) -> Result<()> {
        let found = lookup3(self.bytes.get(..self.at).unwrap_or_default());
        let expected = self.u32()?;
        if expected == found {
            return Ok(());
        }
        Err(Error::Checksum {
            structure: self.structure,
            offset_bytes: self.start_bytes,
            expected,
            found,
        })
    }

    /// The error that what was just read is not `expected`.
    pub(crate) fn corrupt(&self, expected: &'static str, found: u64) -> Error {
        Error::Corrupt {
            structure: self.structure,
            offset_bytes: self.offset(),
            expected,
            found,
        }
    }
}

/// The address of `width` bytes that stands for none.
pub(crate) fn undefined(width: u8) -> u64 {
    match width {
        0 => 0,
        1..=7 => u64::MAX >> 64_u32.saturating_sub(u32::from(width).saturating_mul(8)),
        _ => u64::MAX,
    }
}

/// How many bytes the number `value` takes (`H5VM_limit_enc_size` of the C library); at least 1.
pub(crate) fn width_of(value: u64) -> u8 {
    let bits = 64_u32.saturating_sub(value.leading_zeros()).max(1);
    u8::try_from(bits.div_ceil(8)).unwrap_or(8)
}

/// A string of a file as text; bytes that are no UTF-8 are replaced by U+FFFD.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// As [`text`]; where something was replaced, the text is noted not to be exact.
pub(crate) fn text_noting(bytes: &[u8], is_exact: &mut bool) -> String {
    *is_exact &= std::str::from_utf8(bytes).is_ok();
    text(bytes)
}
