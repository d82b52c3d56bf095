//! Rules of a snapshot: every question at every commit against a plain list.

mod rules;
mod twin;

use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::view::Commit;
use crate::{
    Change, Entity, EntityId, Error, Filter, KeywordQuery, ModelId, Operation, TagsMatch, Verb,
    WindowVector,
};
pub(crate) use twin::Rows;
use twin::SnapshotTwin;

/// Few of everything, so that they meet often.
const SCOPES: [&str; 4] = ["user", "a/b", "a", "größe"];
const NAMES: [&str; 6] = [
    "Ann",
    "ANN",
    "Stra\u{df}e",
    "STRASSE",
    "caf\u{e9}",
    "cafe\u{301}",
];
const WORDS: [&str; 19] = [
    "paint",
    "Painting",
    "painted",
    "red",
    "blue",
    "Red",
    "gpt-4o",
    "gpt",
    "don't",
    "v2.5",
    "東京都",
    "東",
    "🎉",
    "é",
    "e\u{301}",
    "a",
    "the",
    "the",
    "host:8080",
];
const DIM: usize = 3;

fn text() -> impl Strategy<Value = Arc<str>> {
    vec(select(&WORDS[..]), 0..7).prop_map(|words| words.join(" ").into())
}

fn named(names: &'static [&'static str]) -> impl Strategy<Value = Arc<str>> {
    select(names).prop_map(Arc::from)
}

fn memory_id() -> impl Strategy<Value = MemoryId> {
    (1..9_u64).prop_map(MemoryId)
}

fn entity_id() -> impl Strategy<Value = EntityId> {
    (1..6_u64).prop_map(EntityId)
}

fn model() -> impl Strategy<Value = ModelId> {
    (0..2_u8).prop_map(|model| ModelId([model; 32]))
}

fn time() -> impl Strategy<Value = Timestamp> {
    (-2..6_i64).prop_map(Timestamp)
}

/// Small whole numbers: their products and sums are exact in f32, in whatever order.
fn vector(dim: usize) -> impl Strategy<Value = Vec<f32>> {
    let numbers = vec((-2..=2_i8).prop_map(f32::from), dim);
    numbers.prop_filter("not zero", |v| v.iter().any(|x| *x != 0.0))
}

fn memory() -> impl Strategy<Value = Change> {
    let names = (
        text(),
        named(&SCOPES),
        named(&["fact", "note"]),
        option::of(named(&NAMES)),
        option::of(named(&["Red", "paint", "Ann", "東京"])),
    );
    let lists = (
        btree_set(named(&["x", "y"]), 0..3),
        btree_set(entity_id(), 0..3),
    );
    let times = (
        time(),
        option::weighted(0.3, time()),
        option::weighted(0.3, time()),
    );
    let parts = (
        memory_id(),
        names,
        lists,
        times,
        option::weighted(0.2, memory_id()),
    );
    parts.prop_map(|(id, names, lists, times, superseded_by)| {
        Change::Put(Arc::new(MemoryRecord {
            id,
            text: names.0,
            scope: names.1,
            kind: names.2,
            topic: names.3,
            source: names.4,
            tags: lists.0.into_iter().collect(),
            entities: lists.1.into_iter().collect(),
            importance: 0.5,
            created_at: times.0,
            valid_from: times.1,
            valid_to: times.2,
            superseded_by,
        }))
    })
}

fn embed() -> impl Strategy<Value = Change> {
    // Now and then vectors of another length, or none, which must change nothing.
    let dim = prop_oneof![9 => Just(DIM), 1 => Just(DIM + 1)];
    let windows = dim.prop_flat_map(|dim| vec((0..9_u32, vector(dim)), 0..3));
    (memory_id(), model(), windows).prop_map(|(memory, model, windows)| Change::Embed {
        memory,
        model,
        windows: windows
            .into_iter()
            .map(|(token_start, vector)| WindowVector {
                token_start,
                embedding: vector.into(),
            })
            .collect(),
    })
}

