//! Whether a text says something new beside the latest memories. Knows no store.

use std::collections::BTreeSet;

use palimpsest_store::{MemoryId, WindowVector, content_words, fold_name};

/// Characters of a text that are compared, about 1,000 tokens. What is longer is new: nobody looked at its end.
const NOVELTY_CHARS_MAX: usize = 4_000;
/// From which share of common words in the words of both a text says nothing new, where there are no vectors.
///
/// A sentence of nine words of which one is another stays below.
const WORD_SHARE_MAX: f64 = 0.8;
/// Words that turn a sentence round, and that vectors hardly see (English).
const TURNING: [&str; 19] = [
    "not", "no", "never", "without", "none", "nothing", "cannot", "nobody", "before", "after",
    "until", "against", "off", "under", "above", "below", "more", "less", "except",
];
/// Words that say nothing of what is spoken of (English), beside the usual stop words.
const FILLERS: [&str; 13] = [
    "yes",
    "yeah",
    "oh",
    "ok",
    "okay",
    "well",
    "please",
    "thanks",
    "really",
    "actually",
    "indeed",
    "definitely",
    "also",
];
/// From which share of common words in the lesser of two texts' words one says the same as the other but for
/// the rest: "my left knee hurts" and "my right knee hurts".
const FRAME_SHARE_MIN: f64 = 0.5;

/// A memory that a text is compared with.
#[derive(Debug)]
pub(crate) struct Known<'a> {
    pub(crate) id: MemoryId,
    pub(crate) text: &'a str,
    /// Its windows under the model of the text's; `None` where one of the two has none.
    pub(crate) windows: Option<Vec<WindowVector>>,
}

/// How much a text is like a memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Likeness {
    /// The cosine of that window of the text which is least like the memory's nearest one.
    Cosine(f32),
    /// The share of common words in the words of both.
    Words(f64),
}

/// What the comparison found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NoveltyFound {
    /// Nothing was there to compare with.
    FirstOfScope,
    /// Longer than what is compared.
    TooLong,
    /// Like none of them; the greatest likeness.
    New {
        n_compared: usize,
        nearest: Likeness,
    },
    /// As near as a known one, but for a name, a number or a negation that the memory lacks.
    NewWord { word: String, near: MemoryId },
    /// It says what this memory says.
    Known { near: MemoryId, likeness: Likeness },
}

impl Likeness {
    /// How far it reaches towards its threshold: 1 is there.
    fn reach(self, threshold: f32) -> f64 {
        match self {
            Self::Cosine(cosine) => f64::from(cosine) / f64::from(threshold.max(f32::MIN_POSITIVE)),
            Self::Words(share) => share / WORD_SHARE_MAX,
        }
    }
}

