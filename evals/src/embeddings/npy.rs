//! Arrays as `NumPy` writes them, version 1.0: `f32`, two dimensions, rows one after the other.

#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use crate::error::Error;

const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
/// Ten times the reference vectors of the oracle file.
const LEN_BYTES_MAX: u64 = 256 << 20;

/// A table of numbers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Array {
    row_len: usize,
    /// Shape [rows * `row_len`].
    numbers: Vec<f32>,
}

impl Array {
    /// Reads the file `path`.
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::io("open", path))?;
        let mut bytes = Vec::new();
        let mut reader = BufReader::new(file).take(LEN_BYTES_MAX);
        let read = reader.read_to_end(&mut bytes);
        read.map_err(Error::io("read", path))?;
        Self::parse(&bytes).map_err(|damage| Error::Vectors {
            path: path.to_owned(),
            structure: damage.structure,
            offset_bytes: damage.offset_bytes,
            expected: damage.expected.to_owned(),
            found: damage.found,
        })
    }

    /// How many rows there are.
    pub(super) fn n_rows(&self) -> usize {
        self.numbers.len().checked_div(self.row_len).unwrap_or(0)
    }

    /// One row, where there is one of this number.
    pub(super) fn row(&self, row_idx: usize) -> Option<&[f32]> {
        let start = row_idx.checked_mul(self.row_len)?;
        self.numbers.get(start..start.checked_add(self.row_len)?)
    }

    fn parse(bytes: &[u8]) -> Result<Self, Damage> {
        let damage = |structure, offset_bytes, expected, found: &str| Damage {
            structure,
            offset_bytes,
            expected,
            found: found.to_owned(),
        };
        let Some(rest) = bytes.strip_prefix(MAGIC) else {
            let found = bytes.get(..MAGIC.len()).unwrap_or(bytes);
            let found = found.escape_ascii().to_string();
            return Err(damage("npy file", 0, "NumPy's magic, version 1.0", &found));
        };
        let parts = rest
            .split_first_chunk::<2>()
            .and_then(|(len, rest)| rest.split_at_checked(usize::from(u16::from_le_bytes(*len))));
        let Some((header, data)) = parts else {
            return Err(damage(
                "npy header",
                8,
                "a whole header",
                "the end of the file",
            ));
        };
        let header = String::from_utf8_lossy(header);
        let is_plain =
            header.contains("'descr': '<f4'") && header.contains("'fortran_order': False");
        let Some((n_rows, row_len)) = shape(&header).filter(|_| is_plain) else {
            let expected = "little-endian f32 in rows, of two dimensions";
            return Err(damage("npy header", 10, expected, header.trim()));
        };
        let expected_len = n_rows.checked_mul(row_len).and_then(|it| it.checked_mul(4));
        if expected_len != Some(data.len()) || row_len == 0 {
            let found = format!("{} bytes for [{n_rows}, {row_len}]", data.len());
            return Err(damage(
                "npy data",
                10,
                "as many numbers as the shape says",
                &found,
            ));
        }
        let words = data.as_chunks::<4>().0.iter();
        Ok(Self {
            row_len,
            numbers: words.map(|word| f32::from_le_bytes(*word)).collect(),
        })
    }
}

/// What is wrong, and where.
#[derive(Debug)]
struct Damage {
    structure: &'static str,
    offset_bytes: u64,
    expected: &'static str,
    found: String,
}

/// The two numbers of `'shape': (9752, 384)`.
fn shape(header: &str) -> Option<(usize, usize)> {
    let (_, rest) = header.split_once("'shape': (")?;
    let (shape, _) = rest.split_once(')')?;
    let (n_rows, row_len) = shape.split_once(',')?;
    Some((n_rows.trim().parse().ok()?, row_len.trim().parse().ok()?))
}

#[cfg(test)]
mod tests;
