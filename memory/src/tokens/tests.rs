//! Estimates by script.

use super::estimate_tokens;

#[test]
fn tokens_are_estimated_by_script() {
    let expected = [
        ("", 0),
        ("a", 1),
        ("four", 1),
        ("fours", 2),
        ("a text of thirty-two characters.", 8),
        ("привет", 3),
        ("我是医生", 4),
        ("😂", 1),
        ("né", 1),
    ];
    for (text, n_tokens) in expected {
        assert_eq!(estimate_tokens(text), n_tokens, "{text}");
    }
}

#[test]
fn a_longer_text_never_costs_less() {
    let text = "Zürich, 東京 and Ростов. ".repeat(20);
    let ends = text
        .char_indices()
        .map(|(end, _)| estimate_tokens(&text[..end]));
    assert!(ends.collect::<Vec<_>>().is_sorted());
}
