//! What a recall finds, cuts and explains.

use std::collections::BTreeSet;

use palimpsest_store::{MemoryId, TagsMatch, Timestamp};

use crate::test_rig::{HandModel, LONG, Rig, query, text, with};
use crate::{Error, Fusion, Item, Kind, Mode, Recall, Settings, Warning};

/// Three notes of tea, their kinds, tags and times.
fn three_notes() -> (Rig, [u64; 3]) {
    let rig = Rig::without_model();
    let note = |kind, tags: &[&str], valid_from: Option<i64>, of| {
        with(text(of), |it: &mut Item| {
            it.kind = kind;
            it.tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
            it.valid_from = valid_from.map(Timestamp);
        })
    };
    let ids = [
        rig.id(note(Kind::Fact, &["x"], None, "the first note of tea")),
        rig.id(note(
            Kind::Event,
            &["x", "y"],
            Some(100),
            "the second note of tea",
        )),
        rig.id(note(
            Kind::Event,
            &["y"],
            Some(200),
            "the third note of tea",
        )),
    ];
    (rig, ids)
}

#[test]
fn filters_choose_by_kind_tag_time_and_id() {
    let (rig, [a, b, c]) = three_notes();
    let tags = |tags: &[&str]| tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>();
    let recall = |change: &dyn Fn(&mut Recall)| with(Recall::default(), change);
    let filters: [(Recall, &[u64]); 8] = [
        (recall(&|it| it.kinds = vec![Kind::Event]), &[c, b]),
        (recall(&|it| it.tags = tags(&["x"])), &[a, b]),
        (recall(&|it| it.tags = tags(&["x", "y"])), &[a, c, b]),
        (
            recall(&|it| {
                it.tags = tags(&["x", "y"]);
                it.tags_match = TagsMatch::All;
            }),
            &[b],
        ),
        (recall(&|it| it.since = Some(Timestamp(200))), &[a, c]),
        (recall(&|it| it.until = Some(Timestamp(200))), &[b]),
        (
            recall(&|it| it.ids = vec![MemoryId(c), MemoryId(a)]),
            &[a, c],
        ),
        (recall(&|it| it.kinds = vec![Kind::Note]), &[]),
    ];
    for (filter, ids) in filters {
        let listed = rig.found(filter.clone());
        assert_eq!(listed, ids, "a list, latest first: {filter:?}");
        let searched = rig.recall(with(filter, |it| it.query = Some("tea".to_owned())));
        let found: BTreeSet<u64> = searched.hits.iter().map(|hit| hit.memory.id.0).collect();
        assert_eq!(found, ids.iter().copied().collect(), "a search");
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
    let cut = rig.recall(with(query("tea"), |it| it.limit = Some(5)));
    assert_eq!((cut.hits.len(), cut.omitted, cut.n_searched), (5, 15, 20));
    assert_eq!(cut.warnings, [Warning::ModelMissing]);
    let cut = rig.recall(with(query("tea"), |it| {
        it.limit = Some(5);
        it.max_tokens = Some(40);
    }));
    assert_eq!((cut.hits.len(), cut.omitted), (2, 18));
    assert!(matches!(
        cut.warnings[..],
        [
            _,
            Warning::OverBudget {
                n_excerpts: 0,
                n_left_out: 3,
                ..
            }
        ]
    ));
    let list = rig.recall(with(Recall::default(), |it| {
        it.limit = Some(5);
        it.since = Some(Timestamp(0));
    }));
    assert_eq!(
        (list.hits.len(), list.omitted, list.n_searched),
        (5, 15, 20)
    );
}

#[test]
fn a_text_over_the_budget_is_shown_around_what_was_asked() {
    let rig = Rig::with_model();
    let hay = "plum jam and toast ".repeat(800);
    let long = rig.id(text(&format!("{hay}the parrot Zorro speaks Latin {hay}")));
    rig.keep(text("plum jam is in the cupboard"));
    rig.memory.settle(LONG).expect("the store is sound");
    for mode in [Mode::Hybrid, Mode::Keyword, Mode::Semantic] {
        let recalled = rig.recall(with(query("parrot Zorro Latin"), |it| {
            it.mode = mode;
            it.max_tokens = Some(100);
        }));
        let hit = &recalled.hits[0];
        let shown = hit.excerpt.as_ref().expect("it does not fit whole");
        assert_eq!(hit.memory.id.0, long);
        assert!(shown.text.contains("Zorro speaks Latin"), "{}", shown.text);
        assert!(shown.n_chars_left_out > 20_000);
        assert!(matches!(
            recalled.warnings[..],
            [Warning::OverBudget { n_excerpts: 1, .. }]
        ));
    }
    let listed = rig.recall(with(Recall::default(), |it| {
        it.ids = vec![MemoryId(long)];
        it.max_tokens = Some(100);
    }));
    let shown = listed.hits[0].excerpt.as_ref().expect("it does not fit");
    assert!(
        shown.text.starts_with("plum jam"),
        "a list has no place to show"
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
    let recalled = rig.recall(with(query("green tea"), |it| it.min_score = Some(0.99)));
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
    let words = rig.recall(with(query("green tea"), |it| it.mode = Mode::Keyword));
    assert_eq!((words.hits.len(), words.hits[0].score), (1, 1.0));
    let meaning = rig.recall(with(query("green tea"), |it| it.mode = Mode::Semantic));
    assert!(meaning.hits.iter().all(|hit| hit.why.keyword.is_none()));
}

#[test]
fn ranks_are_fused_by_setting() {
    let fusion = Fusion::Rrf { k: 60.0 };
    let rig = Rig::with(
        HandModel::missing(),
        with(Settings::default(), |it| it.fusion = fusion),
    );
    rig.keep(text("Alice drinks green tea"));
    let score = rig.recall(query("tea")).hits[0].score;
    assert!((score - 1.0 / 61.0).abs() < 1e-12);
    let refused = with(Settings::default(), |it| it.n_candidates = 0);
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
    rig.keep(text("paint"));
    let clock = rig.id(text("clocks"));
    let filler = "one two three four five six seven eight ".repeat(5);
    let recall = with(query(&format!("{filler} clocks")), |it| {
        it.mode = Mode::Semantic;
    });
    assert_eq!(rig.found(recall)[0], clock);
    let long = "tea ".repeat(3_000);
    let warnings = rig.recall(query(&long)).warnings;
    assert!(
        matches!(warnings[..], [Warning::QueryCut { .. }]),
        "{warnings:?}"
    );
}
