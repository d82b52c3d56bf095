//! What a memory file holds and how it gets there: rows of a view, written as HDF5 columns and read back as commits.
//!
//! Knows no log and no lock: when a checkpoint is written, and what makes it durable, is not decided here.
//! `FORMAT.md` describes every dataset.

mod columns;
mod dictionary;
mod graph_columns;
mod memory_columns;
mod memory_row;
mod problem;
mod replay;
mod rows;
mod schema;
mod state;
mod text_column;
mod vector_columns;

use std::io;
use std::path::Path;
use std::sync::Arc;

use palimpsest_hdf5::{Editor, Hdf5File};

use crate::view::{Commit, View};
use crate::{Error, Seq};

use self::dictionary::Dictionaries;
pub use self::problem::FileProblem;
use self::rows::Rows;
pub(crate) use self::state::State;

/// Makes every dataset of an empty memory.
pub(crate) fn create(editor: &mut Editor<'_>) -> palimpsest_hdf5::Result<()> {
    schema::create(editor)
}

/// What is being added to a memory file.
#[derive(Debug)]
pub(crate) struct Addition {
    dictionaries: Dictionaries,
    /// Up to where the file and what was added go.
    held: Seq,
}

impl Addition {
    /// To a file that [`create`] just made.
    pub(crate) fn to_nothing() -> Self {
        Self {
            dictionaries: Dictionaries::default(),
            held: Seq::ZERO,
        }
    }

    /// To `file`, which holds everything up to `held`.
    pub(crate) fn to(file: &Hdf5File, held: Seq) -> Result<Self, FileProblem> {
        let dictionaries = Dictionaries::read(file)?;
        Ok(Self { dictionaries, held })
    }

    /// Adds what `view` holds beyond what was added so far.
    pub(crate) fn advance(
        &mut self,
        editor: &mut Editor<'_>,
        view: &View,
    ) -> palimpsest_hdf5::Result<()> {
        let rows = Rows::of_view(view, self.held);
        rows.write(editor, &mut self.dictionaries)?;
        self.held = view.seq();
        self.dictionaries.write(editor)
    }

    /// States what the file is then, and up to where it goes.
    pub(crate) fn state(editor: &mut Editor<'_>, state: &State) -> palimpsest_hdf5::Result<()> {
        state.write(editor)
    }
}

/// About how many bytes a new file of everything in `view` takes: texts, vectors, and the numbers beside them.
pub(crate) fn len_bytes(view: &View) -> u64 {
    const EMPTY: u64 = 256 << 10;
    const ROW: u64 = 256;
    let tables = view.tables();
    let memories = tables.memories.versions();
    let texts: u64 = memories
        .map(|(_, record, _)| ROW + record.text.len() as u64)
        .sum();
    let vectors = tables.vectors.models();
    let vectors: u64 = vectors.map(|(_, vectors)| vectors.len_bytes()).sum();
    let graph = tables.graph.entity_versions().count() + tables.graph.relation_versions().count();
    let others = (graph + tables.commits().len()) as u64 * ROW;
    EMPTY + texts + vectors + others
}

/// The commits of a memory file that follow `since`, as the log would have them.
///
/// # Errors
/// [`FileProblem`] where the file is damaged, or says what no memory says.
pub(crate) fn read(file: &Hdf5File, since: Seq) -> Result<Vec<Commit>, FileProblem> {
    let dictionaries = Dictionaries::read(file)?;
    let commits = Rows::read(file, &dictionaries, since)?.into_commits()?;
    for Commit { seq, operation, .. } in &commits {
        operation.check().map_err(|problem| {
            FileProblem::row("/commit/seq", seq.0, "a commit that can be kept", problem)
        })?;
    }
    Ok(commits)
}

/// The error of a memory file that the operating system refused to read or write.
pub(crate) fn io_error(action: &'static str, path: &Path, source: io::Error) -> Error {
    let path = path.to_owned();
    let is_full = matches!(
        source.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    );
    let source = Arc::new(source);
    if is_full {
        Error::DiskFull { path, source }
    } else {
        Error::Io {
            action,
            path,
            source,
        }
    }
}

#[cfg(test)]
mod tests;
