//! What a tool answers: a structure, and the same as compact text.

use palimpsest_memory::MemoryId;
use serde::Serialize;
use serde_json::Value;

/// One answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    /// An object that fits the tool's output schema.
    pub(crate) structure: Value,
    /// The same, most important first.
    pub(crate) text: String,
}

impl Answer {
    /// `answer` as a structure and as text.
    pub(crate) fn of(answer: &impl Serialize) -> Self {
        const REASON: &str = "answers are structures of texts, numbers and lists";
        Self {
            structure: serde_json::to_value(answer).expect(REASON),
            text: serde_json::to_string(answer).expect(REASON),
        }
    }
}

/// Identifiers as texts: JSON's numbers do not hold every u64.
pub(super) fn id_texts(ids: &[MemoryId]) -> Vec<String> {
    ids.iter().map(MemoryId::to_string).collect()
}

/// A score to four places: more are noise, and tokens.
pub(super) fn rounded(score: f64) -> f64 {
    (score * 1e4).round() / 1e4
}
