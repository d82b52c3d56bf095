//! Why an evaluation could not be run, by what the caller can do about it.

use std::io;
use std::path::PathBuf;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Error {
    /// The operating system refused.
    #[error("{action} {}", path.display())]
    Io {
        action: &'static str,
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// A file is not the JSON that it should be.
    #[error("read {} as {structure}", path.display())]
    Json {
        path: PathBuf,
        structure: &'static str,
        #[source]
        source: serde_json::Error,
    },
    /// A data set says something that its format does not.
    #[error("{place} of {} is {found:?}: expected {expected}", path.display())]
    Dataset {
        path: PathBuf,
        place: String,
        found: String,
        expected: &'static str,
    },
    /// A file of vectors is not what it should be.
    #[error("corrupt {structure} at byte {offset_bytes} of {}: expected {expected}, found {found}", path.display())]
    Vectors {
        path: PathBuf,
        structure: &'static str,
        offset_bytes: u64,
        expected: String,
        found: String,
    },
    /// Reference vectors are of other texts.
    #[error(
        "the reference vectors have none for {text:?}: they are of the LongMemEval oracle file alone"
    )]
    NoReference { text: String },
    /// The model is needed and is not there.
    #[error(
        "no model at {}: get it with `palimpsest model fetch`, or name its folder with --model",
        path.display()
    )]
    NoModel {
        path: PathBuf,
        #[source]
        source: palimpsest_embed::Error,
    },
    /// The platform names no folder of its own.
    #[error("this account has no home folder: name one with {flag}")]
    NoFolder { flag: &'static str },
    /// The model failed.
    #[error("embed a text")]
    Embed(#[from] palimpsest_embed::Error),
    /// The memory under test refused.
    #[error("the memory under test refused")]
    Memory(#[from] palimpsest_memory::Error),
    /// Some memories did not get a vector.
    #[error("{n_turns} turns were remembered and not all had a vector after {wait_s} s")]
    NotSettled { n_turns: usize, wait_s: u64 },
    /// A setting's name or value.
    #[error("the setting {name:?} cannot be {value}: {reason}")]
    Setting {
        name: String,
        value: String,
        reason: String,
    },
    /// pip did not give what was asked for.
    #[error("pip said {said}")]
    Pip { said: String },
    /// A fetched file has other bytes than the published one.
    #[error("what {} holds has other bytes: expected {expected}, found {found}", path.display())]
    WrongHash {
        path: PathBuf,
        expected: &'static str,
        found: String,
    },
    /// A data set from which nothing can be measured.
    #[error("{} holds no question that can be scored", path.display())]
    NoQuestions { path: PathBuf },
    /// Arguments that do not go together.
    #[error("{0}")]
    Arguments(&'static str),
}

impl Error {
    /// For `map_err` where a file or folder refused.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }

    /// The error and its causes, on one line.
    pub(crate) fn chain(&self) -> String {
        let mut text = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            text.push_str(": ");
            text.push_str(&error.to_string());
            cause = error.source();
        }
        text
    }
}
