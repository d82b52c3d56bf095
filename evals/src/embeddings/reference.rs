//! Reference vectors of the LongMemEval oracle file, made by another implementation of the model:
//! `longmemeval_oracle_minilm_{128,256,questions}.npy`.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::Tokens;
use super::npy::Array;
use crate::dataset::LongMemEval;
use crate::error::Error;

/// The vectors, and which text each of them is of.
#[derive(Debug)]
pub(crate) struct ReferenceVectors {
    first_128: Array,
    first_256: Array,
    questions: Array,
    /// By SHA-256: the rows are the distinct turns in order of first appearance.
    row_of_turn: BTreeMap<[u8; 32], usize>,
    row_of_question: BTreeMap<[u8; 32], usize>,
}

impl ReferenceVectors {
    /// Reads the three files in `folder`, and `dataset` through once for the order of its texts.
    pub(crate) fn read(folder: &Path, dataset: &LongMemEval) -> Result<Self, Error> {
        let array =
            |part: &str| Array::read(&folder.join(format!("longmemeval_oracle_minilm_{part}.npy")));
        let reference = Self {
            first_128: array("128")?,
            first_256: array("256")?,
            questions: array("questions")?,
            row_of_turn: BTreeMap::new(),
            row_of_question: BTreeMap::new(),
        };
        reference.placed(dataset)
    }

    fn placed(mut self, dataset: &LongMemEval) -> Result<Self, Error> {
        let mut n_questions = 0;
        dataset.for_each(|haystack| {
            for (_, turn) in haystack.turns() {
                let row_idx = self.row_of_turn.len();
                self.row_of_turn
                    .entry(digest(&turn.text))
                    .or_insert(row_idx);
            }
            for question in &haystack.questions {
                self.row_of_question
                    .insert(digest(&question.text), n_questions);
                n_questions += 1;
            }
            Ok(ControlFlow::Continue(()))
        })?;
        let expected = [&self.first_128, &self.first_256].map(Array::n_rows);
        if expected != [self.row_of_turn.len(); 2] || self.questions.n_rows() != n_questions {
            return Err(Error::Vectors {
                path: dataset.path().to_owned(),
                structure: "data set for the reference vectors",
                offset_bytes: 0,
                expected: format!(
                    "{expected:?} distinct turns, {} questions",
                    self.questions.n_rows()
                ),
                found: format!("{} and {n_questions}", self.row_of_turn.len()),
            });
        }
        Ok(self)
    }

    /// The vector of a turn. There are none of windows.
    pub(super) fn of_turn(&self, tokens: Tokens, text: &str) -> Result<&[f32], Error> {
        let array = match tokens {
            Tokens::First128 => &self.first_128,
            Tokens::First256 => &self.first_256,
            Tokens::Windows => {
                return Err(Error::Arguments("the reference vectors have no windows"));
            }
        };
        row(array, &self.row_of_turn, text)
    }

    /// The vector of a question.
    pub(super) fn of_question(&self, text: &str) -> Result<&[f32], Error> {
        row(&self.questions, &self.row_of_question, text)
    }
}

fn row<'a>(
    array: &'a Array,
    rows: &BTreeMap<[u8; 32], usize>,
    text: &str,
) -> Result<&'a [f32], Error> {
    let row_idx = rows.get(&digest(text));
    let row = row_idx.and_then(|row_idx| array.row(*row_idx));
    row.ok_or_else(|| Error::NoReference {
        text: text.chars().take(60).collect(),
    })
}

fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}
