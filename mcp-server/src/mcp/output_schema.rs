//! Output schemas that every client takes: without references, unions, formats and booleans.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// The keywords that are left; clients have dropped every tool for one that they did not know.
const KEYWORDS: [&str; 5] = ["type", "properties", "required", "items", "enum"];

/// The schema of what `T` is written as.
pub(crate) fn output_schema<T: JsonSchema>() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12()
        .for_serialize()
        .with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(flatten).transform(&mut schema);
    match schema.to_value() {
        Value::Object(schema) => schema,
        // `true`: anything goes.
        _ => Map::new(),
    }
}

fn flatten(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else {
        return;
    };
    object.retain(|keyword, _| KEYWORDS.contains(&keyword.as_str()));
    // What may be absent is written as "it, or null", but null is never sent.
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(words)) = object.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
}

#[cfg(test)]
mod tests;
