//! A stretch of time that was spoken of, and how near to it a moment is.

use palimpsest_store::Timestamp;

/// A stretch of time. People are not exact, and speak of a thing some time after it happened: beyond its
/// ends it fades.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Period {
    /// The first moment.
    pub(crate) since: Timestamp,
    /// The first moment that is no more within; after `since`.
    pub(crate) until: Timestamp,
    /// At twice this distance, in microseconds, nothing is left. Above 0.
    pub(crate) slack_us: i64,
}

impl Period {
    /// 1 within, falling to 0 at twice the slack before and after.
    #[expect(clippy::cast_precision_loss, reason = "a few microseconds of years")]
    pub(crate) fn nearness(&self, time: Timestamp) -> f64 {
        let before = self.since.0.saturating_sub(time.0);
        let after = time.0.saturating_sub(self.until.0);
        let distance_us = before.max(after).max(0);
        let share = distance_us as f64 / (2.0 * self.slack_us as f64);
        (1.0 - share).max(0.0)
    }

    /// From where to where anything is left of it.
    pub(crate) fn reach(&self) -> (Timestamp, Timestamp) {
        let slack_us = self.slack_us.saturating_mul(2);
        let since = self.since.0.saturating_sub(slack_us);
        (
            Timestamp(since),
            Timestamp(self.until.0.saturating_add(slack_us)),
        )
    }
}
