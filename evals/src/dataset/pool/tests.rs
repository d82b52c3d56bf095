use std::collections::BTreeSet;

use super::read_pool;
use crate::dataset::{DataFile, LongMemEval};

fn question(id: &str, date: &str, session: &str, content: &str) -> String {
    format!(
        r#"{{"question_id": "{id}", "question_type": "t", "question": "Who?",
            "question_date": "2023/05/30 (Tue) 23:40", "haystack_dates": ["{date}"],
            "haystack_session_ids": ["{session}"], "answer_session_ids": ["{session}"],
            "haystack_sessions": [[{{"role": "user", "content": "{content}", "has_answer": true}}]]}}"#
    )
}

#[test]
fn sessions_of_equal_content_are_one_and_abstentions_are_not_asked() {
    let (late, early) = ("2023/05/20 (Sat) 02:21", "2023/05/19 (Fri) 02:21");
    let text = [
        question("q1", late, "s1", "same"),
        question("q2_abs", late, "s2", "other"),
        question("q3", early, "s3", "same"),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("questions.json");
    std::fs::write(&path, format!("[{}]", text.join(","))).unwrap();
    let (pool, sha256) = read_pool(&LongMemEval::new(DataFile::new(path))).unwrap();
    let asked: Vec<_> = pool
        .questions
        .iter()
        .map(|it| (it.id.as_str(), &it.sessions_wanted))
        .collect();
    let first = BTreeSet::from([0]);
    assert_eq!(asked, [("q1", &first), ("q3", &first)]);
    assert_eq!(pool.sessions.len(), 2);
    assert!(
        pool.sessions[0].began < pool.sessions[1].began,
        "the earlier date is kept"
    );
    assert_eq!(sha256.len(), 64);
}
