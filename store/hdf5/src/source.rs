//! Where the bytes of a file come from, with every read bounded by its end. It knows no structure.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::borrow::Cow;
use std::fmt::Debug;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::cursor::{Cursor, Sizes};
use crate::error::{Error, Result};
use crate::mapped::Mapping;

/// Something that is read by position, as a file is.
pub(crate) trait ReadAt: Debug + Send + Sync {
    /// Reads into `buffer` from `offset_bytes` on; less than asked only at the end.
    fn read_at(&self, buffer: &mut [u8], offset_bytes: u64) -> io::Result<usize>;
}

/// The bytes themselves.
#[derive(Debug)]
pub(crate) enum Bytes {
    /// In memory.
    Memory(Vec<u8>),
    /// In a map of the file.
    Mapped(Mapping),
    /// Read when asked for.
    Device(Box<dyn ReadAt>),
}

/// A file's bytes, addressed as the format does: from the base address on.
#[derive(Debug)]
pub(crate) struct Source {
    bytes: Bytes,
    base_bytes: u64,
    end_bytes: AtomicU64,
    sizes: Sizes,
    /// How much was read and decoded; see [`Self::note_work`].
    work_bytes: AtomicU64,
}

/// How many bytes of structures one operation may still read that a sound file keeps apart: as many as
/// the file has. Structures that lie over each other could be as long as all of it, each of them.
#[derive(Debug)]
pub(crate) struct Budget {
    left: u64,
}

impl Budget {
    pub(crate) fn of(source: &Source) -> Self {
        Self { left: source.end() }
    }

    /// Takes the `n_bytes` of `structure` at `address`.
    pub(crate) fn take(
        &mut self,
        structure: &'static str,
        address: u64,
        n_bytes: u64,
    ) -> Result<()> {
        let left = self.left.checked_sub(n_bytes);
        self.left = left.ok_or(Error::Corrupt {
            structure,
            offset_bytes: address,
            expected: "structures that do not lie over each other",
            found: n_bytes,
        })?;
        Ok(())
    }
}

/// What the least piece of work counts as: finding it takes as long as reading so much.
const WORK_BYTES_MIN: u64 = 64;

impl Source {
    /// All `len_bytes` of `bytes`; addresses begin at the first.
    pub(crate) fn new(bytes: Bytes, len_bytes: u64) -> Self {
        Self {
            bytes,
            base_bytes: 0,
            end_bytes: AtomicU64::new(len_bytes),
            sizes: Sizes::WRITTEN,
            work_bytes: AtomicU64::new(0),
        }
    }

    /// The same bytes, as the superblock says to address them.
    pub(crate) fn addressed(self, base_bytes: u64, sizes: Sizes) -> Self {
        Self {
            base_bytes,
            sizes,
            ..self
        }
    }

    pub(crate) fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// The first address that is not there: also the most bytes that a number in the file may ask for.
    pub(crate) fn end(&self) -> u64 {
        self.end_bytes
            .load(Ordering::Acquire)
            .saturating_sub(self.base_bytes)
    }

    /// The file has grown to `len_bytes`.
    pub(crate) fn grow_to(&self, len_bytes: u64) {
        self.end_bytes.fetch_max(len_bytes, Ordering::AcqRel);
    }

    /// Counts `n_bytes` that were read, decoded or copied.
    pub(crate) fn note_work(&self, n_bytes: u64) {
        let n_bytes = n_bytes.max(WORK_BYTES_MIN);
        self.work_bytes.fetch_add(n_bytes, Ordering::Relaxed);
    }

    /// How many bytes were read, decoded and copied so far.
    pub(crate) fn work_bytes(&self) -> u64 {
        self.work_bytes.load(Ordering::Relaxed)
    }

    fn place(&self, structure: &'static str, address: u64, len: u64) -> Result<u64> {
        let end = self.end();
        if address.checked_add(len).is_some_and(|last| last <= end) {
            return Ok(self.base_bytes.saturating_add(address));
        }
        Err(Error::Truncated {
            structure,
            offset_bytes: address,
            needed_bytes: len,
            found_bytes: end.saturating_sub(address),
        })
    }

