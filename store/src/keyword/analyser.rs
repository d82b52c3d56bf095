//! The tokens of a text or a query. Knows no index.

use unicode_normalization::UnicodeNormalization;

use crate::text::fold_case;

/// The tokens of `text`, in order, repeats included.
pub(crate) fn tokens(text: &str) -> Vec<String> {
    let folded: String = text.nfc().flat_map(fold_case).collect();
    folded
        .split(|character: char| !character.is_alphanumeric())
        .filter(|token| !token.is_empty())
        .map(str::to_owned)
        .collect()
}
