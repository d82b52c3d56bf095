//! Where each term stands. Knows rows as numbers, and nothing of what is visible.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::Analysis;
use super::stem::stem;
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
    /// The terms that have a stem, by the hash of that.
    forms: Ordered<(u64, Arc<str>), ()>,
}

/// No token of a text begins with this.
const SOURCE_MARK: char = '\u{1}';

/// The term under which a token of a source stands.
pub(crate) fn source_term(token: &str) -> String {
    format!("{SOURCE_MARK}{token}")
}

/// Texts on their way into the index. Taken in together, a term that many of them hold is looked up once.
#[derive(Debug, Default)]
pub(crate) struct NewTexts {
    postings: HashMap<Box<str>, Vec<Posting>>,
}

impl NewTexts {
    /// Adds the text of `row`, which is greater than every row before.
    pub(crate) fn push(&mut self, row: RowIdx, text: &Analysis) {
        for token in text.tokens() {
            self.add(row, token);
        }
    }

    /// Adds who said the text of `row`: found by queries that ask for it, and no part of the text's length.
    pub(crate) fn push_source(&mut self, row: RowIdx, source: &Analysis) {
        for token in source.tokens() {
            self.add(row, &source_term(token));
        }
    }

    fn add(&mut self, row: RowIdx, term: &str) {
        let Some(postings) = self.postings.get_mut(term) else {
            let first = vec![Posting { row, tf: 1 }];
            self.postings.insert(term.into(), first);
            return;
        };
        match postings.last_mut() {
            Some(last) if last.row == row => last.tf = last.tf.saturating_add(1),
            _ => postings.push(Posting { row, tf: 1 }),
        }
    }
}

impl TermIndex {
    /// Takes in texts whose rows are greater than every row before.
    pub(crate) fn extend(&mut self, texts: NewTexts) {
        for (token, new) in texts.postings {
            let hash = hash(&token);
            if let Some(postings) = self.terms.find_mut(probe(hash, &token)) {
                push_all(postings, &new);
            } else {
                let mut postings = Column::default();
                push_all(&mut postings, &new);
                let text: Arc<str> = token.into();
                if let Some(stem) = stem(&text) {
                    self.forms
                        .insert((self::hash(&stem), Arc::clone(&text)), ());
                }
                self.terms.insert(Term { hash, text }, postings);
            }
        }
    }

    /// The terms with the same stem as `token`, sorted; `token` alone where it has none.
    pub(crate) fn forms(&self, token: &str) -> Vec<String> {
        let Some(stem_of_token) = stem(token) else {
            return vec![token.to_owned()];
        };
        let hash = hash(&stem_of_token);
        let entries = self.forms.range_from(&(hash, "".into()));
        entries
            .take_while(|((of, _), ())| *of == hash)
            .map(|((_, form), ())| form.to_string())
            .filter(|form| stem(form).is_some_and(|it| it == stem_of_token))
            .collect()
    }

    /// The rows that hold `term`, in order.
    pub(crate) fn postings(&self, term: &str) -> Option<&Column<Posting>> {
        self.terms.find(probe(hash(term), term))
    }
}

fn push_all(postings: &mut Column<Posting>, new: &[Posting]) {
    for posting in new {
        postings.push(*posting);
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
