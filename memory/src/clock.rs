//! Where the time comes from.

use std::fmt::Debug;

use palimpsest_store::Timestamp;

/// Tells the time. Tests have clocks of their own.
pub trait Clock: Debug + Send + Sync {
    /// Now, in UTC.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the clock that all others stand for"
    )]
    fn now(&self) -> Timestamp {
        let now = std::time::SystemTime::now();
        let micros = match now.duration_since(std::time::UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_micros()),
            Err(before) => i64::try_from(before.duration().as_micros()).map(|micros| -micros),
        };
        Timestamp(micros.unwrap_or(i64::MAX))
    }
}
