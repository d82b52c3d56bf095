//! Excerpts by example, and their budget as a promise.

use palimpsest_store::TermShare;
use proptest::prelude::*;

use super::Around::{Place, Terms};
use super::{Excerpt, excerpt};
use crate::tokens::estimate_tokens;

fn terms(terms: &[(&str, f64)]) -> Vec<TermShare> {
    let share = |(term, score): &(&str, f64)| TermShare {
        term: (*term).to_owned(),
        score: *score,
    };
    terms.iter().map(share).collect()
}

fn check_sum(text: &str, shown: &Excerpt) {
    let n_shown = shown.text.chars().filter(|it| *it != '…').count();
    assert_eq!(n_shown + shown.n_chars_left_out, text.chars().count());
}

#[test]
fn a_needle_in_the_middle_is_shown_with_what_is_around_it() {
    let hay = "plum jam and toast ".repeat(1_000);
    let text = format!("{hay}the parrot Zorro speaks Latin {hay}");
    let terms = terms(&[("zorro", 8.0)]);
    let shown = excerpt(&text, &[Terms(&terms)], 50);
    assert!(
        shown.text.contains("the parrot Zorro speaks Latin"),
        "{}",
        shown.text
    );
    assert!(shown.text.starts_with('…') && shown.text.ends_with('…'));
    assert!(shown.text.chars().count() > 150, "it uses its room");
    check_sum(&text, &shown);
}

#[test]
fn words_that_say_more_and_stand_together_win() {
    let hay = "plum jam toast ".repeat(100);
    let text = format!("the one {hay}the the the {hay}Zorro and Bernardo {hay}Zorro {hay}");
    let terms = terms(&[("the", 0.1), ("zorro", 5.0), ("bernardo", 4.0)]);
    let shown = excerpt(&text, &[Terms(&terms)], 20);
    assert!(shown.text.contains("Zorro and Bernardo"), "{}", shown.text);
}

#[test]
fn the_beginning_and_the_end_bear_no_mark() {
    let text = format!("Zorro {}", "plum jam ".repeat(300));
    let shown = excerpt(&text, &[Terms(&terms(&[("zorro", 1.0)]))], 30);
    assert!(
        shown.text.starts_with("Zorro plum") && shown.text.ends_with("plum…")
            || shown.text.ends_with("jam…"),
        "{}",
        shown.text
    );
    let text = format!("{}Zorro", "plum jam ".repeat(300));
    let shown = excerpt(&text, &[Terms(&terms(&[("zorro", 1.0)]))], 30);
    assert!(
        shown.text.starts_with("…plum") || shown.text.starts_with("…jam"),
        "{}",
        shown.text
    );
    assert!(shown.text.ends_with("plum jam Zorro"));
    check_sum(&text, &shown);
}

#[test]
fn without_words_it_is_the_place_that_counts() {
    let words: Vec<String> = (0..1_000).map(|n| format!("n{n} ")).collect();
    let text = words.concat();
    for (part, expected) in [(0.0, "n0 "), (0.5, " n527 "), (1.0, " n999 ")] {
        let shown = excerpt(&text, &[Place(part)], 60).text;
        assert!(shown.contains(expected), "{part}: {shown}");
    }
}

#[test]
fn scripts_without_spaces_are_cut_between_letters() {
    let text = format!("{}東京{}", "我是医生".repeat(500), "他是律师".repeat(500));
    let shown = excerpt(&text, &[Terms(&terms(&[("東京", 1.0)]))], 60);
    assert!(shown.text.contains("東京"), "{}", shown.text);
    assert!(estimate_tokens(&shown.text) > 50);
    check_sum(&text, &shown);
}

#[test]
fn two_places_are_shown_both_or_as_one() {
    let hay = "plum jam and toast ".repeat(500);
    let text = format!("{hay}Zorro speaks Latin {hay}his safe is 48-17-93 {hay}");
    let terms = terms(&[("zorro", 1.0)]);
    let shown = excerpt(&text, &[Terms(&terms), Place(0.667)], 200);
    assert!(shown.text.contains("Zorro speaks Latin"), "{}", shown.text);
    assert!(shown.text.contains("48-17-93"), "{}", shown.text);
    assert_eq!(shown.text.matches('…').count(), 3);
    check_sum(&text, &shown);
    let shown = excerpt(&text, &[Terms(&terms), Place(0.333)], 200);
    assert!(shown.text.contains("Zorro speaks Latin"), "{}", shown.text);
    assert_eq!(shown.text.matches('…').count(), 2);
    assert!(shown.text.chars().count() > 700, "it uses all its room");
    check_sum(&text, &shown);
}

proptest! {
    #[test]
    fn it_keeps_to_its_budget_and_is_a_part_of_the_text(
        text in "([a-z]{1,12} |я|東|\\s|😂|zorro ){0,200}",
        part in 0.0..=1.0,
        n_around in 0..3_usize,
        n_tokens in 1..80usize,
    ) {
        let terms = terms(&[("zorro", 1.0), ("東", 0.5)]);
        let around = [Terms(&terms), Place(part)];
        let shown = excerpt(&text, &around[..n_around], n_tokens);
        prop_assert!(estimate_tokens(&shown.text) <= n_tokens);
        let mut rest = &*text;
        for part in shown.text.split('…') {
            let at = rest.find(part);
            prop_assert!(at.is_some(), "{part:?} is not in {rest:?}");
            rest = &rest[at.unwrap_or_default() + part.len()..];
        }
        check_sum(&text, &shown);
        if estimate_tokens(&text) + 2 < n_tokens {
            prop_assert_eq!(shown.text, text);
        }
    }
}
