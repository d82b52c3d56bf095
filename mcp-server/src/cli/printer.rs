//! What people and scripts read: the only place that writes to standard output.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::io::{self, BufWriter, Write};

use console::{Style, Term};
use serde_json::Value;

/// Text wider than this is hard to read, however wide the terminal is.
const WIDTH_MAX: usize = 100;
/// Narrower than this nothing can be laid out.
const WIDTH_MIN: usize = 30;

/// Writes to standard output, wrapped to the terminal; coloured on a terminal only.
pub(crate) struct Printer {
    out: BufWriter<Box<dyn Write>>,
    width: usize,
    strong: Style,
    faint: Style,
}

impl fmt::Debug for Printer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Printer")
            .field("width", &self.width)
            .finish_non_exhaustive()
    }
}

/// Whether text is set off by bold and faint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Styles {
    On,
    Off,
}

impl Printer {
    /// A printer for this process's standard output.
    pub(crate) fn on_stdout() -> Self {
        let term = Term::stdout();
        let columns = term.size_checked().map(|(_, columns)| usize::from(columns));
        let styles = if term.is_term() && console::colors_enabled() {
            Styles::On
        } else {
            Styles::Off
        };
        Self::new(Box::new(io::stdout()), columns.unwrap_or(WIDTH_MAX), styles)
    }

    fn new(out: Box<dyn Write>, width: usize, styles: Styles) -> Self {
        let is_on = styles == Styles::On;
        Self {
            out: BufWriter::new(out),
            width: width.clamp(WIDTH_MIN, WIDTH_MAX),
            strong: Style::new().bold().force_styling(is_on),
            faint: Style::new().dim().force_styling(is_on),
        }
    }

    /// Writes `value` as JSON.
    pub(crate) fn json(&mut self, value: &Value) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut self.out, value)?;
        writeln!(self.out)
    }

    /// Writes an empty line.
    pub(crate) fn gap(&mut self) -> io::Result<()> {
        writeln!(self.out)
    }

    /// Writes a paragraph, wrapped.
    pub(crate) fn paragraph(&mut self, text: &str) -> io::Result<()> {
        self.hanging("", text)
    }

    /// Writes a heading.
    pub(crate) fn heading(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", self.strong.apply_to(visible(text)))
    }

    /// Writes a paragraph whose first line begins with `label`, and whose others stand below it.
    pub(crate) fn hanging(&mut self, label: &str, text: &str) -> io::Result<()> {
        let label = visible(label);
        let indent = console::measure_text_width(&label);
        let mut margin = self.strong.apply_to(label).to_string();
        for line in wrapped(text, self.width, indent) {
            writeln!(self.out, "{margin}{line}")?;
            margin = " ".repeat(indent);
        }
        Ok(())
    }

    /// Writes something of lesser weight, `indent` columns in.
    pub(crate) fn aside(&mut self, indent: usize, text: &str) -> io::Result<()> {
        let margin = " ".repeat(indent);
        for line in wrapped(text, self.width, indent) {
            writeln!(self.out, "{margin}{}", self.faint.apply_to(line))?;
        }
        Ok(())
    }

    /// Writes a line as it is, however long, for people to copy.
    pub(crate) fn verbatim(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", visible(text))
    }

    /// Hands everything to the operating system.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Tells an error, on standard error.
    pub(crate) fn complain(error: &dyn Display) {
        // Where standard error is gone too, nobody is left to tell.
        drop(writeln!(io::stderr(), "palimpsest: {error}"));
    }

    /// Tells what the reader should know beside the answer, on standard error.
    pub(crate) fn note(text: &str) {
        drop(writeln!(io::stderr(), "note: {}", visible(text)));
    }
}

fn wrapped(text: &str, width: usize, indent: usize) -> Vec<String> {
    let columns = width.saturating_sub(indent).max(WIDTH_MIN / 2);
    let text = visible(text);
    let lines = textwrap::wrap(&text, columns);
    lines.into_iter().map(Cow::into_owned).collect()
}

/// `text` with its control characters spelt out: a memory must not steer the terminal of its reader.
fn visible(text: &str) -> Cow<'_, str> {
    let steers = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let spell = |c: char| {
        if steers(c) {
            c.escape_unicode().to_string()
        } else {
            c.to_string()
        }
    };
    Cow::Owned(text.chars().map(spell).collect())
}

#[cfg(test)]
mod tests;
