//! What is wrong with a memory file. Knows no path.

/// Why a memory file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileProblem {
    /// It is no HDF5 file, or a damaged one.
    #[error(transparent)]
    Hdf5(#[from] palimpsest_hdf5::Error),
    /// A value is none that a memory has.
    #[error("row {row} of {dataset} is {found}: expected {expected}")]
    Row {
        /// The dataset.
        dataset: String,
        /// The row, from 0.
        row: u64,
        /// What would be right.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// The columns of one table have different lengths.
    #[error("{dataset} has {found} rows: expected {expected}, as the other columns of its group")]
    Lengths {
        /// The dataset.
        dataset: String,
        /// The rows of the others.
        expected: u64,
        /// Its own.
        found: u64,
    },
    /// A newer version made it.
    #[error("format {found}, this one knows {known}")]
    Newer {
        /// The version that it names.
        found: u32,
        /// The newest that is known here.
        known: u32,
    },
    /// An attribute is none that a memory has.
    #[error("attribute {name} is {found}: expected {expected}")]
    Attribute {
        /// Its name.
        name: &'static str,
        /// What would be right.
        expected: &'static str,
        /// What is there.
        found: String,
    },
}

impl FileProblem {
    pub(super) fn row(
        dataset: &str,
        row: u64,
        expected: &'static str,
        found: impl std::fmt::Display,
    ) -> Self {
        Self::Row {
            dataset: dataset.to_owned(),
            row,
            expected,
            found: found.to_string(),
        }
    }
}

pub(super) type Result<T> = std::result::Result<T, FileProblem>;
