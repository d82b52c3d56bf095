//! What is told and asked: `configs/demo/conversation.toml`, read. Knows no server.

use serde::{Deserialize, Serialize};

use super::Error;

/// The whole of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Conversation {
    /// Told first, in order.
    #[serde(rename = "memory")]
    pub(super) memories: Vec<Told>,
    /// Told later; takes the place of an earlier one.
    pub(super) later: Told,
    /// What is asked.
    pub(super) questions: Questions,
    /// What is forgotten.
    pub(super) forget: Retired,
}

/// One memory. Serialized, it is the arguments of `remember`.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Told {
    /// What the questions call it.
    #[serde(skip_serializing)]
    pub(super) key: String,
    /// What is remembered.
    pub(super) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    topic: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    valid_from: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    entities: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    relations: Vec<Related>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Related {
    from: String,
    relation: String,
    to: String,
}

/// What is asked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Questions {
    /// In other words than the memory's.
    pub(super) by_meaning: Question,
    /// By one word.
    pub(super) by_keyword: Question,
    /// What is forgotten in between.
    pub(super) forgotten: Question,
    /// What `later` supersedes.
    pub(super) superseded: Question,
    /// What is around someone.
    pub(super) neighbors: Around,
    /// How two are connected.
    pub(super) path: Way,
}

/// A question to `recall`, and the key of the memory that must come.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    pub(super) query: String,
    pub(super) expect: String,
}

/// A question to `graph`, and the names that must come.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Around {
    pub(super) about: String,
    pub(super) expect: Vec<String>,
}

/// A question to `graph`, and the names on the way, in order.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Way {
    pub(super) about: String,
    pub(super) to: String,
    pub(super) expect: Vec<String>,
}

/// What is forgotten, and why.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Retired {
    pub(super) key: String,
    pub(super) reason: String,
}

impl Conversation {
    /// Ours, which is part of the program.
    ///
    /// # Errors
    /// Where the file does not have its form.
    pub(super) fn ours() -> Result<Self, Error> {
        let text = include_str!("../../../configs/demo/conversation.toml");
        Ok(toml::from_str(text)?)
    }
}
