//! Columns of numbers that belong together: read from a row on, and checked to be of one length.

use palimpsest_hdf5::{Editor, Element, Hdf5File, Hyperslab};

use super::problem::{FileProblem, Result};
use super::text_column::n_rows;

/// A column, and what a row has in it.
pub(super) type Field<Row, Value> = (&'static str, fn(&Row) -> Value);

/// The columns of one table from a row on.
#[derive(Debug)]
pub(super) struct Columns<'a> {
    file: &'a Hdf5File,
    group: &'static str,
    n_rows: u64,
}

impl<'a> Columns<'a> {
    /// Those of `group`, as many rows as its column `name` has.
    pub(super) fn of(file: &'a Hdf5File, group: &'static str, name: &str) -> Result<Self> {
        let n_rows = n_rows(&file.dataset(&format!("{group}/{name}"))?);
        Ok(Self {
            file,
            group,
            n_rows,
        })
    }

    /// The numbers of a column from row `from` on.
    pub(super) fn read<T: Element>(&self, name: &str, from: u64) -> Result<Vec<T>> {
        let values = read_from(self.file, &format!("{}/{name}", self.group), from)?;
        self.check_len(name, from, values.len())?;
        Ok(values)
    }

    /// The texts of a column from row `from` on.
    pub(super) fn read_texts(&self, name: &str, from: u64) -> Result<Vec<String>> {
        let texts = super::text_column::read(self.file, &format!("{}/{name}", self.group), from)?;
        self.check_len(name, from, texts.len())?;
        Ok(texts)
    }

    fn check_len(&self, name: &str, from: u64, n: usize) -> Result<()> {
        let found = from.saturating_add(n as u64);
        if found == self.n_rows {
            return Ok(());
        }
        Err(FileProblem::Lengths {
            dataset: format!("{}/{name}", self.group),
            expected: self.n_rows,
            found,
        })
    }
}

/// The numbers of a column of any length from row `from` on; none where it ends before.
pub(super) fn read_from<T: Element>(file: &Hdf5File, path: &str, from: u64) -> Result<Vec<T>> {
    let column = file.dataset(path)?;
    let n_rows = n_rows(&column);
    if n_rows <= from {
        return Ok(Vec::new());
    }
    Ok(column.read_slice(&Hyperslab::rows(column.shape(), from, n_rows - from))?)
}

/// Writes one number to `row` of a column.
pub(super) fn set<T: Element>(
    editor: &mut Editor<'_>,
    path: &str,
    row: u64,
    value: T,
) -> palimpsest_hdf5::Result<()> {
    let bytes = bytemuck::bytes_of(&value).to_vec();
    editor.write_bytes(path, &Hyperslab::block(&[row], &[1]), bytes)
}

/// The part of a flat list that belongs to a row, by the ends of its row and of the row before.
pub(super) fn part<T>(list: &[T], from: u64, ends: (u64, u64)) -> Option<&[T]> {
    list.get(to_idx(ends.0.checked_sub(from)?)..to_idx(ends.1.checked_sub(from)?))
}

/// A row's place in what was read.
pub(super) fn to_idx(row: u64) -> usize {
    usize::try_from(row).unwrap_or(usize::MAX)
}
