//! The verbs together: time, scopes, processes, threads, and the model's coming and going.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use palimpsest_store::{FileBackend, MemoryId, Timestamp};

use super::{Memory, Options};
use crate::test_rig::{HandModel, LONG, Rig, SCOPE, query, text};
use crate::{
    Decision, EntityMention, Error, Forget, Fusion, Graph, GraphView, HitStatus, Include, Item,
    Kind, Mode, ModelState, Recall, RelationMention, Remember, Searchable, Settings, SystemClock,
    Warning,
};

fn on(topic: &str, of: &str) -> Item {
    Item {
        topic: Some(topic.to_owned()),
        ..text(of)
    }
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
        let recall = Recall {
            as_of: as_of.map(Timestamp),
            known_at: known_at.map(Timestamp),
            ..query("where does Alice live")
        };
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
    let recall = Recall {
        superseded: Include::Yes,
        ..query("Alice lives")
    };
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
    let named = Recall {
        ids: vec![MemoryId(berlin)],
        ..Recall::default()
    };
    assert_eq!(rig.found(named), [berlin], "whoever names it wants it");
}

#[test]
fn an_expired_memory_is_hidden_unless_it_is_asked_for() {
    let rig = Rig::without_model();
    let over = rig.id(Item {
        valid_to: Some(Timestamp(900)),
        ..text("The sale is on")
    });
    let coming = rig.id(Item {
        valid_from: Some(Timestamp(5_000)),
        ..text("The sale is announced")
    });
    let old = rig.id(on("sale", "The sale is planned"));
    let now = rig.id(on("sale", "The sale is cancelled"));
    let shown = |superseded, expired| {
        let recalled = rig.recall(Recall {
            superseded,
            expired,
            ..query("the sale")
        });
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
    let before = Recall {
        known_at: Some(Timestamp(19_999)),
        ..query("Alice")
    };
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

#[test]
fn filters_choose_by_kind_tag_time_and_id() {
    let rig = Rig::without_model();
    let item = |kind, tags: &[&str], valid_from: Option<i64>, of| Item {
        kind,
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        valid_from: valid_from.map(Timestamp),
        ..text(of)
    };
    let a = rig.id(item(Kind::Fact, &["x"], None, "the first note of tea"));
    let b = rig.id(item(
        Kind::Event,
        &["x", "y"],
        Some(100),
        "the second note of tea",
    ));
    let c = rig.id(item(
        Kind::Event,
        &["y"],
        Some(200),
        "the third note of tea",
    ));
    let filters: [(Recall, &[u64]); 8] = [
        (
            Recall {
                kinds: vec![Kind::Event],
                ..Recall::default()
            },
            &[c, b],
        ),
        (
            Recall {
                tags: vec!["x".to_owned()],
                ..Recall::default()
            },
            &[a, b],
        ),
        (
            Recall {
                tags: vec!["x".to_owned(), "y".to_owned()],
                ..Recall::default()
            },
            &[a, c, b],
        ),
        (
            Recall {
                tags: vec!["x".to_owned(), "y".to_owned()],
                tags_match: palimpsest_store::TagsMatch::All,
                ..Recall::default()
            },
            &[b],
        ),
        (
            Recall {
                since: Some(Timestamp(200)),
                ..Recall::default()
            },
            &[a, c],
        ),
        (
            Recall {
                until: Some(Timestamp(200)),
                ..Recall::default()
            },
            &[b],
        ),
        (
            Recall {
                ids: vec![MemoryId(c), MemoryId(a)],
                ..Recall::default()
            },
            &[a, c],
        ),
        (
            Recall {
                kinds: vec![Kind::Note],
                ..Recall::default()
            },
            &[],
        ),
    ];
    for (filter, ids) in filters {
        assert_eq!(
            rig.found(filter.clone()),
            ids,
            "a list, latest first: {filter:?}"
        );
        let searched = rig.recall(Recall {
            query: Some("tea".to_owned()),
            ..filter.clone()
        });
        let found: BTreeSet<u64> = searched.hits.iter().map(|hit| hit.memory.id.0).collect();
        assert_eq!(found, ids.iter().copied().collect(), "a search: {filter:?}");
        assert_eq!(searched.n_searched, ids.len());
    }
}

#[test]
fn a_limit_and_a_budget_cut_and_count_what_they_cut() {
    let rig = Rig::without_model();
    for n in 0..20 {
        rig.keep(text(&format!(
            "tea number {n} is green and has sixty characters, or about that."
        )));
    }
    let cut = rig.recall(Recall {
        limit: Some(5),
        ..query("tea")
    });
    assert_eq!((cut.hits.len(), cut.omitted, cut.n_searched), (5, 15, 20));
    assert_eq!(cut.warnings, [Warning::ModelMissing]);
    let cut = rig.recall(Recall {
        limit: Some(5),
        max_tokens: Some(40),
        ..query("tea")
    });
    assert_eq!((cut.hits.len(), cut.omitted), (2, 18));
    assert!(matches!(
        cut.warnings[..],
        [_, Warning::OverBudget { n_memories: 3, .. }]
    ));
    let list = rig.recall(Recall {
        limit: Some(5),
        since: Some(Timestamp(0)),
        ..Recall::default()
    });
    assert_eq!(
        (list.hits.len(), list.omitted, list.n_searched),
        (5, 15, 20)
    );
}

#[test]
fn a_least_score_rejects_and_says_how_near_the_best_rejected_came() {
    let rig = Rig::without_model();
    let best = rig.id(text("green tea with green leaves"));
    rig.keep(text("black tea with milk and sugar and honey"));
    rig.keep(text("green paint"));
    let recalled = rig.recall(query("green tea"));
    assert_eq!(recalled.nearest_rejected, None);
    let second = recalled.hits[1].score;
    assert!(second < 1.0);
    let recalled = rig.recall(Recall {
        min_score: Some(0.99),
        ..query("green tea")
    });
    assert_eq!(
        recalled
            .hits
            .iter()
            .map(|hit| hit.memory.id.0)
            .collect::<Vec<_>>(),
        [best]
    );
    assert_eq!(
        (recalled.nearest_rejected, recalled.omitted),
        (Some(second), 0)
    );
}

#[test]
fn a_hit_says_where_its_score_comes_from() {
    let rig = Rig::with_model();
    let both = rig.id(text("Alice drinks green tea"));
    let neither = rig.id(text("Bob repairs old clocks"));
    let recalled = rig.recall(query("green tea"));
    assert_eq!(recalled.warnings, []);
    let best = &recalled.hits[0];
    assert_eq!(best.memory.id.0, both);
    let (vector, keyword) = (
        best.why.vector.expect("it has a vector"),
        best.why.keyword.clone().expect("it has the words"),
    );
    assert!((vector.share + keyword.share - best.score).abs() < 1e-12);
    assert_eq!(
        keyword.terms.iter().map(|it| &*it.term).collect::<Vec<_>>(),
        ["green", "tea"]
    );
    let last = &recalled.hits[1];
    assert_eq!((last.memory.id.0, &last.why.keyword), (neither, &None));
    let words = rig.recall(Recall {
        mode: Mode::Keyword,
        ..query("green tea")
    });
    assert_eq!((words.hits.len(), words.hits[0].score), (1, 1.0));
    let meaning = rig.recall(Recall {
        mode: Mode::Semantic,
        ..query("green tea")
    });
    assert!(meaning.hits.iter().all(|hit| hit.why.keyword.is_none()));
}

#[test]
fn ranks_are_fused_by_setting() {
    let fusion = Fusion::Rrf { k: 60.0 };
    let rig = Rig::with(
        HandModel::missing(),
        Settings {
            fusion,
            ..Settings::default()
        },
    );
    rig.keep(text("Alice drinks green tea"));
    let score = rig.recall(query("tea")).hits[0].score;
    assert!((score - 1.0 / 61.0).abs() < 1e-12);
    let refused = Settings {
        n_candidates: 0,
        ..Settings::default()
    };
    assert!(matches!(
        refused.check(),
        Err(Error::OutOfRange {
            argument: "n_candidates",
            ..
        })
    ));
}

#[test]
fn every_window_of_a_long_query_is_searched() {
    let rig = Rig::with_model();
    let clock = rig.id(text("clocks"));
    rig.keep(text("paint"));
    let filler = "one two three four five six seven eight ".repeat(5);
    let recall = Recall {
        mode: Mode::Semantic,
        ..query(&format!("{filler} clocks"))
    };
    assert_eq!(rig.found(recall)[0], clock);
    let long = "tea ".repeat(3_000);
    let warnings = rig.recall(query(&long)).warnings;
    assert!(
        matches!(warnings[..], [Warning::QueryCut { .. }]),
        "{warnings:?}"
    );
}

#[test]
fn no_verb_sees_another_scope() {
    let rig = Rig::without_model();
    let scopes = ["work", "ho/me", "home "];
    let item = |secret: &str| Item {
        tags: vec!["tag".to_owned()],
        topic: Some("topic".to_owned()),
        entities: vec![EntityMention {
            name: "Alice".to_owned(),
            kind: None,
        }],
        relations: vec![RelationMention {
            from: "Alice".to_owned(),
            relation: "has".to_owned(),
            to: secret.to_owned(),
        }],
        ..text(&format!("Alice has a {secret}"))
    };
    let own = rig.id(item("cat"));
    for scope in &scopes[..2] {
        let request = Remember {
            scope: (*scope).to_owned(),
            items: vec![item("dog")],
        };
        let answer = rig
            .memory
            .remember(request)
            .expect("it is in range")
            .items
            .remove(0);
        assert_eq!(
            answer.decision,
            Decision::Stored,
            "a topic is a scope's own"
        );
    }
    let same_text = Remember {
        scope: "work".to_owned(),
        items: vec![text("Alice has a cat")],
    };
    let same_text = rig
        .memory
        .remember(same_text)
        .expect("it is in range")
        .items
        .remove(0);
    assert_eq!(
        same_text.decision,
        Decision::Stored,
        "a text is a scope's own"
    );
    let foreign = same_text.id.expect("it is kept");

    let reads = [
        query("Alice dog"),
        Recall {
            tags: vec!["tag".to_owned()],
            query: None,
            ..query("")
        },
        Recall {
            ids: (1..10).map(MemoryId).collect(),
            query: None,
            ..query("")
        },
    ];
    for recall in reads {
        assert_eq!(rig.found(recall.clone()), [own], "{recall:?}");
    }
    let spaced = Recall {
        scopes: vec![scopes[2].to_owned()],
        ..query("Alice")
    };
    assert_eq!(
        rig.found(spaced),
        [own],
        "white space around a name is no other name"
    );
    let both = Recall {
        scopes: vec![SCOPE.to_owned(), "work".to_owned()],
        ..query("Alice")
    };
    assert_eq!(rig.found(both).len(), 3);
    let every = Recall {
        scopes: vec![],
        ..query("Alice")
    };
    assert_eq!(rig.found(every).len(), 4);

    let listed = rig
        .memory
        .list(Some(SCOPE), 10)
        .expect("the store is sound");
    assert_eq!(listed.iter().map(|it| it.id.0).collect::<Vec<_>>(), [own]);
    let graph = |about: &str| rig.memory.graph(&about_alice(about, SCOPE));
    let edges = graph("Alice").expect("she is known").edges;
    assert_eq!(
        edges.iter().map(|edge| &*edge.to).collect::<Vec<_>>(),
        ["cat"]
    );
    assert!(
        matches!(graph("dog"), Err(Error::UnknownEntity { nearest, .. }) if nearest.is_empty())
    );
    let forget = rig.forget(&[foreign.0]);
    assert_eq!(forget.not_found, [foreign]);
    let replace = Item {
        replaces: vec![foreign],
        ..text("Alice has a fish")
    };
    assert!(matches!(
        rig.remember(vec![replace]),
        Err(Error::UnknownMemory { .. })
    ));
}

fn about_alice(about: &str, scope: &str) -> Graph {
    Graph {
        about: about.to_owned(),
        view: GraphView::Neighbors,
        scopes: vec![scope.to_owned()],
        relation: None,
        depth: None,
        as_of: None,
        known_at: None,
        limit: None,
    }
}

#[test]
fn equal_texts_from_many_threads_are_one_memory() {
    let rig = Rig::with_model();
    let texts = ["Alice is vegan", "Bob is tall", "Carol sings"];
    let kept: Vec<Decision> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| texts.map(|it| rig.keep(text(it)).decision)))
            .collect();
        threads
            .into_iter()
            .flat_map(|it| it.join().expect("no thread panics"))
            .collect()
    });
    let n_stored = kept
        .iter()
        .filter(|decision| **decision == Decision::Stored)
        .count();
    assert_eq!(n_stored, texts.len());
    assert_eq!(rig.texts(), texts.map(str::to_owned).into());
    assert_eq!(
        rig.memory.status().expect("the store is sound").n_memories,
        texts.len() as u64
    );
}

