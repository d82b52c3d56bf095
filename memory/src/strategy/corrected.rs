//! Which memories a correction is about. Knows no grammar and no store: it chooses among the latest memories.
//!
//! **The exchange just before** is what was remembered since the speaker's last memory, that one included, on
//! the same occasion: the same tags, at most [`GAP_MICROS_MAX`] before. A correction is about a memory of the
//! same source, or one of that exchange. Which one, in this order:
//!
//! 1. It names what was wrong: the latest that has all those words, and not all the right ones; of the
//!    exchange just before, or about the same by a further word or in meaning.
//! 2. It names a day, a month or a number: the latest of the exchange just before with another one.
//! 3. It shares half of the words that say something, and at least one: the latest such memory.
//! 4. It is near in meaning: the latest such memory.
//! 5. It names nothing ("That's wrong"): what another said just before.
//!
//! What else in the exchange just before says the same wrong thing goes with it. Else nothing is chosen: it
//! cannot be told, and both stay.

use std::collections::BTreeSet;
use std::sync::Arc;

use palimpsest_store::{MemoryId, MemoryRecord, Timestamp};

use super::correction::Correction;
use super::sentence::{Token, class_of, sentences};

/// Memories that an exchange has at most.
const EXCHANGE_MEMORIES_MAX: usize = 6;
/// Ten minutes: what lies further apart is another occasion.
const GAP_MICROS_MAX: i64 = 600_000_000;
/// Sentences and characters of a memory that are looked at.
const SENTENCES_MAX: usize = 200;
const CHARS_MAX: usize = 8_000;
/// The share of a correction's words from which a memory is about the same.
const WORD_SHARE_MIN: f64 = 0.5;
/// The cosine from which a memory is about the same.
const COSINE_MIN: f32 = 0.6;

/// Who corrects, and when.
#[derive(Debug, Clone)]
pub(crate) struct Saying<'a> {
    pub(crate) at: Timestamp,
    pub(crate) source: Option<&'a str>,
    pub(crate) tags: &'a BTreeSet<Arc<str>>,
}

/// A memory that may be meant.
#[derive(Debug, Clone)]
pub(crate) struct Recent<'a> {
    pub(crate) memory: &'a MemoryRecord,
    /// Of the nearest windows of both, where both have vectors.
    pub(crate) cosine: Option<f32>,
}

/// What a correction is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Corrected {
    /// These memories, at least one, by id.
    These(Vec<MemoryId>),
    /// It cannot be told.
    Unclear,
}

/// A memory as it is looked at.
struct Candidate<'a> {
    memory: &'a MemoryRecord,
    cosine: Option<f32>,
    words: BTreeSet<String>,
    is_just_before: bool,
}

/// Chooses among `recent`, latest first, none of them superseded.
pub(crate) fn corrected(
    correction: &Correction,
    saying: &Saying<'_>,
    recent: &[Recent<'_>],
) -> Corrected {
    let candidates = candidates(saying, recent);
    let Correction { denied, stated } = correction;
    let is_right = |it: &Candidate<'_>| !stated.is_empty() && stated.is_subset(&it.words);
    let chosen = if !denied.is_empty() {
        // "Alice, not Bob" of a race is not about the dog of another day.
        let is_about_it = |it: &Candidate<'_>| {
            let is_near = it.cosine.is_some_and(|cosine| cosine >= COSINE_MIN);
            it.is_just_before || is_near || !stated.is_disjoint(&it.words)
        };
        let says_it =
            |it: &&Candidate<'_>| denied.is_subset(&it.words) && !is_right(it) && is_about_it(it);
        with_echoes(&candidates, says_it)
    } else if stated.is_empty() {
        let newest = recent.first().map(|it| it.memory.id);
        let by_another = |it: &&Candidate<'_>| {
            let source = it.memory.source.as_deref();
            it.is_just_before
                && newest == Some(it.memory.id)
                && source.is_some()
                && source != saying.source
        };
        candidates
            .iter()
            .find(by_another)
            .map(|it| it.memory.id)
            .into_iter()
            .collect()
    } else {
        let about_it = by_class(&candidates, stated);
        if about_it.is_empty() {
            let shares = |it: &&Candidate<'_>| !is_right(it) && shares_words(stated, &it.words);
            let is_near = |it: &&Candidate<'_>| {
                !is_right(it) && it.cosine.is_some_and(|cosine| cosine >= COSINE_MIN)
            };
            let latest = candidates
                .iter()
                .find(shares)
                .or_else(|| candidates.iter().find(is_near));
            latest.map(|it| it.memory.id).into_iter().collect()
        } else {
            about_it
        }
    };
    if chosen.is_empty() {
        return Corrected::Unclear;
    }
    let ordered: BTreeSet<MemoryId> = chosen.into_iter().collect();
    Corrected::These(ordered.into_iter().collect())
}

