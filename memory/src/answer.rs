//! What several answers share.

use palimpsest_store::MemoryId;

/// A memory that is like another, and how much.
#[derive(Debug, Clone, PartialEq)]
pub struct SimilarMemory {
    /// The memory.
    pub id: MemoryId,
    /// Cosine of the two texts' nearest windows, -1 to 1.
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
    /// Some memories have no vector yet and are found by keywords alone.
    NotYetEmbedded {
        /// How many.
        n_memories: u64,
    },
}
