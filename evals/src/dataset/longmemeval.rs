//! LongMemEval (Wu et al., ICLR 2025): a question with a haystack of its own, five hundred times.
//!
//! The file is a JSON array, read one question at a time: memory stays that of one haystack, whatever
//! the file's length.

use std::collections::BTreeSet;
use std::fmt;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer as _, SeqAccess, Visitor};

use super::moment::{LONGMEMEVAL, parse_moment};
use super::{DataFile, Haystack, Question, Session, Turn};
use crate::error::Error;

const STRUCTURE: &str = "LongMemEval: an array of questions";

/// A file of the data set.
#[derive(Debug, Clone)]
pub(crate) struct LongMemEval {
    file: DataFile,
}

/// What a file holds, measured and not believed.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Survey {
    pub(crate) n_questions: usize,
    pub(crate) n_sessions: usize,
    pub(crate) n_turns: usize,
    /// Sessions that hold an answer.
    pub(crate) n_sessions_wanted: usize,
    /// Questions with no turn that holds the answer: misses, whatever is returned.
    pub(crate) n_without_turn: usize,
    /// Of the unpacked file, in hexadecimal.
    pub(crate) sha256: String,
}

/// One element of the array, as the file has it.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct RawQuestion {
    pub(super) question_id: String,
    question_type: String,
    question: String,
    question_date: String,
    haystack_dates: Vec<String>,
    haystack_session_ids: Vec<String>,
    haystack_sessions: Vec<Vec<RawTurn>>,
    answer_session_ids: BTreeSet<String>,
}

#[derive(Debug, Clone, Deserialize)]
struct RawTurn {
    role: String,
    content: String,
    #[serde(default)]
    has_answer: bool,
}

impl LongMemEval {
    pub(crate) fn new(file: DataFile) -> Self {
        Self { file }
    }

    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Reads the file through once, and counts.
    pub(crate) fn survey(&self) -> Result<Survey, Error> {
        let mut survey = Survey::default();
        survey.sha256 = self.for_each(|haystack| {
            survey.n_sessions += haystack.sessions.len();
            survey.n_turns += haystack.n_turns();
            for question in &haystack.questions {
                survey.n_questions += 1;
                survey.n_sessions_wanted += question.sessions_wanted.len();
                survey.n_without_turn += usize::from(question.turns_wanted.is_empty());
            }
            Ok(ControlFlow::Continue(()))
        })?;
        if survey.n_questions == 0 {
            return Err(Error::NoQuestions {
                path: self.path().to_owned(),
            });
        }
        Ok(survey)
    }

    /// Hands each question and its haystack to `visit`, in file order, one at a time; answers the
    /// SHA-256 of the file. `visit` may end it early.
    pub(crate) fn for_each(
        &self,
        mut visit: impl FnMut(Haystack) -> Result<ControlFlow<()>, Error>,
    ) -> Result<String, Error> {
        let path = self.path().to_owned();
        let mut failure = None;
        let ((), sha256) = self.file.read(|reader| {
            let mut each = |raw: RawQuestion| {
                let visited = raw.into_haystack(&path).and_then(&mut visit);
                visited.unwrap_or_else(|error| {
                    failure = Some(error);
                    ControlFlow::Break(())
                })
            };
            for_each_element(reader, &mut each).map_err(|source| Error::Json {
                path: path.clone(),
                structure: STRUCTURE,
                source,
            })
        })?;
        failure.map_or(Ok(sha256), Err)
    }
}

impl Survey {
    /// The share of haystack sessions that hold an answer, 0 to 1.
    #[expect(
        clippy::cast_precision_loss,
        reason = "counts of sessions are far below 2^52"
    )]
    pub(crate) fn density(&self) -> f64 {
        self.n_sessions_wanted as f64 / (self.n_sessions.max(1)) as f64
    }

    /// Whether every session of a haystack is evidence, so that a hit at session level means nothing.
    pub(crate) fn is_degenerate_by_session(&self) -> bool {
        self.n_sessions_wanted >= self.n_sessions
    }

    /// What the density says the file is: 100 % is the oracle variant, 4.0 % `longmemeval_s`.
    pub(crate) fn label(&self) -> String {
        let percent = self.density() * 100.0;
        let variant = if self.is_degenerate_by_session() {
            "the oracle variant: every session is evidence"
        } else if (3.5..4.5).contains(&percent) {
            "as longmemeval_s"
        } else {
            "of no published variant"
        };
        format!("evidence density {percent:.1} % ({variant})")
    }
}

