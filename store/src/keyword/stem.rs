//! Words that are forms of one word: English stems. Knows no index.
//!
//! Source: the English ("Porter 2") algorithm of the Snowball project.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

/// A shorter word has no ending to lose.
const LEN_MIN_BYTES: usize = 3;
/// A longer one is no word.
const LEN_MAX_BYTES: usize = 40;

/// The stem of a token that can be an English word: ASCII letters alone.
pub(crate) fn stem(token: &str) -> Option<Cow<'_, str>> {
    let is_word = (LEN_MIN_BYTES..=LEN_MAX_BYTES).contains(&token.len())
        && token.bytes().all(|byte| byte.is_ascii_lowercase());
    is_word.then(|| Stemmer::create(Algorithm::English).stem(token))
}

#[cfg(test)]
mod tests {
    //! Forms of one word.

    use super::stem;

    #[test]
    fn forms_of_a_word_share_a_stem() {
        for forms in [
            ["paint", "painting", "painted"],
            ["hobby", "hobbies", "hobby"],
            ["adopt", "adopted", "adopting"],
        ] {
            let stems = forms.map(|form| stem(form).expect("it is a word"));
            assert!(stems.iter().all(|it| *it == stems[0]), "{stems:?}");
        }
    }

    #[test]
    fn what_is_no_english_word_has_none() {
        let long = "a".repeat(41);
        for token in ["", "ab", "gpt4", "don't", "größe", "東京", "я", &long] {
            assert_eq!(stem(token), None, "{token}");
        }
    }
}