/// The memories of the same source, and those of the exchange just before.
fn candidates<'a>(saying: &Saying<'_>, recent: &[Recent<'a>]) -> Vec<Candidate<'a>> {
    let mut is_before = true;
    let mut candidates = Vec::new();
    for (n_before, it) in recent.iter().enumerate() {
        let memory = it.memory;
        let gap = saying.at.0.saturating_sub(memory.when().0);
        let same_tags = memory.tags.iter().eq(saying.tags.iter());
        is_before &=
            n_before < EXCHANGE_MEMORIES_MAX && same_tags && (0..=GAP_MICROS_MAX).contains(&gap);
        let is_own = memory.source.as_deref() == saying.source;
        if is_before || is_own {
            candidates.push(Candidate {
                memory,
                cosine: it.cosine,
                words: plain_words(&memory.text),
                is_just_before: is_before,
            });
        }
        // With the speaker's own words the exchange begins.
        is_before &= !is_own;
    }
    candidates
}

/// The latest that fits, and all of the exchange just before that fit.
fn with_echoes<'a>(
    candidates: &[Candidate<'a>],
    fits: impl Fn(&&Candidate<'a>) -> bool,
) -> Vec<MemoryId> {
    let latest = candidates.iter().find(&fits);
    let echoes = candidates
        .iter()
        .filter(|it| it.is_just_before)
        .filter(&fits);
    latest
        .into_iter()
        .chain(echoes)
        .map(|it| it.memory.id)
        .collect()
}

/// What of the exchange just before names another day, month or number than is stated, and no second one.
fn by_class(candidates: &[Candidate<'_>], stated: &BTreeSet<String>) -> Vec<MemoryId> {
    let Some(class) = stated.iter().find_map(|word| class_of(word)) else {
        return Vec::new();
    };
    let only_one = |it: &Candidate<'_>| {
        let mut members = it.words.iter().filter(|word| class_of(word) == Some(class));
        let only = members.next().filter(|_| members.next().is_none());
        only.filter(|only| !stated.contains(*only)).cloned()
    };
    // "The train is at 9" corrects nothing that was said of a meeting.
    let is_about_it = |it: &Candidate<'_>| {
        let mut others = stated
            .iter()
            .filter(|word| class_of(word) != Some(class))
            .peekable();
        others.peek().is_none() || others.any(|word| it.words.contains(word))
    };
    let before = candidates
        .iter()
        .filter(|it| it.is_just_before && is_about_it(it));
    match before.clone().find_map(only_one) {
        Some(wrong) => with_echoes(candidates, |it| {
            it.is_just_before && only_one(it).as_ref() == Some(&wrong)
        }),
        None => Vec::new(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of words in a clause")]
fn shares_words(stated: &BTreeSet<String>, words: &BTreeSet<String>) -> bool {
    let n_common = stated.intersection(words).count();
    n_common > 0 && stated.len() > 1 && n_common as f64 >= WORD_SHARE_MIN * stated.len() as f64
}

/// The words of a memory as the grammar has them.
fn plain_words(text: &str) -> BTreeSet<String> {
    let sentences = sentences(text, SENTENCES_MAX, CHARS_MAX);
    let words = sentences
        .into_iter()
        .flat_map(|it| it.tokens)
        .filter_map(|token| match token {
            Token::Word(word) => Some(word.plain),
            Token::Comma => None,
        });
    words.collect()
}

#[cfg(test)]
mod tests;
