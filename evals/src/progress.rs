//! How far a run is, on standard error: a bar on a terminal, a line from time to time elsewhere.

use std::io::{IsTerminal as _, stderr};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Where no terminal shows a bar, how often a line is written.
const LINE_INTERVAL: Duration = Duration::from_secs(20);

/// Something under way, with its rate and the time that is left.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    lines: Option<Lines>,
}

#[derive(Debug)]
struct Lines {
    what: String,
    last: std::sync::Mutex<Duration>,
}

impl Progress {
    /// Starts on `n_steps` steps of `what`.
    pub(crate) fn start(what: &str, n_steps: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(n_steps as u64), ProgressDrawTarget::stderr());
        let template = "{msg} {wide_bar} {pos}/{len} ({per_sec}, {eta} left)";
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.expect("the template above is valid"));
        bar.set_message(what.to_owned());
        let lines = (!stderr().is_terminal()).then(|| Lines {
            what: what.to_owned(),
            last: std::sync::Mutex::default(),
        });
        Self { bar, lines }
    }

    /// One that shows nothing.
    pub(crate) fn hidden() -> Self {
        Self {
            bar: ProgressBar::hidden(),
            lines: None,
        }
    }

    /// So many steps more are done.
    pub(crate) fn advance(&self, n_steps: usize) {
        self.bar.inc(n_steps as u64);
        let Some(lines) = &self.lines else {
            return;
        };
        let elapsed = self.bar.elapsed();
        let Ok(mut last) = lines.last.try_lock() else {
            return; // another thread is telling
        };
        if elapsed.saturating_sub(*last) >= LINE_INTERVAL {
            *last = elapsed;
            let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
            crate::printer::note(&line(&lines.what, done, all, elapsed));
        }
    }

    /// So many steps need not be done: they count for neither the rate nor the time left.
    pub(crate) fn skip(&self, n_steps: usize) {
        let all = self.bar.length().unwrap_or(0);
        self.bar.set_length(all.saturating_sub(n_steps as u64));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A line that tells how far it is, how fast, and how long it will take at that rate.
fn line(what: &str, done: u64, all: u64, elapsed: Duration) -> String {
    #[expect(
        clippy::cast_precision_loss,
        reason = "counts of texts are far below 2^52"
    )]
    let (done_real, left_real) = (done as f64, all.saturating_sub(done) as f64);
    let rate = done_real / elapsed.as_secs_f64().max(0.001);
    let left_s = left_real / rate.max(0.001);
    format!("{what}: {done}/{all} ({rate:.1} a second, {left_s:.0} s left)")
}

#[cfg(test)]
mod tests;
