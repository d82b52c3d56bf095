//! What becomes of items, by way of a memory on a file system in memory.

use palimpsest_store::{MemoryId, MemoryRecord, Timestamp};

use crate::test_rig::{Rig, text};
use crate::{Decision, EntityMention, Error, Item, Kind, RelationMention};

fn memory(rig: &Rig, id: u64) -> MemoryRecord {
    let history = rig
        .memory
        .history(MemoryId(id))
        .expect("the store is sound");
    let newest = history.first().expect("the memory was there");
    assert_eq!(
        newest.lifespan.died,
        palimpsest_store::Seq::NEVER,
        "{id} is retired"
    );
    (*newest.memory).clone()
}

fn n_versions(rig: &Rig, id: u64) -> usize {
    rig.memory
        .history(MemoryId(id))
        .expect("the store is sound")
        .len()
}

fn on(topic: &str, of: &str) -> Item {
    Item {
        topic: Some(topic.to_owned()),
        ..text(of)
    }
}

fn between(from: Option<i64>, to: Option<i64>, of: &str) -> Item {
    Item {
        valid_from: from.map(Timestamp),
        valid_to: to.map(Timestamp),
        ..text(of)
    }
}

fn entity(name: &str, kind: Option<&str>) -> EntityMention {
    EntityMention {
        name: name.to_owned(),
        kind: kind.map(str::to_owned),
    }
}

fn relation(from: &str, relation: &str, to: &str) -> RelationMention {
    let [from, relation, to] = [from, relation, to].map(str::to_owned);
    RelationMention { from, relation, to }
}

#[test]
fn a_new_text_is_stored_with_all_that_is_known_of_it() {
    let rig = Rig::without_model();
    let item = Item {
        kind: Kind::Preference,
        tags: vec!["diet".to_owned(), "body".to_owned()],
        entities: vec![entity("Alice", Some("person"))],
        relations: vec![relation("Alice", "avoids", "meat")],
        source: Some("chat".to_owned()),
        importance: Some(0.9),
        ..between(Some(5), Some(9_000), "Alice is vegan")
    };
    let answer = rig.keep(item);
    assert_eq!(
        (answer.decision, answer.id),
        (Decision::Stored, Some(MemoryId(1)))
    );
    let kept = memory(&rig, 1);
    assert_eq!(
        (&*kept.text, &*kept.scope, &*kept.kind),
        ("Alice is vegan", "home", "preference")
    );
    assert_eq!(
        kept.tags.iter().map(|tag| &**tag).collect::<Vec<_>>(),
        ["body", "diet"]
    );
    assert_eq!(kept.entities.len(), 2);
    assert_eq!(
        (kept.valid_from, kept.valid_to),
        (Some(Timestamp(5)), Some(Timestamp(9_000)))
    );
    assert_eq!(
        (kept.source.as_deref(), kept.importance),
        (Some("chat"), 0.9)
    );
    assert_eq!(
        (kept.created_at, kept.superseded_by),
        (Timestamp(1_000), None)
    );
}

#[test]
fn small_talk_is_rejected_unless_something_says_what_it_is_about() {
    let rig = Rig::without_model();
    let of_yes: [(Decision, Item); 8] = [
        (Decision::Rejected, text("Yes.")),
        (
            Decision::Rejected,
            Item {
                tags: vec!["tag".to_owned()],
                ..text("Yes.")
            },
        ),
        (
            Decision::Rejected,
            Item {
                source: Some("chat".to_owned()),
                ..text("Yes.")
            },
        ),
        (Decision::Rejected, between(Some(5), None, "Yes.")),
        (Decision::Stored, on("wants_dark_mode", "Yes.")),
        (
            Decision::Stored,
            Item {
                entities: vec![entity("Alice", None)],
                ..text("yes")
            },
        ),
        (
            Decision::Stored,
            Item {
                relations: vec![relation("Alice", "says", "yes")],
                ..text("yeah")
            },
        ),
        (Decision::Rejected, on("wants_dark_mode", " ")),
    ];
    for (decision, item) in of_yes {
        let answer = rig.keep(item.clone());
        assert_eq!(answer.decision, decision, "{item:?}");
        assert_eq!(answer.id.is_none(), decision == Decision::Rejected);
        assert_eq!(answer.searchable.is_none(), decision == Decision::Rejected);
    }
}

#[test]
fn equal_text_merges_and_nothing_is_committed_where_nothing_is_new() {
    let rig = Rig::without_model();
    let first = rig
        .remember(vec![text("Caf\u{e9} au lait")])
        .expect("it is in range");
    for same in ["Caf\u{e9} au lait", " Cafe\u{301}  au\nlait "] {
        let again = rig.remember(vec![text(same)]).expect("it is in range");
        assert_eq!(again.items[0].decision, Decision::Merged);
        assert_eq!(again.items[0].id, first.items[0].id);
        assert_eq!(again.snapshot, first.snapshot, "a commit without news");
    }
    for other in ["caf\u{e9} au lait", "Caf\u{e9} au lait.", "Cafe au lait"] {
        assert_eq!(rig.keep(text(other)).decision, Decision::Stored, "{other}");
    }
}

