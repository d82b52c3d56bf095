use proptest::prelude::*;

use super::Words;

/// The contract in the slowest obvious way: character by character.
fn slow_words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for character in text.to_lowercase().chars() {
        if character.is_alphanumeric() {
            words
                .last_mut()
                .expect("there always is one")
                .push(character);
        } else {
            words.push(String::new());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn check(words: Words, text: &str, expected: &[&str]) {
    let found = words.of(text);
    assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{text:?}");
    assert_eq!(found.len(), expected.len());
}

#[test]
fn words_are_lower_cased_and_split_on_what_is_not_alphanumeric() {
    check(Words::Plain, "The the, THE!", &["the", "the", "the"]);
    check(Words::Plain, "it's 3.5 km", &["it", "s", "3", "5", "km"]);
    check(
        Words::Plain,
        "İstanbul Straße ﬁve",
        &["i", "stanbul", "straße", "ﬁve"],
    );
    check(Words::Plain, "  --  ", &[]);
    check(
        Words::Stemmed,
        "Running runners ran",
        &["run", "runner", "ran"],
    );
}

proptest! {
    #[test]
    fn the_analyser_agrees_with_its_slow_twin(text in "\\PC{0,80}") {
        let words = Words::Plain.of(&text);
        prop_assert_eq!(words.iter().collect::<Vec<_>>(), slow_words(&text));
    }

    #[test]
    fn stems_are_as_many_as_words(text in "\\PC{0,80}") {
        prop_assert_eq!(Words::Stemmed.of(&text).len(), Words::Plain.of(&text).len());
    }
}
