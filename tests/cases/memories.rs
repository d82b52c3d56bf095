//! What an agent may rely on: what is kept, what comes back, what is hidden, what is still known.

use palimpsest_tests::{Era, Home, Server, found, kept_ids};
use serde_json::{Value, json};

fn texts(server: &mut Server, arguments: &Value) -> Vec<String> {
    let answer = server.call("recall", arguments);
    found(answer.value())
        .into_iter()
        .map(|hit| hit.text)
        .collect()
}

/// The commit time that `answer` tells: what it did is known then, and what came later is not.
fn time_of(answer: &Value) -> String {
    let at = answer["at"].as_str();
    at.unwrap_or_else(|| panic!("an answer tells its time: {answer}"))
        .to_owned()
}

#[test]
fn what_is_forgotten_is_gone_now_and_known_before() {
    let home = Home::new();
    let mut server = home.server().open(Era::Handshake);
    let kept = server.call(
        "remember",
        &json!({"text": "The wifi password is on the fridge"}),
    );
    let id = kept_ids(kept.value()).remove(0);
    let before = time_of(kept.value());
    server.remember("The recycling goes out on Thursday");
    let forgotten = server.forget(&[&id]);
    assert_eq!(forgotten["retired"], json!([id]), "{forgotten}");

    let check = |server: &mut Server| {
        let query = json!({"query": "wifi password fridge"});
        assert!(
            !texts(server, &query)
                .iter()
                .any(|text| text.contains("wifi"))
        );
        let query = json!({"query": "wifi password fridge", "known_at": before});
        assert_eq!(
            texts(server, &query),
            ["The wifi password is on the fridge"]
        );
        let query = json!({"query": "recycling Thursday"});
        assert_eq!(
            texts(server, &query)[0],
            "The recycling goes out on Thursday"
        );
    };
    check(&mut server);
    server.end_of_input();
    let mut again = home.server().open(Era::Stateless);
    check(&mut again);
    let forgotten = again.forget(&[&id, "999999"]);
    assert_eq!(forgotten["retired"], json!([]), "{forgotten}");
    assert_eq!(forgotten["not_found"], json!(["999999"]), "{forgotten}");
}

#[test]
fn scopes_do_not_leak_whatever_they_are_called() {
    const SCOPES: [&str; 8] = [
        "work",
        "work-2",
        "a/b:c",
        "Grün",
        "ワーク",
        "with space",
        "..",
        "' OR 1=1 --",
    ];
    let home = Home::new();
    let mut server = home.server().open(Era::Handshake);
    for scope in SCOPES {
        let text = format!("The release name of {scope} is Nightingale");
        let answer = server.call("remember", &json!({"text": text, "scope": scope}));
        assert_eq!(answer.value()["items"][0]["decision"], "stored", "{scope}");
    }
    for scope in SCOPES {
        let query = json!({"query": "release name Nightingale", "scope": scope, "limit": 50});
        let expected = format!("The release name of {scope} is Nightingale");
        assert_eq!(texts(&mut server, &query), [expected]);
        let listed = json!({"kind": "fact", "scope": scope, "limit": 50});
        assert_eq!(texts(&mut server, &listed).len(), 1, "{scope}");
    }
    // A memory of the user is seen from every scope; the scopes' own are not seen by the user.
    server.call(
        "remember",
        &json!({"text": "Nightingale is a bird too", "scope": "user"}),
    );
    let query = json!({"query": "Nightingale", "scope": "user", "limit": 50});
    assert_eq!(texts(&mut server, &query), ["Nightingale is a bird too"]);
    let query = json!({"query": "Nightingale bird", "scope": "work", "limit": 50});
    assert_eq!(texts(&mut server, &query).len(), 2);
    // Nor can one scope forget what is another's.
    let query = json!({"query": "release name", "scope": "work"});
    let id = found(server.call("recall", &query).value())[0].id.clone();
    let answer = server.call("forget", &json!({"ids": [id], "scope": "work-2"}));
    assert_eq!(answer.value()["retired"], json!([]), "{}", answer.text());
    assert_eq!(texts(&mut server, &query).len(), 1);
}

