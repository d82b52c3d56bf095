//! The words of a text as the measurement contract cuts them. Not the product's: those are the store's.

use rust_stemmers::{Algorithm, Stemmer};
use serde::{Deserialize, Serialize};

/// How a text becomes words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Words {
    /// The contract: lower-cased, split on what is not alphanumeric; no stop words, no stems.
    Plain,
    /// The same, each word cut to its stem by the English Snowball algorithm (Porter 2001).
    Stemmed,
}

/// The words of one text, in order, repeated as often as it has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ContractWords(Vec<String>);

impl Words {
    /// The words of `text`.
    pub(crate) fn of(self, text: &str) -> ContractWords {
        let lower = text.to_lowercase();
        let plain = lower
            .split(|character: char| !character.is_alphanumeric())
            .filter(|word| !word.is_empty());
        ContractWords(match self {
            Self::Plain => plain.map(str::to_owned).collect(),
            Self::Stemmed => {
                let stemmer = Stemmer::create(Algorithm::English);
                plain.map(|word| stemmer.stem(word).into_owned()).collect()
            }
        })
    }
}

impl ContractWords {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests;
