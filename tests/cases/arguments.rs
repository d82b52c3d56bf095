//! Arguments as models really give them, through the real server: taken, or refused in words that
//! say how to call; the session goes on.

use palimpsest_tests::{Answer, Era, Home, Server, found, kept_ids};
use serde_json::{Value, json};

const TEXT_LEN_BYTES_MAX: usize = 1 << 20;

/// A server with a few memories to look for.
fn server_with(home: &Home, texts: &[&str]) -> Server {
    let mut server = home.server().open(Era::Handshake);
    for text in texts {
        server.remember(text);
    }
    server
}

fn first_text(answer: &Answer) -> String {
    let hits = found(answer.value());
    hits.first().map(|hit| hit.text.clone()).unwrap_or_default()
}

#[test]
fn odd_arguments_of_recall_are_taken_for_what_they_mean() {
    let cases = [
        json!({"query": "copper kettle"}),
        json!({"q": "copper kettle"}),
        json!({"search": "copper kettle", "k": 3}),
        json!({"text": "copper kettle", "limit": "3"}),
        json!({"query": "copper kettle", "limit": 3.0}),
        json!({"query": "copper kettle", "limit": 100_000}),
        json!({"query": "copper kettle", "tags": "kitchen"}),
        json!({"query": "copper kettle", "tags": "[\"kitchen\"]"}),
        json!({"query": "copper kettle", "tags": "kitchen, metal", "tags_match": "all"}),
        json!({"query": "copper kettle", "tags": ["kitchen"], "kind": "fact"}),
        json!({"query": "copper kettle", "kind": "[\"fact\", \"note\"]"}),
        json!({"query": "copper kettle", "scope": null, "since": "", "tags": []}),
        json!({"query": "copper kettle", "min_score": "0"}),
        json!({"query": ["copper kettle"]}),
        json!({"arguments": {"query": "copper kettle"}}),
        json!({"tags": "metal"}),
    ];
    let home = Home::new();
    let mut server = server_with(&home, &["The saw is in the shed"]);
    let text = "The copper kettle is on the top shelf";
    server
        .call("remember", &json!({"text": text, "tags": "kitchen,metal"}))
        .value();
    for arguments in cases {
        let answer = server.call("recall", &arguments);
        assert_eq!(first_text(&answer), text, "{arguments}: {}", answer.text());
    }
}

#[test]
fn odd_arguments_of_the_other_tools_are_taken_for_what_they_mean() {
    let home = Home::new();
    let mut server = home.server().open(Era::Stateless);
    let remembers = [
        json!({"content": "The oak table seats eight"}),
        json!({"text": "The oak chairs came with the table", "tags": "[\"oak\", \"chairs\"]"}),
        json!({"text": "Oak shelves hold the atlas", "importance": "0.9"}),
        json!({"text": "Oak floors were sanded", "valid_from": "2024-05-01", "tags": null}),
        json!({"items": ["An oak stool stands by the door"]}),
        json!({"items": "[{\"text\": \"The oak desk has three drawers\"}]"}),
        json!({"text": "Bo polishes oak", "entities": "Bo",
            "relations": "[{\"from\": \"Bo\", \"relation\": \"polishes\", \"to\": \"oak\"}]"}),
    ];
    let n_texts = remembers.len();
    let mut ids = Vec::new();
    for arguments in remembers {
        let answer = server.call("remember", &arguments);
        ids.extend(kept_ids(answer.value()));
    }
    assert_eq!(ids.len(), n_texts);
    let walked = server.call("graph", &json!({"entity": "bo", "depth": "2"}));
    assert_eq!(walked.value()["edges"][0]["to"], "oak", "{}", walked.text());
    // An id, a number, a list in a string: each is an id.
    let number: u64 = ids[1].parse().expect("an id is a number");
    let forgets = [
        json!({"ids": ids[0]}),
        json!({"id": number}),
        json!({"ids": format!("[\"{}\"]", ids[2])}),
        json!({"ids": format!("{},{}", ids[3], ids[4])}),
    ];
    for arguments in forgets {
        let answer = server.call("forget", &arguments);
        assert_eq!(
            answer.value()["not_found"],
            json!([]),
            "{arguments}: {}",
            answer.text()
        );
    }
    assert_eq!(server.recall_ids(&ids).len(), 2);
}

