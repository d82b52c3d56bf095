//! What can go wrong with an HDF5 file. It knows nothing of what the file was for.

use std::io;

use crate::datatype::Datatype;

/// The answer of everything here that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// What can go wrong, by what the caller can do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes break the format. The object that holds them cannot be read; others may be.
    #[error("corrupt {structure} at byte {offset_bytes}: expected {expected}, found {found:#x}")]
    Corrupt {
        /// The structure, by its name in the file format specification.
        structure: &'static str,
        /// Where in the file.
        offset_bytes: u64,
        /// What the format wants there.
        expected: &'static str,
        /// What is there.
        found: u64,
    },
    /// The bytes are not those that were written.
    #[error(
        "corrupt {structure} at byte {offset_bytes}: expected checksum {expected:#010x}, found {found:#010x}"
    )]
    Checksum {
        /// The structure whose checksum it is.
        structure: &'static str,
        /// Where the structure begins.
        offset_bytes: u64,
        /// The checksum in the file.
        expected: u32,
        /// The checksum of the bytes.
        found: u32,
    },
    /// A structure reaches beyond the end of what holds it.
    #[error(
        "truncated {structure} at byte {offset_bytes}: expected {needed_bytes} more bytes, found {found_bytes}"
    )]
    Truncated {
        /// The structure that is cut short.
        structure: &'static str,
        /// Where the reading began.
        offset_bytes: u64,
        /// How many bytes were needed.
        needed_bytes: u64,
        /// How many there are.
        found_bytes: u64,
    },
    /// A number in the file asks for more than is allowed.
    #[error("{structure} at byte {offset_bytes} asks for {asked}, more than the limit of {limit}")]
    Limit {
        /// The structure that asks.
        structure: &'static str,
        /// Where in the file.
        offset_bytes: u64,
        /// What it asks for.
        asked: u64,
        /// What is allowed.
        limit: u64,
    },
    /// The file uses something that is not read (or written) here.
    #[error("not supported: {feature}{}", number.map(|n| format!(" {n}")).unwrap_or_default())]
    NotSupported {
        /// What it uses.
        feature: &'static str,
        /// Its number in the format, where it has one.
        number: Option<u64>,
    },
    /// A chunk cannot be decoded.
    #[error("filter {filter} cannot decode the chunk at byte {offset_bytes}: {reason}")]
    Filter {
        /// The filter's registered number.
        filter: u16,
        /// Where the chunk is.
        offset_bytes: u64,
        /// What the filter found.
        reason: &'static str,
    },
    /// Nothing has this name.
    #[error("there is no {path:?}")]
    NotFound {
        /// The name that was asked for.
        path: String,
    },
    /// The name is that of something else.
    #[error("{path:?} is not a {expected}")]
    WrongKind {
        /// The name that was asked for.
        path: String,
        /// What it should have been.
        expected: &'static str,
    },
    /// The values are of another type.
    #[error("the values are {found}, which cannot be read or written as {expected}")]
    WrongType {
        /// The type that was asked for.
        expected: &'static str,
        /// The type in the file.
        found: Box<Datatype>,
    },
    /// The caller asked for what cannot be done.
    #[error("{what} must be {rule}, and is {found}")]
    Request {
        /// The argument.
        what: &'static str,
        /// What holds for it.
        rule: &'static str,
        /// What was given.
        found: u64,
    },
    /// The operating system refused.
    #[error("{action} at byte {offset_bytes}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// Where in the file.
        offset_bytes: u64,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// The hook of a publication refused; nothing was published.
    #[error("the publication was refused before the superblock was written")]
    Refused(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// An earlier write or sync failed, so nothing is known of what followed. Open the file again.
    #[error("the transaction is unusable after an earlier failed write or sync")]
    Poisoned,
}

impl Error {
    pub(crate) fn not_supported(feature: &'static str) -> Self {
        Self::NotSupported {
            feature,
            number: None,
        }
    }

    pub(crate) fn not_supported_number(feature: &'static str, number: impl Into<u64>) -> Self {
        Self::NotSupported {
            feature,
            number: Some(number.into()),
        }
    }

    /// Whether the file is sound as far as it was looked at, but uses what is not read here.
    pub fn is_not_supported(&self) -> bool {
        matches!(self, Self::NotSupported { .. })
    }
}
