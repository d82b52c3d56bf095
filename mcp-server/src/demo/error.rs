//! Why the demonstration did not show what it should.

use std::io;
use std::time::Duration;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Error {
    /// An answer is not what it should be.
    #[error("the demonstration failed at \"{step}\": expected {expected}, found {found}")]
    Unexpected {
        /// What was being shown.
        step: &'static str,
        /// What should have come.
        expected: String,
        /// What came.
        found: String,
    },
    /// `configs/demo/conversation.toml` does not have its form.
    #[error("the conversation cannot be read: {0}")]
    Conversation(#[from] toml::de::Error),
    /// The server and its client did not come to terms.
    #[error("the server did not start: {0}")]
    Start(#[source] Box<rmcp::service::ClientInitializeError>),
    /// The server did not answer.
    #[error("the server did not answer {tool}: {source}")]
    Call {
        /// The tool that was called.
        tool: &'static str,
        /// What the client says.
        #[source]
        source: Box<rmcp::ServiceError>,
    },
    /// The server refused.
    #[error("the server refused {tool}: {said}")]
    Refused {
        /// The tool that was called.
        tool: &'static str,
        /// What the server says.
        said: String,
    },
    /// Vectors did not come.
    #[error("{n_waiting} memories still had no vector after {} s", limit.as_secs())]
    NoVectors {
        /// How many.
        n_waiting: u64,
        /// How long was waited.
        limit: Duration,
    },
    /// The server did not end.
    #[error("the server did not end: {0}")]
    End(#[source] tokio::task::JoinError),
    /// Somebody wants it to stop.
    #[error("interrupted")]
    Interrupted,
    /// Nobody takes what is shown.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
    /// The operating system refused.
    #[error("cannot {action}: {source}")]
    Io {
        /// What was attempted.
        action: &'static str,
        /// Why.
        #[source]
        source: io::Error,
    },
}

impl Error {
    /// An [`Error::Io`] for `action`.
    pub(super) fn io(action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action, source }
    }
}