#[test]
fn an_unknown_argument_is_named_in_a_warning() {
    let home = Home::new();
    let mut server = server_with(&home, &["The copper kettle is on the top shelf"]);
    let answer = server.call("recall", &json!({"query": "kettle", "colour": "copper"}));
    assert_eq!(found(answer.value()).len(), 1);
    let is_named = answer
        .warnings()
        .iter()
        .any(|warning| warning.contains("colour"));
    assert!(is_named, "{}", answer.text());
}

#[test]
fn what_makes_no_sense_is_refused_in_words_and_changes_nothing() {
    let cases = [
        ("remember", json!({}), "text"),
        ("remember", json!({"text": ""}), "text"),
        ("remember", json!({"text": " \n\t "}), "text"),
        ("remember", json!({"items": []}), "text"),
        (
            "remember",
            json!({"text": "A fine text", "kind": "banana"}),
            "fact",
        ),
        (
            "remember",
            json!({"text": "A fine text", "importance": 7}),
            "0 to 1",
        ),
        (
            "remember",
            json!({"text": "A fine text", "valid_from": "soonish"}),
            "2026-05-31",
        ),
        (
            "remember",
            json!({"text": "A fine text", "replaces": ["4711"]}),
            "4711",
        ),
        ("recall", json!({}), "query"),
        ("recall", json!({"query": ""}), "query"),
        ("recall", json!({"query": " \n\t "}), "query"),
        (
            "recall",
            json!({"query": "plums", "limit": "many"}),
            "limit",
        ),
        (
            "recall",
            json!({"query": "plums", "mode": "psychic"}),
            "hybrid",
        ),
        (
            "recall",
            json!({"query": "plums", "since": "the day before"}),
            "since",
        ),
        ("forget", json!({}), "ids"),
        ("forget", json!({"ids": []}), "ids"),
        ("forget", json!({"ids": ["plum"]}), "ids"),
        ("forget", json!({"ids": ["1"], "mode": "erase"}), "erase"),
        ("forget", json!({"ids": ["1"], "dry_run": true}), "dry_run"),
        ("graph", json!({}), "about"),
        ("graph", json!({"about": "Nobody at all"}), "Nobody at all"),
        ("maintain", json!({"action": "explode"}), "status"),
    ];
    let home = Home::new();
    let mut server = server_with(&home, &["Plums ripen in August"]);
    for (tool, arguments, hint) in cases {
        let answer = server.call(tool, &arguments);
        assert!(answer.is_refusal(), "{tool} {arguments}: {}", answer.text());
        let refusal = answer.refusal();
        assert!(
            refusal.contains(hint),
            "{tool} {arguments} should mention {hint:?}: {refusal}"
        );
        assert_eq!(
            found(server.call("recall", &json!({"kind": "fact"})).value()).len(),
            1
        );
    }
}

#[test]
fn a_text_of_a_mebibyte_is_kept_and_a_longer_one_is_refused() {
    let home = Home::new();
    let mut server = home.server().open(Era::Handshake);
    let start = "Zanzibar begins this text. ";
    let filler = "plum jam and toast ".repeat(TEXT_LEN_BYTES_MAX / 19);
    let mut text = format!("{start}{filler}");
    text.truncate(TEXT_LEN_BYTES_MAX - " and Quito ends it".len());
    text.push_str(" and Quito ends it");
    assert_eq!(text.len(), TEXT_LEN_BYTES_MAX);
    let id = server.remember(&text);
    for query in ["Zanzibar", "Quito"] {
        let answer = server.call("recall", &json!({"query": query}));
        let hit = &answer.value()["hits"][0];
        assert_eq!(hit["id"], *id);
        let shown = hit["text"].as_str().expect("a text");
        assert!(shown.contains(query), "{query}: {shown}");
        let n_shown = shown.chars().filter(|it| *it != '…').count();
        assert_eq!(
            hit["chars_left_out"],
            TEXT_LEN_BYTES_MAX - n_shown,
            "it says how much is left out"
        );
        assert!(
            answer.text().len() < 60_000,
            "an answer stays within what clients take"
        );
    }
    let answer = server.call("remember", &json!({"text": format!("{text}!")}));
    let refusal = answer.refusal();
    assert!(refusal.contains("1048576"), "it says how long: {refusal}");
    server.end_of_input();
    let mut again = home.server().open(Era::Stateless);
    let merged = again.call("remember", &json!({"text": text}));
    assert_eq!(
        kept_ids(merged.value()),
        [id],
        "every byte of it is still there"
    );
}

