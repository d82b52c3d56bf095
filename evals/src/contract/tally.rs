//! Figures over many questions.

use super::RANK_MAX;

/// The ranks up to which a hit counts.
pub(crate) const CUTOFFS: [usize; 3] = [1, 5, 10];

/// Ranks of first hits, summed up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tally {
    pub(crate) n_questions: usize,
    /// The share of questions with a hit at each of [`CUTOFFS`], 0 to 1.
    pub(crate) hit_rates: [f64; CUTOFFS.len()],
    /// The mean of 1/rank, 0 beyond [`RANK_MAX`].
    pub(crate) mrr: f64,
}

impl Tally {
    /// Sums up ranks, from 1; `None` is a miss.
    pub(crate) fn of(ranks: impl IntoIterator<Item = Option<usize>>) -> Self {
        let (mut n_questions, mut n_hits, mut reciprocals) = (0, [0_usize; CUTOFFS.len()], 0.0);
        for rank in ranks {
            n_questions += 1;
            reciprocals += reciprocal_rank(rank);
            let Some(rank) = rank.filter(|rank| *rank <= RANK_MAX) else {
                continue;
            };
            for (n_hits, cutoff) in n_hits.iter_mut().zip(CUTOFFS) {
                *n_hits += usize::from(rank <= cutoff);
            }
        }
        let n_all = real(n_questions.max(1));
        Self {
            n_questions,
            hit_rates: n_hits.map(|n_hits| real(n_hits) / n_all),
            mrr: reciprocals / n_all,
        }
    }
}

/// 1/rank, and 0 for a miss or beyond [`RANK_MAX`].
pub(crate) fn reciprocal_rank(rank: Option<usize>) -> f64 {
    let rank = rank.filter(|rank| *rank <= RANK_MAX);
    rank.map_or(0.0, |rank| 1.0 / real(rank))
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of questions are far below 2^52"
)]
fn real(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests;