/// Compares `text` with `known`, the nearest of which decides, ties by the least id.
///
/// A text is known where its every window is at least `threshold` near to one memory; without vectors, where
/// the two share [`WORD_SHARE_MAX`] of their words. What the memory lacks makes it new, where vectors hardly see that:
/// [`first_new_word`].
pub(crate) fn novelty(
    text: &str,
    windows: Option<&[WindowVector]>,
    known: &[Known<'_>],
    threshold: f32,
) -> NoveltyFound {
    if known.is_empty() {
        return NoveltyFound::FirstOfScope;
    }
    if text.chars().nth(NOVELTY_CHARS_MAX).is_some() {
        return NoveltyFound::TooLong;
    }
    let own = words(text);
    let mut compared: Vec<(Likeness, &Known<'_>)> = known
        .iter()
        .map(|known| (likeness(&own, windows, known), known))
        .collect();
    compared.sort_by(|(left, left_known), (right, right_known)| {
        let by_reach = right.reach(threshold).total_cmp(&left.reach(threshold));
        by_reach.then(left_known.id.cmp(&right_known.id))
    });
    let near = compared
        .iter()
        .take_while(|(likeness, _)| likeness.reach(threshold) >= 1.0);
    let mut new_word = None;
    for (likeness, known) in near {
        match first_new_word(text, known.text) {
            None => {
                return NoveltyFound::Known {
                    near: known.id,
                    likeness: *likeness,
                };
            }
            Some(word) => {
                new_word.get_or_insert(NoveltyFound::NewWord {
                    word,
                    near: known.id,
                });
            }
        }
    }
    new_word.unwrap_or(NoveltyFound::New {
        n_compared: compared.len(),
        nearest: compared.first().map_or(Likeness::Words(0.0), |(it, _)| *it),
    })
}

fn likeness(
    own: &BTreeSet<String>,
    windows: Option<&[WindowVector]>,
    known: &Known<'_>,
) -> Likeness {
    match (windows, &known.windows) {
        (Some(own), Some(of_known)) if !own.is_empty() && !of_known.is_empty() => {
            let nearest = |window: &WindowVector| {
                let cosines = of_known
                    .iter()
                    .map(|it| dot(&window.embedding, &it.embedding));
                cosines.max_by(f32::total_cmp).unwrap_or(0.0)
            };
            let least = own.iter().map(nearest).min_by(f32::total_cmp);
            Likeness::Cosine(least.unwrap_or(0.0))
        }
        _ => Likeness::Words(word_share(own, &words(known.text))),
    }
}

/// Of unit vectors it is the cosine.
pub(crate) fn dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter()
        .zip(right)
        .map(|(left, right)| left * right)
        .sum()
}

/// The distinct words, case folded; of texts without spaces, the characters.
fn words(text: &str) -> BTreeSet<String> {
    let end = text.char_indices().nth(NOVELTY_CHARS_MAX);
    let head = text.get(..end.map_or(text.len(), |(end, _)| end));
    let folded = fold_name(head.unwrap_or_default());
    let words = folded.split(|character: char| !character.is_alphanumeric());
    let mut distinct = BTreeSet::new();
    for word in words.filter(|word| !word.is_empty()) {
        if word.chars().all(|character| character >= '\u{2e80}') {
            distinct.extend(word.chars().map(String::from));
        } else {
            distinct.insert(word.to_owned());
        }
    }
    distinct
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of words in a bounded text"
)]
fn word_share(left: &BTreeSet<String>, right: &BTreeSet<String>) -> f64 {
    let n_common = left.intersection(right).count();
    let n_all = left.len() + right.len() - n_common;
    if n_all == 0 {
        1.0
    } else {
        n_common as f64 / n_all as f64
    }
}

/// The first word of `text` that makes it another thing than `known`, which lacks it: a name, a number, or one that
/// turns a sentence round; where the two are the same but for a few words, any that says something.
fn first_new_word(text: &str, known: &str) -> Option<String> {
    let of_known = words(known);
    let known_content = content_words(known);
    let is_same_frame = shares_frame(&content_words(text), &known_content);
    let says_new = |word: &str| {
        is_same_frame
            && !FILLERS.contains(&&*fold_name(word))
            && content_words(word)
                .iter()
                .any(|it| !known_content.contains(it))
    };
    let mut begins_sentence = true;
    for written in text.split_whitespace() {
        let has_ended = written.ends_with(['.', '!', '?', ':']);
        for word in written.split(|it: char| !it.is_alphanumeric() && !matches!(it, '\'' | '’')) {
            let Some(first) = word.chars().next() else {
                continue;
            };
            let is_i = word == "I" || word.starts_with("I'") || word.starts_with("I’");
            let is_name = first.is_uppercase() && !begins_sentence && !is_i;
            begins_sentence = false;
            let plain = fold_name(word);
            let turns =
                TURNING.contains(&plain.as_str()) || plain.replace('’', "'").ends_with("n't");
            let matters = is_name || turns || word.chars().any(char::is_numeric);
            let parts = words(word);
            let is_new = matters && parts.iter().any(|part| !of_known.contains(part));
            if is_new || says_new(word) {
                return Some(word.to_owned());
            }
        }
        begins_sentence |= has_ended;
    }
    None
}

/// Whether two texts say the same of something but for the rest of their words.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts of words in a bounded text"
)]
fn shares_frame(left: &BTreeSet<String>, right: &BTreeSet<String>) -> bool {
    let n_common = left.intersection(right).count();
    let n_lesser = left.len().min(right.len());
    n_common > 0 && n_common as f64 >= FRAME_SHARE_MIN * n_lesser as f64
}

#[cfg(test)]
mod tests;
