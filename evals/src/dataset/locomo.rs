//! LoCoMo (Maharana et al., ACL 2024): ten long conversations of two people each, and questions about
//! them whose evidence is named turn by turn.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use palimpsest_memory::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::moment::{LOCOMO, parse_moment};
use super::{DataFile, Haystack, Question, Session, Turn};
use crate::error::Error;

/// Categories whose questions can be answered from the conversation, and what they are called.
const CATEGORIES: [(u64, &str); 4] = [
    (1, "multi-hop"),
    (2, "temporal"),
    (3, "open-domain"),
    (4, "single-hop"),
];

#[derive(Debug, Deserialize)]
struct RawConversation {
    sample_id: String,
    qa: Vec<RawQuestion>,
    conversation: BTreeMap<String, Value>,
}

#[derive(Debug, Deserialize)]
struct RawQuestion {
    question: String,
    category: u64,
    #[serde(default)]
    evidence: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct RawTurn {
    speaker: String,
    dia_id: String,
    text: String,
}

/// The conversations as haystacks, and the SHA-256 of the file. A question's id is
/// `sample_id/position`, the position counted over all questions of the conversation.
///
/// # Errors
/// Where the file cannot be read or is no LoCoMo; [`Error::NoQuestions`] where it has none to score.
pub(crate) fn read_locomo(file: &DataFile) -> Result<(Vec<Haystack>, String), Error> {
    let path = file.path();
    let (conversations, sha256) = file.read(|reader| {
        let read: Result<Vec<RawConversation>, _> = serde_json::from_reader(reader);
        read.map_err(|source| json(path, source))
    })?;
    let haystacks: Result<Vec<Haystack>, Error> = conversations
        .into_iter()
        .map(|conversation| conversation.into_haystack(path))
        .collect();
    let haystacks = haystacks?;
    if haystacks.iter().all(|it| it.questions.is_empty()) {
        return Err(Error::NoQuestions {
            path: path.to_owned(),
        });
    }
    Ok((haystacks, sha256))
}

fn json(path: &Path, source: serde_json::Error) -> Error {
    Error::Json {
        path: path.to_owned(),
        structure: "LoCoMo: an array of conversations",
        source,
    }
}

impl RawConversation {
    fn into_haystack(mut self, path: &Path) -> Result<Haystack, Error> {
        let mut sessions = Vec::new();
        let mut places: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for number in 1_u32.. {
            let name = format!("session_{number}");
            let Some(raw) = self.conversation.remove(&name) else {
                break;
            };
            let raw: Vec<RawTurn> = serde_json::from_value(raw).map_err(|it| json(path, it))?;
            let began = self.began(path, &name)?;
            let mut turns = Vec::with_capacity(raw.len());
            for turn in raw {
                places.insert(turn.dia_id, (sessions.len(), places.len()));
                turns.push(Turn {
                    speaker: turn.speaker,
                    text: turn.text,
                });
            }
            sessions.push(Session { name, began, turns });
        }
        let questions = self.qa.iter().enumerate();
        let questions = questions
            .filter_map(|(question_idx, raw)| {
                raw.scored(format!("{}/{question_idx}", self.sample_id), &places)
            })
            .collect();
        Ok(Haystack {
            sessions,
            questions,
        })
    }

    fn began(&self, path: &Path, session: &str) -> Result<Timestamp, Error> {
        let place = format!("{session}_date_time");
        let found = self.conversation.get(&place).and_then(Value::as_str);
        let found = found.unwrap_or_default();
        parse_moment(LOCOMO, found).ok_or_else(|| Error::Dataset {
            path: path.to_owned(),
            place: format!("{place} of {}", self.sample_id),
            found: found.to_owned(),
            expected: "a time such as 1:56 pm on 8 May, 2023",
        })
    }
}

impl RawQuestion {
    /// The question, where its category is scored and a turn of its evidence was really said.
    fn scored(&self, id: String, places: &BTreeMap<String, (usize, usize)>) -> Option<Question> {
        let (_, group) = CATEGORIES
            .iter()
            .find(|(number, _)| *number == self.category)?;
        let evidence: Vec<(usize, usize)> = self
            .evidence
            .iter()
            .flat_map(|entry| turn_names(entry))
            .filter_map(|name| places.get(name).copied())
            .collect();
        if evidence.is_empty() {
            return None;
        }
        Some(Question {
            id,
            group: format!("{} {group}", self.category),
            text: self.question.clone(),
            asked_at: None,
            turns_wanted: evidence.iter().map(|(_, turn_idx)| *turn_idx).collect(),
            sessions_wanted: evidence
                .iter()
                .map(|(session, _)| *session)
                .collect::<BTreeSet<_>>(),
        })
    }
}

/// Names of turns by the pattern `D\d+:\d+`; some entries hold several, or other words.
fn turn_names(entry: &str) -> impl Iterator<Item = &str> {
    let words = entry.split(|it: char| !it.is_ascii_alphanumeric() && it != ':');
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    words.filter(move |word| {
        let parts = word.strip_prefix('D').and_then(|rest| rest.split_once(':'));
        parts.is_some_and(|(session, turn)| is_number(session) && is_number(turn))
    })
}

#[cfg(test)]
mod tests;
