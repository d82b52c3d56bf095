//! Limits and budgets by tables.

use proptest::prelude::*;

use super::{Cut, cut};
use crate::tokens::estimate_tokens;

fn text(n_tokens: usize) -> String {
    "word".repeat(n_tokens)
}

fn check(
    n_tokens: &[usize],
    limit: usize,
    max_tokens: usize,
    shown: &[usize],
    n_over_budget: usize,
) {
    let texts: Vec<String> = n_tokens.iter().map(|n_tokens| text(*n_tokens)).collect();
    let n_tokens = n_tokens.iter().take(limit).sum();
    let expected = Cut {
        shown: shown.to_vec(),
        n_over_budget,
        n_tokens,
    };
    assert_eq!(
        cut(texts.iter().map(String::as_str), limit, max_tokens),
        expected
    );
}

#[test]
fn the_best_that_fit_are_shown() {
    check(&[5, 5, 5], 10, 100, &[0, 1, 2], 0);
    check(&[5, 5, 5], 2, 100, &[0, 1], 0);
    check(&[5, 5, 5], 10, 10, &[0, 1], 1);
    check(&[5, 5, 5], 10, 9, &[0], 2);
    check(&[], 10, 10, &[], 0);
}

#[test]
fn a_text_that_does_not_fit_is_omitted_whole_and_the_next_ones_are_tried() {
    check(&[500, 5, 5], 10, 10, &[1, 2], 1);
    check(&[5, 500, 5], 10, 10, &[0, 2], 1);
    check(&[500], 10, 10, &[], 1);
}

#[test]
fn nothing_beyond_the_limit_moves_up() {
    check(&[500, 5, 5], 2, 10, &[1], 1);
}

proptest! {
    #[test]
    fn the_budget_is_a_promise(
        texts in prop::collection::vec("[a-z 東京я]{0,60}", 0..30),
        limit in 1..20usize,
        max_tokens in 1..60usize,
    ) {
        let cut = cut(texts.iter().map(String::as_str), limit, max_tokens);
        let n_tokens: usize = cut.shown.iter().map(|rank| estimate_tokens(&texts[*rank])).sum();
        prop_assert!(n_tokens <= max_tokens);
        prop_assert_eq!(cut.shown.len() + cut.n_over_budget, texts.len().min(limit));
        prop_assert!(cut.shown.is_sorted());
    }
}
