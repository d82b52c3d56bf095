//! Calls as models make them, and what they are read as.

use jiff::tz::TimeZone;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::argument::Shape;
use super::super::lenient::tests::any_json;
use super::super::refusal::Refusal;
use super::super::tool::Tool;
use super::Arguments;

static ZONE: TimeZone = TimeZone::UTC;

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        other => panic!("{other} is no object"),
    }
}

fn read(tool: Tool, given: Value) -> Arguments<'static> {
    Arguments::read(tool.arguments(), object(given), &ZONE)
}

#[test]
fn a_query_is_found_under_every_name_and_in_every_wrapping() {
    let cases = [
        json!({ "query": "tea" }),
        json!({ "q": "tea" }),
        json!({ "text": "tea" }),
        json!({ "search": "tea" }),
        json!({ "Query": "tea" }),
        json!({ "arguments": { "query": "tea" } }),
        json!({ "arguments": "{\"q\": \"tea\"}" }),
        json!({ "arguments": "tea" }),
        json!({ "input": ["tea"] }),
        json!({ "query": "tea", "q": null }),
        json!({ "query": null, "q": "tea" }),
    ];
    for given in cases {
        let mut arguments = read(Tool::Recall, given.clone());
        let query = arguments.text("query").expect("a text");
        assert_eq!(query.as_deref(), Some("tea"), "{given}");
        assert_eq!(arguments.finish().0, Vec::<String>::new(), "{given}");
    }
}

#[test]
fn what_is_null_or_blank_is_not_given() {
    let mut arguments = read(
        Tool::Recall,
        json!({ "query": " ", "tags": "", "limit": null, "as_of": "", "unknown": null }),
    );
    assert_eq!(arguments.text("query").expect("absent"), None);
    assert_eq!(
        arguments.texts("tags").expect("absent"),
        Vec::<String>::new()
    );
    assert_eq!(arguments.integer("limit").expect("absent"), None);
    assert_eq!(arguments.moment("as_of").expect("absent"), None);
    assert_eq!(arguments.finish(), (Vec::new(), false));
}

#[test]
fn warnings_name_what_was_ignored_and_what_was_meant() {
    let cases = [
        (json!({ "lmit": 3 }), "\"lmit\" was ignored: it takes limit"),
        (
            json!({ "maxTokenz": 3 }),
            "\"maxTokenz\" was ignored: it takes max_tokens",
        ),
        (
            json!({ "query": "a", "q": "b" }),
            "\"q\" was ignored: query is given too",
        ),
        (
            json!({ "banana": 1 }),
            "\"banana\" was ignored: it takes query, as_of, known_at, since, until, kind, tags, \
             tags_match, ids, scope, mode, limit, max_tokens, min_score, include",
        ),
    ];
    for (given, expected) in cases {
        let (warnings, _) = read(Tool::Recall, given).finish();
        assert_eq!(warnings, [expected]);
    }
}

#[test]
fn a_number_out_of_range_is_brought_into_it_and_said() {
    let mut arguments = read(Tool::Recall, json!({ "k": "5000" }));
    assert_eq!(arguments.integer("limit").expect("a number"), Some(100));
    assert_eq!(
        arguments.finish().0,
        ["limit 5000 was taken as 100: give a whole number from 1 to 100"]
    );
}

#[test]
fn nul_is_left_out_and_said() {
    let mut arguments = read(
        Tool::Remember,
        json!({ "text": "tea\0cup", "tags": ["a\0"] }),
    );
    assert_eq!(
        arguments.text("text").expect("a text").as_deref(),
        Some("teacup")
    );
    assert_eq!(arguments.texts("tags").expect("texts"), ["a"]);
    assert_eq!(
        arguments.finish().0,
        [
            "NUL characters were left out of text",
            "NUL characters were left out of tags"
        ]
    );
}

