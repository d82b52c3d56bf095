//! How far an ingestion is, on standard error: a bar on a terminal, a line now and then elsewhere.

use std::fmt::Display;
use std::io::{IsTerminal as _, stderr};

use indicatif::{ProgressBar, ProgressStyle};

use super::super::Printer;

/// Turns between two lines.
const TURNS_A_LINE: u64 = 10_000;

/// An ingestion under way; dropping it takes the bar off the screen.
#[derive(Debug)]
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    n_turns_told: u64,
}

impl Progress {
    /// Of a transcript of so many bytes, where that is known.
    pub(super) fn on_stderr(len_bytes: Option<u64>) -> Self {
        let bar = stderr().is_terminal().then(|| {
            let (bar, template) = match len_bytes {
                Some(len) => (
                    ProgressBar::new(len),
                    "  {wide_bar} {bytes}/{total_bytes} {msg} {eta}",
                ),
                None => (
                    ProgressBar::new_spinner(),
                    "  {spinner} {bytes} {msg} {elapsed}",
                ),
            };
            bar.set_style(ProgressStyle::with_template(template).expect("the templates are valid"));
            bar
        });
        Self {
            bar,
            n_turns_told: 0,
        }
    }

    /// So far.
    pub(super) fn advance(&mut self, n_bytes: u64, n_turns: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(n_bytes);
            bar.set_message(format!("{n_turns} turns"));
        } else if n_turns >= self.n_turns_told.saturating_add(TURNS_A_LINE) {
            self.n_turns_told = n_turns;
            Printer::note(&format!("{n_turns} turns so far"));
        }
    }

    /// A line that cannot be read.
    pub(super) fn bad_line(&self, number: u64, reason: &dyn Display) {
        let tell = || Printer::note(&format!("line {number} was skipped: {reason}"));
        match &self.bar {
            Some(bar) => bar.suspend(tell),
            None => tell(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
