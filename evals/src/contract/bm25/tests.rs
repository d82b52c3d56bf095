use proptest::prelude::*;

use super::super::{Words, ranked};
use super::{Bm25, real};

/// The formula for one document, with nothing shared between documents.
fn slow_score(documents: &[Vec<&str>], query: &[&str], position: usize) -> f64 {
    let n_all = real(documents.len());
    let len_mean = real(documents.iter().map(Vec::len).sum()) / n_all;
    let document = &documents[position];
    let mut score = 0.0;
    for word in query {
        let n_times = real(document.iter().filter(|it| it == &word).count());
        let n_with = real(documents.iter().filter(|it| it.contains(word)).count());
        if n_times > 0.0 {
            let idf = ((n_all - n_with + 0.5) / (n_with + 0.5) + 1.0).ln();
            let norm = 1.2 * (1.0 - 0.75 + 0.75 * real(document.len()) / len_mean);
            score += idf * n_times * 2.2 / (n_times + norm);
        }
    }
    score
}

fn rank(texts: &[&str], query: &str) -> Vec<usize> {
    let bm25 = Bm25::new(texts.iter().map(|text| Words::Plain.of(text)));
    let found = ranked(bm25.search(&Words::Plain.of(query)));
    found.into_iter().map(|scored| scored.position).collect()
}

#[test]
fn rare_words_and_short_documents_come_first_and_ties_by_position() {
    let texts = ["a b c d", "a b", "a a", "c", "", "a b"];
    assert_eq!(rank(&texts, "b"), [1, 5, 0]);
    assert_eq!(rank(&texts, "A"), [2, 1, 5, 0]);
    assert_eq!(rank(&texts, "e"), [0; 0]);
    assert_eq!(rank(&[], "a"), [0; 0]);
}

proptest! {
    #[test]
    fn scores_agree_with_the_formula_for_one_document(
        texts in proptest::collection::vec("[a-e ]{0,12}", 1..8),
        query in "[a-f ]{0,8}",
    ) {
        let documents: Vec<Vec<&str>> = texts.iter().map(|it| it.split_whitespace().collect()).collect();
        let words: Vec<&str> = query.split_whitespace().collect();
        let bm25 = Bm25::new(texts.iter().map(|text| Words::Plain.of(text)));
        let found = bm25.search(&Words::Plain.of(&query));
        for position in 0..texts.len() {
            let expected = slow_score(&documents, &words, position);
            let score = found.iter().find(|it| it.position == position).map_or(0.0, |it| it.score);
            prop_assert!((score - expected).abs() < 1e-9, "{position}: {score} {expected}");
        }
    }
}