#[test]
fn a_word_is_taken_in_any_spelling_and_else_refused_with_the_words() {
    for given in ["Fact", "facts", " FACT "] {
        let mut arguments = read(Tool::Recall, json!({ "type": given }));
        assert_eq!(
            arguments.choices("kind").expect("a kind"),
            ["fact"],
            "{given}"
        );
    }
    let mut arguments = read(Tool::Recall, json!({ "kind": ["fact", "truth"] }));
    let refusal = arguments.choices("kind").expect_err("truth is no kind");
    assert_eq!(
        refusal.to_string(),
        "kind is \"truth\": give one of fact, preference, decision, event, procedure, note"
    );
}

#[test]
fn a_refusal_shows_little_of_what_was_wrong() {
    let mut arguments = read(Tool::Recall, json!({ "since": "x".repeat(1 << 20) }));
    let refusal = arguments
        .moment("since")
        .expect_err("no moment")
        .to_string();
    assert!(
        refusal.starts_with("since is \"xxx") && refusal.len() < 300,
        "{refusal}"
    );
    assert!(refusal.contains("2026-05-31T15:00:00+02:00"), "{refusal}");
}

#[test]
fn items_are_objects_or_texts_and_are_named_in_errors() {
    let given =
        json!({ "items": ["a text", { "content": "another" }, { "text": "b", "kind": 9 }] });
    let mut arguments = read(Tool::Remember, given);
    let mut items = arguments.objects("items").expect("objects");
    let texts: Vec<_> = items
        .iter_mut()
        .map(|item| item.text("text").expect("a text").expect("given"))
        .collect();
    assert_eq!(texts, ["a text", "another", "b"]);
    let refusal = items[2]
        .choice("kind")
        .expect_err("9 is no kind")
        .to_string();
    assert!(
        refusal.starts_with("items[2].kind is \"9\": give one of"),
        "{refusal}"
    );
}

/// Asks for every argument of `arguments` as its shape wants.
fn ask_all(arguments: &mut Arguments<'_>) -> Result<(), Refusal> {
    for argument in arguments.table {
        match argument.shape {
            Shape::Text => arguments.text(argument.name).map(drop),
            Shape::Texts if argument.name == "entities" => {
                arguments.entities(argument.name).map(drop)
            }
            Shape::Texts => arguments.texts(argument.name).map(drop),
            Shape::Choice(_) => arguments.choice(argument.name).map(drop),
            Shape::Choices(_) => arguments.choices(argument.name).map(drop),
            Shape::Integer { .. } => arguments.integer(argument.name).map(drop),
            Shape::Fraction => arguments.fraction(argument.name).map(drop),
            Shape::Moment(_) => arguments.moment(argument.name).map(drop),
            Shape::Ids => arguments.ids(argument.name).map(drop),
            Shape::Relations => arguments.relations(argument.name).map(drop),
            Shape::Objects(_) => arguments.objects(argument.name).and_then(|objects| {
                objects
                    .into_iter()
                    .try_for_each(|mut object| ask_all(&mut object))
            }),
        }?;
    }
    Ok(())
}

proptest! {
    /// Whatever a client sends under whatever name is read or refused in words; nothing panics.
    #[test]
    fn any_call_is_read_or_refused(
        tool in prop::sample::select(Tool::ALL.to_vec()),
        picks in prop::collection::vec((any::<prop::sample::Index>(), any_json()), 0..5),
        others in prop::collection::btree_map("[a-z_]{0,8}", any_json(), 0..3),
    ) {
        let mut given: Map<String, Value> = others.into_iter().collect();
        for (pick, value) in picks {
            given.insert(pick.get(tool.arguments()).name.to_owned(), value);
        }
        let mut arguments = Arguments::read(tool.arguments(), given, &ZONE);
        if let Err(refusal) = ask_all(&mut arguments) {
            let text = refusal.to_string();
            prop_assert!(text.contains("give "), "{}", text);
            prop_assert!(text.chars().count() < 400, "{}", text);
        }
        let _warnings = arguments.finish();
    }
}
