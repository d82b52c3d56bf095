//! Calls as models get them wrong: each is answered, or refused in words that say how to call.

use serde_json::{Value, json};

use crate::session::{ERAS, Session, text_of};

/// What comes of an odd call.
#[derive(Debug, Clone, Copy)]
enum Outcome {
    /// It is understood.
    Answered,
    /// It is understood, and the answer warns with this.
    Warned(&'static str),
    /// The tool refuses, and says this.
    Refused(&'static str),
}

use Outcome::{Answered, Refused, Warned};

const NO_QUERY: Outcome = Refused("give a query, or at least one filter");
const NO_ITEM: Outcome = Refused("give a text, or at least one item");

fn odd_queries() -> Vec<(Value, Outcome)> {
    vec![
        (json!({}), NO_QUERY),
        (json!({ "query": "" }), NO_QUERY),
        (json!({ "query": " \n\t" }), NO_QUERY),
        (json!({ "query": null }), NO_QUERY),
        (json!(null), NO_QUERY),
        (json!([]), NO_QUERY),
        (json!({ "q": "tea" }), Answered),
        (json!({ "text": "tea", "k": "3" }), Answered),
        (
            json!({ "search": "tea", "after": "2020-01-01", "before": "2100-01-01" }),
            Answered,
        ),
        (json!("{\"query\": \"tea\"}"), Answered),
        (json!("tea"), Answered),
        (json!({ "arguments": { "query": "tea" } }), Answered),
        (json!({ "query": ["tea"] }), Answered),
        (json!({ "query": 42 }), Answered),
        (
            json!({ "query": { "a": 1 } }),
            Refused("query is {\"a\":1}: give a string"),
        ),
        (
            json!({ "query": "tea\u{0}cup" }),
            Warned("NUL characters were left out of query"),
        ),
        (json!({ "query": "tea ".repeat(1 << 18) }), Answered),
        (json!({ "query": "foo AND (bar OR \"baz* : ^~" }), Answered),
    ]
}

fn odd_filters() -> Vec<(Value, Outcome)> {
    vec![
        (
            json!({ "query": "tea", "limit": "abc" }),
            Refused("give a whole number from 1 to 100"),
        ),
        (
            json!({ "query": "tea", "limit": 0 }),
            Warned("limit 0 was taken as 1"),
        ),
        (
            json!({ "query": "tea", "limit": 5000 }),
            Warned("limit 5000 was taken as 100"),
        ),
        (json!({ "query": "tea", "tags": "[\"a\",\"b\"]" }), Answered),
        (
            json!({ "query": "tea", "tags": "a,b", "tags_match": "ALL" }),
            Answered,
        ),
        (json!({ "query": "tea", "tags": "a" }), Answered),
        (
            json!({ "query": "tea", "tags": { "a": 1 } }),
            Refused("tags is {\"a\":1}: give a list"),
        ),
        (json!({ "query": "tea", "kind": "Facts" }), Answered),
        (
            json!({ "query": "tea", "kind": "truth" }),
            Refused("one of fact, preference"),
        ),
        (json!({ "query": "tea", "ids": [1, "2", "#3"] }), Answered),
        (
            json!({ "query": "tea", "ids": "one" }),
            Refused("a list of ids"),
        ),
        (
            json!({ "query": "tea", "since": "last week" }),
            Refused("2026-05-31T15:00:00+02:00"),
        ),
        (
            json!({ "query": "tea", "as_of": "2026-05-31", "known_at": "2100-01-01T00:00" }),
            Answered,
        ),
        (json!({ "query": "tea", "min_score": "0.5" }), Answered),
        (
            json!({ "query": "tea", "min_score": 50 }),
            Refused("a number from 0 to 1"),
        ),
        (
            json!({ "query": "tea", "include": "superseded, scores" }),
            Answered,
        ),
        (
            json!({ "query": "tea", "lmit": 3 }),
            Warned("\"lmit\" was ignored: it takes limit"),
        ),
        (
            json!({ "query": "tea", "zebra": 3 }),
            Warned("it takes query, as_of"),
        ),
    ]
}

fn odd_remembers() -> Vec<(Value, Outcome)> {
    let acme = json!({ "source": "Ada", "type": "works_at", "target": "Acme" });
    vec![
        (json!({}), NO_ITEM),
        (json!({ "text": "" }), NO_ITEM),
        (json!({ "text": null, "items": [] }), NO_ITEM),
        (json!({ "content": "Ada prefers green tea." }), Answered),
        (json!("Ada keeps her tea in a tin box."), Answered),
        (
            json!({ "text": "Ada drinks tea\u{0} at four." }),
            Warned("NUL characters"),
        ),
        (
            json!({ "text": { "a": 1 } }),
            Refused("text is {\"a\":1}: give a string"),
        ),
        (
            json!({ "text": "a".repeat((1 << 20) + 1) }),
            Refused("1048576"),
        ),
        (json!({ "text": "tea ".repeat((1 << 18) - 1) }), Answered),
        (json!({ "items": "Ada has two kettles." }), Answered),
        (
            json!({ "items": ["Ada bought a third kettle, of copper.", { "content": "Its lid is lost." }] }),
            Answered,
        ),
        (
            json!({ "items": [{ "kind": "fact" }] }),
            Refused("items[0].text is missing"),
        ),
        (
            json!({ "items": [1] }),
            Refused("items[0] is 1: give a list of objects"),
        ),
        (
            json!({ "items": ["a", "b"], "topic": "t" }),
            Refused("topic does not go with items"),
        ),
        (
            json!({ "text": "Ada works at Acme.", "relations": acme }),
            Answered,
        ),
        (
            json!({ "text": "Ada works at Acme.", "relations": "Ada works at Acme" }),
            Refused("\"from\": \"Ada\""),
        ),
        (
            json!({ "text": "Ada works.", "importance": "high" }),
            Refused("a number from 0 to 1"),
        ),
        (
            json!({ "text": "Ada works.", "kind": "truth" }),
            Refused("one of fact, preference"),
        ),
        (
            json!({ "text": "Ada works.", "valid_from": "soon" }),
            Refused("a date (2026-05-31)"),
        ),
        (
            json!({ "text": "Ada works.", "dry_run": true }),
            Refused("nothing was changed"),
        ),
        (
            json!({ "text": "Ada tested the kettle on Monday.", "dry_run": "false" }),
            Answered,
        ),
        (
            json!({ "text": "Ada sold the tin box.", "tagz": "a" }),
            Warned("\"tagz\" was ignored: it takes tags"),
        ),
    ]
}

fn odd_others() -> Vec<(&'static str, Value, Outcome)> {
    vec![
        ("forget", json!({}), Refused("give the ids")),
        ("forget", json!({ "ids": [] }), Refused("give the ids")),
        ("forget", json!({ "ids": "all" }), Refused("a list of ids")),
        ("forget", json!({ "ids": [-1] }), Refused("a list of ids")),
        ("forget", json!({ "id": 999_999 }), Answered),
        ("forget", json!([999_999]), Answered),
        (
            "forget",
            json!({ "ids": ["1"], "dry_run": true }),
            Refused("nothing was changed"),
        ),
        (
            "forget",
            json!({ "ids": [999_999], "dry_run": false }),
            Answered,
        ),
        (
            "forget",
            json!({ "query": "tea" }),
            Refused("it takes ids, reason, mode, scope"),
        ),
        (
            "forget",
            json!({ "ids": ["1"], "mode": "erase" }),
            Refused("comes with the memory file"),
        ),
        (
            "forget",
            json!({ "ids": ["1"], "mode": "burn" }),
            Refused("one of retire"),
        ),
        ("graph", json!({}), Refused("about is missing")),
        (
            "graph",
            json!({ "about": "Nobody" }),
            Refused("names \"Nobody\""),
        ),
        (
            "graph",
            json!({ "entity": "Ada", "depth": "9" }),
            Warned("depth 9 was taken as 3"),
        ),
        (
            "graph",
            json!({ "about": "Ada", "view": "path" }),
            Refused("to is missing"),
        ),
        ("graph", json!({ "about": "Ada", "to": "Acme" }), Answered),
        (
            "graph",
            json!({ "about": "Ada", "view": "neighbors", "to": "x" }),
            Warned("to was ignored"),
        ),
        ("maintain", json!({}), Answered),
        ("maintain", json!({ "action": "STATUS" }), Answered),
        (
            "maintain",
            json!({ "action": "explode" }),
            Refused("one of status"),
        ),
    ]
}

fn odd_calls() -> Vec<(&'static str, Value, Outcome)> {
    let remembers = odd_remembers()
        .into_iter()
        .map(|(given, outcome)| ("remember", given, outcome));
    let recalls = odd_queries()
        .into_iter()
        .chain(odd_filters())
        .map(|(given, outcome)| ("recall", given, outcome));
    remembers.chain(recalls).chain(odd_others()).collect()
}

#[test]
fn odd_calls_are_answered_or_refused_in_words_and_the_session_goes_on() {
    for era in ERAS {
        let home = tempfile::tempdir().expect("a folder");
        let mut session = Session::begin(home.path(), era);
        for (tool, given, outcome) in odd_calls() {
            let result = session.call(tool, &given);
            let shown: String = given.to_string().chars().take(80).collect();
            let text = text_of(&result);
            let place = format!("{era:?} {tool} {shown}: {text:.400}");
            let is_error = result["isError"] == true;
            match outcome {
                Answered => {
                    assert!(!is_error, "{place}");
                    let ours = result["structuredContent"]["warnings"].to_string();
                    assert!(!ours.contains("ignored"), "{place}");
                }
                Warned(with) => {
                    assert!(!is_error, "{place}");
                    let warnings = result["structuredContent"]["warnings"].as_array();
                    let said = warnings.into_iter().flatten().any(|warning| {
                        warning
                            .as_str()
                            .is_some_and(|warning| warning.contains(with))
                    });
                    assert!(said, "{place}");
                }
                Refused(with) => {
                    assert!(is_error && text.contains(with), "{place}");
                    assert!(text.len() < 600, "{place}");
                }
            }
        }
    }
}

/// Whatever is stored, no answer is longer than clients take (50,000 characters).
#[test]
fn no_answer_floods_the_client() {
    let home = tempfile::tempdir().expect("a folder");
    let mut session = Session::begin(home.path(), ERAS[0]);
    let long = "The quay of the long harbour is made of granite. ".repeat(400);
    let relations = |n: usize| -> Vec<Value> {
        let to = |m| format!("quay {n}/{m} {long:.900}");
        (0..10)
            .map(|m| json!({ "from": "harbour", "relation": "has", "to": to(m) }))
            .collect()
    };
    let items: Vec<Value> = (0..20)
        .map(|n| {
            json!({
                "text": format!("{n} {long}"),
                "tags": ["harbour"],
                "relations": relations(n),
            })
        })
        .collect();
    let calls = [
        ("remember", json!({ "items": items })),
        ("recall", json!({ "query": "granite quay" })),
        (
            "recall",
            json!({ "query": "granite quay", "max_tokens": 1_000_000, "limit": 100 }),
        ),
        (
            "recall",
            json!({ "query": "granite quay", "max_tokens": 10, "include": "scores" }),
        ),
        ("recall", json!({ "tags": "harbour" })),
        ("graph", json!({ "about": "harbour", "limit": 200 })),
        (
            "forget",
            json!({ "ids": (1..=1_000).collect::<Vec<u64>>() }),
        ),
    ];
    for (tool, given) in calls {
        let result = session.call(tool, &given);
        let text = text_of(&result);
        assert_ne!(result["isError"], true, "{tool} {text:.200}");
        let n_chars = text.chars().count();
        assert!(n_chars < 55_000, "{tool}: {n_chars} characters");
    }
}
