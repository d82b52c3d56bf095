//! How sure a difference is: the paired bootstrap (Efron and Tibshirani 1993, chapter 13).
//!
//! Questions are drawn with replacement, as many as there are, again and again; the middle 95 % of the
//! differences are the interval. Both sides answer the same drawn questions.

use serde::{Deserialize, Serialize};

use crate::draws::Draws;

/// How often questions are drawn.
pub(crate) const N_RESAMPLES: usize = 10_000;
/// The share of resamples on each side of the interval.
const TAIL: f64 = 0.025;

/// A mean difference, and the interval that holds 95 % of its resamples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Interval {
    pub(crate) difference: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Interval {
    /// Of `ours[i] - theirs[i]`; `None` where there is nothing to compare. The same seed gives the same
    /// interval.
    pub(crate) fn paired(
        ours: &[f64],
        theirs: &[f64],
        seed: u64,
        n_resamples: usize,
    ) -> Option<Self> {
        let pairs = ours.iter().zip(theirs);
        let differences: Vec<f64> = pairs.map(|(ours, theirs)| ours - theirs).collect();
        if differences.is_empty() || n_resamples == 0 {
            return None;
        }
        let mut draws = Draws::new(seed);
        let mut means: Vec<f64> = (0..n_resamples)
            .map(|_| {
                mean((0..differences.len()).map(|_| differences[draws.below(differences.len())]))
            })
            .collect();
        means.sort_by(f64::total_cmp);
        Some(Self {
            difference: mean(differences.iter().copied()),
            low: quantile(&means, TAIL),
            high: quantile(&means, 1.0 - TAIL),
        })
    }

    /// Whether all of it is above 0.
    pub(crate) fn is_above_zero(&self) -> bool {
        self.low > 0.0
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of questions are far below 2^52"
)]
fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n_numbers = numbers.len() as f64;
    numbers.sum::<f64>() / n_numbers
}

/// The number at a share of the way through `sorted`, the nearest one.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a place between 0 and some thousand"
)]
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = (share * (sorted.len() - 1) as f64).round() as usize;
    sorted[place]
}

#[cfg(test)]
mod tests;
