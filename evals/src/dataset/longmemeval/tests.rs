use std::collections::BTreeSet;
use std::io::Read;
use std::ops::ControlFlow;

use proptest::prelude::*;

use super::{LongMemEval, Survey, for_each_element};
use crate::dataset::DataFile;

/// One question with two sessions, the second of which answers.
fn question(id: &str) -> String {
    format!(
        r#"{{"question_id": "{id}", "question_type": "single-session-user", "question": "Who?",
            "answer": 7, "question_date": "2023/05/30 (Tue) 23:40",
            "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 10:00"],
            "haystack_session_ids": ["s1", "s2"],
            "haystack_sessions": [
                [{{"role": "user", "content": "a"}}],
                [{{"role": "user", "content": "b", "has_answer": true}},
                 {{"role": "assistant", "content": "", "has_answer": false}}]],
            "answer_session_ids": ["s2"]}}"#
    )
}

fn dataset(text: &str) -> (tempfile::TempDir, LongMemEval) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("questions.json");
    std::fs::write(&path, text).unwrap();
    (folder, LongMemEval::new(DataFile::new(path)))
}

#[test]
fn a_question_comes_with_its_own_haystack() {
    let (_folder, dataset) = dataset(&format!("[{}]", question("q1")));
    let mut haystacks = Vec::new();
    dataset
        .for_each(|haystack| {
            haystacks.push(haystack);
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
    let haystack = &haystacks[0];
    let question = &haystack.questions[0];
    assert_eq!(haystacks.len(), 1);
    assert_eq!(haystack.session_of_turn(), [0, 1, 1]);
    assert_eq!(question.turns_wanted, BTreeSet::from([1]));
    assert_eq!(question.sessions_wanted, BTreeSet::from([1]));
    assert_eq!(haystack.turns().last().unwrap().1.said(), "assistant: ");
    assert!(haystack.sessions[0].began < haystack.sessions[1].began);
}

#[test]
fn a_file_is_labelled_by_what_was_counted_in_it() {
    let (_folder, dataset) = dataset(&format!("[{}, {}]", question("q1"), question("q2")));
    let survey = dataset.survey().unwrap();
    assert_eq!(
        (survey.n_questions, survey.n_sessions, survey.n_turns),
        (2, 4, 6)
    );
    assert_eq!(
        survey.label(),
        "evidence density 50.0 % (of no published variant)"
    );
    let labelled = |n_sessions_wanted| Survey {
        n_sessions: 1000,
        n_sessions_wanted,
        ..Survey::default()
    };
    assert!(labelled(1000).label().contains("oracle") && labelled(1000).is_degenerate_by_session());
    assert!(labelled(40).label().contains("longmemeval_s"));
    assert!(!labelled(40).is_degenerate_by_session());
}

#[test]
fn what_is_not_the_data_set_is_refused_by_name_and_place() {
    for (text, expected) in [
        ("{}", "array of questions"),
        ("[{}]", "question_id"),
        ("[", "EOF"),
        (&*format!("[{}] x", question("q1")), "trailing"),
        ("[]", "no question"),
        (
            &*format!("[{}]", question("q1").replace("(Sun) 10:00", "ten")),
            "haystack_dates",
        ),
        (
            &*format!(
                "[{}]",
                question("q1").replace(r#"["s1", "s2"]"#, r#"["s1"]"#)
            ),
            "1 names",
        ),
    ] {
        let (_folder, dataset) = dataset(text);
        let error = dataset.survey().unwrap_err().chain();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

/// Hands out a long array piece by piece, and notes how much was taken when an element was visited.
struct Slow<'a> {
    text: &'a [u8],
    n_taken: &'a std::cell::Cell<usize>,
}

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n_bytes = self.text.len().min(buffer.len()).min(16);
        buffer[..n_bytes].copy_from_slice(&self.text[..n_bytes]);
        self.text = &self.text[n_bytes..];
        self.n_taken.set(self.n_taken.get() + n_bytes);
        Ok(n_bytes)
    }
}

#[test]
fn elements_are_visited_while_the_rest_is_not_yet_read() {
    let text = format!("[{}]", vec!["123456789"; 1000].join(","));
    let n_taken = std::cell::Cell::new(0);
    let mut reader = Slow {
        text: text.as_bytes(),
        n_taken: &n_taken,
    };
    let mut n_visited = 0;
    let mut visit = |_: u64| {
        n_visited += 1;
        let ahead = n_taken.get() - n_visited * 10;
        assert!(ahead < 64, "{ahead} bytes ahead of element {n_visited}");
        ControlFlow::Continue(())
    };
    for_each_element(&mut reader, &mut visit).unwrap();
    assert_eq!(n_visited, 1000);
}

proptest! {
    #[test]
    fn visiting_one_by_one_gives_what_reading_at_once_gives(
        numbers in proptest::collection::vec(0..1000_u64, 0..20),
        n_wanted in 0..25_usize,
    ) {
        let text = serde_json::to_string(&numbers).unwrap();
        let mut found = Vec::new();
        let mut visit = |number: u64| {
            found.push(number);
            if found.len() == n_wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        for_each_element(&mut text.as_bytes(), &mut visit).unwrap();
        let n_expected = if n_wanted == 0 { numbers.len() } else { numbers.len().min(n_wanted) };
        prop_assert_eq!(&found[..], &numbers[..n_expected]);
    }
}
