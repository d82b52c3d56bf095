//! How long single questions took.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Mean and percentiles, all in microseconds. A percentile is the least time that so many are not above.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Latency {
    pub(crate) mean: f64,
    pub(crate) p50: f64,
    pub(crate) p95: f64,
    pub(crate) p99: f64,
}

impl Latency {
    /// Sums up; `None` of nothing.
    pub(crate) fn of(times: &[Duration]) -> Option<Self> {
        let mut sorted: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e6).collect();
        sorted.sort_by(f64::total_cmp);
        let percentile = |percent: usize| {
            let rank = (sorted.len() * percent).div_ceil(100).max(1);
            sorted.get(rank - 1).copied()
        };
        #[expect(
            clippy::cast_precision_loss,
            reason = "counts of questions are far below 2^52"
        )]
        let n_times = times.len() as f64;
        Some(Self {
            p50: percentile(50)?,
            p95: percentile(95)?,
            p99: percentile(99)?,
            mean: sorted.iter().sum::<f64>() / n_times,
        })
    }
}

#[cfg(test)]
mod tests;
