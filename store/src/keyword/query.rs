//! What a query asks the index for: its words, and for each the terms of the index that stand for it.
//! Knows no rows.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::stem::stem;
use super::stop_words::is_stop_word;
use super::term_index::{TermIndex, source_term};
use super::{Analysis, Purpose};

/// A query by words. Any text is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeywordQuery<'a> {
    /// What is looked for.
    pub text: &'a str,
    /// Whether a word finds its other forms too (English).
    pub stems: bool,
    /// Whether a word is also found in who said it, as if the text began with that.
    pub sources: bool,
    /// Whether `the`, `what` and their like (English) are passed over beside other words.
    pub skips_stop_words: bool,
}

impl<'a> KeywordQuery<'a> {
    /// Every word of `text` as it stands, in texts alone.
    pub const fn exact(text: &'a str) -> Self {
        Self {
            text,
            stems: false,
            sources: false,
            skips_stop_words: false,
        }
    }
}

/// A word of a query.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QueryWord {
    /// As the query has it, folded.
    pub(crate) word: String,
    /// How often the query says it, in any form that counts as one.
    pub(crate) n_repeats: f64,
    /// The terms of the index that stand for it.
    pub(crate) terms: Vec<String>,
}

impl KeywordQuery<'_> {
    /// The distinct words, in the order of the query; with stems, forms of one word are one.
    pub(crate) fn words(&self, index: &TermIndex) -> Vec<QueryWord> {
        let query = Analysis::new(self.text, Purpose::Query);
        let is_content = |token: &&str| !self.skips_stop_words || !is_stop_word(token);
        let mut tokens: Vec<&str> = query.tokens().filter(is_content).collect();
        if tokens.is_empty() {
            tokens = query.tokens().collect();
        }
        let mut words: Vec<QueryWord> = Vec::new();
        let mut idx_of: BTreeMap<Cow<'_, str>, usize> = BTreeMap::new();
        for token in tokens {
            let stem = stem(token).filter(|_| self.stems);
            let idx = *idx_of
                .entry(stem.unwrap_or(Cow::Borrowed(token)))
                .or_insert(words.len());
            if idx == words.len() {
                words.push(QueryWord {
                    word: token.to_owned(),
                    n_repeats: 0.0,
                    terms: self.terms(token, index),
                });
            }
            let word = &mut words[idx];
            word.n_repeats += 1.0;
            if self.sources {
                let term = source_term(token);
                if !word.terms.contains(&term) {
                    word.terms.push(term);
                }
            }
        }
        words
    }

    /// The terms of texts that stand for `token`.
    fn terms(&self, token: &str, index: &TermIndex) -> Vec<String> {
        if self.stems {
            index.forms(token)
        } else {
            vec![token.to_owned()]
        }
    }
}
