//! What may not be written, and that it could not be read back either.

use std::sync::Arc;

use super::*;
use crate::{ModelId, Timestamp, Verb};

fn memory() -> MemoryRecord {
    MemoryRecord {
        id: MemoryId(1),
        text: "text".into(),
        scope: "user".into(),
        kind: "fact".into(),
        topic: None,
        source: None,
        tags: Vec::new(),
        entities: Vec::new(),
        importance: 0.5,
        created_at: Timestamp(0),
        valid_from: None,
        valid_to: None,
        superseded_by: None,
    }
}

fn embed(vectors: &[&[f32]]) -> Change {
    let windows = vectors.iter().map(|vector| WindowVector {
        token_start: 0,
        embedding: Arc::from(*vector),
    });
    Change::Embed {
        memory: MemoryId(1),
        model: ModelId([0; 32]),
        windows: windows.collect(),
    }
}

#[track_caller]
fn check(change: Change, expect: PayloadProblem) {
    let operation = Operation {
        verb: Verb::Remember,
        changes: vec![Change::Put(Arc::new(memory())), change],
    };
    match operation.check() {
        Err(Error::BadChange { change: 1, problem }) => assert_eq!(problem, expect),
        other => panic!("{other:?}"),
    }
    assert!(
        Operation::decode(&operation.encode()).is_err(),
        "it would have been read back"
    );
}

fn check_memory(change: impl FnOnce(&mut MemoryRecord), expect: PayloadProblem) {
    let mut memory = memory();
    change(&mut memory);
    check(Change::Put(Arc::new(memory)), expect);
}

#[test]
fn what_could_not_be_read_back_is_not_written() {
    let long: Arc<str> = "x".repeat(TEXT_LEN_BYTES_MAX + 1).into();
    check_memory(
        |memory| memory.id = MemoryId(0),
        PayloadProblem::BadIdentifier,
    );
    check_memory(
        |memory| memory.superseded_by = Some(MemoryId(u64::MAX)),
        PayloadProblem::BadIdentifier,
    );
    check_memory(
        |memory| memory.entities = vec![EntityId(0)],
        PayloadProblem::BadIdentifier,
    );
    check_memory(
        |memory| memory.importance = f32::NAN,
        PayloadProblem::OutOfRange,
    );
    check_memory(|memory| memory.importance = 1.5, PayloadProblem::OutOfRange);
    check_memory(
        |memory| memory.text = Arc::clone(&long),
        PayloadProblem::TooLong,
    );
    check_memory(
        |memory| memory.tags = vec![Arc::clone(&long)],
        PayloadProblem::TooLong,
    );
    for vectors in [
        &[][..],
        &[&[][..]],
        &[&[0.0, 0.0][..]],
        &[&[1.0, f32::NAN][..]],
        &[&[f32::INFINITY][..]],
    ] {
        check(embed(vectors), PayloadProblem::BadVector);
    }
    check(embed(&[&[1.0], &[1.0, 2.0]]), PayloadProblem::BadVector);
    check(embed(&[&vec![1.0; 4_097]]), PayloadProblem::BadVector);
}

#[test]
fn an_operation_that_no_frame_holds_is_refused_before_it_is_encoded() {
    let text: Arc<str> = "x".repeat(TEXT_LEN_BYTES_MAX).into();
    let mut big = memory();
    big.tags = vec![text; 2_000];
    let operation = Operation {
        verb: Verb::Remember,
        changes: vec![Change::Put(Arc::new(big))],
    };
    let refused = operation.check();
    let too_long = PayloadProblem::TooLong;
    assert!(matches!(refused, Err(Error::BadChange { change: 0, problem }) if problem == too_long));
}