#[test]
fn a_merge_takes_over_what_is_new() {
    let rig = Rig::without_model();
    let id = rig.id(Item {
        source: Some("chat".to_owned()),
        tags: vec!["b".to_owned()],
        ..text("Alice moved")
    });
    let more: [(Item, fn(&MemoryRecord) -> bool); 8] = [
        (
            Item {
                tags: vec!["a".to_owned()],
                ..text("Alice moved")
            },
            |it| it.tags.len() == 2,
        ),
        (
            Item {
                entities: vec![entity("Alice", None)],
                ..text("Alice moved")
            },
            |it| it.entities.len() == 1,
        ),
        (
            Item {
                relations: vec![relation("alice", "lives_in", "Rome")],
                ..text("Alice moved")
            },
            |it| it.entities.len() == 2,
        ),
        (
            Item {
                importance: Some(0.8),
                ..text("Alice moved")
            },
            |it| it.importance == 0.8,
        ),
        (
            Item {
                kind: Kind::Event,
                ..text("Alice moved")
            },
            |it| &*it.kind == "event",
        ),
        (on("home", "Alice moved"), |it| {
            it.topic.as_deref() == Some("home")
        }),
        (between(Some(5), None, "Alice moved"), |it| {
            it.valid_from == Some(Timestamp(5))
        }),
        (between(None, Some(9_000), "Alice moved"), |it| {
            it.valid_to == Some(Timestamp(9_000))
        }),
    ];
    for (round, (item, is_taken_over)) in more.into_iter().enumerate() {
        for _ in 0..2 {
            let answer = rig.keep(item.clone());
            assert_eq!(
                (answer.decision, answer.id),
                (Decision::Merged, Some(MemoryId(id))),
                "{item:?}"
            );
            assert!(is_taken_over(&memory(&rig, id)), "{item:?}");
            assert_eq!(
                n_versions(&rig, id),
                round + 2,
                "said twice, kept once: {item:?}"
            );
        }
    }
    rig.keep(Item {
        source: Some("mail".to_owned()),
        ..text("Alice moved")
    });
    let kept = memory(&rig, id);
    assert_eq!(
        kept.source.as_deref(),
        Some("chat"),
        "the first source stays"
    );
    assert_eq!(
        (&*kept.kind, kept.importance, kept.tags.len()),
        ("event", 0.8, 2)
    );
}

#[test]
fn a_relation_alone_is_news() {
    let rig = Rig::without_model();
    let with = |relations| Item {
        relations,
        ..text("Alice works at Acme")
    };
    rig.keep(with(vec![relation("Alice", "works_at", "Acme")]));
    let before = rig.memory.status().expect("the store is sound").snapshot;
    rig.keep(with(vec![relation("alice", "works_at", "ACME")]));
    assert_eq!(
        rig.memory.status().expect("the store is sound").snapshot,
        before
    );
    rig.keep(with(vec![relation("Acme", "employs", "Alice")]));
    assert!(rig.memory.status().expect("the store is sound").snapshot > before);
}

