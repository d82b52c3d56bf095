//! How far a fetch is, on standard error: a bar on a terminal, plain lines elsewhere.

use std::io::{IsTerminal as _, Write as _, stderr};

use indicatif::{ProgressBar, ProgressStyle};

/// Where progress goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// A bar.
    Terminal,
    /// A line when something starts.
    Lines,
    /// Nowhere.
    #[cfg(test)]
    Silent,
}

impl Progress {
    /// What suits this process's standard error.
    pub(crate) fn on_stderr() -> Self {
        if stderr().is_terminal() {
            Self::Terminal
        } else {
            Self::Lines
        }
    }

    /// Tells one thing.
    pub(crate) fn say(self, text: &str) {
        match self {
            Self::Terminal | Self::Lines => {
                // Nobody to tell it to is no reason to stop.
                drop(writeln!(stderr(), "{text}"));
            }
            #[cfg(test)]
            Self::Silent => {}
        }
    }

    /// Starts on a file of `len_bytes`.
    pub(super) fn start_file(self, name: &str, len_bytes: u64) -> Bar {
        if self != Self::Terminal {
            self.say(&format!("  {name} ({len_bytes} bytes)"));
            return Bar(None);
        }
        let template = "  {msg:18} {wide_bar} {bytes}/{total_bytes} {eta}";
        Self::start(ProgressBar::new(len_bytes), template, name)
    }

    /// Starts to wait for something of unknown length.
    pub(super) fn start_wait(self, what: &str) -> Bar {
        if self != Self::Terminal {
            self.say(&format!("  {what}"));
            return Bar(None);
        }
        Self::start(
            ProgressBar::new_spinner(),
            "  {spinner} {msg} {elapsed}",
            what,
        )
    }

    fn start(bar: ProgressBar, template: &str, message: &str) -> Bar {
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.expect("the templates above are valid"));
        bar.set_message(message.to_owned());
        Bar(Some(bar))
    }
}

/// Something under way; dropping it takes it off the screen.
#[derive(Debug)]
pub(super) struct Bar(Option<ProgressBar>);

impl Bar {
    /// So much more is done.
    pub(super) fn advance(&self, n: u64) {
        if let Some(bar) = &self.0 {
            bar.inc(n);
            bar.tick();
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
