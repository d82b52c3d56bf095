//! What the source and the context do, through a whole memory.

use crate::test_rig::{HandModel, LONG, Rig, query, text, with};
use crate::{EntityMention, Hit, Item, Mode, Ranking, RankingTerm, Recall, Settings, Timestamp};

fn said(source: &str, words: &str) -> Item {
    with(text(words), |it: &mut Item| {
        it.source = Some(source.to_owned());
    })
}

/// A memory whose ranking is `ranking`, with the model loaded.
fn rig(ranking: Ranking) -> Rig {
    let settings = Settings {
        ranking,
        ..Settings::default()
    };
    let rig = Rig::with(HandModel::ready(), settings);
    rig.memory.settle(LONG).expect("the store is sound");
    rig
}

fn share(hit: &Hit, term: RankingTerm) -> Option<f64> {
    hit.why.others.get(&term).copied()
}

#[test]
fn whom_the_question_names_comes_first() {
    for (weight, names_first) in [(0.5, true), (0.0, false)] {
        let rig = rig(Ranking {
            source_weight: weight,
            source_words: false,
            context_weight: 0.0,
            ..Ranking::default()
        });
        let about = rig.id(said("Bob", "lovely painting, Ann, you painted it well"));
        rig.keep(said(
            "Bob",
            "the fence was painted green and brown long before the trains ran late in the rain",
        ));
        let by = rig.id(said("Ann", "a sunset, painted last week"));
        let recalled = rig.recall(query("What has Ann painted?"));
        let first = recalled.hits[0].memory.id.0;
        assert_eq!(first == by, names_first, "{:?}", recalled.hits);
        assert_eq!(first == about, !names_first);
        let source = recalled.hits.iter().find(|hit| hit.memory.id.0 == by);
        let share = source.and_then(|hit| share(hit, RankingTerm::Source));
        assert_eq!(share.is_some(), names_first);
    }
}

#[test]
fn a_user_who_asks_of_themselves_is_named() {
    let rig = rig(Ranking::default());
    rig.keep(said("assistant", "a dog named Rex is a dog"));
    let by = rig.id(said("user", "our dog has the name Rex"));
    assert_eq!(rig.found(query("the name of my dog"))[0], by);
}

#[test]
fn an_answer_is_found_by_the_question_before_it() {
    for (weight, is_near) in [(0.5, true), (0.0, false)] {
        let rig = rig(Ranking {
            context_weight: weight,
            ..Ranking::default()
        });
        let scattered = [
            "cars need oil",
            "birds sing loud",
            "water boils hot",
            "stones lie still",
        ];
        for words in scattered {
            rig.keep(text(words));
        }
        rig.keep(text("which instrument does grandmother play?"));
        let answer = rig.id(text("cello"));
        for words in scattered.map(|words| format!("old {words}")) {
            rig.keep(text(&words));
        }
        let recalled = rig.recall(with(query("grandmother instrument"), |it: &mut Recall| {
            it.limit = Some(2);
        }));
        let second = &recalled.hits[1];
        assert_eq!(share(second, RankingTerm::Context).is_some(), is_near);
        assert!(!is_near || second.memory.id.0 == answer, "{second:?}");
    }
}

#[test]
fn importance_lifts_what_fits_and_nothing_else() {
    let rig = rig(Ranking::default());
    let important = |words: &str, importance| {
        with(text(words), |it: &mut Item| {
            it.importance = Some(importance);
        })
    };
    let low = rig.id(important("the green tea of Ann", 0.0));
    let high = rig.id(important("the green tea of Bob", 1.0));
    let other = rig.id(important("clocks and trains", 1.0));
    assert_eq!(rig.found(query("green tea")), [high, low, other]);
    let recalled = rig.recall(query("green tea"));
    let shares: Vec<_> = recalled
        .hits
        .iter()
        .map(|hit| share(hit, RankingTerm::Importance))
        .collect();
    assert!(shares[0].is_some_and(|share| share > 0.0));
    assert!(shares[1].is_some_and(|share| share < 0.0));
}

#[test]
fn shares_add_up_to_scores_of_at_most_one() {
    let rig = rig(Ranking {
        source_weight: 3.0,
        context_weight: 2.0,
        ..Ranking::default()
    });
    for n in 0..6 {
        rig.keep(said(
            ["Ann", "Bob"][n % 2],
            &format!("tea number {n} is green"),
        ));
    }
    let recalled = rig.recall(query("Is Ann's tea green?"));
    assert!((recalled.hits[0].score - 1.0).abs() < 1e-12);
    for hit in &recalled.hits {
        let why = &hit.why;
        let vector = why.vector.map_or(0.0, |it| it.share);
        let keyword = why.keyword.as_ref().map_or(0.0, |it| it.share);
        let sum = vector + keyword + why.others.values().sum::<f64>();
        assert!((sum - hit.score).abs() < 1e-12, "{hit:?}");
    }
}

