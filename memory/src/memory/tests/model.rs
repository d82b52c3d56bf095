//! The model's coming and going.

use std::sync::Arc;
use std::time::{Duration, Instant};

use palimpsest_embed::Embedder;
use palimpsest_store::ModelId;

use super::{keep, open_on_disk};
use crate::test_rig::{HandModel, LONG, Rig, WordEmbedder, query, text, with};
use crate::{Decision, Mode, ModelState, Searchable, Warning};

#[test]
fn a_cold_process_keeps_a_text_before_its_vector_is_there() {
    let model = HandModel::loading();
    let rig = Rig::new(Arc::clone(&model));
    let answer = rig
        .remember(vec![text("Alice drinks green tea")])
        .expect("it is in range");
    assert_eq!(answer.items[0].searchable, Some(Searchable::Keywords));
    assert_eq!(answer.warnings, [Warning::ModelLoading]);
    let recalled = rig.recall(query("tea"));
    assert_eq!(
        (recalled.hits.len(), &recalled.warnings[..]),
        (1, &[Warning::ModelLoading][..])
    );
    let meaning = rig.recall(with(query("tea"), |it| it.mode = Mode::Semantic));
    assert_eq!(meaning.hits.len(), 1, "meaning gives way to words");
    model.finish_loading();
    assert!(rig.memory.settle(LONG).expect("the store is sound"));
    let recalled = rig.recall(query("tea"));
    assert!(recalled.hits[0].why.vector.is_some());
    assert_eq!(recalled.warnings, []);
    assert_eq!(
        rig.keep(text("Alice drinks green tea")).searchable,
        Some(Searchable::Full)
    );
}

#[test]
fn a_text_gets_its_vector_though_the_process_ends_in_between() {
    let rig = Rig::without_model();
    rig.keep(text("Alice drinks green tea"));
    let reopened = rig.another_process(HandModel::ready());
    drop(rig);
    assert!(reopened.memory.settle(LONG).expect("the store is sound"));
    let hit = reopened.recall(query("tea")).hits.remove(0);
    assert!(hit.why.vector.is_some());
}

#[test]
fn a_text_of_another_process_gets_its_vector_once_it_was_recalled_here() {
    let here = Rig::with_model();
    let there = here.another_process(HandModel::missing());
    let id = there.id(text("Alice drinks green tea"));
    assert_eq!(here.found(query("tea")), [id]);
    let begun = Instant::now();
    let lacks_vector = || {
        let snapshot = here.memory.store.snapshot().expect("the store is sound");
        !snapshot
            .unembedded(ModelId(WordEmbedder.model_id()), 1)
            .is_empty()
    };
    while lacks_vector() {
        assert!(begun.elapsed() < LONG, "the thread never heard of it");
        std::thread::yield_now();
    }
    assert!(here.recall(query("tea")).hits[0].why.vector.is_some());
}

#[test]
fn a_small_request_is_searchable_by_meaning_at_once_and_a_large_one_soon() {
    let rig = Rig::with_model();
    let small = rig
        .remember(vec![text("Alice drinks green tea"), text("Bob is tall")])
        .expect("both are in range");
    assert!(
        small
            .items
            .iter()
            .all(|item| item.searchable == Some(Searchable::Full))
    );
    assert_eq!(
        (small.snapshot.0, small.warnings.len()),
        (1, 0),
        "one frame"
    );
    let large = rig.keep(text(&"many words of a long story ".repeat(400)));
    assert_eq!(large.searchable, Some(Searchable::Keywords));
    assert!(rig.memory.settle(LONG).expect("the store is sound"));
    assert_eq!(
        rig.memory
            .status()
            .expect("the store is sound")
            .n_unembedded,
        0
    );
}

#[test]
fn a_needle_in_a_long_text_is_found_and_the_hit_is_the_memory() {
    let rig = Rig::with_model();
    let long = format!(
        "{} needle {}",
        "hay straw grass ".repeat(300),
        "hay straw grass ".repeat(300)
    );
    let id = rig.id(text(&long));
    rig.keep(text("a pin"));
    assert!(rig.memory.settle(LONG).expect("the store is sound"));
    let recall = with(query("needle"), |it| {
        it.mode = Mode::Semantic;
        it.max_tokens = Some(100_000);
    });
    let hits = rig.recall(recall).hits;
    assert_eq!(hits[0].memory.id.0, id);
    assert!(hits[0].why.vector.expect("it was found by meaning").window > 0);
}

