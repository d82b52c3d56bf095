//! Ways to retrieve by the contract alone: BM25, vectors, and both.

use serde::{Deserialize, Serialize};

use crate::contract::{FusionMethod, Words};
use crate::dataset::Turn;
use crate::embeddings::Tokens;

/// One way to retrieve by the contract.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Plain {
    pub(crate) document: Document,
    pub(crate) text: TextForm,
    pub(crate) words: Words,
    pub(crate) retrieval: Retrieval,
}

/// What is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Document {
    Turn,
    /// All turns of a session, one after the other; by words only.
    Session,
}

/// What of a turn is indexed, by words and by vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TextForm {
    /// What was said.
    Verbatim,
    /// The speaker's name before it.
    WithSpeaker,
}

/// By what it is found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Retrieval {
    Bm25,
    Vector { tokens: Tokens },
    Hybrid(Hybrid),
}

/// Both lists, fused.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Hybrid {
    pub(crate) tokens: Tokens,
    pub(crate) fusion: FusionMethod,
    /// 0 to 1; the keyword list has the rest.
    pub(crate) vector_weight: f64,
    pub(crate) list: VectorList,
}

/// How much of the vector list is fused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum VectorList {
    /// All turns.
    Full,
    /// The nearest 80, as the seed's index probably gave.
    Nearest80,
}

impl Plain {
    /// The contract's own way: turns verbatim, plain words.
    pub(crate) fn contract(retrieval: Retrieval) -> Self {
        Self {
            document: Document::Turn,
            text: TextForm::Verbatim,
            words: Words::Plain,
            retrieval,
        }
    }

    /// As people read it.
    pub(crate) fn name(&self) -> String {
        let mut name = match self.retrieval {
            Retrieval::Bm25 => "BM25".to_owned(),
            Retrieval::Vector { tokens } => format!("vector, {tokens}"),
            Retrieval::Hybrid(hybrid) => hybrid.name(),
        };
        let marks = [
            (self.words == Words::Stemmed, ", stems"),
            (self.text == TextForm::WithSpeaker, ", speaker"),
            (self.document == Document::Session, ", whole sessions"),
        ];
        let marks = marks.iter().filter(|(is_so, _)| *is_so);
        name.extend(marks.map(|(_, mark)| *mark));
        name
    }

    /// What its keyword index is made of.
    pub(super) fn indexed(&self) -> (Document, TextForm, Words) {
        (self.document, self.text, self.words)
    }

    /// The vectors that it needs, if any.
    pub(crate) fn embedded(&self) -> Option<Embedded> {
        match self.retrieval {
            Retrieval::Bm25 => None,
            Retrieval::Vector { tokens } | Retrieval::Hybrid(Hybrid { tokens, .. }) => {
                let text = self.text;
                Some(Embedded { tokens, text })
            }
        }
    }
}

/// Vectors of every turn of a haystack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Embedded {
    pub(crate) tokens: Tokens,
    pub(crate) text: TextForm,
}

impl TextForm {
    /// The turn in this form.
    pub(crate) fn of(self, turn: &Turn) -> String {
        match self {
            Self::Verbatim => turn.text.clone(),
            Self::WithSpeaker => turn.said(),
        }
    }
}

impl Hybrid {
    fn name(&self) -> String {
        let method = match self.fusion {
            FusionMethod::Weighted => "",
            FusionMethod::Rrf => "RRF ",
        };
        let list = match self.list {
            VectorList::Full => "",
            VectorList::Nearest80 => ", nearest 80",
        };
        let (vector, keyword) = (self.vector_weight, 1.0 - self.vector_weight);
        format!(
            "hybrid {method}{vector:.1}/{keyword:.1}, {}{list}",
            self.tokens
        )
    }
}
