//! Which memories a correction is about. Knows no grammar and no store: it chooses among the latest memories.
//!
//! **The exchange just before** is what was remembered since the speaker's last memory, that one included, on
//! the same occasion: the same tags, at most [`GAP_MICROS_MAX`] before. A correction is about a memory of the
//! same source, or one of that exchange. Which one, in this order:
//!
//! 1. It names what was wrong: the latest that has all those words, and not all the right ones; of the
//!    exchange just before, or about the same by a further word or in meaning.
//! 2. It names a day, a month, a number or a name: the latest of the exchange just before with another one.
//! 3. It shares half of the words that say something, and at least one: the latest such memory.
//! 4. It is near in meaning: the latest such memory.
//! 5. It says who was wrong: what another said just before ("That's wrong"), or the speaker's own words
//!    ("I misspoke").
//!
//! What else in the exchange just before says the same wrong thing goes with it. Else nothing is chosen: it
//! cannot be told, and both stay.

use std::collections::BTreeSet;
use std::sync::Arc;

use palimpsest_store::{MemoryId, MemoryRecord, Timestamp};

use super::candidate::Candidate;
use super::correction::{Correction, Party};
use super::sentence::{Class, class_of};
use super::stated::Stated;

/// Memories that an exchange has at most.
const EXCHANGE_MEMORIES_MAX: usize = 6;
/// Ten minutes: what lies further apart is another occasion.
const GAP_MICROS_MAX: i64 = 600_000_000;
/// The share of a correction's words from which a memory is about the same.
const WORD_SHARE_MIN: f64 = 0.5;

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

/// Chooses among `recent`, latest first, none of them superseded.
pub(crate) fn corrected(
    correction: &Correction,
    saying: &Saying<'_>,
    recent: &[Recent<'_>],
) -> Corrected {
    let candidates = candidates(saying, recent);
    let Correction {
        denied,
        stated,
        wrong_of,
    } = correction;
    let mut chosen = if denied.is_empty() {
        let of_class = by_class(&candidates, stated);
        if of_class.is_empty() {
            by_likeness(&candidates, stated).into_iter().collect()
        } else {
            of_class
        }
    } else {
        by_denial(&candidates, denied, stated)
    };
    if chosen.is_empty() && denied.is_empty() {
        let newest = recent.first().map(|it| it.memory.id);
        let of_party = wrong_of.and_then(|party| by_party(&candidates, party, newest));
        chosen.extend(of_party);
    }
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
            candidates.push(Candidate::new(it, is_own, is_before));
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

/// What has all the words that are denied: "Alice, not Bob" of a race is not about the dog of another day, and
/// "at 9, not 8" is not about eight cousins.
fn by_denial(
    candidates: &[Candidate<'_>],
    denied: &BTreeSet<String>,
    stated: &Stated,
) -> Vec<MemoryId> {
    let is_number = |plain: &String| class_of(plain) == Some(Class::Number);
    let preposition = stated
        .replaceable()
        .filter(|it| it.class == Class::Number && denied.iter().all(is_number))
        .and_then(|it| it.preposition.as_deref());
    let stands_alike = |it: &Candidate<'_>| {
        preposition.is_none_or(|preposition| {
            let mut numbers = it.named.iter().filter(|it| denied.contains(&it.plain));
            numbers.any(|it| it.preposition.as_deref() == Some(preposition))
        })
    };
    let is_about_it = |it: &Candidate<'_>| {
        let is_just_said = it.is_just_before && stands_alike(it);
        is_just_said || it.is_near() || !stated.words.is_disjoint(&it.words)
    };
    with_echoes(candidates, |it| {
        denied.is_subset(&it.words) && !it.says(stated) && is_about_it(it)
    })
}

/// What of the exchange just before has another day, month, number or name than is stated, and no second one.
fn by_class(candidates: &[Candidate<'_>], stated: &Stated) -> Vec<MemoryId> {
    let Some(right) = stated.replaceable() else {
        return Vec::new();
    };
    // "The train is at 9" corrects nothing that was said of a meeting.
    let is_right = |word: &str| match right.class {
        Class::Name => right.plain.split(' ').any(|part| part == word),
        class => class_of(word) == Some(class),
    };
    let others: Vec<&String> = stated.words.iter().filter(|word| !is_right(word)).collect();
    let shares = |it: &Candidate<'_>| others.iter().any(|word| it.words.contains(*word));
    let only_one = |it: &Candidate<'_>| {
        it.only_one(right, shares(it))
            .filter(|only| only.split(' ').any(|part| !stated.words.contains(part)))
            .map(str::to_owned)
    };
    let mut before = candidates
        .iter()
        .filter(|it| it.is_just_before && (others.is_empty() || shares(it)));
    match before.find_map(only_one) {
        Some(wrong) => with_echoes(candidates, |it| {
            it.is_just_before && only_one(it).as_ref() == Some(&wrong)
        }),
        None => Vec::new(),
    }
}

/// The latest with half of the words; where there is none, the latest of a near meaning.
fn by_likeness(candidates: &[Candidate<'_>], stated: &Stated) -> Option<MemoryId> {
    if stated.is_empty() {
        return None;
    }
    let mut others = candidates.iter().filter(|it| !it.says(stated));
    let sharing = others.clone().find(|it| shares_words(stated, &it.words));
    let found = sharing.or_else(|| others.find(|it| it.is_near()));
    found.map(|it| it.memory.id)
}

/// What the other one said last of all, or the speaker's own words in the exchange just before.
fn by_party(
    candidates: &[Candidate<'_>],
    party: Party,
    newest: Option<MemoryId>,
) -> Option<MemoryId> {
    let of_party = |it: &&Candidate<'_>| match party {
        Party::Speaker => it.is_own,
        Party::Another => !it.is_own && it.memory.source.is_some() && newest == Some(it.memory.id),
    };
    let mut before = candidates.iter().filter(|it| it.is_just_before);
    before.find(of_party).map(|it| it.memory.id)
}

#[expect(clippy::cast_precision_loss, reason = "counts of words in a clause")]
fn shares_words(stated: &Stated, words: &BTreeSet<String>) -> bool {
    let stated = &stated.words;
    let n_common = stated.intersection(words).count();
    n_common > 0 && stated.len() > 1 && n_common as f64 >= WORD_SHARE_MIN * stated.len() as f64
}

#[cfg(test)]
mod tests;
