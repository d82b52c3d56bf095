use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::{Shape, write_generated};
use crate::contract::Level;
use crate::dataset::{DataFile, LongMemEval};
use crate::evaluation::{Evaluation, Plain, Retrieval, Variant};
use crate::half::Half;
use crate::progress::Progress;

const SMALL: Shape = Shape {
    n_questions: 20,
    n_sessions: 25,
    n_sessions_wanted: 1,
    n_turns: 4,
    n_words: 12,
};

fn generated(seed: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_generated(&mut bytes, SMALL, seed).unwrap();
    bytes
}

/// The small form of the file of 277 MB whose peak memory is measured by hand: the same reader, one
/// haystack at a time, and figures at both levels, since most sessions are no evidence.
#[test]
fn a_generated_file_is_evaluated_one_haystack_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("generated.json");
    std::fs::write(&path, generated(1)).unwrap();
    let dataset = LongMemEval::new(DataFile::new(path));
    let survey = dataset.survey().unwrap();
    assert_eq!(
        (survey.n_questions, survey.n_sessions, survey.n_turns),
        (20, 500, 2_000)
    );
    assert!(
        survey.label().contains("as longmemeval_s"),
        "{}",
        survey.label()
    );
    let variant = Variant::plain(
        Plain::contract(Retrieval::Bm25),
        &[Level::Turn, Level::Session],
    );
    let mut evaluation = Evaluation::new(vec![variant], None, Half::All);
    let mut n_turns = BTreeSet::new();
    dataset
        .for_each(|haystack| {
            n_turns.insert(haystack.n_turns());
            evaluation.visit(&haystack, &Progress::hidden())?;
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
    assert_eq!(
        n_turns,
        BTreeSet::from([100]),
        "no haystack holds more than its own turns"
    );
    let evaluated = evaluation.finish();
    let levels: Vec<Level> = evaluated
        .outcomes
        .iter()
        .map(|outcome| outcome.level)
        .collect();
    assert_eq!(levels, [Level::Turn, Level::Session]);
    for outcome in &evaluated.outcomes {
        let found = outcome.ranks.iter().flatten().count();
        assert_eq!(found, 20, "six words of a turn find it");
    }
}

#[test]
fn the_same_seed_gives_the_same_file() {
    assert_eq!(generated(1), generated(1));
    assert_ne!(generated(1), generated(2));
}
