//! The superblock: where a file begins, how wide its numbers are, where its root group is.
//!
//! Source: HDF5 file format specification, II.A "Superblock", versions 0 to 3.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use crate::cursor::{Cursor, Sizes};
use crate::encoder::{Encoder, UNDEFINED};
use crate::error::{Error, Result};
use crate::source::Source;

const SIGNATURE: [u8; 8] = *b"\x89HDF\r\n\x1a\n";
const NAME: &str = "superblock";

/// How long the superblock that this crate writes (version 2) is.
pub(crate) const WRITTEN_LEN: usize = 48;

/// The image of a superblock: what is written, in one piece, to publish a new state of a file.
pub type SuperblockImage = [u8; WRITTEN_LEN];

/// What a superblock says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Superblock {
    pub(crate) version: u8,
    pub(crate) sizes: Sizes,
    /// Where in the file address 0 is.
    pub(crate) base_bytes: u64,
    /// The address behind the last byte of the file.
    pub(crate) end: u64,
    /// The address of the root group's object header.
    pub(crate) root: u64,
    /// The superblock extension's object header.
    pub(crate) extension: Option<u64>,
}

impl Superblock {
    /// Finds the superblock at 0, 512, 1024, 2048, ... and reads it.
    pub(crate) fn find(source: &Source) -> Result<Self> {
        let mut place = 0_u64;
        loop {
            let mut found = [0_u8; 8];
            source
                .read_into(NAME, place, &mut found)
                .map_err(|error| match error {
                    Error::Truncated { .. } => Error::Corrupt {
                        structure: NAME,
                        offset_bytes: 0,
                        expected: "the signature of an HDF5 file",
                        found: 0,
                    },
                    other => other,
                })?;
            if found == SIGNATURE {
                return Self::read(source, place);
            }
            place = place.checked_mul(2).filter(|next| *next > 0).unwrap_or(512);
        }
    }

    fn read(source: &Source, place: u64) -> Result<Self> {
        let bytes = source.read_up_to(NAME, place, 128)?;
        let mut cursor = source.cursor(NAME, place, &bytes);
        cursor.skip(8)?;
        let superblock = match cursor.u8()? {
            version @ (0 | 1) => Self::read_v0(version, &bytes, place)?,
            version @ (2 | 3) => Self::read_v2(version, &bytes, place)?,
            version => return Err(Error::not_supported_number("superblock version", version)),
        };
        // The base address in the file is that of a file without a user block in front; the C
        // library goes by where it found the signature.
        let superblock = Self {
            base_bytes: place,
            ..superblock
        };
        let end_bytes = superblock.end.saturating_add(place);
        if end_bytes > source.end() {
            return Err(Error::Truncated {
                structure: "file",
                offset_bytes: 0,
                needed_bytes: end_bytes,
                found_bytes: source.end(),
            });
        }
        Ok(superblock)
    }

    fn read_v0(version: u8, bytes: &[u8], place: u64) -> Result<Self> {
        let mut cursor = Cursor::new(NAME, place, bytes, Sizes::WRITTEN);
        cursor.skip(13)?;
        let sizes = read_sizes(&mut cursor)?;
        // reserved; group leaf and internal node K; consistency flags
        cursor.skip(9)?;
        if version == 1 {
            cursor.skip(4)?;
        }
        let taken = cursor.taken();
        let mut cursor = Cursor::new(NAME, place, bytes, sizes);
        cursor.skip(taken)?;
        let base = cursor.address()?.unwrap_or_default();
        let _free_space = cursor.address()?;
        let end = cursor.defined_address()?;
        let _driver = cursor.address()?;
        // The root group's symbol table entry: link name offset, then the header's address.
        let _name = cursor.length()?;
        let root = cursor.defined_address()?;
        let end = end.saturating_sub(base);
        Ok(Self {
            version,
            sizes,
            base_bytes: base,
            end,
            root,
            extension: None,
        })
    }

    fn read_v2(version: u8, bytes: &[u8], place: u64) -> Result<Self> {
        let mut cursor = Cursor::new(NAME, place, bytes, Sizes::WRITTEN);
        cursor.skip(9)?;
        let sizes = read_sizes(&mut cursor)?;
        let mut cursor = Cursor::new(NAME, place, bytes, sizes);
        // signature, version, sizes, consistency flags
        cursor.skip(12)?;
        let base = cursor.address()?.unwrap_or_default();
        let extension = cursor.address()?;
        let end = cursor.defined_address()?;
        let root = cursor.defined_address()?;
        cursor.checksum()?;
        let end = end.saturating_sub(base);
        Ok(Self {
            version,
            sizes,
            base_bytes: base,
            end,
            root,
            extension,
        })
    }

    /// The bytes of a version 2 superblock. Version 3 is only needed for SWMR, and the C library
    /// marks a version 3 file as open for writing, so that it must be cleared after a crash.
    pub(crate) fn image(root: u64, end: u64) -> SuperblockImage {
        let mut encoder = Encoder::new();
        encoder.put(&SIGNATURE).u8(2).u8(8).u8(8).u8(0);
        encoder.u64(0).u64(UNDEFINED).u64(end).u64(root);
        encoder
            .checksummed()
            .try_into()
            .expect("a version 2 superblock is 48 bytes")
    }
}

fn read_sizes(cursor: &mut Cursor<'_>) -> Result<Sizes> {
    let sizes = Sizes {
        offset_bytes: cursor.u8()?,
        length_bytes: cursor.u8()?,
    };
    for size in [sizes.offset_bytes, sizes.length_bytes] {
        if !matches!(size, 2 | 4 | 8) {
            return Err(cursor.corrupt("2, 4 or 8 bytes for addresses and lengths", size.into()));
        }
    }
    Ok(sizes)
}

#[cfg(test)]
mod tests;