#[test]
fn words_alone_and_meaning_alone_are_left_as_they_are() {
    let rig = rig(Ranking::default());
    rig.keep(said("Ann", "which tea do you like?"));
    rig.keep(said("Bob", "the green one"));
    let words = rig.recall(with(query("Ann tea"), |it| it.mode = Mode::Keyword));
    assert_eq!(words.hits.len(), 1, "a neighbour holds no word");
    for mode in [Mode::Keyword, Mode::Semantic] {
        let recalled = rig.recall(with(query("Ann tea"), |it| it.mode = mode));
        let is_plain = |hit: &Hit| hit.why.others.is_empty();
        assert!(recalled.hits.iter().all(is_plain));
    }
}

/// Of days in May 2023, the 10th being a Wednesday.
fn day(of_may: i64) -> Timestamp {
    Timestamp((1_682_899_200 + (of_may - 1) * 86_400 + 43_200) * 1_000_000)
}

fn on(of_may: i64, words: &str) -> Item {
    with(text(words), |it: &mut Item| {
        it.valid_from = Some(day(of_may));
    })
}

#[test]
fn what_is_of_the_time_asked_for_comes_first() {
    for (weight, is_first) in [(1.0, true), (0.0, false)] {
        let rig = rig(Ranking {
            time_weight: weight,
            context_weight: 0.0,
            ..Ranking::default()
        });
        rig.keep(on(1, "we bought a new kettle for tea"));
        let wanted = rig.id(on(
            5,
            "bought a lamp, the one that stood in the window of the shop",
        ));
        rig.keep(on(9, "bought tea"));
        let asked = with(query("what was bought last Friday?"), |it: &mut Recall| {
            it.as_of = Some(day(10));
        });
        let recalled = rig.recall(asked);
        let first = &recalled.hits[0];
        assert_eq!(first.memory.id.0 == wanted, is_first, "{:?}", recalled.hits);
        assert_eq!(share(first, RankingTerm::Time).is_some(), is_first);
    }
}

#[test]
fn what_is_of_the_time_asked_for_is_found_behind_any_number_of_others() {
    let settings = Settings {
        n_candidates: 3,
        ranking: Ranking {
            time_weight: 2.0,
            ..Ranking::default()
        },
        ..Settings::default()
    };
    let rig = Rig::with(HandModel::ready(), settings);
    rig.memory.settle(LONG).expect("the store is sound");
    let wanted = rig.id(on(
        5,
        "a walk along the river with the old dog and some bread",
    ));
    for n in 0..20 {
        rig.keep(on(20, &format!("walk number {n}")));
    }
    let asked = with(query("which walk was it on 5 May?"), |it: &mut Recall| {
        it.as_of = Some(day(30));
    });
    assert_eq!(rig.found(asked)[0], wanted);
}

#[test]
fn what_speaks_of_a_named_entity_comes_first() {
    for (weight, is_first) in [(1.0, true), (0.0, false)] {
        let rig = rig(Ranking {
            entity_weight: weight,
            context_weight: 0.0,
            ..Ranking::default()
        });
        let mention = EntityMention {
            name: "Blue Heron".to_owned(),
            ..EntityMention::default()
        };
        let wanted = rig.id(with(
            text("the boat needs paint in spring"),
            |it: &mut Item| {
                it.entities = vec![mention.clone()];
            },
        ));
        rig.keep(text("paint"));
        rig.keep(text("paint for the fence"));
        let recalled = rig.recall(query("which paint for the Blue Heron's hull?"));
        let first = &recalled.hits[0];
        assert_eq!(first.memory.id.0 == wanted, is_first, "{:?}", recalled.hits);
        assert_eq!(share(first, RankingTerm::Entity).is_some(), is_first);
    }
}

#[test]
fn a_later_memory_is_lifted_where_recency_weighs() {
    for (weight, later_first) in [(0.5, true), (0.0, false)] {
        let rig = rig(Ranking {
            recency_weight: weight,
            context_weight: 0.0,
            ..Ranking::default()
        });
        let earlier = rig.id(on(1, "the green tea of Ann"));
        let later = rig.id(on(29, "of Ann the green tea"));
        let asked = with(query("green tea"), |it: &mut Recall| {
            it.as_of = Some(day(30));
        });
        let found = rig.found(asked);
        let expected = if later_first {
            [later, earlier]
        } else {
            [earlier, later]
        };
        assert_eq!(found, expected);
    }
}

#[test]
fn what_a_better_hit_has_said_steps_back_where_diversity_weighs() {
    for (weight, second) in [
        (0.0, "green tea in the morning today"),
        (0.9, "a lamp of green glass"),
    ] {
        let rig = rig(Ranking {
            diversity_weight: weight,
            context_weight: 0.0,
            ..Ranking::default()
        });
        for words in [
            "green tea in the morning",
            "green tea in the morning today",
            "a lamp of green glass",
        ] {
            rig.keep(text(words));
        }
        rig.memory.settle(LONG).expect("the store is sound");
        let recalled = rig.recall(query("green tea in the morning"));
        assert_eq!(
            &*recalled.hits[1].memory.text, second,
            "{:?}",
            recalled.hits
        );
    }
}
