//! When two texts or two names count as the same. Knows no index.

use unicode_normalization::UnicodeNormalization;

/// The form in which texts and topics are compared: NFC, white space collapsed, case kept.
pub fn normalise_text(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !normal.is_empty() {
            normal.push(' ');
        }
        if word.is_ascii() {
            normal.push_str(word);
        } else {
            normal.extend(word.nfc());
        }
    }
    normal
}

/// The form in which names of entities are compared: as [`normalise_text`], case folded.
pub fn fold_name(name: &str) -> String {
    let folded: String = normalise_text(name).chars().flat_map(fold_case).collect();
    folded.nfc().collect()
}

/// Folds the case of one character: upper case, then lower case, each in full and without context.
///
/// So ß and ẞ become ss, and σ, ς and Σ one; the four Turkish i all become i, as a person would
/// type any of them.
pub(crate) fn fold_case(character: char) -> impl Iterator<Item = char> {
    let character = match character {
        '\u{130}' => 'i',
        // Capital ß is its own upper case.
        '\u{1E9E}' => '\u{DF}',
        _ => character,
    };
    character.to_uppercase().flat_map(char::to_lowercase)
}