/// Calls `visit` for each element of the array that `reader` holds, and keeps none.
pub(super) fn for_each_element<T: for<'de> Deserialize<'de>>(
    reader: &mut dyn Read,
    visit: &mut dyn FnMut(T) -> ControlFlow<()>,
) -> Result<(), serde_json::Error> {
    struct Each<'a, T>(&'a mut dyn FnMut(T) -> ControlFlow<()>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Each<'_, T> {
        type Value = ControlFlow<()>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("an array")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self::Value, A::Error> {
            while let Some(element) = elements.next_element()? {
                if (self.0)(element).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        }
    }

    impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Each<'_, T> {
        type Value = ControlFlow<()>;

        fn deserialize<D: serde::Deserializer<'de>>(
            self,
            deserializer: D,
        ) -> Result<Self::Value, D::Error> {
            deserializer.deserialize_seq(self)
        }
    }

    let mut ended = ControlFlow::Continue(());
    let mut each = |element: T| {
        ended = visit(element);
        ended
    };
    let mut deserializer = serde_json::Deserializer::from_reader(reader);
    let read = deserializer.deserialize_seq(Each(&mut each));
    match (read, ended) {
        // An array that was left early is not read to its end, which the parser takes for an error.
        (_, ControlFlow::Break(())) => Ok(()),
        (Ok(_), _) => deserializer.end(),
        (Err(error), _) => Err(error),
    }
}

impl RawQuestion {
    /// Its own haystack, with the question.
    fn into_haystack(self, path: &Path) -> Result<Haystack, Error> {
        let asked_at = self.moment(path, "question_date", &self.question_date)?;
        let mut turns_wanted = BTreeSet::new();
        let mut sessions_wanted = BTreeSet::new();
        let mut n_turns = 0;
        let names = self.session_names(path)?;
        let mut sessions = Vec::with_capacity(names.len());
        for (session_idx, (name, date)) in names.into_iter().enumerate() {
            let began = self.moment(path, "haystack_dates", &date)?;
            if self.answer_session_ids.contains(&name) {
                sessions_wanted.insert(session_idx);
            }
            let raw = self
                .haystack_sessions
                .get(session_idx)
                .into_iter()
                .flatten();
            let mut turns = Vec::new();
            for turn in raw {
                if turn.has_answer {
                    turns_wanted.insert(n_turns);
                }
                n_turns += 1;
                turns.push(Turn {
                    speaker: turn.role.clone(),
                    text: turn.content.clone(),
                });
            }
            sessions.push(Session { name, began, turns });
        }
        let question = Question {
            id: self.question_id,
            group: self.question_type,
            text: self.question,
            asked_at: Some(asked_at),
            turns_wanted,
            sessions_wanted,
        };
        Ok(Haystack {
            sessions,
            questions: vec![question],
        })
    }

    /// Names and dates of the sessions; as many as there are sessions.
    fn session_names(&self, path: &Path) -> Result<Vec<(String, String)>, Error> {
        let n_sessions = self.haystack_sessions.len();
        let (n_names, n_dates) = (self.haystack_session_ids.len(), self.haystack_dates.len());
        if n_names != n_sessions || n_dates != n_sessions {
            return Err(Error::Dataset {
                path: path.to_owned(),
                place: format!("question {}", self.question_id),
                found: format!("{n_sessions} sessions, {n_names} names, {n_dates} dates"),
                expected: "as many names and dates as sessions",
            });
        }
        let names = self.haystack_session_ids.iter().cloned();
        Ok(names.zip(self.haystack_dates.iter().cloned()).collect())
    }

    fn moment(
        &self,
        path: &Path,
        place: &str,
        text: &str,
    ) -> Result<palimpsest_memory::Timestamp, Error> {
        parse_moment(LONGMEMEVAL, text).ok_or_else(|| Error::Dataset {
            path: path.to_owned(),
            place: format!("{place} of question {}", self.question_id),
            found: text.to_owned(),
            expected: "a time such as 2023/05/20 (Sat) 02:21",
        })
    }
}

#[cfg(test)]
mod tests;
