//! What a text says, as a set of words that can be compared. Knows no index.

use std::collections::BTreeSet;

use super::stem::stem;
use super::stop_words::is_stop_word;
use super::{Analysis, Purpose};

/// The distinct words of `text` that say something: case folded, one for all forms of an English word, `the`, `what`
/// and their like (English) left out; of scripts without spaces the pairs of neighbours.
pub fn content_words(text: &str) -> BTreeSet<String> {
    let analysis = Analysis::new(text, Purpose::Query);
    let words = analysis.words().into_iter();
    words
        .filter(|word| !is_stop_word(word))
        .map(|word| stem(word).map_or_else(|| word.to_owned(), std::borrow::Cow::into_owned))
        .collect()
}

#[cfg(test)]
mod tests {
    //! What counts, and what is one.

    use super::content_words;

    #[test]
    fn forms_are_one_and_stop_words_none() {
        let words = |text| {
            content_words(text)
                .into_iter()
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(
            words("The Boats were painted; paint the BOAT!"),
            "boat paint"
        );
        assert_eq!(words("before after the"), "");
        assert_eq!(words("猫が"), "猫が");
    }
}
