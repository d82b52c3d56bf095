//! A gate as one would write it in a minute: what ours is compared with.

/// Words of small talk, in English alone.
const WORDS: [&str; 20] = [
    "ok", "okay", "yes", "no", "yeah", "thanks", "thank", "you", "hi", "hello", "bye", "sure",
    "great", "cool", "lol", "good", "nice", "right", "sounds", "got",
];
const CHARS_MIN: usize = 10;

/// Whether `text` is short, or has only words of the list.
pub(super) fn is_trivial(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower
        .split(|it: char| !it.is_alphanumeric())
        .filter(|word| !word.is_empty());
    text.chars().count() < CHARS_MIN || words.all(|word| WORDS.contains(&word))
}