fn change() -> impl Strategy<Value = Change> {
    let retire =
        (memory_id(), option::of(text())).prop_map(|(id, reason)| Change::Retire { id, reason });
    let entity = (
        entity_id(),
        named(&SCOPES),
        named(&NAMES),
        vec(named(&NAMES), 0..3),
    );
    let entity = entity.prop_map(|(id, scope, name, aliases)| {
        Change::PutEntity(Arc::new(Entity {
            id,
            scope,
            name,
            kind: None,
            aliases,
        }))
    });
    let relation = (
        entity_id(),
        named(&["knows", "owns"]),
        entity_id(),
        memory_id(),
    );
    let relation = (relation, 0.0..1.0_f32).prop_map(|((from, relation, to, memory), weight)| {
        Change::PutRelation(Arc::new(Relation {
            from,
            relation,
            to,
            weight,
            memory,
        }))
    });
    prop_oneof![5 => memory(), 2 => retire, 3 => embed(), 1 => entity, 2 => relation]
}

pub(crate) fn commits() -> impl Strategy<Value = Vec<Commit>> {
    vec((vec(change(), 1..5), 0..3_i64), 1..24).prop_map(|operations| {
        let mut at = 0;
        let commits = (1..).zip(operations).map(|(seq, (changes, pause))| {
            at += pause;
            Commit {
                seq: Seq(seq),
                at: Timestamp(at),
                operation: Operation {
                    verb: Verb::Remember,
                    changes,
                },
            }
        });
        commits.collect()
    })
}

fn filter() -> impl Strategy<Value = Filter> {
    let strings = |names: &'static [&'static str]| prop_oneof![2 => Just(vec![]), 1 => vec(select(names).prop_map(str::to_owned), 1..3)];
    let scopes = strings(&["user", "a/b", "a", "größe", "nowhere"]);
    let tags_match = select(&[TagsMatch::Any, TagsMatch::All][..]);
    let times = (
        option::weighted(0.3, time()),
        option::weighted(0.3, time()),
        option::weighted(0.2, time()),
    );
    let ids = prop_oneof![3 => Just(vec![]), 1 => vec(memory_id(), 1..4)];
    (
        scopes,
        strings(&["fact"]),
        strings(&["x", "y"]),
        tags_match,
        times,
        ids,
    )
        .prop_map(
            |(scopes, kinds, tags, tags_match, (since, until, valid_at), ids)| Filter {
                scopes,
                kinds,
                tags,
                tags_match,
                since,
                until,
                valid_at,
                ids,
            },
        )
}

/// One of each question, as asked of every snapshot.
#[derive(Debug)]
pub(crate) struct Questions {
    query: Arc<str>,
    vectors: Vec<Vec<f32>>,
    filter: Filter,
    limit: usize,
}

pub(crate) fn questions() -> impl Strategy<Value = Questions> {
    (text(), vec(vector(DIM), 1..3), filter(), 0..9_usize).prop_map(
        |(query, vectors, filter, limit)| Questions {
            query,
            vectors,
            filter,
            limit,
        },
    )
}

fn check_memories(snapshot: &Snapshot, twin: &SnapshotTwin<'_>) {
    for id in (0..10).map(MemoryId) {
        assert_eq!(snapshot.memory(id), twin.memory(id));
        assert_eq!(snapshot.history(id), twin.history(id));
        for model in [ModelId([0; 32]), ModelId([1; 32]), ModelId([2; 32])] {
            assert_eq!(snapshot.vectors(model, id), twin.vectors(model, id));
        }
    }
    for scope in SCOPES {
        for text in NAMES {
            assert_eq!(
                snapshot.find_topic(scope, text),
                twin.find_topic(scope, text)
            );
        }
        for memory in twin.list(&Filter::default(), 3) {
            let text = memory.text.replace(' ', " \n ");
            let twins = twin.find_texts(scope, &text);
            assert_eq!(snapshot.find_text(scope, &text).as_ref(), twins.first());
            assert_eq!(snapshot.find_texts(scope, &text), twins);
        }
    }
}

