//! What clients have been seen to drop tools for is nowhere in a schema.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::output_schema;

#[derive(Serialize, JsonSchema)]
struct Sample {
    /// A description, which costs tokens.
    count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<Part>,
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<Word>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Part>,
    /// A name that is a keyword.
    format: String,
}

#[derive(Serialize, JsonSchema)]
struct Part {
    name: String,
}

#[derive(Serialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is wanted")]
enum Word {
    One,
    Two,
}

#[test]
fn schemas_are_flat_and_keep_what_fields_are_called() {
    let part = json!({
        "type": "object",
        "properties": { "name": { "type": "string" } },
        "required": ["name"],
    });
    let expected = json!({
        "type": "object",
        "properties": {
            "count": { "type": "integer" },
            "part": part,
            "word": { "type": "string", "enum": ["One", "Two"] },
            "score": { "type": "number" },
            "parts": { "type": "array", "items": part },
            "format": { "type": "string" },
        },
        "required": ["count", "format"],
    });
    assert_eq!(Value::Object(output_schema::<Sample>()), expected);
}
