//! The pool: every distinct session of a LongMemEval file as one store, in which each question must
//! find its own sessions. As hard as a real memory.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use super::{Haystack, LongMemEval, Question, Session, Turn};
use crate::error::Error;

/// How LongMemEval marks a question that the sessions do not answer.
const ABSTENTION: &str = "_abs";

/// One haystack of all distinct sessions of the file (those of equal content are one, with the earliest
/// of their dates), and the answerable questions; and the SHA-256 of the file.
pub(crate) fn read_pool(dataset: &LongMemEval) -> Result<(Haystack, String), Error> {
    let mut sessions: Vec<Session> = Vec::new();
    let mut by_content: BTreeMap<Vec<(String, String)>, usize> = BTreeMap::new();
    let mut questions = Vec::new();
    let sha256 = dataset.for_each(|own| {
        let pooled: Vec<usize> = own
            .sessions
            .into_iter()
            .map(|session| place(session, &mut sessions, &mut by_content))
            .collect();
        let answerable = own
            .questions
            .into_iter()
            .filter(|question| !question.id.ends_with(ABSTENTION));
        questions.extend(answerable.map(|question| {
            Question {
                // Which turn answers is known within a question's own haystack only.
                turns_wanted: BTreeSet::new(),
                sessions_wanted: question
                    .sessions_wanted
                    .iter()
                    .filter_map(|session_idx| pooled.get(*session_idx).copied())
                    .collect(),
                ..question
            }
        }));
        Ok(ControlFlow::Continue(()))
    })?;
    if questions.is_empty() {
        return Err(Error::NoQuestions {
            path: dataset.path().to_owned(),
        });
    }
    let pool = Haystack {
        sessions,
        questions,
    };
    Ok((pool, sha256))
}

/// The position of `session` in the pool, where it is put if it is new.
fn place(
    session: Session,
    sessions: &mut Vec<Session>,
    by_content: &mut BTreeMap<Vec<(String, String)>, usize>,
) -> usize {
    let said = |turn: &Turn| (turn.speaker.clone(), turn.text.clone());
    let content: Vec<_> = session.turns.iter().map(said).collect();
    let session_idx = *by_content.entry(content).or_insert(sessions.len());
    match sessions.get_mut(session_idx) {
        Some(kept) => kept.began = kept.began.min(session.began),
        None => sessions.push(session),
    }
    session_idx
}

#[cfg(test)]
mod tests;
