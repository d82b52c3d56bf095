//! What was true, and what was known.

use std::collections::BTreeSet;

use palimpsest_store::{MemoryId, Timestamp};

use crate::test_rig::{Rig, query, text, with};
use crate::{Error, Forget, HitStatus, Include, Item, Recall};

fn on(topic: &str, of: &str) -> Item {
    with(text(of), |it| it.topic = Some(topic.to_owned()))
}

/// Berlin from the start, Rome from 2,000, Oslo from 3,000, each said at that moment.
fn three_cities() -> (Rig, [u64; 3]) {
    let rig = Rig::without_model();
    let ids = [(1_000, "Berlin"), (2_000, "Rome"), (3_000, "Oslo")].map(|(at, city)| {
        rig.clock.set(at);
        rig.id(on("city", &format!("Alice lives in {city}")))
    });
    rig.clock.set(10_000);
    (rig, ids)
}

#[test]
fn what_was_true_and_what_was_known_are_two_questions() {
    let (rig, [berlin, rome, oslo]) = three_cities();
    let expected: [(Option<i64>, Option<i64>, &[u64]); 10] = [
        (None, None, &[oslo]),
        (Some(500), None, &[berlin]),
        (Some(2_000), None, &[rome]),
        (Some(2_999), None, &[rome]),
        (Some(3_000), None, &[oslo]),
        (None, Some(1_500), &[berlin]),
        (None, Some(2_500), &[rome]),
        (None, Some(500), &[]),
        // What was believed at 1,500 of 2,500, and at 2,500 of 1,500.
        (Some(2_500), Some(1_500), &[berlin]),
        (Some(1_500), Some(2_500), &[berlin]),
    ];
    for (as_of, known_at, ids) in expected {
        let recall = with(query("where does Alice live"), |it| {
            it.as_of = as_of.map(Timestamp);
            it.known_at = known_at.map(Timestamp);
        });
        assert_eq!(
            rig.found(recall),
            ids,
            "as of {as_of:?}, known at {known_at:?}"
        );
    }
}

#[test]
fn a_superseded_memory_is_hidden_now_unless_it_is_asked_for() {
    let (rig, [berlin, rome, oslo]) = three_cities();
    let recall = with(query("Alice lives"), |it| it.superseded = Include::Yes);
    let statuses: BTreeSet<_> = rig
        .recall(recall)
        .hits
        .iter()
        .map(|hit| match hit.status {
            HitStatus::Current => (hit.memory.id.0, 0),
            HitStatus::Superseded { by } => (hit.memory.id.0, by.0),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        statuses,
        BTreeSet::from([(berlin, rome), (rome, oslo), (oslo, 0)])
    );
    let named = with(Recall::default(), |it| it.ids = vec![MemoryId(berlin)]);
    assert_eq!(rig.found(named), [berlin], "whoever names it wants it");
}

#[test]
fn an_expired_memory_is_hidden_unless_it_is_asked_for() {
    check_what_is_shown(&Rig::without_model());
    check_what_is_shown(&Rig::with_model());
}

fn check_what_is_shown(rig: &Rig) {
    let over = rig.id(with(text("The sale is on"), |it| {
        it.valid_to = Some(Timestamp(900));
    }));
    let coming = rig.id(with(text("The sale is announced"), |it| {
        it.valid_from = Some(Timestamp(5_000));
    }));
    let old = rig.id(on("sale", "The sale is planned"));
    let now = rig.id(on("sale", "The sale is cancelled"));
    let shown = |superseded, expired| {
        let recalled = rig.recall(with(query("the sale"), |it| {
            it.superseded = superseded;
            it.expired = expired;
        }));
        assert_eq!(recalled.n_searched, recalled.hits.len() + recalled.omitted);
        recalled
            .hits
            .iter()
            .map(|hit| hit.memory.id.0)
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(shown(Include::No, Include::No), BTreeSet::from([now]));
    assert_eq!(shown(Include::Yes, Include::No), BTreeSet::from([now, old]));
    assert_eq!(
        shown(Include::No, Include::Yes),
        BTreeSet::from([now, over, coming])
    );
    assert_eq!(
        shown(Include::Yes, Include::Yes),
        BTreeSet::from([now, old, over, coming])
    );
}

#[test]
fn a_clock_that_goes_back_brings_nothing_back() {
    let (rig, [.., oslo]) = three_cities();
    rig.clock.set(10);
    assert_eq!(rig.found(query("where does Alice live")), [oslo]);
}

#[test]
fn a_retired_memory_is_gone_now_and_there_before() {
    let (rig, [berlin, _, oslo]) = three_cities();
    rig.clock.set(20_000);
    let forget = rig.forget(&[oslo, 99, oslo]);
    let ids = |ids: &[MemoryId]| ids.iter().map(|id| id.0).collect::<Vec<_>>();
    assert_eq!(ids(&forget.retired), [oslo]);
    assert_eq!(
        (ids(&forget.already_retired), ids(&forget.not_found)),
        (vec![], vec![99])
    );
    assert_eq!(forget.at, Timestamp(20_000));
    assert_eq!(
        rig.found(query("Alice")),
        [0; 0],
        "nothing that it superseded comes back"
    );
    let before = with(query("Alice"), |it| it.known_at = Some(Timestamp(19_999)));
    assert_eq!(rig.found(before), [oslo]);
    let again = rig.forget(&[oslo, berlin]);
    assert_eq!(
        (ids(&again.retired), ids(&again.already_retired)),
        (vec![berlin], vec![oslo])
    );
    assert_eq!(
        rig.forget(&[oslo]).snapshot,
        again.snapshot,
        "nothing to do, nothing committed"
    );
    let none = Forget {
        ids: vec![],
        scopes: vec![],
        reason: None,
    };
    assert!(matches!(
        rig.memory.forget(none),
        Err(Error::NothingToForget)
    ));
}

#[test]
fn a_forgotten_memory_says_why_in_its_history() {
    let rig = Rig::without_model();
    let id = rig.id(text("Alice is vegan"));
    let forget = Forget {
        ids: vec![MemoryId(id)],
        scopes: vec![],
        reason: Some(" it was  a joke ".to_owned()),
    };
    rig.memory.forget(forget).expect("it is there");
    let history = rig
        .memory
        .history(MemoryId(id))
        .expect("the store is sound");
    assert_eq!(history[0].retired_because.as_deref(), Some("it was a joke"));
}
