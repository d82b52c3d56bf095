//! What an evaluation found: ranks, question by question.

use serde::{Deserialize, Serialize};

use super::Method;
use crate::contract::{Latency, Level, Tally, reciprocal_rank};

/// The questions, and what each variant made of them.
#[derive(Debug, Clone)]
pub(crate) struct Evaluated {
    pub(crate) questions: Vec<QuestionName>,
    pub(crate) outcomes: Vec<VariantOutcome>,
}

/// A question that was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct QuestionName {
    pub(crate) id: String,
    pub(crate) group: String,
}

/// One variant at one level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct VariantOutcome {
    pub(crate) name: String,
    pub(crate) level: Level,
    pub(crate) method: Method,
    /// The rank of the first hit, from 1, for each question in order; `None` is a miss.
    pub(crate) ranks: Vec<Option<usize>>,
    pub(crate) latency: Option<Latency>,
}

impl VariantOutcome {
    /// Whether the product made it.
    pub(crate) fn is_product(&self) -> bool {
        matches!(self.method, Method::Product(_))
    }

    /// The figures over all questions.
    pub(crate) fn tally(&self) -> Tally {
        Tally::of(self.ranks.iter().copied())
    }

    /// 1/rank of each question, 0 for a miss.
    pub(crate) fn reciprocal_ranks(&self) -> Vec<f64> {
        self.ranks.iter().copied().map(reciprocal_rank).collect()
    }

    /// The figures over the questions that `is_wanted` picks.
    pub(crate) fn tally_where(
        &self,
        questions: &[QuestionName],
        is_wanted: impl Fn(&QuestionName) -> bool,
    ) -> Tally {
        let asked = questions.iter().zip(&self.ranks);
        let wanted = asked.filter(|(question, _)| is_wanted(question));
        Tally::of(wanted.map(|(_, rank)| *rank))
    }
}
