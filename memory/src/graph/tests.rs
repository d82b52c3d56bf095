//! Walks over a memory on a file system in memory.

use palimpsest_store::{MemoryId, Timestamp};

use super::{Graph, GraphAnswer, GraphView};
use crate::test_rig::{Rig, SCOPE, text, with};
use crate::{Error, RelationMention, Remember};

fn relations(of: &[(&str, &str, &str)]) -> Vec<RelationMention> {
    let mention = |(from, relation, to): &(&str, &str, &str)| RelationMention {
        from: (*from).to_owned(),
        relation: (*relation).to_owned(),
        to: (*to).to_owned(),
    };
    of.iter().map(mention).collect()
}

fn about(name: &str) -> Graph {
    Graph {
        about: name.to_owned(),
        view: GraphView::Neighbors,
        scopes: vec![SCOPE.to_owned()],
        relation: None,
        depth: None,
        as_of: None,
        known_at: None,
        limit: None,
    }
}

fn path(from: &str, to: &str) -> Graph {
    with(about(from), |it| {
        it.view = GraphView::Path { to: to.to_owned() }
    })
}

fn ask(rig: &Rig, graph: &Graph) -> GraphAnswer {
    rig.memory.graph(graph).expect("the entity is known")
}

/// Each edge as `from -relation-> to @distance`.
fn edges(rig: &Rig, graph: &Graph) -> Vec<String> {
    let edges = ask(rig, graph).edges;
    let shown = edges.iter().map(|edge| {
        format!(
            "{} -{}-> {} @{}",
            edge.from, edge.relation, edge.to, edge.distance
        )
    });
    shown.collect()
}

/// Alice - Acme - Rome - Italy, and Bob beside them.
fn small_world() -> Rig {
    let rig = Rig::without_model();
    let stated = [
        (
            "Alice works at Acme, Bob too",
            &[("Alice", "works_at", "Acme"), ("Bob", "works_at", "acme")][..],
        ),
        ("Acme is in Rome", &[("ACME", "based_in", "Rome")][..]),
        ("Rome is in Italy", &[("Rome", "part_of", "Italy")][..]),
        ("Alice knows Bob", &[("Alice", "knows", "Bob")][..]),
    ];
    for (of, stated) in stated {
        rig.keep(with(text(of), |it| it.relations = relations(stated)));
    }
    rig
}

#[test]
fn neighbours_come_nearest_first_along_both_directions() {
    let rig = small_world();
    let one = ["Alice -knows-> Bob @1", "Alice -works_at-> Acme @1"];
    let two = ["Acme -based_in-> Rome @2", "Bob -works_at-> Acme @2"];
    let three = ["Rome -part_of-> Italy @3"];
    assert_eq!(edges(&rig, &about("alice")), one);
    let within = |depth| edges(&rig, &with(about("Alice"), |it| it.depth = Some(depth)));
    assert_eq!(within(1), one);
    assert_eq!(within(2), [&one[..], &two].concat());
    assert_eq!(within(3), [&one[..], &two, &three].concat());
    assert_eq!(edges(&rig, &about("ITALY")), ["Rome -part_of-> Italy @1"]);
    assert_eq!(ask(&rig, &about("aLICE")).about, "Alice");
}

#[test]
fn a_relation_filters_the_walk() {
    let rig = small_world();
    let only = with(about("Alice"), |it| {
        it.relation = Some("WORKS_AT".to_owned());
        it.depth = Some(3);
    });
    assert_eq!(
        edges(&rig, &only),
        ["Alice -works_at-> Acme @1", "Bob -works_at-> Acme @2"]
    );
}

#[test]
fn a_path_is_a_shortest_one_in_walking_order() {
    let rig = small_world();
    let expected: [(&str, &str, &[&str]); 5] = [
        (
            "Alice",
            "Italy",
            &[
                "Alice -works_at-> Acme @1",
                "Acme -based_in-> Rome @2",
                "Rome -part_of-> Italy @3",
            ],
        ),
        (
            "Italy",
            "alice",
            &[
                "Rome -part_of-> Italy @1",
                "Acme -based_in-> Rome @2",
                "Alice -works_at-> Acme @3",
            ],
        ),
        ("Bob", "Alice", &["Alice -knows-> Bob @1"]),
        ("Bob", "Bob", &[]),
        (
            "Italy",
            "Bob",
            &[
                "Rome -part_of-> Italy @1",
                "Acme -based_in-> Rome @2",
                "Bob -works_at-> Acme @3",
            ],
        ),
    ];
    for (from, to, way) in expected {
        assert_eq!(edges(&rig, &path(from, to)), way, "{from} to {to}");
    }
    let short = with(path("Alice", "Italy"), |it| it.depth = Some(2));
    assert_eq!(edges(&rig, &short), [""; 0]);
    rig.keep(with(text("Zoe owns a cat"), |it| {
        it.relations = relations(&[("Zoe", "owns", "a cat")]);
    }));
    assert_eq!(edges(&rig, &path("Alice", "Zoe")), [""; 0]);
}

