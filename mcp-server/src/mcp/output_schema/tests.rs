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
    // Without `skip_serializing_if`, so that null is in the schema that is to be flattened.
    union: Option<Part>,
    nullable: Option<f64>,
    word_or_null: Option<Word>,
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
            "union": part,
            "nullable": { "type": "number" },
            "word_or_null": { "type": "string", "enum": ["One", "Two"] },
            "format": { "type": "string" },
        },
        "required": ["count", "union", "nullable", "word_or_null", "format"],
    });
    assert_eq!(Value::Object(output_schema::<Sample>()), expected);
}
