use std::collections::BTreeSet;

use super::{read_locomo, turn_names};
use crate::dataset::DataFile;

const CONVERSATION: &str = r#"[{"sample_id": "conv-1", "conversation": {
    "speaker_a": "Ann", "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": "Hi", "img_url": ["x"]},
                  {"speaker": "Bob", "dia_id": "D1:2", "text": "I moved to Rome."}],
    "session_2_date_time": "9:00 am on 9 May, 2023",
    "session_2": [{"speaker": "Bob", "dia_id": "D2:1", "text": "Rome again"}],
    "session_3_date_time": "9:00 am on 10 May, 2023"},
    "qa": [
        {"question": "Where?", "answer": "Rome", "evidence": ["D1:2; D2:1"], "category": 4},
        {"question": "Never?", "adversarial_answer": "x", "evidence": ["D1:1"], "category": 5},
        {"question": "Nowhere?", "answer": 1, "evidence": ["D9:9"], "category": 1},
        {"question": "Nothing?", "answer": "y", "evidence": [], "category": 3},
        {"question": "When?", "answer": "z", "evidence": ["D2:1"], "category": 2}]}]"#;

fn read(text: &str) -> Result<Vec<crate::dataset::Haystack>, crate::error::Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("conversations.json");
    std::fs::write(&path, text).unwrap();
    Ok(read_locomo(&DataFile::new(path))?.0)
}

#[test]
fn scored_questions_with_evidence_that_was_said_are_asked() {
    let haystacks = read(CONVERSATION).unwrap();
    let haystack = &haystacks[0];
    let asked = haystack.questions.iter();
    let asked: Vec<_> = asked
        .map(|it| (it.id.as_str(), it.group.as_str(), it.turns_wanted.clone()))
        .collect();
    let expected = [
        ("conv-1/0", "4 single-hop", BTreeSet::from([1, 2])),
        ("conv-1/4", "2 temporal", BTreeSet::from([2])),
    ];
    assert_eq!(asked, expected);
    assert_eq!(
        haystack.questions[0].sessions_wanted,
        BTreeSet::from([0, 1])
    );
    assert_eq!(haystack.session_of_turn(), [0, 0, 1]);
    assert_eq!(
        haystack.sessions.len(),
        2,
        "a session without turns is none"
    );
}

#[test]
fn a_session_without_its_time_is_refused_by_name() {
    let broken = CONVERSATION.replace("9:00 am on 9 May, 2023", "soon");
    let error = read(&broken).unwrap_err().to_string();
    assert!(error.contains("session_2_date_time of conv-1"), "{error}");
}

#[test]
fn a_file_without_a_question_to_score_is_refused() {
    let unscored = CONVERSATION.replace("\"category\": ", "\"category\": 5");
    for empty in ["[]", &unscored] {
        let error = read(empty).unwrap_err().to_string();
        assert!(error.contains("holds no question"), "{error}");
    }
}

#[test]
fn evidence_is_read_by_its_pattern() {
    for (entry, expected) in [
        ("D1:3", vec!["D1:3"]),
        ("D8:6; D9:17", vec!["D8:6", "D9:17"]),
        ("D", vec![]),
        ("D:1:2", vec![]),
        ("see D2:x", vec![]),
        ("D30:05", vec!["D30:05"]),
    ] {
        assert_eq!(turn_names(entry).collect::<Vec<_>>(), expected, "{entry:?}");
    }
}
