//! The conversation is what the demonstration says of it.

use std::collections::BTreeSet;

use super::*;

fn words(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let words = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

#[test]
fn the_question_by_meaning_shares_no_word_with_any_memory() {
    let conversation = Conversation::ours().expect("it is part of the program");
    let asked = words(&conversation.questions.by_meaning.query);
    assert!(!asked.is_empty());
    for told in conversation.memories.iter().chain([&conversation.later]) {
        let shared: Vec<_> = words(&told.text).intersection(&asked).cloned().collect();
        assert!(shared.is_empty(), "{shared:?} in {:?}", told.text);
    }
}

#[test]
fn every_question_names_a_memory_that_is_told() {
    let conversation = Conversation::ours().expect("it is part of the program");
    let keys: BTreeSet<&str> = conversation
        .memories
        .iter()
        .map(|told| &*told.key)
        .collect();
    assert_eq!(
        keys.len(),
        conversation.memories.len(),
        "keys are told apart"
    );
    let questions = &conversation.questions;
    for key in [
        &questions.by_meaning.expect,
        &questions.by_keyword.expect,
        &questions.forgotten.expect,
        &questions.superseded.expect,
        &conversation.forget.key,
    ] {
        assert!(keys.contains(&**key), "{key}");
    }
    assert_eq!(conversation.memories.len(), 12);
}