#[test]
fn threads_write_and_read_one_memory_at_once() {
    let rig = Rig::with_model();
    thread::scope(|scope| {
        for writer in 0..4 {
            let rig = &rig;
            scope.spawn(move || {
                for n in 0..25 {
                    let id = rig.id(text(&format!("writer {writer} says sentence {n}")));
                    let found = rig.found(Recall {
                        limit: Some(1),
                        ..query(&format!("writer {writer} sentence {n}"))
                    });
                    assert!(!found.is_empty(), "{id} was acknowledged");
                }
            });
        }
    });
    assert_eq!(rig.texts().len(), 100);
    assert!(rig.memory.settle(LONG).expect("the store is sound"));
}

#[test]
fn another_process_sees_what_was_acknowledged() {
    let one = Rig::without_model();
    let two = one.another_process(HandModel::missing());
    for n in 0..10 {
        let (writer, reader) = if n % 2 == 0 {
            (&one, &two)
        } else {
            (&two, &one)
        };
        let id = writer.id(text(&format!("sentence number {n}")));
        assert_eq!(reader.found(query(&format!("{n}"))), [id]);
    }
    assert_eq!(
        two.keep(text("sentence number 0")).decision,
        Decision::Merged
    );
}

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
    let meaning = rig.recall(Recall {
        mode: Mode::Semantic,
        ..query("tea")
    });
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
fn a_text_of_another_process_gets_its_vector_here() {
    let here = Rig::with_model();
    let there = here.another_process(HandModel::missing());
    let id = there.id(text("Alice drinks green tea"));
    assert_eq!(here.found(query("tea")), [id]);
    assert!(here.memory.settle(LONG).expect("the store is sound"));
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
    let recall = Recall {
        mode: Mode::Semantic,
        max_tokens: Some(100_000),
        ..query("needle")
    };
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
    let recalled = rig.recall(query("an odd text"));
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

/// On real files, with the system's clock.
fn open_on_disk(folder: &std::path::Path, model: Option<std::path::PathBuf>) -> Memory {
    let options = Options {
        path: folder.join("memory.h5"),
        model,
        lock_wait: LONG,
        settings: Settings::default(),
    };
    Memory::open(options, Arc::new(SystemClock)).expect("the folder can be written")
}

fn remember(memory: &Memory, texts: &[&str]) -> Vec<u64> {
    let items = texts.iter().map(|it| text(it)).collect();
    let answer = memory
        .remember(Remember {
            scope: SCOPE.to_owned(),
            items,
        })
        .expect("they are in range");
    answer
        .items
        .iter()
        .map(|item| item.id.expect("it is kept").0)
        .collect()
}

#[test]
fn a_restart_keeps_everything() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let memory = open_on_disk(folder.path(), None);
    let ids = remember(&memory, &["Alice is vegan", "Bob is tall"]);
    memory
        .forget(Forget {
            ids: vec![MemoryId(ids[1])],
            scopes: vec![],
            reason: None,
        })
        .expect("it is there");
    let before = memory.list(None, 10).expect("the store is sound");
    drop(memory);
    let memory = open_on_disk(folder.path(), None);
    assert_eq!(memory.list(None, 10).expect("the store is sound"), before);
    assert_eq!(
        memory
            .history(MemoryId(ids[1]))
            .expect("the store is sound")
            .len(),
        1
    );
    let _: FileBackend = FileBackend::new();
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
    let ids = remember(&memory, &texts);
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
