//! What becomes of items, by way of a memory on a file system in memory.

mod merging;
mod superseding;

use palimpsest_store::{MemoryId, MemoryRecord, Timestamp};

use crate::test_rig::{Rig, text, with};
use crate::{Decision, EntityMention, Item, Kind, RelationMention};

pub(super) fn memory(rig: &Rig, id: u64) -> MemoryRecord {
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

pub(super) fn n_versions(rig: &Rig, id: u64) -> usize {
    rig.memory
        .history(MemoryId(id))
        .expect("the store is sound")
        .len()
}

pub(super) fn on(topic: &str, of: &str) -> Item {
    with(text(of), |it| it.topic = Some(topic.to_owned()))
}

pub(super) fn between(from: Option<i64>, to: Option<i64>, of: &str) -> Item {
    with(text(of), |it| {
        it.valid_from = from.map(Timestamp);
        it.valid_to = to.map(Timestamp);
    })
}

pub(super) fn entity(name: &str, kind: Option<&str>) -> EntityMention {
    EntityMention {
        name: name.to_owned(),
        kind: kind.map(str::to_owned),
    }
}

pub(super) fn relation(from: &str, relation: &str, to: &str) -> RelationMention {
    let [from, relation, to] = [from, relation, to].map(str::to_owned);
    RelationMention { from, relation, to }
}

#[test]
fn a_new_text_is_stored_with_all_that_is_known_of_it() {
    let rig = Rig::without_model();
    let item = with(between(Some(5), Some(9_000), "Alice is vegan"), |it| {
        it.kind = Kind::Preference;
        it.tags = vec!["diet".to_owned(), "body".to_owned()];
        it.entities = vec![entity("Alice", Some("person"))];
        it.relations = vec![relation("Alice", "avoids", "meat")];
        it.source = Some("chat".to_owned());
        it.importance = Some(0.9);
    });
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
            with(text("Yes."), |it| it.tags = vec!["tag".to_owned()]),
        ),
        (
            Decision::Rejected,
            with(text("Yes."), |it| it.source = Some("chat".to_owned())),
        ),
        (Decision::Rejected, between(Some(5), None, "Yes.")),
        (Decision::Stored, on("wants_dark_mode", "Yes.")),
        (
            Decision::Stored,
            with(text("yes"), |it| it.entities = vec![entity("Alice", None)]),
        ),
        (
            Decision::Stored,
            with(text("yeah"), |it| {
                it.relations = vec![relation("Alice", "says", "yes")];
            }),
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
fn items_of_one_call_see_each_other() {
    let rig = Rig::without_model();
    let items = vec![
        text("Bob is vegan"),
        text(" Bob  is vegan"),
        on("city", "Alice lives in Berlin"),
        on("city", "Alice lives in Rome"),
        on("city", "Alice lives in Berlin"),
        text("ok"),
        with(text("Carol is tall"), |it| {
            it.entities = vec![entity("Carol", None)];
        }),
        with(text("Carol is kind"), |it| {
            it.entities = vec![entity("CAROL", Some("person"))];
        }),
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
        with(text("Alice is vegan"), |it| it.importance = Some(7.0)),
    ];
    assert!(rig.remember(items).is_err());
    assert_eq!(
        rig.memory.status().expect("the store is sound").snapshot.0,
        0
    );
}
