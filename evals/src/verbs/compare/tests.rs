use super::paired;
use crate::contract::Level;
use crate::evaluation::{Method, Plain, QuestionName, Retrieval, VariantOutcome};
use crate::record::Record;
use crate::record::tests::record;

fn of(questions: &[(&str, Option<usize>)], name: &str) -> Record {
    let mut record = record();
    let ids = questions.iter().map(|(id, _)| QuestionName {
        id: (*id).to_owned(),
        group: String::new(),
    });
    record.questions = ids.collect();
    record.outcomes = vec![VariantOutcome {
        name: name.to_owned(),
        level: Level::Turn,
        method: Method::Plain(Plain::contract(Retrieval::Bm25)),
        ranks: questions.iter().map(|(_, rank)| *rank).collect(),
        latency: None,
    }];
    record
}

#[test]
fn records_are_compared_on_the_questions_that_both_asked() {
    let before = of(&[("a", Some(1)), ("b", None), ("c", Some(3))], "BM25");
    let after = of(&[("c", Some(2)), ("d", Some(9)), ("a", Some(4))], "BM25");
    let pairs = paired(&before, &after);
    let ranks: Vec<_> = pairs
        .iter()
        .map(|(earlier, later)| (&earlier.ranks, &later.ranks))
        .collect();
    let expected = (vec![Some(1), Some(3)], vec![Some(4), Some(2)]);
    assert_eq!(ranks, [(&expected.0, &expected.1)]);
}

#[test]
fn variants_of_different_names_are_not_compared() {
    let before = of(&[("a", Some(1))], "BM25");
    assert_eq!(paired(&before, &of(&[("a", Some(1))], "BM25, stems")), []);
    assert_eq!(paired(&before, &of(&[("b", Some(1))], "BM25")), []);
}
