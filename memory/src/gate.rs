//! The gate: does a text say anything? Knows no store, no other text and no metadata.
//!
//! The whole rule: a text is trivial when it is blank, when it has neither a letter nor a digit, or
//! when it has at most [`WORDS_MAX`] words (and [`CHARS_MAX`] characters) and every one of them belongs
//! to a phrase of [`small_talk`] or is laughter. No phrase has a digit. Everything else is kept: where in
//! doubt, keep.

mod small_talk;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

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
    if text.chars().all(char::is_whitespace) {
        return Some(Trivial::Blank);
    }
    if !text.chars().any(char::is_alphanumeric) {
        return Some(Trivial::NoWords);
    }
    if text.chars().nth(CHARS_MAX).is_some() {
        return None;
    }
    let words = words(text);
    // "okkkk" is "ok", and "goooood" is "good".
    let squeezed = |run| words.iter().map(|word| squeeze(word, run)).collect();
    let small = words.len() <= WORDS_MAX
        && [1, 2]
            .map(squeezed)
            .iter()
            .any(|words: &Vec<String>| small_talk_only(words));
    small.then_some(Trivial::SmallTalk)
}

/// Lower-case words without apostrophes: "That's it!" is `thats`, `it`.
fn words(text: &str) -> Vec<String> {
    let spoken: String = text
        .nfkc()
        .filter(|character| !matches!(character, '\'' | '’' | '`'))
        .flat_map(char::to_lowercase)
        .collect();
    // Marks belong to their letters: without them the words of Hindi fall apart.
    let is_in_word = |it: char| it.is_alphanumeric() || is_combining_mark(it);
    let words = spoken.split(|character| !is_in_word(character));
    words
        .filter(|word| word.contains(char::is_alphanumeric))
        .map(str::to_owned)
        .collect()
}

/// The word with every run of three or more equal characters cut to `run`.
fn squeeze(word: &str, run: usize) -> String {
    let characters: Vec<char> = word.chars().collect();
    let runs = characters.chunk_by(|left, right| left == right);
    runs.flat_map(|same| &same[..if same.len() < 3 { same.len() } else { run }])
        .collect()
}

/// Whether phrases and laughter, one after the other, use up every word.
fn small_talk_only(words: &[String]) -> bool {
    let mut rest = words;
    while !rest.is_empty() {
        match n_small_words(rest) {
            0 => return false,
            n_words => rest = &rest[n_words..],
        }
    }
    true
}

/// How many of the first words are one phrase, or laughter; 0 where they are neither.
fn n_small_words(words: &[String]) -> usize {
    let longest = words.len().min(PHRASE_WORDS_MAX);
    let phrase = (1..=longest)
        .rev()
        .find(|n_words| is_phrase(&words[..*n_words].join(" ")));
    let first = &words[0];
    phrase.unwrap_or(usize::from(
        is_laughter(first) || is_unspaced_small_talk(first),
    ))
}

fn is_phrase(words: &str) -> bool {
    small_talk::phrases().any(|phrase| phrase == words)
}

fn is_laughter(word: &str) -> bool {
    LAUGHTER.iter().any(|syllable| {
        let n_least = if syllable.chars().count() == 1 { 2 } else { 4 };
        word.chars().count() >= n_least
            && word.chars().all(|character| syllable.contains(character))
            && syllable.chars().all(|character| word.contains(character))
    })
}

/// Chinese and Japanese write without spaces: whether the word is phrases end to end.
fn is_unspaced_small_talk(word: &str) -> bool {
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