    /// The `len` bytes of `structure` at `address`.
    pub(crate) fn read(
        &self,
        structure: &'static str,
        address: u64,
        len: u64,
    ) -> Result<Cow<'_, [u8]>> {
        let place = self.place(structure, address, len)?;
        if let Some(bytes) = self.resident() {
            self.note_work(len);
            return slice(bytes, place, len)
                .map(Cow::Borrowed)
                .ok_or(Error::Truncated {
                    structure,
                    offset_bytes: address,
                    needed_bytes: len,
                    found_bytes: 0,
                });
        }
        let len_usize = usize::try_from(len).map_err(|_| Error::Limit {
            structure,
            offset_bytes: address,
            asked: len,
            limit: usize::MAX as u64,
        })?;
        let mut buffer = vec![0; len_usize];
        self.read_into(structure, address, &mut buffer)?;
        Ok(Cow::Owned(buffer))
    }

    /// At most `len` bytes at `address`: less at the end of the file, an error where there are none.
    pub(crate) fn read_up_to(
        &self,
        structure: &'static str,
        address: u64,
        len: u64,
    ) -> Result<Cow<'_, [u8]>> {
        let there = self.end().saturating_sub(address);
        self.read(
            structure,
            address,
            if there == 0 { len } else { len.min(there) },
        )
    }

    /// Fills `buffer` from `address` on.
    pub(crate) fn read_into(
        &self,
        structure: &'static str,
        address: u64,
        buffer: &mut [u8],
    ) -> Result<()> {
        let len = buffer.len() as u64;
        let place = self.place(structure, address, len)?;
        self.note_work(len);
        let truncated = |found_bytes| Error::Truncated {
            structure,
            offset_bytes: address,
            needed_bytes: len,
            found_bytes,
        };
        match &self.bytes {
            Bytes::Device(device) => {
                let found =
                    read_fully(device.as_ref(), buffer, place).map_err(|source| Error::Io {
                        action: "read",
                        offset_bytes: address,
                        source,
                    })?;
                if found == buffer.len() {
                    Ok(())
                } else {
                    Err(truncated(found as u64))
                }
            }
            Bytes::Memory(_) | Bytes::Mapped(_) => {
                let bytes = self.resident().and_then(|bytes| slice(bytes, place, len));
                buffer.copy_from_slice(bytes.ok_or_else(|| truncated(0))?);
                Ok(())
            }
        }
    }

    /// The bytes in place, where they are in memory.
    pub(crate) fn in_place(&self, address: u64, len: u64) -> Option<&[u8]> {
        let place = self.place("data", address, len).ok()?;
        slice(self.resident()?, place, len)
    }

    fn resident(&self) -> Option<&[u8]> {
        match &self.bytes {
            Bytes::Memory(bytes) => Some(bytes),
            Bytes::Mapped(mapping) => Some(mapping.bytes()),
            Bytes::Device(_) => None,
        }
    }

    /// A cursor over bytes of this file.
    pub(crate) fn cursor<'a>(
        &self,
        structure: &'static str,
        address: u64,
        bytes: &'a [u8],
    ) -> Cursor<'a> {
        Cursor::new(structure, address, bytes, self.sizes)
    }
}

fn slice(bytes: &[u8], place: u64, len: u64) -> Option<&[u8]> {
    let start = usize::try_from(place).ok()?;
    let end = start.checked_add(usize::try_from(len).ok()?)?;
    bytes.get(start..end)
}

/// Fills `buffer` from `place` on; how much of it, less only at the end of the file.
fn read_fully(device: &dyn ReadAt, buffer: &mut [u8], place: u64) -> io::Result<usize> {
    let mut filled = 0_usize;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match device.read_at(rest, place.saturating_add(filled as u64)) {
            Ok(0) => break,
            Ok(n) => filled = filled.saturating_add(n),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
