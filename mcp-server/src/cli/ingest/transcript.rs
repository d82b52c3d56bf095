//! A transcript as JSON lines: one turn a line. Holds one line at a time. Knows no memory.

#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::io::{self, BufRead, Read as _};

use jiff::tz::TimeZone;
use palimpsest_memory::{Role, Timestamp, Turn};
use serde_json::{Map, Value};

use crate::mcp::{Edge, moment};

/// Bytes of a line. A text of 1 MiB can be six times as long when it is escaped.
pub(super) const LINE_LEN_BYTES_MAX: usize = 8 << 20;
/// Bytes of a text, as the memory takes it.
const TEXT_LEN_BYTES_MAX: usize = 1 << 20;
/// Bytes of a name, as the memory takes it.
const NAME_LEN_BYTES_MAX: usize = 1_024;
/// Who speaks in a transcript and is neither user nor agent.
const OTHER_ROLES: [&str; 6] = ["system", "developer", "tool", "function", "summary", "meta"];

/// One line of a transcript that says something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spoken {
    pub(super) turn: Turn,
    pub(super) source: Option<String>,
    pub(super) at: Option<Timestamp>,
    pub(super) session: Option<String>,
}

/// What a line holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    /// A turn of the user's or the agent's.
    Turn(Spoken),
    /// Nothing to remember: a blank line, another role, or a turn without a text (a call of a tool).
    Other,
}

/// Why a line cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum BadLine {
    #[error("it is longer than {LINE_LEN_BYTES_MAX} bytes")]
    TooLong,
    #[error("it is not UTF-8")]
    NotUtf8,
    #[error("it is not a JSON object: {0}")]
    NotJson(#[source] serde_json::Error),
    #[error("it has no role: give \"role\": \"user\" or \"assistant\"")]
    NoRole,
    #[error("its role is {found:?}: give \"user\" or \"assistant\"")]
    UnknownRole { found: String },
    #[error("it has no text: give \"text\" or \"content\", a string or a list of blocks of text")]
    NoText,
    #[error("its text has {len_bytes} bytes: give at most {TEXT_LEN_BYTES_MAX}, or split it")]
    TextTooLong { len_bytes: usize },
    #[error("its time is {found}: give {}", moment::FORMS)]
    Time { found: String },
    #[error("its {name} is not a text of at most {NAME_LEN_BYTES_MAX} bytes")]
    Name { name: &'static str },
}

/// The lines of a transcript, in order.
#[derive(Debug)]
pub(super) struct Transcript<R> {
    input: R,
    zone: TimeZone,
    n_lines: u64,
    n_bytes: u64,
    bytes: Vec<u8>,
}

impl<R: BufRead> Transcript<R> {
    /// Of `input`; a time without an offset is one of `zone`.
    pub(super) fn new(input: R, zone: TimeZone) -> Self {
        Self {
            input,
            zone,
            n_lines: 0,
            n_bytes: 0,
            bytes: Vec::new(),
        }
    }

    /// The number of the line that was read last, from 1.
    pub(super) fn line_number(&self) -> u64 {
        self.n_lines
    }

    /// How much was read.
    pub(super) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// The next line; `None` at the end.
    ///
    /// # Errors
    /// Where the input cannot be read.
    pub(super) fn next_line(&mut self) -> io::Result<Option<Result<Line, BadLine>>> {
        self.bytes.clear();
        let max = (LINE_LEN_BYTES_MAX as u64).saturating_add(1);
        let mut head = self.input.by_ref().take(max);
        let n_read = head.read_until(b'\n', &mut self.bytes)?;
        if n_read == 0 {
            return Ok(None);
        }
        self.n_lines = self.n_lines.saturating_add(1);
        self.n_bytes = self.n_bytes.saturating_add(n_read as u64);
        if n_read > LINE_LEN_BYTES_MAX && self.bytes.last() != Some(&b'\n') {
            self.skip_line()?;
            self.bytes.shrink_to(1 << 16);
            return Ok(Some(Err(BadLine::TooLong)));
        }
        let Ok(text) = std::str::from_utf8(&self.bytes) else {
            return Ok(Some(Err(BadLine::NotUtf8)));
        };
        let text = text.trim_start_matches('\u{feff}').trim();
        Ok(Some(read_line(text, &self.zone)))
    }

    /// Passes over the rest of a line without holding it.
    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.input.fill_buf()?;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let n_skipped = end.map_or(buffer.len(), |end| end.saturating_add(1));
            let is_over = end.is_some() || buffer.is_empty();
            self.input.consume(n_skipped);
            self.n_bytes = self.n_bytes.saturating_add(n_skipped as u64);
            if is_over {
                return Ok(());
            }
        }
    }
}

