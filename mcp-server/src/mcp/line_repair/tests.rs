//! Tests of the module above.

use proptest::prelude::*;

use super::without_lone_surrogates;

#[test]
fn half_pairs_become_replacement_characters() {
    let cases = [
        (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
        (r#""\ud83d""#, r#""\ufffd""#),
        (r#""\ude00x""#, r#""\ufffdx""#),
        (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
        (r#""\ud83d\n\ude00""#, r#""\ufffd\n\ufffd""#),
        // A backslash of its own, then letters that only look like an escape.
        (r#""\\ud83d""#, r#""\\ud83d""#),
        (r#""\\\ud83d""#, r#""\\\ufffd""#),
        (r#""\uD83Dé""#, r#""\ufffdé""#),
        (r#""\u00e9""#, r#""\u00e9""#),
    ];
    for (given, expected) in cases {
        assert_eq!(without_lone_surrogates(given), expected, "{given}");
    }
}

proptest! {
    /// JSON that parses is left alone, whatever it holds.
    #[test]
    fn whole_json_is_unchanged(text in any::<String>()) {
        let json = serde_json::to_string(&text).expect("a string is JSON");
        prop_assert_eq!(without_lone_surrogates(&json), json.as_str());
    }

    /// Any run of escapes parses after the repair, and nothing panics before.
    #[test]
    fn any_run_of_escapes_parses_after_the_repair(units in prop::collection::vec(any::<u16>(), 0..8)) {
        let escapes: Vec<String> = units.iter().map(|unit| format!("\\u{unit:04x}")).collect();
        let json = format!("\"{}\"", escapes.concat());
        let repaired = without_lone_surrogates(&json).into_owned();
        let parsed: String = serde_json::from_str(&repaired).expect("repaired");
        prop_assert_eq!(parsed, String::from_utf16_lossy(&units));
    }

    #[test]
    fn arbitrary_text_never_panics(text in "[\\\\u0-9a-fD8é\"]{0,40}") {
        let _repaired = without_lone_surrogates(&text);
    }
}
