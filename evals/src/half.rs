//! Which half of the questions one belongs to. Tuning looks at one half alone.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// One of the two halves, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Half {
    /// The half that settings may be chosen by.
    Tuned,
    /// The half that nothing was chosen by.
    HeldOut,
    /// Both.
    #[default]
    All,
}

impl Half {
    /// The half of a question: tuned on where the CRC-32C of its id is even, held out where it is odd.
    pub(crate) fn of(question_id: &str) -> Self {
        if crc32c::crc32c(question_id.as_bytes()).is_multiple_of(2) {
            Self::Tuned
        } else {
            Self::HeldOut
        }
    }

    /// Whether it takes in a question.
    pub(crate) fn holds(self, question_id: &str) -> bool {
        self == Self::All || self == Self::of(question_id)
    }

    /// As people read it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Tuned => "tuned",
            Self::HeldOut => "held-out",
            Self::All => "all",
        }
    }
}

#[cfg(test)]
mod tests;
