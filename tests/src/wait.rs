//! Waiting for another process, by asking again; every wait ends.

use std::time::{Duration, Instant};

/// Between two questions.
const PAUSE: Duration = Duration::from_millis(10);

/// Asks until there is an answer.
pub fn until<T>(what: &str, limit: Duration, mut ask: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(Instant::now() < deadline, "waited {limit:?} until {what}");
        std::thread::sleep(PAUSE);
    }
}
