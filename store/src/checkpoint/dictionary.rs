//! The strings behind codes. A string gets the next code when a row first names it, and keeps it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use palimpsest_hdf5::{Editor, Hdf5File};

use super::problem::{FileProblem, Result};
use super::schema::{Dictionary, NO_CODE};
use super::text_column;

/// The strings of one kind.
#[derive(Debug, Default)]
struct Strings {
    by_code: Vec<Arc<str>>,
    codes: HashMap<Arc<str>, u32>,
    /// So many are in the file.
    n_written: usize,
}

/// The strings of every kind.
#[derive(Debug, Default)]
pub(super) struct Dictionaries {
    by_kind: BTreeMap<Dictionary, Strings>,
}

impl Dictionaries {
    /// Those of a file.
    pub(super) fn read(file: &Hdf5File) -> Result<Self> {
        let mut dictionaries = Self::default();
        for kind in Dictionary::ALL {
            let strings = text_column::read(file, kind.path(), 0)?;
            let of_kind = dictionaries.by_kind.entry(kind).or_default();
            for string in strings {
                of_kind.push(string.into());
            }
            of_kind.n_written = of_kind.by_code.len();
        }
        Ok(dictionaries)
    }

    /// Writes the strings that are new.
    pub(super) fn write(&mut self, editor: &mut Editor<'_>) -> palimpsest_hdf5::Result<()> {
        for (kind, strings) in &mut self.by_kind {
            let new = strings.by_code.get(strings.n_written..).unwrap_or_default();
            let new: Vec<&str> = new.iter().map(|string| &**string).collect();
            text_column::append(editor, kind.path(), strings.n_written as u64, &new)?;
            strings.n_written = strings.by_code.len();
        }
        Ok(())
    }

    /// The code of `string`, a new one if need be.
    pub(super) fn code(&mut self, kind: Dictionary, string: &Arc<str>) -> u32 {
        let strings = self.by_kind.entry(kind).or_default();
        match strings.codes.get(string) {
            Some(code) => *code,
            None => strings.push(Arc::clone(string)),
        }
    }

    /// The code of what may not be given.
    pub(super) fn code_or_none(&mut self, kind: Dictionary, string: Option<&Arc<str>>) -> u32 {
        string.map_or(NO_CODE, |string| self.code(kind, string))
    }

    /// The string behind the code in `row` of `column`.
    pub(super) fn string(
        &self,
        kind: Dictionary,
        code: u32,
        column: &str,
        row: u64,
    ) -> Result<Arc<str>> {
        let strings = self.by_kind.get(&kind);
        let found = strings.and_then(|it| it.by_code.get(usize::try_from(code).ok()?));
        found
            .cloned()
            .ok_or_else(|| FileProblem::row(column, row, "a code of its dictionary", code))
    }

    /// As [`Self::string`], of what may not be given.
    pub(super) fn string_or_none(
        &self,
        kind: Dictionary,
        code: u32,
        column: &str,
        row: u64,
    ) -> Result<Option<Arc<str>>> {
        if code == NO_CODE {
            return Ok(None);
        }
        self.string(kind, code, column, row).map(Some)
    }
}

impl Strings {
    fn push(&mut self, string: Arc<str>) -> u32 {
        let code = u32::try_from(self.by_code.len()).unwrap_or(NO_CODE);
        assert!(
            code != NO_CODE,
            "4,294,967,295 strings do not fit into memory"
        );
        self.codes.insert(Arc::clone(&string), code);
        self.by_code.push(string);
        code
    }
}
