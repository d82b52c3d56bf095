use palimpsest_memory::{Role, Turn, saved_when_empty, trivial};

use super::{STRATEGY_CASES, naive, sentences};

#[test]
fn no_sentence_that_says_something_is_turned_away() {
    let sentences = sentences().unwrap();
    let n_sentences: usize = sentences.values().map(Vec::len).sum();
    assert_eq!((sentences.len(), n_sentences), (8, 300));
    let skipped = sentences
        .values()
        .flatten()
        .filter(|text| trivial(text).is_some());
    assert_eq!(skipped.collect::<Vec<_>>(), Vec::<&String>::new());
    let by_twin = sentences
        .values()
        .flatten()
        .filter(|text| naive::is_trivial(text));
    assert!(
        by_twin.count() > 30,
        "the sentences are short enough to tempt a gate"
    );
}

#[test]
fn a_strategy_saves_what_says_something_and_skips_what_does_not() {
    let decided = STRATEGY_CASES.map(|(_, strategy, text)| {
        let turn = Turn {
            role: Role::User,
            text: text.to_owned(),
        };
        saved_when_empty(strategy, &turn)
    });
    assert_eq!(decided, [true, false, true]);
}
