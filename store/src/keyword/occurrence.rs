//! Where the terms of a query stand in a text, so that a reader can be shown the place. Knows no index.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::script::Class;
use super::stem::stem;
use super::{Analysis, Purpose};

/// A term of a query in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// The bytes of the text: the word with what is written to it, or two letters of a script that
    /// sets no spaces.
    pub at: Range<usize>,
    /// Which of the terms, counted from 0.
    pub term: usize,
}

/// Every place of `terms` in `text`, in order, one for each term of a place, in any form of its
/// (English) word. Terms are as [`TermShare`](crate::TermShare) has them.
///
/// The text is cut by spaces and each piece analysed by itself, since the analysis folds and so moves
/// the bytes of what it reads.
pub fn occurrences(text: &str, terms: &[&str]) -> Vec<Occurrence> {
    let mut idx_of: BTreeMap<Cow<'_, str>, usize> = BTreeMap::new();
    for (idx, term) in terms.iter().enumerate() {
        idx_of.insert((*term).into(), idx);
        idx_of.extend(stem(term).map(|stem| (stem, idx)));
    }
    let mut found = Vec::new();
    for at in pieces(text) {
        let Some(piece) = text.get(at.clone()) else {
            continue;
        };
        let analysis = Analysis::new(piece, Purpose::Index);
        let mut in_piece: Vec<usize> = analysis
            .tokens()
            .filter_map(|token| {
                idx_of
                    .get(token)
                    .or_else(|| idx_of.get(&stem(token)?))
                    .copied()
            })
            .collect();
        in_piece.sort_unstable();
        in_piece.dedup();
        found.extend(in_piece.into_iter().map(|term| Occurrence {
            at: at.clone(),
            term,
        }));
    }
    found
}

/// The words of a text, one for each piece of it: the first that the piece holds, folded, and where the
/// piece is.
pub(crate) fn words_at(text: &str) -> Vec<(Range<usize>, String)> {
    let first_word = |at: Range<usize>| {
        let analysis = Analysis::new(text.get(at.clone())?, Purpose::Query);
        let word = analysis.words().first().map(|word| (*word).to_owned())?;
        Some((at, word))
    };
    pieces(text).into_iter().filter_map(first_word).collect()
}

/// What stands between spaces; in scripts without spaces each letter with the one after it.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut word: Option<usize> = None;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let is_unspaced = Class::of(letter) == Class::Unspaced;
        if is_unspaced || letter.is_whitespace() {
            pieces.extend(word.take().map(|start| start..at));
        } else {
            word.get_or_insert(at);
        }
        if is_unspaced {
            let mut end = at + letter.len_utf8();
            let next = letters.peek();
            let pair = next.filter(|(_, next)| Class::of(*next) == Class::Unspaced);
            end += pair.map_or(0, |(_, next)| next.len_utf8());
            pieces.push(at..end);
        }
    }
    pieces.extend(word.map(|start| start..text.len()));
    pieces
}

#[cfg(test)]
mod tests;