fn read_line(line: &str, zone: &TimeZone) -> Result<Line, BadLine> {
    if line.is_empty() {
        return Ok(Line::Other);
    }
    let fields: Map<String, Value> = serde_json::from_str(line).map_err(BadLine::NotJson)?;
    let name = fields.get("role").and_then(Value::as_str);
    let name = name.ok_or(BadLine::NoRole)?;
    let Some(role) = Role::from_name(name) else {
        let is_other = OTHER_ROLES
            .iter()
            .any(|it| it.eq_ignore_ascii_case(name.trim()));
        let found: String = name.chars().take(40).collect();
        return if is_other {
            Ok(Line::Other)
        } else {
            Err(BadLine::UnknownRole { found })
        };
    };
    let text = spoken_text(&fields)?;
    if text.len() > TEXT_LEN_BYTES_MAX {
        return Err(BadLine::TextTooLong {
            len_bytes: text.len(),
        });
    }
    let at = time(&fields, zone)?;
    let source = name_of(&fields, "source")?;
    let session = name_of(&fields, "session")?;
    if text.trim().is_empty() {
        return Ok(Line::Other);
    }
    Ok(Line::Turn(Spoken {
        turn: Turn { role, text },
        source,
        at,
        session,
    }))
}

/// The text of a turn: of `text` and `content` the first that is not empty.
fn spoken_text(fields: &Map<String, Value>) -> Result<String, BadLine> {
    let given = [fields.get("text"), fields.get("content")];
    let mut given = given.into_iter().flatten().filter(|it| !it.is_null());
    let mut text = text_of(given.next().ok_or(BadLine::NoText)?).ok_or(BadLine::NoText)?;
    if text.trim().is_empty()
        && let Some(other) = given.next()
    {
        text = text_of(other).ok_or(BadLine::NoText)?;
    }
    // A NUL ends a text in C libraries, and nobody means it.
    Ok(text.replace('\0', ""))
}

/// A string, or the text blocks of a list, each on lines of its own; `None` where it is neither.
fn text_of(value: &Value) -> Option<String> {
    let blocks = match value {
        Value::String(text) => return Some(text.clone()),
        Value::Array(blocks) => blocks,
        _ => return None,
    };
    let mut texts = Vec::new();
    for block in blocks {
        match block {
            Value::String(text) => texts.push(text.as_str()),
            // A block without a text shows a picture, or calls a tool.
            Value::Object(fields) => texts.extend(fields.get("text").and_then(Value::as_str)),
            _ => return None,
        }
    }
    Some(texts.join("\n"))
}

fn time(fields: &Map<String, Value>, zone: &TimeZone) -> Result<Option<Timestamp>, BadLine> {
    let given = [fields.get("time"), fields.get("timestamp")];
    let Some(given) = given.into_iter().flatten().find(|time| !time.is_null()) else {
        return Ok(None);
    };
    let read = given
        .as_str()
        .and_then(|text| moment::read(text, Edge::Start, zone));
    read.map(Some).ok_or_else(|| BadLine::Time {
        found: given.to_string().chars().take(60).collect(),
    })
}

/// A name that may be left out, or blank.
fn name_of(fields: &Map<String, Value>, name: &'static str) -> Result<Option<String>, BadLine> {
    let text = match fields.get(name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        Some(_) => return Err(BadLine::Name { name }),
    };
    let text = text.replace('\0', "");
    if text.len() > NAME_LEN_BYTES_MAX {
        return Err(BadLine::Name { name });
    }
    Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty()))
}

#[cfg(test)]
mod tests;
