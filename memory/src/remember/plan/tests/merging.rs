//! Equal texts.

use palimpsest_store::{MemoryId, MemoryRecord, Timestamp};

use super::{between, entity, memory, n_versions, on, relation};
use crate::test_rig::{Rig, text, with};
use crate::{Decision, Item, Kind};

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

/// What an item adds, and how that shows.
type Addition = (fn(&mut Item), fn(&MemoryRecord) -> bool);
const ADDITIONS: &[Addition] = &[
    (|it| it.tags = vec!["a".to_owned()], |it| it.tags.len() == 2),
    (
        |it| it.entities = vec![entity("Alice", None)],
        |it| it.entities.len() == 1,
    ),
    (
        |it| it.relations = vec![relation("alice", "lives_in", "Rome")],
        |it| it.entities.len() == 2,
    ),
    (|it| it.importance = Some(0.8), |it| it.importance > 0.7),
    (|it| it.kind = Kind::Event, |it| &*it.kind == "event"),
    (
        |it| it.topic = Some("home".to_owned()),
        |it| it.topic.as_deref() == Some("home"),
    ),
    (
        |it| it.valid_from = Some(Timestamp(5)),
        |it| it.valid_from == Some(Timestamp(5)),
    ),
    (
        |it| it.valid_to = Some(Timestamp(9_000)),
        |it| it.valid_to == Some(Timestamp(9_000)),
    ),
];

#[test]
fn a_merge_takes_over_what_is_new() {
    let rig = Rig::without_model();
    let id = rig.id(with(text("Alice moved"), |it| {
        it.source = Some("chat".to_owned());
        it.tags = vec!["b".to_owned()];
    }));
    for (round, (add, is_taken_over)) in ADDITIONS.iter().enumerate() {
        let item = with(text("Alice moved"), add);
        for _ in 0..2 {
            let answer = rig.keep(item.clone());
            assert_eq!(answer.decision, Decision::Merged, "{item:?}");
            assert_eq!(answer.id, Some(MemoryId(id)));
            assert!(is_taken_over(&memory(&rig, id)), "{item:?}");
            assert_eq!(n_versions(&rig, id), round + 2, "twice said: {item:?}");
        }
    }
    rig.keep(with(text("Alice moved"), |it| {
        it.source = Some("mail".to_owned());
    }));
    let kept = memory(&rig, id);
    assert_eq!(kept.source.as_deref(), Some("chat"), "the first stays");
    assert_eq!((&*kept.kind, kept.tags.len()), ("event", 2), "no reset");
}

#[test]
fn a_relation_alone_is_news() {
    let rig = Rig::without_model();
    let with = |relations| with(text("Alice works at Acme"), |it| it.relations = relations);
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

fn rains(from: Option<i64>, to: Option<i64>) -> Item {
    between(from, to, "It rains")
}

#[test]
fn the_same_text_for_another_time_or_topic_is_another_memory() {
    let whenever = || rains(None, None);
    let [today, tomorrow] = ["today", "tomorrow"].map(|topic| on(topic, "It rains"));
    let past = || rains(None, Some(9));
    let merged = [
        (rains(Some(5), None), rains(Some(5), None)),
        (rains(Some(5), None), whenever()),
        (rains(Some(5), None), rains(Some(5), Some(2_000))),
        (past(), past()),
        (rains(None, Some(2_000)), whenever()),
        (today.clone(), today.clone()),
        (today.clone(), whenever()),
        (whenever(), today.clone()),
    ];
    let stored = [
        (rains(Some(5), None), rains(Some(6), None)),
        (past(), whenever()),
        (past(), rains(Some(9), None)),
        (rains(None, Some(2_000)), rains(Some(2_000), Some(3_000))),
        (today, tomorrow),
    ];
    let merged = merged.into_iter().map(|pair| (pair, Decision::Merged));
    let stored = stored.into_iter().map(|pair| (pair, Decision::Stored));
    for ((first, second), decision) in merged.chain(stored) {
        let rig = Rig::without_model();
        rig.keep(first.clone());
        let found = rig.keep(second.clone()).decision;
        assert_eq!(found, decision, "{first:?} then {second:?}");
        let again = rig.keep(second.clone()).decision;
        assert_eq!(again, Decision::Merged, "said again: {second:?}");
    }
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
    let answer = rig.keep(with(text("Alice lives in Berlin"), |it| {
        it.replaces = vec![MemoryId(id)];
    }));
    assert_eq!(
        (answer.decision, answer.id, answer.superseded.len()),
        (Decision::Merged, Some(MemoryId(id)), 0)
    );
    assert_eq!(n_versions(&rig, id), 1);
}
