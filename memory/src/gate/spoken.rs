//! A short text as it is spoken: words in lower case, a space between each two. Knows no phrase.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Equal characters in a row from which they are drawn out.
const LONG_RUN: usize = 3;

/// The words of `text` without apostrophes ("That's it!" is `thats it`), or `None` where there are more than
/// `words_max`. Reads no further than that.
pub(super) fn spoken(text: &str, words_max: usize) -> Option<String> {
    let mut words = Spelling {
        spoken: String::with_capacity(text.len()),
        n_words: 0,
        words_max,
        starts_at: 0,
        has_letter: false,
    };
    let is_within = if text.is_ascii() {
        let mut bytes = text.bytes();
        bytes.all(|byte| words.push(char::from(byte.to_ascii_lowercase())))
    } else {
        let mut characters = text.nfkc().flat_map(char::to_lowercase);
        characters.all(|character| words.push(character))
    };
    (is_within && words.end_word()).then(|| {
        let len_bytes = words.spoken.trim_end().len();
        words.spoken.truncate(len_bytes);
        words.spoken
    })
}

/// Words as they come in, one character at a time.
struct Spelling {
    spoken: String,
    n_words: usize,
    words_max: usize,
    /// Where the last word starts.
    starts_at: usize,
    /// Whether it has a letter or a digit yet.
    has_letter: bool,
}

impl Spelling {
    /// Takes a character; `false` where it ended a word too many.
    fn push(&mut self, character: char) -> bool {
        // An apostrophe neither parts a word nor belongs to it.
        if matches!(character, '\'' | '’' | '`') {
            return true;
        }
        let is_letter = character.is_alphanumeric();
        // Marks belong to their letters: without them the words of Hindi fall apart.
        if is_letter || (!character.is_ascii() && is_combining_mark(character)) {
            self.has_letter |= is_letter;
            self.spoken.push(character);
            return true;
        }
        self.end_word()
    }

    /// Ends the word where there is one; `false` where it is one too many.
    fn end_word(&mut self) -> bool {
        if self.has_letter {
            self.n_words += 1;
            self.spoken.push(' ');
        } else {
            // Marks alone are no word.
            self.spoken.truncate(self.starts_at);
        }
        self.starts_at = self.spoken.len();
        self.has_letter = false;
        self.n_words <= self.words_max
    }
}

/// Whether some character stands three times in a row or more.
pub(super) fn has_long_run(spoken: &str) -> bool {
    let mut run = (None, 0);
    spoken.chars().any(|character| {
        let n_before = if run.0 == Some(character) { run.1 } else { 0 };
        run = (Some(character), n_before + 1);
        run.1 >= LONG_RUN
    })
}

/// The text with every run of three or more equal characters cut to `run`.
pub(super) fn squeezed(spoken: &str, run: usize) -> String {
    let characters: Vec<char> = spoken.chars().collect();
    let runs = characters.chunk_by(|left, right| left == right);
    runs.flat_map(|same| {
        let n_kept = if same.len() < LONG_RUN {
            same.len()
        } else {
            run
        };
        &same[..n_kept]
    })
    .collect()
}
