//! The gate: does a text say anything? Knows no store, no other text and no metadata.
//!
//! The whole rule: a text is trivial when it is blank, when it has neither a letter nor a digit, or
//! when it has at most [`WORDS_MAX`] words (and [`CHARS_MAX`] characters) and every one of them belongs
//! to a phrase of [`small_talk`] or is laughter. No phrase has a digit. Everything else is kept: where in
//! doubt, keep.

mod small_talk;
mod spoken;

use spoken::{has_long_run, spoken, squeezed};

/// A text of more words is kept whatever they are.
pub(crate) const WORDS_MAX: usize = 6;
/// A text of more characters is kept unread.
const CHARS_MAX: usize = 200;
/// The longest phrase of [`small_talk`], in words.
const PHRASE_WORDS_MAX: usize = 4;
/// What laughter is made of. Two different letters, or one that is nothing else when repeated.
const LAUGHTER: [&str; 14] = [
    "ha", "he", "hi", "ho", "ja", "je", "ха", "хе", "хи", "哈", "呵", "嘿", "\u{110f}", "\u{1112}",
];

/// Why a text says nothing. `Display` says it in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Trivial {
    /// Nothing but white space.
    #[error("the text is blank")]
    Blank,
    /// Punctuation, symbols or emoji alone.
    #[error("the text has no letter and no digit")]
    NoWords,
    /// Greetings, thanks, assent, filler, laughter.
    #[error(
        "the text is small talk and says nothing to remember; say what it means, or give a topic"
    )]
    SmallTalk,
}

/// Why `text` says nothing, if it does: what [`Memory::remember`](crate::Memory::remember) turns away, and a
/// host can ask before it builds a request.
pub fn trivial(text: &str) -> Option<Trivial> {
    if !text.chars().any(char::is_alphanumeric) {
        let is_blank = text.chars().all(char::is_whitespace);
        return Some(if is_blank {
            Trivial::Blank
        } else {
            Trivial::NoWords
        });
    }
    // As many bytes are at most as many characters: most texts are not counted.
    if text.len() > CHARS_MAX && text.chars().nth(CHARS_MAX).is_some() {
        return None;
    }
    let spoken = spoken(text, WORDS_MAX)?;
    let is_small = if has_long_run(&spoken) {
        // "okkkk" is "ok", and "goooood" is "good".
        [1, 2]
            .iter()
            .any(|run| small_talk_only(&squeezed(&spoken, *run)))
    } else {
        small_talk_only(&spoken)
    };
    is_small.then_some(Trivial::SmallTalk)
}

/// Whether phrases and laughter, one after the other, use up every word of a spoken text.
fn small_talk_only(spoken: &str) -> bool {
    let mut rest = spoken;
    while !rest.is_empty() {
        match after_small_words(rest) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    true
}

/// What follows the longest phrase with which a spoken text begins, or laughter; `None` where it begins with neither.
fn after_small_words(spoken: &str) -> Option<&str> {
    let spaces = spoken.match_indices(' ').map(|(at, _)| at);
    let mut after_phrase = None;
    for end in spaces.chain([spoken.len()]).take(PHRASE_WORDS_MAX) {
        let (words, rest) = spoken.split_at(end);
        if small_talk::is_phrase(words) {
            after_phrase = Some(rest);
        }
    }
    let first = || {
        let (word, rest) = spoken.split_at(spoken.find(' ').unwrap_or(spoken.len()));
        (is_laughter(word) || is_unspaced_small_talk(word)).then_some(rest)
    };
    let after = after_phrase.or_else(first)?;
    Some(after.strip_prefix(' ').unwrap_or(after))
}

fn is_laughter(word: &str) -> bool {
    LAUGHTER.iter().any(|syllable| {
        let n_least = if syllable.chars().count() == 1 { 2 } else { 4 };
        word.chars().all(|character| syllable.contains(character))
            && word.chars().count() >= n_least
            && syllable.chars().all(|character| word.contains(character))
    })
}

/// Chinese and Japanese write without spaces: whether the word is phrases end to end.
fn is_unspaced_small_talk(word: &str) -> bool {
    if word.is_ascii() {
        return false;
    }
    let mut rest = word;
    while !rest.is_empty() {
        let phrases = small_talk::unspaced().filter(|phrase| rest.starts_with(*phrase));
        let longest = phrases.max_by_key(|phrase| phrase.len());
        match longest {
            Some(phrase) => rest = &rest[phrase.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests;