#[test]
fn nul_and_half_surrogates_do_not_end_the_session() {
    let home = Home::new();
    let mut server = home.server().open(Era::Handshake);
    let texts = [
        // (as JSON writes it, what it is found by, what comes back)
        (
            "The nul\\u0000 cable is blue",
            "cable",
            &["The nul cable is blue", "The nul\0 cable is blue"][..],
        ),
        (
            "Half a smile \\ud83d is kept",
            "smile",
            &["Half a smile \u{fffd} is kept"],
        ),
        (
            "The other half \\ude00 is kept",
            "other half",
            &["The other half \u{fffd} is kept"],
        ),
        (
            "A whole smile \\ud83d\\ude00 is whole",
            "whole",
            &["A whole smile \u{1f600} is whole"],
        ),
    ];
    for (n, (text, query, expected)) in texts.into_iter().enumerate() {
        let id = 9_000 + n;
        let line = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"remember\",\
             \"arguments\":{{\"text\":\"{text}\"}}}}}}\n"
        );
        server.write(line.as_bytes());
        let reply = server.next_message().expect("the session goes on");
        assert_eq!(reply["id"], id, "{text}: {reply}");
        assert_eq!(
            reply["result"]["structuredContent"]["items"][0]["decision"], "stored",
            "{reply}"
        );
        let first = &server.recall(query)[0].text;
        assert!(expected.contains(&first.as_str()), "{text}: {first:?}");
    }
}

#[test]
fn no_query_is_a_syntax_error() {
    let texts = [
        "We ship v2.5 release on Monday",
        "The proxy listens on host:8080",
        "a*b is not commutative here",
        "They say \"hi\" at the door",
        "foo AND bar are variables",
        "call (python -m venv) first",
        "The bus moves 12 GB/s",
        "Please don't feed the crow",
        "We moved from gpt-4o to local models",
        "The config is at /etc/palimpsest/main.toml",
    ];
    let queries = [
        ("v2.5 release", 0),
        ("host:8080", 1),
        ("a*b", 2),
        ("say \"hi", 3),
        ("foo AND bar", 4),
        ("(python", 5),
        ("GB/s", 6),
        ("don't", 7),
        ("gpt-4o", 8),
        ("/etc/palimpsest/main.toml", 9),
        ("main.toml", 9),
        ("proxy", 1),
    ];
    let home = Home::new();
    let mut server = server_with(&home, &texts);
    for (query, expected) in queries {
        let hits = server.recall(query);
        let first = hits.first().map(|hit| hit.text.as_str());
        assert_eq!(first, Some(texts[expected]), "{query}");
    }
    for query in [
        "(((", "NEAR/3", "^", "*", "\"", "\\", "col:", "-", "OR", "' OR 1=1", "?", "🦀",
    ] {
        let answer = server.call("recall", &json!({"query": query}));
        assert!(answer.value()["hits"].is_array(), "{query}");
    }
}

#[test]
fn a_flood_of_long_memories_stays_within_the_budget_and_says_what_is_left() {
    let home = Home::new();
    let mut server = home.server().open(Era::Handshake);
    for number in 0..40 {
        let text = format!(
            "Flood report {number}: {}",
            "the river rose again. ".repeat(100)
        );
        server.remember(&text);
    }
    let answer = server.call(
        "recall",
        &json!({"query": "flood report river", "limit": 40}),
    );
    let n_hits = found(answer.value()).len();
    let omitted = answer.value()["omitted"].as_u64().expect("a count");
    assert!(answer.text().len() < 20_000, "2,000 tokens by default");
    assert!(n_hits > 3, "of what does not fit whole a part is shown");
    assert_eq!(n_hits as u64 + omitted, 40, "{}", answer.value()["omitted"]);
    let few: Value = json!({"query": "flood report river", "limit": 5, "max_tokens": 10_000});
    assert_eq!(found(server.call("recall", &few).value()).len(), 5);
}
