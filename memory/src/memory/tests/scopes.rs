//! What one scope shows of another: nothing.

use palimpsest_store::MemoryId;

use crate::test_rig::{Rig, SCOPE, query, text, with};
use crate::{
    Decision, EntityMention, Error, Forget, Graph, GraphAnswer, GraphView, Item, Recall,
    RelationMention, Remember,
};

const OTHERS: [&str; 2] = ["work", "ho/me"];

/// What Alice has, with a tag, a topic and an edge of the graph.
fn has(what: &str) -> Item {
    let alice = "Alice".to_owned();
    with(text(&format!("Alice has a {what}")), |it| {
        it.tags = vec!["tag".to_owned()];
        it.topic = Some("topic".to_owned());
        it.entities = vec![EntityMention {
            name: alice.clone(),
            kind: None,
        }];
        let (relation, to) = ("has".to_owned(), what.to_owned());
        it.relations = vec![RelationMention {
            from: alice,
            relation,
            to,
        }];
    })
}

/// A cat at home and a dog in each of the other scopes; the cat's id.
fn cat_and_dogs() -> (Rig, u64) {
    let rig = Rig::without_model();
    let own = rig.id(has("cat"));
    for scope in OTHERS {
        let kept = keep_in(&rig, scope, has("dog"));
        assert_eq!(kept.0, Decision::Stored, "a topic is a scope's own");
    }
    (rig, own)
}

fn keep_in(rig: &Rig, scope: &str, item: Item) -> (Decision, MemoryId) {
    let request = Remember::explicit(scope, vec![item]);
    let kept = rig
        .memory
        .remember(request)
        .expect("it is in range")
        .items
        .remove(0);
    (kept.decision, kept.id.expect("it is kept"))
}

#[test]
fn a_recall_sees_the_scopes_that_it_names() {
    let (rig, own) = cat_and_dogs();
    let filtered = |change: &dyn Fn(&mut Recall)| {
        with(query(""), |it| {
            it.query = None;
            change(it);
        })
    };
    let reads = [
        query("Alice dog"),
        filtered(&|it| it.tags = vec!["tag".to_owned()]),
        filtered(&|it| it.ids = (1..10).map(MemoryId).collect()),
    ];
    for recall in reads {
        let recalled = rig.recall(recall.clone());
        assert_eq!(
            (recalled.n_searched, recalled.omitted),
            (1, 0),
            "{recall:?}"
        );
        assert_eq!(rig.found(recall), [own]);
    }
    let within = |scopes: &[&str]| {
        let scopes = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        rig.found(with(query("Alice"), |it| it.scopes = scopes))
            .len()
    };
    assert_eq!(within(&[SCOPE, "work"]), 2);
    assert_eq!(within(&[]), 3, "no name is every scope");
    assert_eq!(
        within(&[" home "]),
        1,
        "white space around a name is no other name"
    );
    assert_eq!(within(&["hom"]), 0);
}

#[test]
fn texts_and_topics_and_replaced_memories_are_a_scopes_own() {
    let (rig, own) = cat_and_dogs();
    let (decision, foreign) = keep_in(&rig, "work", text("Alice has a cat"));
    assert_eq!(
        decision,
        Decision::Stored,
        "the same text is another scope's"
    );
    for (id, is_foreign) in [(foreign, true), (MemoryId(99), false)] {
        let replacing = with(text("Alice has a fish"), |it| it.replaces = vec![id]);
        let error = rig.remember(vec![replacing]).expect_err("it is not there");
        let is_expected = if is_foreign {
            matches!(&error, Error::OtherScope { found, .. } if found == "work")
        } else {
            matches!(error, Error::UnknownMemory { .. })
        };
        assert!(is_expected, "{error}");
    }
    assert_eq!(rig.forget(&[foreign.0]).not_found, [foreign]);
    let retire = Forget {
        ids: vec![foreign],
        scopes: vec![],
        reason: None,
    };
    let retired = rig.memory.forget(retire).expect("there is an id").retired;
    assert_eq!(retired, [foreign], "no scope is every scope");
    let again = rig.forget(&[foreign.0]);
    assert_eq!(again.not_found, [foreign], "nor that it was there once");
    let listed = rig
        .memory
        .list(Some(SCOPE), 10)
        .expect("the store is sound");
    assert_eq!(listed.iter().map(|it| it.id.0).collect::<Vec<_>>(), [own]);
}

#[test]
fn the_graph_ends_at_its_scopes() {
    let (rig, _) = cat_and_dogs();
    let edges = about(&rig, "Alice").expect("she is known").edges;
    assert_eq!(
        edges.iter().map(|edge| &*edge.to).collect::<Vec<_>>(),
        ["cat"]
    );
    match about(&rig, "dog") {
        Err(Error::UnknownEntity { nearest, .. }) => assert!(nearest.is_empty(), "{nearest:?}"),
        other => panic!("{other:?}"),
    }
}

fn about(rig: &Rig, name: &str) -> Result<GraphAnswer, Error> {
    rig.memory.graph(&Graph {
        about: name.to_owned(),
        view: GraphView::Neighbors,
        scopes: vec![SCOPE.to_owned()],
        relation: None,
        depth: None,
        as_of: None,
        known_at: None,
        limit: None,
    })
}