#[test]
fn the_same_text_for_another_time_or_topic_is_another_memory() {
    let pairs: [(Item, Item, Decision); 13] = [
        (
            between(Some(5), None, "It rains"),
            between(Some(6), None, "It rains"),
            Decision::Stored,
        ),
        (
            between(Some(5), None, "It rains"),
            between(Some(5), None, "It rains"),
            Decision::Merged,
        ),
        (
            between(Some(5), None, "It rains"),
            text("It rains"),
            Decision::Merged,
        ),
        (
            between(Some(5), None, "It rains"),
            between(Some(5), Some(2_000), "It rains"),
            Decision::Merged,
        ),
        (
            between(None, Some(9), "It rains"),
            text("It rains"),
            Decision::Stored,
        ),
        (
            between(None, Some(9), "It rains"),
            between(None, Some(9), "It rains"),
            Decision::Merged,
        ),
        (
            between(None, Some(9), "It rains"),
            between(Some(9), None, "It rains"),
            Decision::Stored,
        ),
        (
            between(None, Some(2_000), "It rains"),
            text("It rains"),
            Decision::Merged,
        ),
        (
            between(None, Some(2_000), "It rains"),
            between(Some(2_000), Some(3_000), "It rains"),
            Decision::Stored,
        ),
        (
            on("today", "It rains"),
            on("tomorrow", "It rains"),
            Decision::Stored,
        ),
        (
            on("today", "It rains"),
            on("today", "It rains"),
            Decision::Merged,
        ),
        (on("today", "It rains"), text("It rains"), Decision::Merged),
        (text("It rains"), on("today", "It rains"), Decision::Merged),
    ];
    for (first, second, decision) in pairs {
        let rig = Rig::without_model();
        rig.keep(first.clone());
        assert_eq!(
            rig.keep(second.clone()).decision,
            decision,
            "{first:?} then {second:?}"
        );
        assert_eq!(
            rig.keep(second.clone()).decision,
            Decision::Merged,
            "said again: {second:?}"
        );
    }
}

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
        let old = rig.id(Item {
            topic: Some("port".to_owned()),
            ..between(from, to, "The port is A")
        });
        rig.clock.set(2_000);
        rig.keep(Item {
            topic: Some("port".to_owned()),
            ..between(new_from, None, "The port is B")
        });
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
    let new = rig.keep(Item {
        replaces: vec![MemoryId(old)],
        ..text("Alice lives in Rome")
    });
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
            Item {
                replaces: vec![MemoryId(id)],
                ..text("Alice lives in Rome")
            },
        ];
        match rig.remember(items) {
            Err(Error::UnknownMemory { id: unknown, scope }) => {
                assert_eq!((unknown.0, &*scope), (id, "home"))
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
    let replacing = |of| Item {
        replaces: vec![MemoryId(first)],
        ..text(of)
    };
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
fn a_merge_takes_the_place_of_the_topics_memory() {
    let rig = Rig::without_model();
    let berlin = rig.id(text("Alice lives in Berlin"));
    let rome = rig.id(on("city", "Alice lives in Rome"));
    let answer = rig.keep(on("city", "Alice lives in Berlin"));
    assert_eq!(
        (answer.decision, answer.id),
        (Decision::Merged, Some(MemoryId(berlin)))
    );
    assert_eq!(answer.superseded, [MemoryId(rome)]);
    assert_eq!(memory(&rig, rome).superseded_by, Some(MemoryId(berlin)));
    assert_eq!(memory(&rig, berlin).topic.as_deref(), Some("city"));
}

#[test]
fn an_echo_that_replaces_itself_merges() {
    let rig = Rig::without_model();
    let id = rig.id(text("Alice lives in Berlin"));
    let answer = rig.keep(Item {
        replaces: vec![MemoryId(id)],
        ..text("Alice lives in Berlin")
    });
    assert_eq!(
        (answer.decision, answer.id, answer.superseded.len()),
        (Decision::Merged, Some(MemoryId(id)), 0)
    );
    assert_eq!(n_versions(&rig, id), 1);
}

#[test]
fn what_is_over_already_is_the_past_of_its_topic() {
    let rig = Rig::without_model();
    let rome = rig.id(Item {
        topic: Some("city".to_owned()),
        ..between(Some(500), None, "Alice lives in Rome")
    });
    let bonn = rig.keep(Item {
        topic: Some("city".to_owned()),
        ..between(Some(100), Some(500), "Alice lives in Bonn")
    });
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

#[test]
fn items_of_one_call_see_each_other() {
    let rig = Rig::without_model();
    let items = vec![
        text("Bob is vegan"),
        text(" Bob  is vegan"),
        on("city", "Alice lives in Berlin"),
        on("city", "Alice lives in Rome"),
        on("city", "Alice lives in Berlin"),
        text("ok"),
        Item {
            entities: vec![entity("Carol", None)],
            ..text("Carol is tall")
        },
        Item {
            entities: vec![entity("CAROL", Some("person"))],
            ..text("Carol is kind")
        },
    ];
    let answer = rig.remember(items).expect("all are in range");
    let found: Vec<_> = answer
        .items
        .iter()
        .map(|it| (it.decision, it.id.map(|id| id.0)))
        .collect();
    let expected = [
        (Decision::Stored, Some(1)),
        (Decision::Merged, Some(1)),
        (Decision::Stored, Some(2)),
        (Decision::Superseded, Some(3)),
        (Decision::Superseded, Some(4)),
        (Decision::Rejected, None),
        (Decision::Stored, Some(5)),
        (Decision::Stored, Some(6)),
    ];
    assert_eq!(found, expected);
    assert_eq!(answer.snapshot.0, 1, "one frame");
    assert_eq!(memory(&rig, 2).superseded_by, Some(MemoryId(3)));
    assert_eq!(memory(&rig, 3).superseded_by, Some(MemoryId(4)));
    assert_eq!(memory(&rig, 5).entities, memory(&rig, 6).entities);
}

#[test]
fn an_item_that_is_refused_takes_the_whole_call_with_it() {
    let rig = Rig::without_model();
    let items = vec![
        text("Bob is vegan"),
        Item {
            importance: Some(7.0),
            ..text("Alice is vegan")
        },
    ];
    assert!(rig.remember(items).is_err());
    assert_eq!(
        rig.memory.status().expect("the store is sound").snapshot.0,
        0
    );
}
