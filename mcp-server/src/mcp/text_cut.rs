//! Cuts texts to a length. Knows no answer.

use std::borrow::Cow;

/// `text`, or its first `chars_max` characters and an ellipsis.
pub(crate) fn cut(text: &str, chars_max: usize) -> Cow<'_, str> {
    match text.char_indices().nth(chars_max) {
        None => Cow::Borrowed(text),
        Some((at, _)) => Cow::Owned(format!("{}…", text.get(..at).unwrap_or_default())),
    }
}