#[test]
fn an_edge_is_told_once_with_every_memory_that_states_it() {
    let rig = Rig::without_model();
    let stated = |of: &str, from: Option<i64>, to: Option<i64>| {
        with(text(of), |it| {
            it.relations = relations(&[("Alice", "works_at", "Acme")]);
            it.valid_from = from.map(Timestamp);
            it.valid_to = to.map(Timestamp);
        })
    };
    let ids = [
        rig.id(stated("Alice works at Acme", Some(500), Some(5_000))),
        rig.id(stated("Alice is employed by Acme", Some(300), Some(9_000))),
    ];
    let answer = ask(&rig, &about("Alice"));
    let [edge] = &answer.edges[..] else {
        panic!("{answer:?}")
    };
    assert_eq!(edge.memories, ids.map(MemoryId));
    assert_eq!(
        (edge.valid_from, edge.valid_to),
        (Some(Timestamp(300)), Some(Timestamp(9_000)))
    );
    rig.keep(stated("Alice has always been at Acme", None, None));
    let edge = ask(&rig, &about("Alice")).edges.remove(0);
    assert_eq!(
        (edge.memories.len(), edge.valid_from, edge.valid_to),
        (3, None, None)
    );
}

#[test]
fn an_edge_holds_while_its_memory_does() {
    let rig = Rig::without_model();
    let works_at = |company: &str| {
        with(text(&format!("Alice works at {company}")), |it| {
            it.topic = Some("job".to_owned());
            it.relations = relations(&[("Alice", "works_at", company)]);
        })
    };
    rig.keep(works_at("Acme"));
    rig.clock.set(2_000);
    let second = rig.id(works_at("Globex"));
    rig.clock.set(3_000);
    let (acme, globex) = ("Alice -works_at-> Acme @1", "Alice -works_at-> Globex @1");
    assert_eq!(edges(&rig, &about("Alice")), [globex]);
    let then = Some(Timestamp(1_500));
    assert_eq!(
        edges(&rig, &with(about("Alice"), |it| it.as_of = then)),
        [acme]
    );
    assert_eq!(
        edges(&rig, &with(about("Alice"), |it| it.known_at = then)),
        [acme]
    );
    rig.forget(&[second]);
    assert_eq!(
        edges(&rig, &about("Alice")),
        [""; 0],
        "a retired memory takes its edges along"
    );
    let before = with(about("Alice"), |it| it.known_at = Some(Timestamp(2_999)));
    assert_eq!(edges(&rig, &before), [globex]);
}

#[test]
fn a_limit_cuts_the_farthest_and_counts_them() {
    let rig = Rig::without_model();
    let names: Vec<String> = (10..40).map(|n| format!("friend {n}")).collect();
    let stated: Vec<_> = names
        .iter()
        .map(|name| ("Alice", "knows", &**name))
        .collect();
    rig.keep(with(text("Alice has many friends"), |it| {
        it.relations = relations(&stated);
    }));
    let answer = ask(&rig, &with(about("Alice"), |it| it.limit = Some(4)));
    assert_eq!((answer.edges.len(), answer.omitted), (4, 26));
    assert_eq!(answer.edges[0].to, "friend 10");
}

#[test]
fn entities_of_one_name_in_several_scopes_are_walked_as_one() {
    let rig = small_world();
    let item = with(text("Acme makes anvils"), |it| {
        it.relations = relations(&[("acme", "makes", "anvils")]);
    });
    rig.memory
        .remember(Remember::explicit("work", vec![item]))
        .expect("it is in range");
    let anvils = "Acme -makes-> anvils @2";
    for scopes in [vec![SCOPE.to_owned(), "work".to_owned()], vec![]] {
        let both = with(about("Alice"), |it| {
            it.scopes = scopes;
            it.depth = Some(2);
        });
        assert!(
            edges(&rig, &both)
                .iter()
                .any(|edge| edge.eq_ignore_ascii_case(anvils))
        );
    }
    let own = with(about("Alice"), |it| it.depth = Some(2));
    assert!(
        !edges(&rig, &own)
            .iter()
            .any(|edge| edge.eq_ignore_ascii_case(anvils))
    );
}

#[test]
fn an_unknown_name_is_an_error_that_names_the_nearest() {
    let rig = small_world();
    for graph in [about("Alcie"), path("Alcie", "Bob"), path("Bob", "Alcie")] {
        match rig.memory.graph(&graph) {
            Err(Error::UnknownEntity {
                name,
                nearest,
                scopes,
            }) => {
                assert_eq!(
                    (&*name, &nearest[..], &scopes[..]),
                    ("Alcie", &["Alice".to_owned()][..], &[SCOPE.to_owned()][..])
                );
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn an_argument_out_of_range_is_refused_by_name() {
    let rig = small_world();
    let refused = [
        ("depth", with(about("Alice"), |it| it.depth = Some(0))),
        ("depth", with(about("Alice"), |it| it.depth = Some(4))),
        ("limit", with(about("Alice"), |it| it.limit = Some(0))),
        ("limit", with(about("Alice"), |it| it.limit = Some(201))),
    ];
    for (name, graph) in refused {
        match rig.memory.graph(&graph) {
            Err(Error::OutOfRange { argument, .. }) => assert_eq!(argument, name),
            other => panic!("{other:?}"),
        }
    }
}
