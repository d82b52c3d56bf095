//! Makes a line that is JSON but for its text into JSON. Knows no message.

#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::borrow::Cow;

/// `json` with every `\u` escape of half a surrogate pair replaced by `\ufffd`.
///
/// Such escapes come from programs that cut a text between the two halves; JSON parsers refuse the
/// whole message for one.
pub(crate) fn without_lone_surrogates(json: &str) -> Cow<'_, str> {
    let mut repaired = String::new();
    let mut rest = json;
    let mut changed = false;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        repaired.push_str(before);
        let len = match surrogate(escape) {
            None => escape.chars().take(2).map(char::len_utf8).sum(),
            Some(Half::Leading) if is_trailing(escape.get(6..)) => 12,
            Some(_) => {
                changed = true;
                repaired.push_str("\\ufffd");
                rest = escape.get(6..).unwrap_or_default();
                continue;
            }
        };
        let (whole, after) = escape.split_at(len);
        repaired.push_str(whole);
        rest = after;
    }
    if !changed {
        return Cow::Borrowed(json);
    }
    repaired.push_str(rest);
    Cow::Owned(repaired)
}

enum Half {
    Leading,
    Trailing,
}

/// Which half of a pair the escape at the start of `escape` is.
fn surrogate(escape: &str) -> Option<Half> {
    let digits = escape.strip_prefix("\\u")?.get(..4)?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xD800..=0xDBFF => Some(Half::Leading),
        0xDC00..=0xDFFF => Some(Half::Trailing),
        _ => None,
    }
}

fn is_trailing(escape: Option<&str>) -> bool {
    matches!(escape.and_then(surrogate), Some(Half::Trailing))
}

#[cfg(test)]
mod tests;
