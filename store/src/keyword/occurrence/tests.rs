//! Places by a table, and against the index's own tokens.

use proptest::prelude::*;

use super::occurrences;
use crate::keyword::{Analysis, Purpose};

fn places(text: &str, terms: &[&str]) -> Vec<(String, usize)> {
    occurrences(text, terms)
        .into_iter()
        .map(|found| (text[found.at].to_owned(), found.term))
        .collect()
}

/// A text, terms, and each place with the index of its term.
type Example<'a> = (&'a str, &'a [&'a str], &'a [(&'a str, usize)]);

#[test]
fn a_term_is_found_as_it_was_written() {
    let table: [Example<'_>; 6] = [
        (
            "Green tea, GREEN!",
            &["green"],
            &[("Green", 0), ("GREEN!", 0)],
        ),
        (
            "the gpt-4o model",
            &["gpt-4o", "4o"],
            &[("gpt-4o", 0), ("gpt-4o", 1)],
        ),
        ("Straße 5", &["strasse"], &[("Straße", 0)]),
        ("我住在東京。", &["東京"], &[("東京", 0)]),
        ("in 東京 now", &["京"], &[("東京", 0), ("京", 0)]),
        ("nothing here", &["tea"], &[]),
    ];
    for (text, terms, expected) in table {
        let expected: Vec<_> = expected
            .iter()
            .map(|(place, term)| ((*place).to_owned(), *term))
            .collect();
        assert_eq!(places(text, terms), expected, "{text}");
    }
}

proptest! {
    #[test]
    fn each_word_of_a_text_is_found_in_it(text in "([A-Za-zßÉя]\u{301}?|[0-9東京のไท .,'’]){0,40}") {
        let analysis = Analysis::new(&text, Purpose::Query);
        let terms: Vec<&str> = analysis.tokens().collect();
        let found = occurrences(&text, &terms);
        for (idx, term) in terms.iter().enumerate() {
            // Of equal terms the last one is named; a term over a space is none of a piece.
            let is_last = !terms[idx + 1..].contains(term);
            if is_last && !term.contains(char::is_whitespace) {
                prop_assert!(found.iter().any(|it| it.term == idx), "{term} in {text:?}");
            }
        }
        prop_assert!(found.iter().map(|it| it.at.start).is_sorted());
    }
}
