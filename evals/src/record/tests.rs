use serde_json::json;

use super::{Dataset, Head, Record};
use crate::contract::{Latency, Level};
use crate::evaluation::{Evaluated, Method, Plain, QuestionName, Retrieval, VariantOutcome};
use crate::half::Half;

/// A record of one question.
pub(crate) fn record() -> Record {
    let evaluated = Evaluated {
        questions: vec![QuestionName {
            id: "q".to_owned(),
            group: "g".to_owned(),
        }],
        outcomes: vec![VariantOutcome {
            name: "BM25".to_owned(),
            level: Level::Turn,
            method: Method::Plain(Plain::contract(Retrieval::Bm25)),
            ranks: vec![Some(3)],
            latency: Latency::of(&[std::time::Duration::from_micros(8)]),
        }],
    };
    let head = Head {
        verb: "locomo".to_owned(),
        contract: vec!["rule".to_owned()],
        dataset: Dataset {
            name: "file".to_owned(),
            sha256: "00".to_owned(),
            label: "label".to_owned(),
            n_sessions: 1,
            n_turns: 2,
        },
        half: Half::All,
        configuration: json!({"mode": ["bm25"]}),
        seed: 1,
    };
    Record::new(head, evaluated)
}

#[test]
fn a_record_is_read_as_it_was_written() {
    let record = record();
    let folder = tempfile::tempdir().unwrap();
    let path = record.write(folder.path()).unwrap();
    assert_eq!(Record::read(&path).unwrap(), record);
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    assert!(name.starts_with("locomo-2"), "{name}");
}
