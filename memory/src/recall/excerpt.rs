//! The part of a long text that answers the question. Knows no index.

use std::ops::Range;

use palimpsest_store::{TermShare, occurrences};

use crate::tokens::{QUARTERS_A_TOKEN, quarters};

const CUT_MARK: char = '…';
/// A cut moves at most so many characters inwards, to stand between words.
const WORD_CHARS_MAX: usize = 40;

/// What of a memory's text is shown where the whole does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// One part of it or two, with an ellipsis where something is left out.
    pub text: String,
    /// Characters of the whole text that are left out.
    pub n_chars_left_out: usize,
}

/// What an excerpt is to show.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Around<'a> {
    /// The words that were found, the more of their score the better.
    Terms(&'a [TermShare]),
    /// What lies at this part of the text, 0 to 1.
    Place(f64),
}

/// At most `n_tokens` of `text`, as [`estimate_tokens`](crate::tokens::estimate_tokens) counts them:
/// an equal share around each of `around`, which lie together or apart; the beginning where there is none.
pub(crate) fn excerpt(text: &str, around: &[Around<'_>], n_tokens: usize) -> Excerpt {
    let mut room = n_tokens.saturating_mul(QUARTERS_A_TOKEN);
    // In very little room marks would stand for more than they leave out.
    let has_marks = room >= 16 * quarters(CUT_MARK);
    let around = if around.is_empty() {
        &[Around::Place(0.0)]
    } else if has_marks {
        around
    } else {
        &around[..1]
    };
    if has_marks {
        room -= (around.len() + 1) * quarters(CUT_MARK);
    }
    let share = room / around.len();
    let parts = around.iter().map(|around| {
        let centre = match around {
            Around::Terms(terms) => densest(text, terms, share),
            Around::Place(part) => place(text, *part),
        };
        grown(text, centre, share)
    });
    let parts = together(text, parts.collect(), room);
    let mut shown = String::new();
    let (mut n_shown, mut end) = (0, 0);
    for part in parts.into_iter().map(|part| between_words(text, part)) {
        if has_marks && part.start > end {
            shown.push(CUT_MARK);
        }
        let part_text = text.get(part.clone()).unwrap_or_default();
        n_shown += part_text.chars().count();
        shown.push_str(part_text);
        end = part.end;
    }
    if has_marks && end < text.len() {
        shown.push(CUT_MARK);
    }
    Excerpt {
        text: shown,
        n_chars_left_out: text.chars().count() - n_shown,
    }
}

/// The parts in order; those that meet are one, which takes the room that this leaves.
fn together(text: &str, mut parts: Vec<Range<usize>>, room: usize) -> Vec<Range<usize>> {
    parts.sort_by_key(|part| (part.start, part.end));
    let n_parts = parts.len();
    let mut joined: Vec<Range<usize>> = Vec::new();
    for part in parts {
        match joined.last_mut() {
            Some(last) if part.start <= last.end => last.end = last.end.max(part.end),
            _ => joined.push(part),
        }
    }
    match joined.as_slice() {
        [one] if n_parts > 1 => vec![grown(text, one.clone(), room)],
        _ => joined,
    }
}

/// Where within `room` the found words with the greatest score stand together; the first of equals.
fn densest(text: &str, terms: &[TermShare], room: usize) -> Range<usize> {
    let names: Vec<&str> = terms.iter().map(|term| &*term.term).collect();
    let places = occurrences(text, &names);
    let mut best: (f64, Range<usize>) = (0.0, 0..0);
    let mut n_of_term = vec![0_usize; terms.len()];
    let (mut first, mut width) = (0, 0);
    let mut measured_to = places.first().map_or(0, |place| place.at.start);
    for place in &places {
        width += width_of(text, measured_to..place.at.end);
        measured_to = measured_to.max(place.at.end);
        n_of_term[place.term] += 1;
        while width > room && places[first].at.start < place.at.start {
            let next = &places[first + 1];
            width -= width_of(text, places[first].at.start..next.at.start);
            n_of_term[places[first].term] -= 1;
            first += 1;
        }
        let present = terms.iter().zip(&n_of_term).filter(|(_, n)| **n > 0);
        let score: f64 = present.map(|(term, _)| term.score).sum();
        if score > best.0 {
            best = (score, places[first].at.start..place.at.end);
        }
    }
    best.1
}

fn width_of(text: &str, range: Range<usize>) -> usize {
    text.get(range)
        .unwrap_or_default()
        .chars()
        .map(quarters)
        .sum()
}

/// The empty range at a part of the text.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a text has at most 2^20 bytes, and the part is clamped"
)]
fn place(text: &str, part: f64) -> Range<usize> {
    let mut at = (part.clamp(0.0, 1.0) * text.len() as f64) as usize;
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at..at
}

/// `centre` with as much as fits around it: alike on both sides, and what one side does not need on
/// the other. A centre that is too wide keeps its beginning.
fn grown(text: &str, centre: Range<usize>, room: usize) -> Range<usize> {
    let mut left = room.saturating_sub(width_of(text, centre.clone()));
    let Range { mut start, mut end } = if left == 0 {
        centre.start..centre.start
    } else {
        centre
    };
    if left == 0 {
        left = room;
    }
    let behind_is = width_of(text, end..text.len());
    let before_max = (left / 2).max(left.saturating_sub(behind_is));
    let before = text.get(..start).unwrap_or_default();
    let mut taken = 0;
    for (at, letter) in before.char_indices().rev() {
        if taken + quarters(letter) > before_max {
            break;
        }
        taken += quarters(letter);
        start = at;
    }
    left -= taken;
    for letter in text.get(end..).unwrap_or_default().chars() {
        if quarters(letter) > left {
            break;
        }
        left -= quarters(letter);
        end += letter.len_utf8();
    }
    start..end
}

/// The range without the pieces of words at its ends, where words are not too long for that.
fn between_words(text: &str, range: Range<usize>) -> Range<usize> {
    let Range { start, end } = range;
    let shown = text.get(start..end).unwrap_or_default();
    let is_inside = |at: usize| {
        let before = text.get(..at).and_then(|it| it.chars().next_back());
        let behind = text.get(at..).and_then(|it| it.chars().next());
        let is_word = |it: Option<char>| it.is_some_and(|it| !it.is_whitespace());
        is_word(before) && is_word(behind)
    };
    let space = |letters: &mut dyn Iterator<Item = (usize, char)>| {
        letters
            .take(WORD_CHARS_MAX)
            .find(|(_, letter)| letter.is_whitespace())
    };
    let mut cut = start..end;
    if is_inside(start)
        && let Some((at, letter)) = space(&mut shown.char_indices())
    {
        cut.start = start + at + letter.len_utf8();
    }
    if is_inside(end)
        && let Some((at, _)) = space(&mut shown.char_indices().rev())
    {
        cut.end = start + at;
    }
    if cut.start < cut.end { cut } else { start..end }
}

#[cfg(test)]
mod tests;
