//! Where each term stands. Knows rows as numbers, and nothing of what is visible.

use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::Analysis;
use crate::view::{Column, Ordered, RowIdx};

/// A row that holds a term.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Posting {
    pub(crate) row: RowIdx,
    /// How often the row's text holds the term.
    pub(crate) tf: u32,
}

/// A term, sorted by its hash, since comparing numbers is quicker.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Term {
    hash: u64,
    text: Arc<str>,
}

/// For each term its postings, by row.
#[derive(Debug, Clone, Default)]
pub(crate) struct TermIndex {
    terms: Ordered<Term, Column<Posting>>,
}

impl TermIndex {
    /// Adds the text of `row`, which is greater than every row before.
    pub(crate) fn push(&mut self, row: RowIdx, text: &Analysis) {
        let mut tokens: Vec<(u64, &str)> =
            text.tokens().map(|token| (hash(token), token)).collect();
        tokens.sort_unstable();
        for repeats in tokens.chunk_by(|a, b| a == b) {
            let posting = Posting {
                row,
                tf: u32::try_from(repeats.len()).unwrap_or(u32::MAX),
            };
            let (hash, token) = repeats[0];
            if let Some(postings) = self.terms.find_mut(probe(hash, token)) {
                postings.push(posting);
                continue;
            }
            let mut postings = Column::default();
            postings.push(posting);
            let text = token.into();
            self.terms.insert(Term { hash, text }, postings);
        }
    }

    /// The rows that hold `term`, in order.
    pub(crate) fn postings(&self, term: &str) -> Option<&Column<Posting>> {
        self.terms.find(probe(hash(term), term))
    }
}

fn hash(term: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    term.hash(&mut hasher);
    hasher.finish()
}

fn probe(hash: u64, text: &str) -> impl Fn(&Term) -> Ordering {
    move |other| (other.hash, &*other.text).cmp(&(hash, text))
}
