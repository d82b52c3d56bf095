//! How much of a text a vector is of.

use std::fmt;

use clap::ValueEnum;
use palimpsest_embed::Windowing;
use serde::{Deserialize, Serialize};

/// How much of a text a vector is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Tokens {
    /// The first 128 tokens, as the seed's figures are.
    #[value(name = "128")]
    #[serde(rename = "128")]
    First128,
    /// The first 256 tokens, the length that the model was published with.
    #[value(name = "256")]
    #[serde(rename = "256")]
    First256,
    /// All of it, in overlapping windows, as the product embeds; the best window counts.
    Windows,
}

impl Tokens {
    /// How a question is embedded that is compared with such vectors: plain retrieval takes the first
    /// 256 tokens, the product all windows.
    pub(crate) fn of_question(self) -> Self {
        self.max(Self::First256)
    }

    /// The same in the model's own terms.
    pub(crate) fn windowing(self) -> Windowing {
        match self {
            Self::First128 => Windowing::Cut { tokens_max: 128 },
            Self::First256 => Windowing::Cut { tokens_max: 256 },
            Self::Windows => Windowing::Overlapping,
        }
    }
}

impl fmt::Display for Tokens {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::First128 => "128 tokens",
            Self::First256 => "256 tokens",
            Self::Windows => "windows",
        })
    }
}