#[test]
fn a_superseded_fact_stays_hidden_unless_it_is_asked_for() {
    let home = Home::new();
    let mut server = home.server().open(Era::Handshake);
    let remember = |server: &mut Server, text: &str| {
        let arguments = json!({
            "text": text,
            "topic": "ada/employer",
            "relations": [{"from": "Ada", "relation": "works_at", "to": text.rsplit(' ').next()}],
        });
        server.call("remember", &arguments).value().clone()
    };
    let old = remember(&mut server, "Ada works at Acme");
    let new = remember(&mut server, "Ada works at Globex");
    assert_eq!(new["items"][0]["decision"], "superseded", "{new}");
    assert_eq!(
        new["items"][0]["superseded"],
        json!(kept_ids(&old)),
        "{new}"
    );
    let check = |server: &mut Server| {
        let query = json!({"query": "where does Ada work? Acme"});
        assert_eq!(texts(server, &query), ["Ada works at Globex"]);
        let edges = server.call("graph", &json!({"about": "Ada"})).value()["edges"].clone();
        assert_eq!(edges.as_array().map(Vec::len), Some(1), "{edges}");
        assert_eq!(edges[0]["to"], "Globex", "{edges}");
        let query = json!({"query": "where does Ada work?", "include": ["superseded", "expired"]});
        assert_eq!(texts(server, &query).len(), 2);
        let known_at = time_of(&old);
        let query = json!({"query": "where does Ada work?", "known_at": known_at});
        assert_eq!(texts(server, &query), ["Ada works at Acme"]);
    };
    check(&mut server);
    server.end_of_input();
    check(&mut home.server().open(Era::Stateless));
}

#[test]
fn near_duplicates_are_kept_and_equal_texts_are_not_doubled() {
    const NEAR: [&str; 8] = [
        "The build server is 10.0.0.4",
        "The build server is 10.0.0.5",
        "Run 17 of the crawler failed",
        "Run 18 of the crawler failed",
        "We use version 2.5.1 of the parser",
        "We use version 2.5.2 of the parser",
        "Deploy on Friday is allowed",
        "Deploy on Friday is not allowed",
    ];
    let home = Home::new();
    let mut server = home.server().open(Era::Handshake);
    let ids: Vec<String> = NEAR.iter().map(|text| server.remember(text)).collect();
    for (text, id) in NEAR.iter().zip(&ids) {
        let same = format!("  {} ", text.replace(' ', "  "));
        let answer = server.call("remember", &json!({"text": same}));
        let item = &answer.value()["items"][0];
        assert_eq!(
            (&item["decision"], &item["id"]),
            (&json!("merged"), &json!(id)),
            "{text}"
        );
    }
    assert_eq!(server.recall_ids(&ids).len(), NEAR.len());
    assert_eq!(server.status()["memories"], NEAR.len());
}

#[test]
fn items_are_kept_all_or_none() {
    let home = Home::new();
    let mut server = home.server().open(Era::Handshake);
    let too_long = "plum ".repeat((1 << 20) / 5 + 1);
    let items = json!([{"text": "The first plum jar is open"}, {"text": too_long}]);
    server.call("remember", &json!({"items": items})).refusal();
    assert!(server.recall("plum jar").is_empty());
    assert_eq!(server.status()["memories"], 0);
    let items: Vec<Value> = (0..51)
        .map(|n| json!({"text": format!("Plum jar {n}")}))
        .collect();
    let refusal = server.call("remember", &json!({"items": items})).refusal();
    assert!(refusal.contains("50"), "it says how many: {refusal}");
    let kept = server.call("remember", &json!({"items": items[..50]}));
    assert_eq!(kept_ids(kept.value()).len(), 50);
}

#[test]
fn valid_time_and_transaction_time_are_two_questions() {
    let home = Home::new();
    let mut server = home.server().open(Era::Handshake);
    let kept = server.call(
        "remember",
        &json!({
            "text": "Grace lives in Oslo",
            "valid_from": "2020-01-01",
            "valid_to": "2023-01-01",
        }),
    );
    let known_at = time_of(kept.value());
    let query = |extra: Value| {
        let mut arguments = json!({"query": "where does Grace live?"});
        let extra = extra.as_object().expect("more arguments").clone();
        arguments.as_object_mut().expect("arguments").extend(extra);
        arguments
    };
    let cases = [
        (json!({}), 0),
        (json!({"as_of": "2021-06-01"}), 1),
        (json!({"as_of": "2019-06-01"}), 0),
        (json!({"as_of": "2021-06-01", "known_at": known_at}), 1),
        (json!({"as_of": "2021-06-01", "known_at": "2021-06-01"}), 0),
        (json!({"include": ["expired"]}), 1),
    ];
    for (extra, n_hits) in cases {
        assert_eq!(
            texts(&mut server, &query(extra.clone())).len(),
            n_hits,
            "{extra}"
        );
    }
}

