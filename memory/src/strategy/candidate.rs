//! A memory that a correction may be about, as it is looked at. Knows no correction.

use std::collections::BTreeSet;

use palimpsest_store::MemoryRecord;

use super::corrected::Recent;
use super::naming::{Named, named};
use super::sentence::{Class, Reading, sentences};
use super::stated::Stated;

/// Sentences and characters of a memory that are looked at.
const SENTENCES_MAX: usize = 200;
const CHARS_MAX: usize = 8_000;
/// The cosine from which a memory is about the same.
const COSINE_MIN: f32 = 0.6;

/// One of the latest memories.
#[derive(Debug)]
pub(super) struct Candidate<'a> {
    pub(super) memory: &'a MemoryRecord,
    cosine: Option<f32>,
    /// The words as the grammar has them.
    pub(super) words: BTreeSet<String>,
    /// Its names, days, months and numbers.
    pub(super) named: Vec<Named>,
    /// Whether it is of the source of who corrects.
    pub(super) is_own: bool,
    /// Whether it is of the exchange just before.
    pub(super) is_just_before: bool,
}

impl<'a> Candidate<'a> {
    pub(super) fn new(recent: &Recent<'a>, is_own: bool, is_just_before: bool) -> Self {
        let sentences = sentences(&recent.memory.text, SENTENCES_MAX, CHARS_MAX);
        let sentences = sentences.iter().map(|it| Reading(&it.tokens).words());
        let (mut plain_words, mut all_named) = (BTreeSet::new(), Vec::new());
        for words in sentences {
            plain_words.extend(words.iter().map(|word| word.plain.clone()));
            all_named.extend(named(&words));
        }
        Self {
            memory: recent.memory,
            cosine: recent.cosine,
            words: plain_words,
            named: all_named,
            is_own,
            is_just_before,
        }
    }

    /// Whether it is about the same in meaning.
    pub(super) fn is_near(&self) -> bool {
        self.cosine.is_some_and(|cosine| cosine >= COSINE_MIN)
    }

    /// Whether it says already what is right: what is named, or all words where nothing is.
    pub(super) fn says(&self, stated: &Stated) -> bool {
        let has = |plain: &str| plain.split(' ').all(|part| self.words.contains(part));
        if stated.named.is_empty() {
            !stated.is_empty() && stated.words.is_subset(&self.words)
        } else {
            stated.named.iter().all(|it| has(&it.plain))
        }
    }

    /// The one thing that `right` could take the place of, where there is no second one.
    ///
    /// Of several, those behind the same preposition are meant. A number or a name behind another one is none
    /// ("at 9" is not about eight cousins), unless it `is_about_it` by a further word.
    pub(super) fn only_one(&self, right: &Named, is_about_it: bool) -> Option<&str> {
        let of_class = || self.named.iter().filter(|it| it.class == right.class);
        let stands_alike = |it: &&Named| it.preposition == right.preposition;
        let is_day = matches!(right.class, Class::Weekday | Class::Month);
        let stands_anywhere = is_day || is_about_it || right.preposition.is_none();
        let mut alike: BTreeSet<&str> = BTreeSet::new();
        if right.preposition.is_some() {
            alike.extend(of_class().filter(stands_alike).map(|it| it.plain.as_str()));
        }
        if alike.is_empty() && stands_anywhere {
            alike.extend(of_class().map(|it| it.plain.as_str()));
        }
        alike.pop_first().filter(|_| alike.is_empty())
    }
}
