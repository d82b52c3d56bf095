//! The time as a haystack has it: turns are remembered when they were said, and questions asked when
//! they were asked.

use std::sync::atomic::{AtomicI64, Ordering};

use palimpsest_memory::{Clock, Timestamp};

/// A clock that is set by hand.
#[derive(Debug)]
pub(super) struct HaystackClock(AtomicI64);

impl HaystackClock {
    pub(super) fn at(moment: Timestamp) -> Self {
        Self(AtomicI64::new(moment.0))
    }

    pub(super) fn set(&self, moment: Timestamp) {
        self.0.store(moment.0, Ordering::SeqCst);
    }
}

impl Clock for HaystackClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }
}
