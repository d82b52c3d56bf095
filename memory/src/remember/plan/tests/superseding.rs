//! Topics and replaced memories.

use palimpsest_store::{MemoryId, Timestamp};

use super::{between, memory, on};
use crate::test_rig::{Rig, text, with};
use crate::{Decision, Error};

#[test]
fn a_topic_supersedes_its_current_memory() {
    let rig = Rig::without_model();
    let old = rig.id(on("city", "Alice lives in Berlin"));
    rig.clock.set(2_000);
    let answer = rig.keep(on(" city", "Alice lives in Rome"));
    assert_eq!(answer.decision, Decision::Superseded);
    assert_eq!(answer.superseded, [MemoryId(old)]);
    let new = answer.id.expect("it is kept");
    assert!(new.0 > old);
    let (old, new) = (memory(&rig, old), memory(&rig, new.0));
    assert_eq!(
        (old.superseded_by, old.valid_to),
        (Some(new.id), Some(Timestamp(2_000)))
    );
    assert_eq!(
        (new.superseded_by, new.valid_from),
        (None, Some(Timestamp(2_000)))
    );
    assert_eq!(
        rig.keep(on("town", "Alice lives in Bonn")).decision,
        Decision::Stored
    );
}

#[test]
fn the_old_memory_ends_when_the_new_one_begins_and_never_later_than_it_would_have() {
    // (the old one's times, the new one's valid_from, the old one's end); the commit is at 2,000.
    let expected = [
        ((None, None), None, 2_000),
        ((None, None), Some(1_500), 1_500),
        ((None, None), Some(3_000), 3_000),
        ((None, Some(1_200)), None, 1_200),
        ((None, Some(1_200)), Some(1_500), 1_200),
        ((Some(500), None), Some(700), 700),
        ((Some(500), None), Some(500), 500),
        // It began after the new one: as far as is known now, it was never true.
        ((Some(500), None), Some(300), 500),
        ((Some(500), Some(900)), Some(300), 500),
        ((Some(5_000), None), None, 5_000),
    ];
    for ((from, to), new_from, end) in expected {
        let rig = Rig::without_model();
        let old = rig.id(with(between(from, to, "The port is A"), |it| {
            it.topic = Some("port".to_owned());
        }));
        rig.clock.set(2_000);
        rig.keep(with(between(new_from, None, "The port is B"), |it| {
            it.topic = Some("port".to_owned());
        }));
        let old = memory(&rig, old);
        assert_eq!(
            old.valid_to,
            Some(Timestamp(end)),
            "{from:?} {to:?} {new_from:?}"
        );
        assert_eq!(old.valid_from, from.map(Timestamp));
    }
}

#[test]
fn a_named_memory_is_replaced_and_its_topic_inherited() {
    let rig = Rig::without_model();
    let old = rig.id(on("city", "Alice lives in Berlin"));
    let new = rig.keep(with(text("Alice lives in Rome"), |it| {
        it.replaces = vec![MemoryId(old)];
    }));
    assert_eq!(
        (new.decision, new.superseded),
        (Decision::Superseded, vec![MemoryId(old)])
    );
    let third = rig.keep(on("city", "Alice lives in Oslo"));
    assert_eq!(third.superseded, new.id.into_iter().collect::<Vec<_>>());
}

#[test]
fn a_memory_that_is_not_there_cannot_be_replaced_and_nothing_is_kept() {
    let rig = Rig::without_model();
    let retired = rig.id(text("Alice lives in Berlin"));
    rig.forget(&[retired]);
    for id in [retired, 99] {
        let items = vec![
            text("Bob is vegan"),
            with(text("Alice lives in Rome"), |it| {
                it.replaces = vec![MemoryId(id)];
            }),
        ];
        match rig.remember(items) {
            Err(Error::UnknownMemory { id: unknown, scope }) => {
                assert_eq!((unknown.0, &*scope), (id, "home"));
            }
            other => panic!("{other:?}"),
        }
        assert!(rig.texts().is_empty());
    }
}

#[test]
fn a_memory_that_was_superseded_before_stays_so() {
    let rig = Rig::without_model();
    let first = rig.id(text("Alice lives in Berlin"));
    let replacing = |of| with(text(of), |it| it.replaces = vec![MemoryId(first)]);
    let second = rig.id(replacing("Alice lives in Rome"));
    let third = rig.keep(replacing("Alice lives in Oslo"));
    assert_eq!(
        (third.decision, third.superseded.len()),
        (Decision::Stored, 0)
    );
    assert!(
        third.reason.contains("had been superseded before"),
        "{}",
        third.reason
    );
    assert_eq!(memory(&rig, first).superseded_by, Some(MemoryId(second)));
    // The same request again, as after a lost answer.
    assert_eq!(
        rig.keep(replacing("Alice lives in Rome")).decision,
        Decision::Merged
    );
}

#[test]
fn an_old_fact_said_again_is_a_new_memory() {
    let rig = Rig::without_model();
    let first = rig.id(on("city", "Alice lives in Berlin"));
    rig.clock.set(2_000);
    let second = rig.id(on("city", "Alice lives in Rome"));
    rig.clock.set(3_000);
    let third = rig.keep(on("city", "Alice lives in Berlin"));
    assert_eq!(
        (third.decision, third.superseded),
        (Decision::Superseded, vec![MemoryId(second)])
    );
    assert!(third.id.is_some_and(|id| id.0 > second));
    assert_eq!(memory(&rig, first).superseded_by, Some(MemoryId(second)));
}

#[test]
fn what_is_over_already_is_the_past_of_its_topic() {
    let rig = Rig::without_model();
    let rome = rig.id(with(
        between(Some(500), None, "Alice lives in Rome"),
        |it| it.topic = Some("city".to_owned()),
    ));
    let bonn = rig.keep(with(
        between(Some(100), Some(500), "Alice lives in Bonn"),
        |it| it.topic = Some("city".to_owned()),
    ));
    assert_eq!(
        (bonn.decision, bonn.superseded.len()),
        (Decision::Stored, 0)
    );
    assert_eq!(memory(&rig, rome).superseded_by, None);
    assert_eq!(
        memory(&rig, bonn.id.expect("it is kept").0).superseded_by,
        Some(MemoryId(rome))
    );
    let oslo = rig.keep(on("city", "Alice lives in Oslo"));
    assert_eq!(oslo.superseded, [MemoryId(rome)]);
}
