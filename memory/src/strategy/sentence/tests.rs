//! How a text falls apart.

use super::*;

fn shown(text: &str) -> String {
    let sentences = sentences(text, 3, 200);
    let shown = sentences.iter().map(|sentence| {
        let tokens = sentence.tokens.iter().map(|token| match token {
            Token::Word(word) if word.is_capital => word.plain.to_uppercase(),
            Token::Word(word) => word.plain.clone(),
            Token::Comma => ",".to_owned(),
        });
        let end = if sentence.is_question { "?" } else { "." };
        format!("{}{end}", tokens.collect::<Vec<_>>().join(" "))
    });
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn sentences_fall_into_words_and_commas() {
    let cases = [
        ("That's it", "THATS it."),
        ("I’m at Ann's; ok", "im at ANNS. ok."),
        ("at 10:30, or 3.5 km?", "at 10:30 , or 3.5 km?"),
        ("well-known - or not", "well-known , or not."),
        ("a. b! c? d.", "a. b. c?"),
        ("...", ""),
        ("wait... no", "wait. no."),
        ("nein\nja", "nein. ja."),
        ("(see Ann)", ", see ANN ,."),
    ];
    for (text, expect) in cases {
        assert_eq!(shown(text), expect, "{text:?}");
    }
}

#[test]
fn no_more_is_read_than_was_asked_for() {
    assert_eq!(sentences("one two three", 1, 7)[0].tokens.len(), 2);
    assert_eq!(sentences("a. b. c.", 2, 100).len(), 2);
}
