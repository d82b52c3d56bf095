//! Why a command ended badly, and with which exit code.

use std::io;
use std::path::PathBuf;

use crate::mcp::{Refusal, with_causes};
use crate::serve::ServeError;
use crate::{demo, model, settings};

/// What went wrong. `Display` says what to do.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The settings are wrong.
    #[error(transparent)]
    Settings(#[from] settings::Error),
    /// The memory refused, or the arguments cannot be read.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// There is no memory to read.
    #[error(
        "there is no memory at {} yet: `palimpsest remember TEXT` makes it, --memory names another",
        path.display()
    )]
    NoMemory {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The memory has never held this one.
    #[error("memory {id} has never been there: `palimpsest list` shows the latest")]
    UnknownMemory {
        /// What was asked for.
        id: palimpsest_memory::MemoryId,
    },
    /// The model could not be had.
    #[error(transparent)]
    Model(#[from] model::Error),
    /// The demonstration did not show what it should.
    #[error(transparent)]
    Demo(#[from] demo::Error),
    /// The server ended badly.
    #[error("{}", with_causes(.0))]
    Served(#[from] ServeError),
    /// The text of a memory could not be read.
    #[error("cannot read the text from standard input: {0}")]
    Input(#[source] io::Error),
    /// A transcript could not be read.
    #[error("cannot read the transcript {}: {source}", path.display())]
    Transcript {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A memory could not be copied for a dry run.
    #[error("cannot copy {} for the dry run: {source}", path.display())]
    Copy {
        /// What.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Nobody takes the answer.
    #[error("cannot write the answer: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// Whether it only means that the reader of the answer has read enough.
    pub(super) fn is_broken_pipe(&self) -> bool {
        let (Self::Output(error) | Self::Demo(demo::Error::Output(error))) = self else {
            return false;
        };
        error.kind() == io::ErrorKind::BrokenPipe
    }

    /// 2 where the command line or the settings are wrong, else 1.
    pub(super) fn exit_code(&self) -> u8 {
        match self {
            Self::Settings(_) => 2,
            Self::Refused(refusal) if refusal.is_of_the_call() => 2,
            _ => 1,
        }
    }
}
