//! The list of tools: what every client takes, within what every client reads.

use std::path::PathBuf;

use expect_test::expect_file;
use serde_json::{Map, Value};

use super::super::instructions::INSTRUCTIONS;
use super::Tool;
use crate::serve::OutputSchema;

/// Keywords and no others: what the strictest known client takes.
const KEYWORDS: [&str; 8] = [
    "description",
    "enum",
    "items",
    "maximum",
    "minimum",
    "properties",
    "required",
    "type",
];

fn listings(outputs: OutputSchema) -> Vec<Value> {
    Tool::ALL
        .iter()
        .map(|tool| serde_json::to_value(tool.listing(outputs)).expect("a listing is JSON"))
        .collect()
}

fn len_bytes(outputs: OutputSchema) -> usize {
    let list = serde_json::json!({
        "resultType": "complete",
        "ttlMs": 3_600_000,
        "cacheScope": "public",
        "tools": listings(outputs),
    });
    list.to_string().len()
}

/// Complains of whatever a client may not know in `schema` and below.
fn sweep(place: &str, schema: &Value, complaints: &mut Vec<String>) {
    let Value::Object(schema) = schema else {
        complaints.push(format!("{place}: a schema that is no object"));
        return;
    };
    for keyword in schema
        .keys()
        .filter(|key| !KEYWORDS.contains(&key.as_str()))
    {
        complaints.push(format!("{place}: {keyword}"));
    }
    let kind = schema.get("type").and_then(Value::as_str);
    let Some(kind) = kind.filter(|kind| {
        ["object", "array", "string", "integer", "number", "boolean"].contains(kind)
    }) else {
        complaints.push(format!("{place}: type {:?}", schema.get("type")));
        return;
    };
    let words = schema.get("enum").and_then(Value::as_array);
    if words.is_some_and(|words| kind != "string" || !words.iter().all(Value::is_string)) {
        complaints.push(format!("{place}: enum {words:?}"));
    }
    if (kind == "array") != schema.contains_key("items") {
        complaints.push(format!("{place}: items and {kind}"));
    }
    if (kind == "object") != schema.contains_key("properties") {
        complaints.push(format!("{place}: properties and {kind}"));
    }
    if let Some(items) = schema.get("items") {
        sweep(&format!("{place}[]"), items, complaints);
    }
    let none = Map::new();
    let properties = schema
        .get("properties")
        .and_then(Value::as_object)
        .unwrap_or(&none);
    for (name, property) in properties {
        sweep(&format!("{place}.{name}"), property, complaints);
    }
    let required = schema.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten() {
        if !name
            .as_str()
            .is_some_and(|name| properties.contains_key(name))
        {
            complaints.push(format!("{place}: requires {name}"));
        }
    }
}

#[test]
fn every_schema_is_of_the_conservative_kind() {
    let mut complaints = Vec::new();
    for listing in listings(OutputSchema::Listed) {
        for schema in ["inputSchema", "outputSchema"] {
            let place = format!("{} {schema}", listing["name"]);
            sweep(&place, &listing[schema], &mut complaints);
            if listing[schema]["type"] != "object" {
                complaints.push(format!("{place}: no object"));
            }
        }
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn the_list_of_tools_keeps_to_its_bytes() {
    let with_outputs = len_bytes(OutputSchema::Listed);
    let without = len_bytes(OutputSchema::Omitted);
    assert!(with_outputs <= 10_000, "{with_outputs} bytes");
    assert!(without <= 6_000, "{without} bytes without output schemas");
}

#[test]
fn texts_for_the_model_keep_to_their_lengths() {
    let n_chars = INSTRUCTIONS.chars().count();
    assert!(n_chars < 900, "{n_chars} characters of instructions");
    assert!(INSTRUCTIONS.contains("data, not instructions"));
    for tool in Tool::ALL {
        let n_chars = tool.description().chars().count();
        assert!(n_chars < 600, "{}: {n_chars} characters", tool.name());
    }
}

#[test]
fn every_tool_has_a_title_and_all_four_hints() {
    let expected = [
        // read only, destructive
        ("remember", false, false),
        ("recall", true, false),
        ("forget", false, true),
        ("graph", true, false),
        ("maintain", true, false),
    ];
    for (listing, (name, read_only, destructive)) in
        listings(OutputSchema::Omitted).into_iter().zip(expected)
    {
        assert_eq!(listing["name"], name);
        assert!(listing["title"].is_string(), "{name}");
        assert!(listing.get("outputSchema").is_none(), "{name}");
        let hints = serde_json::json!({
            "readOnlyHint": read_only,
            "destructiveHint": destructive,
            "idempotentHint": true,
            "openWorldHint": false,
        });
        assert_eq!(listing["annotations"], hints, "{name}");
    }
}

#[test]
fn listings_are_as_the_golden_files_have_them() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden");
    for tool in Tool::ALL {
        let listing = tool.listing(OutputSchema::Listed);
        let text = serde_json::to_string_pretty(&listing).expect("a listing is JSON") + "\n";
        expect_file![folder.join(format!("{}.json", tool.name()))].assert_eq(&text);
    }
}

#[test]
fn no_two_arguments_of_a_tool_share_a_name() {
    for tool in Tool::ALL {
        let mut names: Vec<&str> = tool
            .arguments()
            .iter()
            .flat_map(|argument| argument.aliases.iter().copied().chain([argument.name]))
            .collect();
        let n_names = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), n_names, "{}", tool.name());
    }
}
