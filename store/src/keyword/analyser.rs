//! The tokens of a text or a query. Knows no index.
//!
//! **Words**: what is left between characters that are not alphanumeric, case folded; these are the
//! tokens that the length of a text counts, so that plain words score as plain BM25 has them.
//! Combining marks stay with their word. No stop words, no stems.
//!
//! **Unspaced scripts** (han, kana, hangul, Thai, ...): each pair of neighbours in a run; a run of
//! one is that one. They count as words do. A text also has each character of a run, not counted, so
//! that a query of one character finds it.
//!
//! **Identifiers** (`gpt-4o`, `host:8080`, `don't`, `src/main.rs`): beside their parts, which are
//! words, the whole is one more token. It does not count for the length: it says nothing that the
//! parts do not, and a text must not rank lower for holding identifiers. So a text with the whole
//! scores above one with the parts scattered, and a query without identifiers scores as if there
//! were none.
//!
//! **Emoji and flags** are tokens, not counted: punctuation is not, and they stand where it does.
//!
//! Texts are compared in NFC, not NFKC, which would make `x²` and `x2` one, and `Brand™` brandtm;
//! only full-width and half-width forms, which say the same in another width, are folded.

use unicode_normalization::UnicodeNormalization;

use crate::keyword::script::Class;
use crate::text::fold_case;

/// A longer identifier is left to its parts: nobody types it, and it may be a whole file in base64.
const IDENTIFIER_LEN_MAX_BYTES: usize = 256;

/// Whether a text is kept or asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// It is kept: everything by which it can be found.
    Index,
    /// It is asked for: the most exact tokens.
    Query,
}

/// A text, cut into tokens.
#[derive(Debug)]
pub(crate) struct Analysis {
    folded: String,
    tokens: Vec<std::ops::Range<usize>>,
    /// So many of the tokens are words and what stands for them; identifiers follow.
    n_words: usize,
    len_tokens: u32,
}

impl Analysis {
    /// Cuts `text` into tokens.
    pub(crate) fn new(text: &str, purpose: Purpose) -> Self {
        let mut analysis = Self {
            folded: fold(text),
            tokens: Vec::new(),
            n_words: 0,
            len_tokens: 0,
        };
        analysis.cut_words(purpose);
        analysis.n_words = analysis.tokens.len();
        analysis.cut_identifiers();
        analysis
    }

    /// The tokens, repeats included: words in order, then identifiers in order.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().map(|range| &self.folded[range.clone()])
    }

    /// The words alone, in order.
    pub(crate) fn words(&self) -> Vec<&str> {
        let words = self.tokens.iter().take(self.n_words);
        words.map(|range| &self.folded[range.clone()]).collect()
    }

    /// The tokens that the length of the text counts.
    pub(crate) const fn len_tokens(&self) -> u32 {
        self.len_tokens
    }

    fn cut_words(&mut self, purpose: Purpose) {
        let folded = std::mem::take(&mut self.folded);
        let mut rest = folded.char_indices().peekable();
        while let Some((start, character)) = rest.next() {
            let class = Class::of(character);
            let mut end = start + character.len_utf8();
            if matches!(class, Class::Word | Class::Unspaced) {
                while let Some((idx, next)) = rest.peek() {
                    let next_class = Class::of(*next);
                    if next_class != class && next_class != Class::Mark {
                        break;
                    }
                    end = idx + next.len_utf8();
                    rest.next();
                }
            }
            match class {
                Class::Word => self.count(start..end),
                Class::Unspaced => self.cut_pairs(&folded, start..end, purpose),
                Class::Pictograph => self.tokens.push(start..end),
                Class::RegionalIndicator => {
                    let second = rest.next_if(|(_, next)| Class::of(*next) == class);
                    let end = second.map_or(end, |(idx, next)| idx + next.len_utf8());
                    self.tokens.push(start..end);
                }
                Class::Mark | Class::Separator => {}
            }
        }
        self.folded = folded;
    }

    /// Cuts a run of an unspaced script.
    fn cut_pairs(&mut self, folded: &str, run: std::ops::Range<usize>, purpose: Purpose) {
        let text = &folded[run.clone()];
        let n_characters = text.chars().count();
        if n_characters == 1 {
            return self.count(run);
        }
        let starts = text.char_indices().map(|(idx, _)| run.start + idx);
        let bounds: Vec<usize> = starts.chain([run.end]).collect();
        for pair in bounds.windows(3) {
            self.count(pair[0]..pair[2]);
        }
        if purpose == Purpose::Index {
            for single in bounds.windows(2) {
                self.tokens.push(single[0]..single[1]);
            }
        }
    }

    fn count(&mut self, token: std::ops::Range<usize>) {
        self.tokens.push(token);
        self.len_tokens = self.len_tokens.saturating_add(1);
    }

    /// Finds words that are joined by single signs.
    fn cut_identifiers(&mut self) {
        let folded = std::mem::take(&mut self.folded);
        let mut piece_start = 0;
        for piece in folded.split_inclusive(ends_identifier) {
            let start = piece_start + piece.len() - piece.trim_start_matches(is_no_word).len();
            let end = piece_start + piece.trim_end_matches(is_no_word).len();
            piece_start += piece.len();
            if start >= end || end - start > IDENTIFIER_LEN_MAX_BYTES {
                continue;
            }
            let behind = &folded[end..piece_start];
            let sign = ["++", "#"]
                .into_iter()
                .find(|sign| behind.starts_with(sign));
            let end = end + sign.map_or(0, str::len);
            if folded[start..end].contains(is_no_word) {
                self.tokens.push(start..end);
            }
        }
        self.folded = folded;
    }
}

fn is_no_word(character: char) -> bool {
    !matches!(Class::of(character), Class::Word | Class::Mark)
}

/// Whether no identifier goes on over `character`.
fn ends_identifier(character: char) -> bool {
    match Class::of(character) {
        Class::Word | Class::Mark => false,
        Class::Separator => !".-_:/\\'@+#&=~%*,?$".contains(character),
        Class::Unspaced | Class::Pictograph | Class::RegionalIndicator => true,
    }
}

/// The text as tokens have it: NFC, one width, one case, one apostrophe, no soft hyphens.
fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let one_width = text.nfc().flat_map(|character| {
        let wide = ('\u{FF01}'..='\u{FFEE}').contains(&character);
        let folded = wide.then(|| std::iter::once(character).nfkc());
        folded
            .into_iter()
            .flatten()
            .chain((!wide).then_some(character))
    });
    let one_sort = one_width.filter_map(|character| match character {
        '\u{2018}' | '\u{2019}' | '\u{02BC}' => Some('\''),
        '\u{2010}' | '\u{2011}' => Some('-'),
        // Soft hyphens, and how a symbol or a digit is to be drawn.
        '\u{00AD}' | '\u{FE00}'..='\u{FE0F}' | '\u{20E3}' => None,
        character => Some(character),
    });
    one_sort.flat_map(fold_case).nfc().collect()
}

#[cfg(test)]
mod tests;
