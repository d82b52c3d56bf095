//! What sort of letter a character is, as far as cutting words needs it. Knows no text.

use unicode_normalization::char::is_combining_mark;

/// The part that a character plays in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Part of a word that stands between spaces.
    Word,
    /// A letter of a script that sets no spaces between words.
    Unspaced,
    /// A symbol that is a token by itself.
    Pictograph,
    /// One half of a flag.
    RegionalIndicator,
    /// Belongs to the word before it.
    Mark,
    /// Stands between tokens.
    Separator,
}

impl Class {
    pub(crate) fn of(character: char) -> Self {
        if character.is_ascii() {
            return if character.is_ascii_alphanumeric() {
                Self::Word
            } else {
                Self::Separator
            };
        }
        if is_unspaced(character) {
            Self::Unspaced
        } else if character.is_alphanumeric() {
            Self::Word
        } else if is_combining_mark(character) {
            Self::Mark
        } else if ('\u{1F1E6}'..='\u{1F1FF}').contains(&character) {
            Self::RegionalIndicator
        } else if is_pictograph(character) {
            Self::Pictograph
        } else {
            Self::Separator
        }
    }
}

/// Han, kana, hangul, and the scripts of South-East Asia that write without spaces.
fn is_unspaced(character: char) -> bool {
    matches!(character,
        '\u{0E01}'..='\u{0E4E}' // Thai
        | '\u{0E81}'..='\u{0ECE}' // Lao
        | '\u{1000}'..='\u{103F}' // Myanmar
        | '\u{1780}'..='\u{17D3}' // Khmer
        | '\u{3005}'..='\u{3007}' // ideographic iteration, closing and zero marks
        | '\u{3041}'..='\u{3096}' | '\u{309D}'..='\u{309F}' // hiragana
        | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' // katakana
        | '\u{3105}'..='\u{312F}' // bopomofo
        | '\u{3131}'..='\u{318E}' // hangul letters
        | '\u{31F0}'..='\u{31FF}' // small katakana
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' // han
        | '\u{AC00}'..='\u{D7A3}' // hangul syllables
        | '\u{F900}'..='\u{FAFF}' // han, compatibility
        | '\u{1B000}'..='\u{1B16F}' // kana, supplements
        | '\u{20000}'..='\u{3FFFF}' // han, extensions
    )
}

/// Emoji, and the symbols around them. Skin tones alone say nothing.
fn is_pictograph(character: char) -> bool {
    matches!(character,
        '\u{2300}'..='\u{23FF}' | '\u{25A0}'..='\u{27BF}' | '\u{2B00}'..='\u{2BFF}'
        | '\u{1F000}'..='\u{1F3FA}' | '\u{1F400}'..='\u{1FAFF}')
}
