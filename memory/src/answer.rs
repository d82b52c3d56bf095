//! What several answers share.

use std::fmt;

use palimpsest_store::MemoryId;

/// A memory that is like another, and how much.
#[derive(Debug, Clone, PartialEq)]
pub struct SimilarMemory {
    /// The memory.
    pub id: MemoryId,
    /// Cosine of the two texts' nearest windows, -1 to 1; of their sets of words, 0 to 1, while the new
    /// text has no vector.
    pub score: f64,
    /// Its text.
    pub text: String,
}

/// Something that the caller should know, and can act on. `Display` says it in a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// No model is there: answers come from keywords alone until one is fetched.
    ModelMissing,
    /// The model is still loading: this answer comes from keywords alone.
    ModelLoading,
    /// The model's folder is there but cannot be used.
    ModelUnusable {
        /// Why.
        reason: String,
    },
    /// What was new was decided by words, for want of vectors.
    NoveltyByWords,
    /// Some memories have no vector yet and are found by keywords alone.
    NotYetEmbedded {
        /// How many of those that were searched.
        n_memories: u64,
    },
    /// The query was too long, and only its beginning was searched for.
    QueryCut {
        /// How long that was.
        n_characters: usize,
    },
    /// Some of what would have come first does not hold at the moment that was asked about.
    NotValid {
        /// How many of those looked at.
        n_memories: usize,
    },
    /// Some of the best memories did not fit into the token budget.
    OverBudget {
        /// Of how many an excerpt is shown.
        n_excerpts: usize,
        /// How many were left out.
        n_left_out: usize,
        /// What all would have taken.
        n_tokens: usize,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ModelMissing => write!(
                f,
                "no model is there, so memories are found by keywords alone; `palimpsest model fetch` gets it"
            ),
            Self::ModelLoading => write!(
                f,
                "the model is still loading, so memories are found by keywords alone for now"
            ),
            Self::ModelUnusable { reason } => write!(
                f,
                "the model cannot be used, so memories are found by keywords alone: {reason}"
            ),
            Self::NoveltyByWords => write!(
                f,
                "whether it says something new was decided by words alone, for want of vectors"
            ),
            Self::NotYetEmbedded { n_memories } => write!(
                f,
                "{n_memories} of the memories have no vector yet and are found by keywords alone"
            ),
            Self::QueryCut { n_characters } => {
                write!(
                    f,
                    "only the first {n_characters} characters of the query were used"
                )
            }
            Self::NotValid { n_memories } => write!(
                f,
                "{n_memories} more that fit are not true any more, or not yet: include expired shows them"
            ),
            Self::OverBudget {
                n_excerpts,
                n_left_out,
                n_tokens,
            } => write!(
                f,
                "the texts take about {n_tokens} tokens, more than max_tokens: {n_excerpts} shown in part, {n_left_out} left out; raise max_tokens, or ask for fewer"
            ),
        }
    }
}
