//! Beginning, the list of tools, and a call of each, checked against the schema it was listed with.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::session::{ERAS, Era, Session, command, meta, text_of};

/// Complains where `value` does not fit `schema`. Knows the keywords that our schemas use, and
/// complains of any other.
fn check(place: &str, value: &Value, schema: &Value, complaints: &mut Vec<String>) {
    let schema = schema.as_object().expect("a schema is an object");
    for (keyword, rule) in schema {
        let fits = match keyword.as_str() {
            "type" => match rule.as_str() {
                Some("object") => value.is_object(),
                Some("array") => value.is_array(),
                Some("string") => value.is_string(),
                Some("number") => value.is_number(),
                Some("integer") => value.is_u64() || value.is_i64(),
                _ => false,
            },
            "enum" => rule.as_array().is_some_and(|words| words.contains(value)),
            "required" => rule.as_array().is_some_and(|names| {
                names
                    .iter()
                    .all(|name| value.get(name.as_str().unwrap_or("")).is_some())
            }),
            "properties" | "items" => true,
            _ => false,
        };
        if !fits {
            complaints.push(format!("{place}: {value} is not {keyword} {rule}"));
        }
    }
    for (name, part) in value.as_object().into_iter().flatten() {
        match schema
            .get("properties")
            .and_then(|properties| properties.get(name))
        {
            Some(schema) => check(&format!("{place}.{name}"), part, schema, complaints),
            None => complaints.push(format!("{place}.{name} is in no schema")),
        }
    }
    for (n, part) in value.as_array().into_iter().flatten().enumerate() {
        match schema.get("items") {
            Some(schema) => check(&format!("{place}[{n}]"), part, schema, complaints),
            None => complaints.push(format!("{place}[{n}] is in no schema")),
        }
    }
}

fn output_schemas(session: &mut Session) -> BTreeMap<String, Value> {
    let answer = session.ask("tools/list", json!({}));
    let tools = answer["result"]["tools"].as_array().expect("tools").clone();
    tools
        .into_iter()
        .map(|tool| {
            let name = tool["name"].as_str().expect("a name").to_owned();
            (name, tool["outputSchema"].clone())
        })
        .collect()
}

#[test]
fn the_first_answer_says_who_this_is_and_how_to_use_it() {
    for era in ERAS {
        let home = tempfile::tempdir().expect("a folder");
        let mut session = Session::start(&mut command(home.path()), era);
        let answer = session.greet();
        let result = &answer["result"];
        let instructions = result["instructions"].as_str().expect("instructions");
        assert!(instructions.len() < 900, "{era:?}");
        assert!(result["capabilities"]["tools"].is_object(), "{era:?}");
        match era {
            Era::Session => {
                assert_eq!(result["protocolVersion"], "2025-06-18");
                assert_eq!(result["serverInfo"]["name"], "palimpsest");
            }
            Era::Stateless => {
                let versions = result["supportedVersions"].as_array().expect("versions");
                for version in ["2024-11-05", "2025-11-25", "2026-07-28"] {
                    assert!(versions.contains(&json!(version)), "{versions:?}");
                }
                assert!(result["ttlMs"].is_u64() && result["cacheScope"] == "public");
            }
        }
    }
}

/// A client was seen to ask for the tools at once, without `initialize` and without discovering.
#[test]
fn nothing_depends_on_a_greeting() {
    let home = tempfile::tempdir().expect("a folder");
    let mut session = Session::start(&mut command(home.path()), Era::Stateless);
    assert_eq!(output_schemas(&mut session).len(), 5);
}

#[test]
fn every_revision_that_has_one_is_greeted_in_its_own_words() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let home = tempfile::tempdir().expect("a folder");
        let mut session = Session::start(&mut command(home.path()), Era::Session);
        let client = json!({ "name": "t", "version": "1" });
        let params =
            json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client });
        let answer = session.ask("initialize", params);
        assert_eq!(answer["result"]["protocolVersion"], version);
    }
}

