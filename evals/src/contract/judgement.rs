//! What counts as a hit, and at which rank.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Place;
use crate::dataset::Question;

/// Ranks beyond this count as misses.
pub(crate) const RANK_MAX: usize = 10;

/// What a hit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Level {
    /// A returned turn holds the answer.
    Turn,
    /// A returned turn is of a session that holds the answer; the rank is the turn's.
    Session,
    /// The same, each session counted once, where its best turn stands: the rank is the session's.
    DistinctSession,
}

impl Level {
    /// As people read it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Session => "session (rank of the turn)",
            Self::DistinctSession => "session (each once)",
        }
    }
}

/// The rank of the first hit, from 1, if it is at most [`RANK_MAX`].
pub(crate) fn rank_of_first_hit(
    level: Level,
    places: &[Place],
    session_of_turn: &[usize],
    question: &Question,
) -> Option<usize> {
    let session = |turn: &usize| session_of_turn.get(*turn).copied();
    let is_wanted = |place: &Place| match level {
        Level::Turn => place
            .iter()
            .any(|turn| question.turns_wanted.contains(turn)),
        Level::Session | Level::DistinctSession => place
            .iter()
            .filter_map(session)
            .any(|session| question.sessions_wanted.contains(&session)),
    };
    let mut seen = BTreeSet::new();
    let mut rank = 0;
    for place in places {
        let is_new = match level {
            Level::Turn | Level::Session => true,
            Level::DistinctSession => {
                let n_seen = seen.len();
                seen.extend(place.iter().filter_map(session));
                seen.len() > n_seen
            }
        };
        rank += usize::from(is_new);
        if rank > RANK_MAX {
            return None;
        }
        if is_wanted(place) {
            return Some(rank);
        }
    }
    None
}

#[cfg(test)]
mod tests;