#[test]
fn small_talk_is_not_kept_and_short_facts_are() {
    let cases = [
        ("thanks!", "rejected"),
        ("I'm vegan", "stored"),
        ("Deploy now", "stored"),
        ("call 911", "stored"),
        ("我喜欢喝茶", "stored"),
    ];
    let home = Home::new();
    let mut server = home.server().open(Era::Handshake);
    for (text, decision) in cases {
        let answer = server.call("remember", &json!({"text": text}));
        let item = &answer.value()["items"][0];
        assert_eq!(item["decision"], decision, "{text}: {item}");
        assert!(
            item["reason"]
                .as_str()
                .is_some_and(|reason| !reason.is_empty()),
            "{item}"
        );
    }
}

#[test]
fn every_text_comes_back_as_it_was_given() {
    const TEXTS: [&str; 7] = [
        "Caf\u{e9} Central opens at nine",
        "Cafe\u{301} Museum opens at ten",
        "東京タワーは高さ333メートルです",
        "مفتاح المخزن عند أحمد",
        "Emoji \u{1f469}\u{200d}\u{1f52c} works in lab \u{0032}\u{fe0f}\u{20e3}",
        "two  spaces\tand a tab\nand a line",
        "`code()` \"quotes\" \\back\\slashes\\ <tags> & ampersands",
    ];
    let home = Home::new();
    let mut server = home.server().open(Era::Handshake);
    let ids: Vec<String> = TEXTS.iter().map(|text| server.remember(text)).collect();
    server.end_of_input();
    let mut again = home.server().open(Era::Stateless);
    for (id, text) in ids.iter().zip(TEXTS) {
        let arguments = json!({"ids": [id], "detail": "full"});
        assert_eq!(texts(&mut again, &arguments), [text]);
    }
    // NFC and NFD are the same word to a query.
    for query in ["caf\u{e9} museum", "cafe\u{301} museum"] {
        assert_eq!(again.recall(query)[0].text, TEXTS[1]);
    }
    assert_eq!(again.recall("タワー")[0].text, TEXTS[2]);
}

#[test]
fn the_graph_answers_neighbours_and_paths_with_the_memories_behind_them() {
    let home = Home::new();
    let mut server = home.server().open(Era::Stateless);
    let facts = [
        ("Ada", "manages", "Grace"),
        ("Grace", "wrote", "the parser"),
        ("the parser", "runs on", "Titan"),
    ];
    let mut ids = Vec::new();
    for (from, relation, to) in facts {
        let relation = json!([{"from": from, "relation": relation, "to": to}]);
        let text = format!("{from} {} {to}", relation[0]["relation"]);
        let answer = server.call("remember", &json!({"text": text, "relations": relation}));
        ids.extend(kept_ids(answer.value()));
    }
    let near = server.call("graph", &json!({"about": "grace"})).value()["edges"].clone();
    assert_eq!(near.as_array().map(Vec::len), Some(2), "{near}");
    let path = server.call(
        "graph",
        &json!({"about": "Ada", "to": "Titan", "view": "path"}),
    );
    let edges = path.value()["edges"].as_array().expect("a path has edges");
    let memories: Vec<_> = edges
        .iter()
        .map(|edge| edge["memories"][0].clone())
        .collect();
    assert_eq!(json!(memories), json!(ids), "{}", path.text());
    server.forget(&[&ids[1]]);
    let path = server.call(
        "graph",
        &json!({"about": "Ada", "to": "Titan", "view": "path"}),
    );
    assert_eq!(path.value()["edges"], json!([]), "{}", path.text());
    let unknown = server.call("graph", &json!({"about": "Nobody"})).refusal();
    assert!(unknown.contains("Nobody"), "{unknown}");
}