fn check_graph(snapshot: &Snapshot, twin: &SnapshotTwin<'_>) {
    for id in (0..7).map(EntityId) {
        assert_eq!(snapshot.entity(id), twin.entity(id));
        assert_eq!(snapshot.edges(id), twin.edges(id));
        assert_eq!(snapshot.mentions(id), twin.mentions(id));
    }
    for scope in SCOPES {
        for limit in [0, 2, 9] {
            assert_eq!(snapshot.entities(scope, limit), twin.entities(scope, limit));
        }
        for name in NAMES.iter().chain(&["Nobody"]) {
            assert_eq!(
                snapshot.find_entity(scope, name),
                twin.find_entity(scope, name)
            );
        }
    }
}

fn check_searches(snapshot: &Snapshot, twin: &SnapshotTwin<'_>, ask: &Questions) {
    let (filter, limit) = (&ask.filter, ask.limit);
    assert_eq!(snapshot.list(filter, limit), twin.list(filter, limit));
    assert_eq!(snapshot.count(filter), twin.count(filter));
    let moment_alone = Filter {
        scopes: filter.scopes.clone(),
        valid_at: filter.valid_at,
        ..Filter::default()
    };
    assert_eq!(snapshot.count(&moment_alone), twin.count(&moment_alone));
    for k in [limit, usize::MAX] {
        for query in keyword_queries(&ask.query) {
            let hits = snapshot.keyword_search(query, filter, k);
            assert_eq!(hits, twin.keyword_search(query, filter, k), "{query:?}");
        }
        let vectors: Vec<&[f32]> = ask.vectors.iter().map(Vec::as_slice).collect();
        for model in [ModelId([0; 32]), ModelId([1; 32]), ModelId([2; 32])] {
            let hits = twin.vector_search(model, &vectors, filter, k);
            match snapshot.vector_search(model, &vectors, filter, k) {
                Ok(found) => assert_eq!(found, hits),
                // The first vectors of this model were longer.
                Err(Error::Vector(palimpsest_vector::Error::WrongDim { .. })) => {}
                Err(error) => panic!("{error}"),
            }
            assert_eq!(snapshot.unembedded(model, k), twin.unembedded(model, k));
        }
    }
}

