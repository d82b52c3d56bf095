//! Which tokens a text has, and which texts find each other.

use super::*;

fn tokens(text: &str, purpose: Purpose) -> Vec<String> {
    Analysis::new(text, purpose)
        .tokens()
        .map(str::to_owned)
        .collect()
}

#[track_caller]
fn check(text: &str, expect: &[&str], len_tokens: u32) {
    assert_eq!(tokens(text, Purpose::Query), expect, "{text:?}");
    assert_eq!(
        Analysis::new(text, Purpose::Query).len_tokens(),
        len_tokens,
        "{text:?}"
    );
    assert_eq!(
        Analysis::new(text, Purpose::Index).len_tokens(),
        len_tokens,
        "{text:?}"
    );
}

#[test]
fn plain_words_are_lower_cased_and_split_on_what_is_not_alphanumeric() {
    check("", &[], 0);
    check(" \n\t!?…—()", &[], 0);
    check("The Cat; the (cat)!", &["the", "cat", "the", "cat"], 4);
    check(
        "Über Ελλάς Привет 42",
        &["über", "ελλάσ", "привет", "42"],
        4,
    );
    check(
        "STRASSE straße Straẞe",
        &["strasse", "strasse", "strasse"],
        3,
    );
    check("İstanbul ISTANBUL", &["istanbul", "istanbul"], 2);
    check("हिन्दी भाषा", &["हिन्दी", "भाषा"], 2);
    check("שלום עולם مرحبا", &["שלום", "עולם", "مرحبا"], 3);
    check("x² Brand™ ½", &["x²", "brand", "½"], 3);
}

#[test]
fn an_identifier_is_a_token_beside_its_parts_and_does_not_count() {
    check("gpt-4o", &["gpt", "4o", "gpt-4o"], 2);
    check("(host:8080),", &["host", "8080", "host:8080"], 2);
    check("v2.5 release", &["v2", "5", "release", "v2.5"], 3);
    check("GB/s", &["gb", "s", "gb/s"], 2);
    check(
        "don't don’t",
        &["don", "t", "don", "t", "don't", "don't"],
        4,
    );
    check("src/main.rs:", &["src", "main", "rs", "src/main.rs"], 3);
    check("snake_case", &["snake", "case", "snake_case"], 2);
    check("192.168.0.1", &["192", "168", "0", "1", "192.168.0.1"], 4);
    check("std::fs::File", &["std", "fs", "file", "std::fs::file"], 3);
    check("C++ and C#.", &["c", "and", "c", "c++", "c#"], 3);
    check(
        "a*b foo(bar) say \"hi",
        &["a", "b", "foo", "bar", "say", "hi", "a*b"],
        6,
    );
    check(
        "me@example.org",
        &["me", "example", "org", "me@example.org"],
        3,
    );
    check(
        "--flag .gitignore 'quoted'",
        &["flag", "gitignore", "quoted"],
        3,
    );
    check("end. Next, one", &["end", "next", "one"], 3);
    let long = format!("{}-{}", "a".repeat(200), "b".repeat(200));
    assert_eq!(
        tokens(&long, Purpose::Index).len(),
        2,
        "a blob is left to its parts"
    );
}

#[test]
fn unspaced_scripts_are_cut_into_pairs() {
    check("東京都", &["東京", "京都"], 2);
    check("猫", &["猫"], 1);
    check("한국어 텍스트", &["한국", "국어", "텍스", "스트"], 4);
    check("ひらがなカナ", &["ひら", "らが", "がな", "なカ", "カナ"], 5);
    check("iPhone15を買う", &["iphone15", "を買", "買う"], 3);
    check("สวัสดี", &["สว", "วั", "ัส", "สด", "ดี"], 5);
    check("𠮷野", &["𠮷野"], 1);
    assert_eq!(
        tokens("黒い猫", Purpose::Index),
        ["黒い", "い猫", "黒", "い", "猫"]
    );
}

#[test]
fn emoji_and_flags_are_tokens_and_do_not_count() {
    check("🎉 party 🎉", &["🎉", "party", "🎉"], 1);
    check("👩🏽‍💻", &["👩", "💻"], 0);
    check("❤️ 1️⃣", &["❤", "1"], 1);
    check("🇩🇪🇫🇷", &["🇩🇪", "🇫🇷"], 0);
}

/// The query, and a text that it must find.
const FINDS: [(&str, &str); 12] = [
    ("cafe\u{301}", "un café crème"),
    ("café", "un cafe\u{301} crème"),
    ("猫", "黒い猫が好き"),
    ("ｇｐｔ", "gpt"),
    ("ｶﾞｽ", "ガス料金"),
    ("don't", "I don’t know"),
    ("GPT-4O", "we use gpt-4o"),
    ("4o", "we use gpt-4o"),
    ("💻", "works as 👩‍💻"),
    ("소스", "오픈소스"),
    ("co-op", "co\u{2011}op"),
    ("software", "soft\u{AD}ware"),
];

#[test]
fn a_query_finds_the_text_that_a_person_means() {
    for (query, text) in FINDS {
        let kept = tokens(text, Purpose::Index);
        for token in tokens(query, Purpose::Query) {
            assert!(
                kept.contains(&token),
                "{query:?} has {token:?}, {text:?} only {kept:?}"
            );
        }
    }
}

proptest::proptest! {
    #[test]
    fn no_text_breaks_the_analyser_and_a_text_finds_itself(text in proptest::prelude::any::<String>()) {
        let kept = tokens(&text, Purpose::Index);
        for token in tokens(&text, Purpose::Query) {
            proptest::prop_assert!(!token.is_empty() && kept.contains(&token));
        }
    }

    #[test]
    fn plain_words_are_cut_as_the_contract_says(text in "[a-zA-Z0-9 ,;!?()]{0,60}") {
        let lower = text.to_lowercase();
        let contract = lower.split(|c: char| !c.is_alphanumeric()).filter(|token| !token.is_empty());
        let analysis = Analysis::new(&text, Purpose::Query);
        let n_counted = analysis.len_tokens() as usize;
        let counted: Vec<_> = analysis.tokens().take(n_counted).collect();
        proptest::prop_assert_eq!(counted, contract.collect::<Vec<_>>());
    }
}