#[test]
fn a_memory_that_cannot_be_embedded_is_found_by_words_and_holds_up_no_other() {
    let rig = Rig::with_model();
    let odd = rig.keep(text("an unembeddable text"));
    assert_eq!(
        (odd.decision, odd.searchable),
        (Decision::Stored, Some(Searchable::Keywords))
    );
    rig.keep(text(&"many words of a long story ".repeat(400)));
    assert!(
        !rig.memory.settle(LONG).expect("the store is sound"),
        "one is left without"
    );
    assert_eq!(
        rig.memory
            .status()
            .expect("the store is sound")
            .n_unembedded,
        1
    );
    let recalled = rig.recall(with(query("an odd text"), |it| {
        it.max_tokens = Some(10_000);
    }));
    assert_eq!(recalled.hits.len(), 2);
    assert_eq!(
        recalled.warnings,
        [Warning::NotYetEmbedded { n_memories: 1 }]
    );
    let recalled = rig.recall(query("unembeddable"));
    assert!(matches!(
        recalled.warnings[..],
        [Warning::ModelUnusable { .. }]
    ));
    assert_eq!(recalled.hits.len(), 1);
}

#[test]
fn a_model_that_is_missing_or_damaged_leaves_keywords() {
    let missing = Rig::without_model();
    let damaged = Rig::new(HandModel::damaged());
    assert!(!damaged.memory.settle(LONG).expect("the store is sound"));
    assert!(!missing.memory.settle(LONG).expect("the store is sound"));
    assert_eq!(missing.memory.model_state(), ModelState::Missing);
    assert!(
        matches!(damaged.memory.model_state(), ModelState::Unusable { reason } if reason.contains("no-model"))
    );
    for rig in [missing, damaged] {
        let answer = rig
            .remember(vec![text("Alice drinks green tea")])
            .expect("it is in range");
        assert_eq!(answer.items[0].searchable, Some(Searchable::Keywords));
        assert_eq!(
            (answer.warnings.len(), rig.found(query("tea")).len()),
            (1, 1)
        );
        assert_eq!(
            rig.remember(vec![text("ok")])
                .expect("it is in range")
                .warnings,
            []
        );
    }
}

#[test]
fn dropping_a_memory_ends_its_thread() {
    for model in [
        HandModel::missing(),
        HandModel::ready(),
        HandModel::damaged(),
    ] {
        let rig = Rig::new(model);
        rig.keep(text("Alice drinks green tea"));
        let begun = Instant::now();
        drop(rig);
        assert!(begun.elapsed() < Duration::from_secs(1));
    }
}

#[test]
fn the_real_model_finds_by_meaning_without_a_common_word() {
    let Some(model) = std::env::var_os("PALIMPSEST_MODEL") else {
        println!("skipped: PALIMPSEST_MODEL names no model folder");
        return;
    };
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let memory = open_on_disk(folder.path(), Some(model.into()));
    let texts = [
        "My sister adopted a small kitten last week",
        "The quarterly revenue grew by twelve percent",
        "She broke her leg while skiing in the Alps",
        "The database migration is scheduled for Sunday night",
    ];
    let ids = keep(&memory, &texts);
    assert!(
        memory.settle(LONG).expect("the store is sound"),
        "{:?}",
        memory.model_state()
    );
    let questions = [
        "Which pets do people own?",
        "How did business go?",
        "Any sports injuries?",
    ];
    for (question, id) in questions.into_iter().zip(ids) {
        let recalled = memory.recall(&query(question)).expect("it is a question");
        assert_eq!(recalled.warnings, []);
        let best = &recalled.hits[0];
        assert_eq!(
            (best.memory.id.0, best.why.keyword.is_some()),
            (id, false),
            "{question}"
        );
    }
}

#[test]
fn an_empty_memory_settles_when_its_model_is_ready() {
    let model = HandModel::loading();
    let rig = Rig::new(Arc::clone(&model));
    assert!(
        !rig.memory
            .settle(Duration::ZERO)
            .expect("the store is sound")
    );
    model.finish_loading();
    assert!(rig.memory.settle(LONG).expect("the store is sound"));
    assert!(matches!(rig.memory.model_state(), ModelState::Ready { .. }));
}

#[test]
fn a_model_that_comes_later_is_found_and_catches_up() {
    let model = HandModel::missing();
    let rig = Rig::new(Arc::clone(&model));
    rig.keep(text("Alice drinks green tea"));
    model.appear();
    while rig.memory.model_state() == ModelState::Missing {
        std::thread::yield_now();
    }
    assert!(rig.memory.settle(LONG).expect("the store is sound"));
    assert!(rig.recall(query("tea")).hits[0].why.vector.is_some());
}