pub(crate) fn check_everything(snapshot: &Snapshot, rows: &Rows, ask: &[Questions]) {
    let seq = snapshot.seq();
    let twin = SnapshotTwin { rows, seq };
    check_memories(snapshot, &twin);
    check_graph(snapshot, &twin);
    for ask in ask {
        check_searches(snapshot, &twin, ask);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_snapshot_answers_as_a_plain_list_does(
        commits in commits(), ask in vec(questions(), 1..4), at_once in 1..7_usize,
    ) {
        let mut rows = Rows::default();
        let mut views = vec![View::empty()];
        for group in commits.chunks(at_once) {
            rows.apply_all(group);
            let view = views.last().unwrap().apply(group.to_vec());
            prop_assert_eq!(view.next_memory(), rows.next_memory);
            prop_assert_eq!(view.next_entity(), rows.next_entity);
            prop_assert_eq!(view.n_versions(), rows.n_versions());
            views.push(view);
        }
        // The lists hold everything by now: what a snapshot shows must not depend on what came later.
        let newest = Snapshot::new(views.last().unwrap().clone());
        for seq in (0..=commits.len() as u64).step_by(2) {
            check_everything(&newest.at(Seq(seq)).unwrap(), &rows, &ask);
        }
        for view in views {
            check_everything(&Snapshot::new(view), &rows, &ask);
        }
    }

    #[test]
    fn all_at_once_is_as_one_by_one(commits in commits(), ask in vec(questions(), 1..4)) {
        let mut rows = Rows::default();
        rows.apply_all(&commits);
        let n_commits = commits.len() as u64;
        let again = commits.clone();
        let view = View::empty().apply(commits).apply(again);
        prop_assert_eq!((view.seq(), view.at()), *rows.commits.last().unwrap());
        for seq in (0..=n_commits).rev().step_by(3) {
            check_everything(&Snapshot::new(view.clone()).at(Seq(seq)).unwrap(), &rows, &ask);
        }
    }

    #[test]
    fn two_views_of_one_past_do_not_meet(
        past in commits(), one in commits(), other in commits(), ask in vec(questions(), 1..3),
    ) {
        let base = View::empty().apply(past.clone());
        let then = |future: Vec<Commit>| -> Vec<Commit> {
            let later = |commit: Commit| Commit { seq: Seq(commit.seq.0 + base.seq().0), ..commit };
            future.into_iter().map(later).collect()
        };
        let (one, other) = (then(one), then(other));
        let views = [base.apply(one.clone()), base.apply(other.clone()), base.clone()];
        for (view, future) in views.into_iter().zip([one, other, vec![]]) {
            let mut rows = Rows::default();
            rows.apply_all(&past);
            rows.apply_all(&future);
            check_everything(&Snapshot::new(view), &rows, &ask);
        }
    }

    #[test]
    fn known_at_is_the_last_commit_until_then(commits in commits(), time in -1..90_i64) {
        let newest = Snapshot::new(View::empty().apply(commits.clone()));
        let known = newest.known_at(Timestamp(time));
        let until = commits.iter().take_while(|commit| commit.at.0 <= time);
        prop_assert_eq!(known.seq(), Seq(until.count() as u64));
        prop_assert!(known.seq() == Seq::ZERO || known.committed_at() <= Timestamp(time));
        prop_assert_eq!(newest.at(Seq(known.seq().0)).unwrap().committed_at(), known.committed_at());
        prop_assert!(known.at(newest.seq().next()).is_none());
    }

    /// More memories than are asked for, so that the search leaves most of them out unseen.
    #[test]
    fn the_best_by_words_are_those_of_a_plain_list(
        texts in vec((vec(select(&WORDS[..]), 0..9), select(&SCOPES[..2])), 1..150),
        retired in vec(1..150_u64, 0..30), queries in vec(text(), 1..6), k in 1..6_usize,
        seq in 0..180_u64, filter in filter(),
    ) {
        let changes = (1..).zip(texts).map(|(id, (words, scope))| put(id, &words.join(" "), scope));
        let retire = |id| Change::Retire { id: MemoryId(id), reason: None };
        let changes = changes.chain(retired.into_iter().map(retire));
        let commits: Vec<Commit> = (1..).zip(changes).map(commit).collect();
        let mut rows = Rows::default();
        rows.apply_all(&commits);
        let newest = Snapshot::new(View::empty().apply(commits));
        let snapshot = newest.at(Seq(seq)).unwrap_or(newest);
        let twin = SnapshotTwin { rows: &rows, seq: snapshot.seq() };
        for query in &queries {
            for filter in [&Filter::default(), &filter] {
                for query in keyword_queries(query) {
                    let hits = snapshot.keyword_search(query, filter, k);
                    prop_assert_eq!(hits, twin.keyword_search(query, filter, k));
                }
            }
        }
    }
}

/// The words as they stand, each liberty by itself, and all together.
fn keyword_queries(text: &str) -> [KeywordQuery<'_>; 5] {
    let exact = KeywordQuery::exact(text);
    let stems = KeywordQuery {
        stems: true,
        ..exact
    };
    let sources = KeywordQuery {
        sources: true,
        ..exact
    };
    let skips_stop_words = KeywordQuery {
        skips_stop_words: true,
        ..exact
    };
    let all = KeywordQuery {
        text,
        stems: true,
        sources: true,
        skips_stop_words: true,
    };
    [exact, stems, sources, skips_stop_words, all]
}

fn put(id: u64, text: &str, scope: &str) -> Change {
    Change::Put(Arc::new(MemoryRecord {
        id: MemoryId(id),
        text: text.into(),
        scope: scope.into(),
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
    }))
}

fn commit((seq, change): (u64, Change)) -> Commit {
    Commit {
        seq: Seq(seq),
        at: Timestamp(0),
        operation: Operation {
            verb: Verb::Remember,
            changes: vec![change],
        },
    }
}
