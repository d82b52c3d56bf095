//! A haystack: the sessions that are searched at once, and the questions that are asked of them.
//!
//! It knows no data set's own format.

use std::collections::BTreeSet;

use palimpsest_memory::Timestamp;

/// What is searched at once, and what is asked of it.
#[derive(Debug, Clone)]
pub(crate) struct Haystack {
    /// In the order of the data set.
    pub(crate) sessions: Vec<Session>,
    /// In the order of the data set.
    pub(crate) questions: Vec<Question>,
}

/// Turns that were said on one occasion.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    /// As the data set names it.
    pub(crate) name: String,
    /// When it began.
    pub(crate) began: Timestamp,
    /// In the order in which they were said.
    pub(crate) turns: Vec<Turn>,
}

/// What one speaker said at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Turn {
    /// A person's name, or a role.
    pub(crate) speaker: String,
    /// Verbatim; may be empty.
    pub(crate) text: String,
}

/// A question, and where its answer stands.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    /// Unique in the data set.
    pub(crate) id: String,
    /// Its type or category, by which figures are broken down.
    pub(crate) group: String,
    pub(crate) text: String,
    /// When it was asked, where the data set says so.
    pub(crate) asked_at: Option<Timestamp>,
    /// The turns that hold the answer, by position in the haystack; empty where there is none.
    pub(crate) turns_wanted: BTreeSet<usize>,
    /// The sessions that hold the answer, by position in the haystack.
    pub(crate) sessions_wanted: BTreeSet<usize>,
}

impl Haystack {
    /// Every turn, with the position of its session.
    pub(crate) fn turns(&self) -> impl Iterator<Item = (usize, &Turn)> {
        let sessions = self.sessions.iter().enumerate();
        sessions.flat_map(|(session_idx, session)| {
            session.turns.iter().map(move |turn| (session_idx, turn))
        })
    }

    /// How many turns there are.
    pub(crate) fn n_turns(&self) -> usize {
        self.sessions
            .iter()
            .map(|session| session.turns.len())
            .sum()
    }

    /// The position of each turn's session.
    pub(crate) fn session_of_turn(&self) -> Vec<usize> {
        self.turns().map(|(session_idx, _)| session_idx).collect()
    }
}

impl Turn {
    /// Who said what.
    pub(crate) fn said(&self) -> String {
        format!("{}: {}", self.speaker, self.text)
    }
}
