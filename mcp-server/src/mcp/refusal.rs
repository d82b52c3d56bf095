//! Why a call was refused, in words that say how to call. Goes to the model as a tool's error.

use super::lazy_memory::OpenError;
use super::moment;

/// What went wrong with a call. The session goes on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// An argument holds what it cannot be.
    #[error("{argument} is {found}: give {expected}")]
    Shape {
        argument: String,
        found: String,
        expected: String,
    },
    /// A moment that cannot be read.
    #[error("{argument} is {found}: give {}", moment::FORMS)]
    Moment { argument: String, found: String },
    /// An argument that the call cannot do without.
    #[error("{argument} is missing: {expected}")]
    Missing {
        argument: &'static str,
        expected: &'static str,
    },
    /// An argument that changes what a writing call means, and that is not known.
    #[error("{argument} is not an argument of {tool}, and nothing was changed: it takes {known}")]
    Unknown {
        argument: String,
        tool: &'static str,
        known: String,
    },
    /// Two arguments that do not go together.
    #[error("{first} does not go with {second}: {expected}")]
    Together {
        first: &'static str,
        second: &'static str,
        expected: &'static str,
    },
    /// What a later version does.
    #[error("{argument} {value:?} is not there yet, and nothing was changed: {expected}")]
    NotYet {
        argument: &'static str,
        value: String,
        expected: &'static str,
    },
    /// The memory cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The memory refused.
    #[error("{}", with_causes(.0))]
    Memory(Box<palimpsest_memory::Error>),
    /// The call was cancelled before it began.
    #[error("the call was cancelled before it began")]
    Cancelled,
    /// A defect of ours.
    #[error(
        "the call broke off inside the server, which goes on: please report it with the server's log"
    )]
    Defect,
}

impl Refusal {
    /// Whether the call itself is wrong, and would be wherever it was made.
    pub(crate) fn is_of_the_call(&self) -> bool {
        match self {
            Self::Shape { .. }
            | Self::Moment { .. }
            | Self::Missing { .. }
            | Self::Unknown { .. }
            | Self::Together { .. }
            | Self::NotYet { .. } => true,
            Self::Memory(error) => {
                matches!(**error, palimpsest_memory::Error::OutOfRange { .. })
            }
            Self::Open(_) | Self::Cancelled | Self::Defect => false,
        }
    }
}

impl From<palimpsest_memory::Error> for Refusal {
    fn from(error: palimpsest_memory::Error) -> Self {
        Self::Memory(Box::new(error))
    }
}

/// `error` and everything behind it: "a: b: c".
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        // A transparent error says what its cause says.
        if !text.ends_with(&next) {
            text.push_str(": ");
            text.push_str(&next);
        }
        cause = error.source();
    }
    text
}