#[test]
fn every_tool_answers_what_its_schema_says_and_the_same_as_text() {
    let calls = [
        (
            "remember",
            json!({
                "text": "Grace Hopper found a moth in relay 70 of the Mark II on 9 September 1947.",
                "kind": "event",
                "tags": ["history"],
                "entities": ["Mark II"],
                "relations": [{ "from": "Grace Hopper", "relation": "worked_on", "to": "Mark II" }],
                "valid_from": "1947-09-09",
                "topic": "hopper/moth",
                "importance": 0.9,
            }),
        ),
        (
            "remember",
            json!({ "text": "The moth was taped into the log book.", "topic": "hopper/moth" }),
        ),
        ("remember", json!({ "text": "ok" })),
        (
            "remember",
            json!({ "items": [{ "text": "The log book lies in Washington." }, "ok"] }),
        ),
        (
            "recall",
            json!({ "query": "moth", "include": ["scores", "superseded", "expired"] }),
        ),
        (
            "recall",
            json!({ "query": "moth", "min_score": 1, "as_of": "2026-01-01", "until": "2030-01-01" }),
        ),
        ("recall", json!({ "tags": ["no such tag"] })),
        (
            "graph",
            json!({ "about": "Grace Hopper", "as_of": "1950-01-01" }),
        ),
        (
            "forget",
            json!({ "ids": ["1", "12345"], "reason": "a test" }),
        ),
        ("maintain", json!({ "action": "status" })),
    ];
    for era in ERAS {
        let home = tempfile::tempdir().expect("a folder");
        let mut session = Session::begin(home.path(), era);
        let schemas = output_schemas(&mut session);
        for (tool, arguments) in calls.clone() {
            let result = session.call(tool, &arguments);
            assert_ne!(result["isError"], true, "{tool} {arguments}: {result}");
            let structure = &result["structuredContent"];
            let mut complaints = Vec::new();
            check(tool, structure, &schemas[tool], &mut complaints);
            assert!(complaints.is_empty(), "{tool} {arguments}: {complaints:#?}");
            let text: Value = serde_json::from_str(text_of(&result)).expect("JSON");
            assert_eq!(&text, structure);
        }
    }
}

#[test]
fn an_unknown_tool_or_method_is_an_error_and_the_session_goes_on() {
    for era in ERAS {
        let home = tempfile::tempdir().expect("a folder");
        let mut session = Session::begin(home.path(), era);
        let params = json!({ "name": "recal", "arguments": { "query": "tea" } });
        let answer = session.ask("tools/call", params);
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        let message = answer["error"]["message"].as_str().expect("a message");
        assert!(
            message.contains("\"recal\"") && message.contains("recall"),
            "{message}"
        );
        let answer = session.ask("tools/burn", json!({}));
        assert_eq!(answer["error"]["code"], -32601, "{answer}");
        let status = session.call("maintain", &json!({ "action": "status" }));
        assert_ne!(status["isError"], true);
    }
}

#[test]
fn output_schemas_can_be_left_out() {
    let home = tempfile::tempdir().expect("a folder");
    let mut session = Session::start(command(home.path()).arg("--no-output-schema"), Era::Session);
    session.greet();
    assert!(output_schemas(&mut session).values().all(Value::is_null));
    let status = session.call("maintain", &json!({ "action": "status" }));
    assert!(status["structuredContent"].is_object());
}

#[test]
fn a_cancelled_call_is_not_answered_and_the_next_one_is() {
    let home = tempfile::tempdir().expect("a folder");
    let mut session = Session::begin(home.path(), Era::Session);
    // Both lines arrive together, so that the call is cancelled while it runs.
    let call = json!({
        "jsonrpc": "2.0", "id": "cancelled", "method": "tools/call",
        "params": { "name": "remember", "arguments": { "text": "x ".repeat(200_000) } },
    });
    let cancel = json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": { "requestId": "cancelled" },
    });
    session.write(&format!("{call}\n{cancel}\n"));
    let status = session.call("maintain", &json!({ "action": "status" }));
    assert_ne!(status["isError"], true);
    session.end_input();
    let (_, printed, _) = session.ended();
    assert!(
        !printed.iter().any(|line| line.contains("\"cancelled\"")),
        "{printed:?}"
    );
}

#[test]
fn noise_between_messages_does_not_end_the_session() {
    for era in ERAS {
        let home = tempfile::tempdir().expect("a folder");
        let mut session = Session::start(&mut command(home.path()), era);
        let noise = [
            "garbage",
            "",
            "{\"jsonrpc\":\"2.0\"",
            "[]",
            "[1, {}, null]",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"$/lsp/thing\",\"params\":{}}",
            "{\"jsonrpc\":\"2.0\",\"id\":\"early\",\"method\":\"tools/list\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":\"odd\",\"method\":7}",
        ];
        session.write(&format!("{}\n", noise.join("\n")));
        session.greet();
        session.write(&format!("{}\n", noise.join("\n")));
        let status = session.call("maintain", &json!({ "action": "status" }));
        assert_ne!(status["isError"], true, "{era:?}: {status}");
    }
}

#[test]
fn half_a_surrogate_pair_is_recalled_as_a_replacement_character() {
    let home = tempfile::tempdir().expect("a folder");
    let mut session = Session::begin(home.path(), Era::Stateless);
    let meta = meta();
    let line = format!(
        r#"{{"jsonrpc":"2.0","id":"half","method":"tools/call","params":{{"_meta":{meta},"name":"remember","arguments":{{"text":"The samovar boils \ud83d at nine."}}}}}}"#
    );
    session.write(&format!("{line}\n"));
    let kept = session.next().expect("an answer");
    assert_eq!(kept["id"], "half");
    assert_eq!(
        kept["result"]["structuredContent"]["items"][0]["decision"],
        "stored"
    );
    let found = session.call("recall", &json!({ "query": "samovar" }));
    let text = &found["structuredContent"]["hits"][0]["text"];
    assert_eq!(text, "The samovar boils \u{fffd} at nine.");
}
