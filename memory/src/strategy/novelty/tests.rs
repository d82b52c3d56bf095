//! What is new beside what is known.

use super::*;

fn window(embedding: &[f32]) -> WindowVector {
    WindowVector {
        token_start: 0,
        embedding: embedding.into(),
    }
}

fn known(id: u64, text: &str, windows: Option<&[&[f32]]>) -> Known<'static> {
    Known {
        id: MemoryId(id),
        text: text.to_owned().leak(),
        windows: windows.map(|windows| windows.iter().map(|it| window(it)).collect()),
    }
}

fn by_words(text: &str, of_known: &[&str]) -> NoveltyFound {
    let known: Vec<_> = (1..)
        .zip(of_known)
        .map(|(id, text)| known(id, text, None))
        .collect();
    novelty(text, None, &known, 0.9)
}

fn is_known(found: &NoveltyFound) -> bool {
    matches!(found, NoveltyFound::Known { .. })
}

#[test]
fn the_first_text_of_a_scope_is_new() {
    assert_eq!(by_words("anything", &[]), NoveltyFound::FirstOfScope);
}

#[test]
fn without_vectors_the_same_words_say_nothing_new() {
    let kept = "The cellar smells of apples and old rope";
    let cases = [
        ("the cellar smells of apples, and old rope!", true),
        ("Old rope and apples: the cellar smells of the", true),
        ("The cellar smells of pears and old rope", false),
        ("The cellar", false),
        ("We sold the boat", false),
    ];
    for (text, expect) in cases {
        let found = by_words(text, &["We bought a boat", kept]);
        assert_eq!(is_known(&found), expect, "{text}: {found:?}");
    }
}

#[test]
fn a_name_a_number_or_a_negation_is_always_new() {
    let near: &[&[f32]] = &[&[1.0, 0.0]];
    let kept = "My train to Porto leaves at 9 and I like it";
    let cases = [
        ("my train to Porto leaves at 9 and I like it", None),
        ("I like it that my train to Porto leaves at 9", None),
        (
            "My train to Lisbon leaves at 9 and I like it",
            Some("Lisbon"),
        ),
        ("My train to Porto leaves at 10 and I like it", Some("10")),
        (
            "My train to Porto leaves at 9 and I don't like it",
            Some("don't"),
        ),
        (
            "My train to Porto never leaves at 9 and I like it",
            Some("never"),
        ),
        ("Porto. Yes, at 9. He likes it", None),
    ];
    for (text, expect) in cases {
        let windows = [window(&[1.0, 0.0])];
        let found = novelty(text, Some(&windows), &[known(4, kept, Some(near))], 0.9);
        match (&found, expect) {
            (NoveltyFound::Known { .. }, None) => {}
            (NoveltyFound::NewWord { word, near }, Some(expect)) => {
                assert_eq!((word.as_str(), near.0), (expect, 4));
            }
            _ => panic!("{text}: {found:?}"),
        }
    }
}

#[test]
fn what_differs_by_a_word_that_says_something_is_new_however_near() {
    let near: &[&[f32]] = &[&[1.0, 0.0]];
    let cases = [
        ("My left knee hurts", "My right knee hurts", Some("right")),
        ("left knee", "right knee", Some("right")),
        ("My husband likes tea", "my wife likes tea", Some("wife")),
        (
            "Take the pills before breakfast",
            "Take the pills after breakfast",
            Some("after"),
        ),
        (
            "The shop opens early",
            "The shop closes early",
            Some("closes"),
        ),
        (
            "I bake bread on Sundays",
            "Yes, on Sundays I'm baking bread",
            None,
        ),
        ("My dogs are very happy here", "Here my dog is happy", None),
        // In other words altogether the vectors decide.
        (
            "I work as a nurse in a big hospital",
            "My job is caring for patients at a hospital",
            None,
        ),
    ];
    for (kept, text, expect) in cases {
        let windows = [window(&[1.0, 0.0])];
        let found = novelty(text, Some(&windows), &[known(4, kept, Some(near))], 0.9);
        match (&found, expect) {
            (NoveltyFound::Known { .. }, None) => {}
            (NoveltyFound::NewWord { word, .. }, Some(expect)) => assert_eq!(word, expect),
            _ => panic!("{text}: {found:?}"),
        }
    }
}

#[test]
fn a_text_is_known_only_where_each_of_its_windows_is_near_to_one_memory() {
    let kept = known(1, "a b c", Some(&[&[1.0, 0.0]]));
    let half_known = [window(&[1.0, 0.0]), window(&[0.0, 1.0])];
    let found = novelty("a b", Some(&half_known), &[kept], 0.9);
    let expect = NoveltyFound::New {
        n_compared: 1,
        nearest: Likeness::Cosine(0.0),
    };
    assert_eq!(found, expect);
    let kept = known(1, "a b c", Some(&[&[0.0, 1.0], &[1.0, 0.0]]));
    assert!(is_known(&novelty("a b", Some(&half_known), &[kept], 0.9)));
}

#[test]
fn the_threshold_itself_is_near_enough_and_the_least_id_is_named() {
    let own = [window(&[0.6, 0.8])];
    let kept = || {
        [
            known(2, "a", Some(&[&[1.0, 0.0]])),
            known(1, "a", Some(&[&[1.0, 0.0]])),
        ]
    };
    let found = novelty("a", Some(&own), &kept(), 0.6);
    assert!(
        matches!(
            found,
            NoveltyFound::Known {
                near: MemoryId(1),
                ..
            }
        ),
        "{found:?}"
    );
    assert!(!is_known(&novelty("a", Some(&own), &kept(), 0.61)));
}

#[test]
fn a_memory_without_vectors_is_compared_by_words() {
    let own = [window(&[0.0, 1.0])];
    let kept = [
        known(1, "far off", Some(&[&[1.0, 0.0]])),
        known(2, "the very words", None),
    ];
    let found = novelty("the very words", Some(&own), &kept, 0.9);
    assert!(matches!(
        found,
        NoveltyFound::Known {
            near: MemoryId(2),
            likeness: Likeness::Words(_)
        }
    ));
}

#[test]
fn what_is_too_long_to_compare_is_new() {
    let long = "same ".repeat(NOVELTY_CHARS_MAX / 5 + 1);
    assert_eq!(by_words(&long, &[&long]), NoveltyFound::TooLong);
}

proptest::proptest! {
    /// The obvious twin: without vectors, names and numbers, a text is known where any one memory has 0.8 of
    /// the words of both.
    #[test]
    fn words_decide_as_the_obvious_twin_does(
        text in proptest::collection::vec("[abcd]", 1..6),
        of_known in proptest::collection::vec(proptest::collection::vec("[abcd]", 1..6), 1..5),
    ) {
        let texts: Vec<String> = of_known.iter().map(|it| it.join(" ")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let found = by_words(&text.join(" "), &texts);
        let twin = of_known.iter().any(|of_known| {
            let mut all: Vec<&String> = text.iter().chain(of_known).collect();
            all.sort();
            all.dedup();
            let n_common = all.iter().filter(|it| text.contains(it) && of_known.contains(it)).count();
            n_common * 10 >= all.len() * 8
        });
        proptest::prop_assert_eq!(is_known(&found), twin);
    }
}
