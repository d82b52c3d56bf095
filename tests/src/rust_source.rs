//! Rust source as the house rules look at it: which lines there are, and what of them is code.
//!
//! It knows how Rust writes comments and literals, and nothing else of the language.

/// A Rust file, taken apart.
#[derive(Debug)]
pub struct RustSource {
    code: String,
}

/// What the text at the current place is part of.
enum Place {
    Code,
    LineComment,
    BlockComment { depth: usize },
    Text { n_hashes: Option<usize> },
}

impl RustSource {
    /// Takes a file's text apart.
    pub fn new(text: &str) -> Self {
        Self {
            code: blank_all_but_code(text),
        }
    }

    /// The code alone: comments and the insides of literals are blanks, line ends stay.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// Whether `word` stands in the code, not as part of a longer word.
    pub fn has_word(&self, word: &str) -> bool {
        self.lines_with_word(word).next().is_some()
    }

    /// The numbers, from 1, of the lines whose code holds `word`, not as part of a longer word.
    pub fn lines_with_word(&self, word: &str) -> impl Iterator<Item = usize> {
        let is_part =
            |neighbour: Option<char>| neighbour.is_some_and(|it| it.is_alphanumeric() || it == '_');
        self.code
            .lines()
            .enumerate()
            .filter_map(move |(line_idx, line)| {
                let found = line.match_indices(word).any(|(start, found)| {
                    let before = line[..start].chars().next_back();
                    let after = line[start + found.len()..].chars().next();
                    !is_part(before) && !is_part(after)
                });
                found.then_some(line_idx + 1)
            })
    }
}

fn blank_all_but_code(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut place = Place::Code;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (next, len_bytes) = step(&place, rest, first);
        let (taken, after) = rest.split_at(len_bytes);
        let is_code =
            matches!((&place, &next), (Place::Code, Place::Code)) && !taken.starts_with('\'');
        code.extend(
            taken
                .chars()
                .map(|it| if is_code || it == '\n' { it } else { ' ' }),
        );
        place = next;
        rest = after;
    }
    code
}

/// Where the text goes on after its next few bytes, and how many those are.
fn step(place: &Place, rest: &str, first: char) -> (Place, usize) {
    let one = first.len_utf8();
    match *place {
        Place::Code => step_in_code(rest, one),
        Place::LineComment if first == '\n' => (Place::Code, one),
        Place::LineComment => (Place::LineComment, one),
        Place::BlockComment { depth } if rest.starts_with("/*") => {
            (Place::BlockComment { depth: depth + 1 }, 2)
        }
        Place::BlockComment { depth: 1 } if rest.starts_with("*/") => (Place::Code, 2),
        Place::BlockComment { depth } if rest.starts_with("*/") => {
            (Place::BlockComment { depth: depth - 1 }, 2)
        }
        Place::BlockComment { depth } => (Place::BlockComment { depth }, one),
        Place::Text { n_hashes: None } if first == '\\' => {
            let escaped = rest[one..].chars().next().map_or(0, char::len_utf8);
            (Place::Text { n_hashes: None }, one + escaped)
        }
        Place::Text { n_hashes } => {
            let end = format!("\"{}", "#".repeat(n_hashes.unwrap_or(0)));
            if rest.starts_with(&end) {
                (Place::Code, end.len())
            } else {
                (Place::Text { n_hashes }, one)
            }
        }
    }
}

fn step_in_code(rest: &str, one: usize) -> (Place, usize) {
    if rest.starts_with("//") {
        return (Place::LineComment, 2);
    }
    if rest.starts_with("/*") {
        return (Place::BlockComment { depth: 1 }, 2);
    }
    if rest.starts_with('"') {
        return (Place::Text { n_hashes: None }, 1);
    }
    let raw = rest.strip_prefix('r').or_else(|| rest.strip_prefix("br"));
    if let Some(after) = raw {
        let len_prefix = rest.len() - after.len();
        let n_hashes = after.len() - after.trim_start_matches('#').len();
        if after[n_hashes..].starts_with('"') {
            let len_bytes = len_prefix + n_hashes + 1;
            return (
                Place::Text {
                    n_hashes: Some(n_hashes),
                },
                len_bytes,
            );
        }
    }
    if rest.starts_with('\'') {
        return (Place::Code, char_literal_len(rest).unwrap_or(one));
    }
    // A whole word at once, so that the `r` of `for"` is not taken for a raw string's.
    let word = rest.find(|it: char| !it.is_alphanumeric() && it != '_');
    (Place::Code, word.filter(|len| *len > 0).unwrap_or(one))
}

/// The length of the character literal that `rest` begins with; `None` where it is a lifetime.
fn char_literal_len(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    let first = inside.chars().next()?;
    if first == '\\' {
        let escaped = inside[1..].chars().next()?.len_utf8();
        let end = inside[1 + escaped..].find('\'')?;
        return Some(1 + 1 + escaped + end + 1);
    }
    let len = first.len_utf8();
    inside[len..].starts_with('\'').then_some(1 + len + 1)
}

#[cfg(test)]
mod tests;
