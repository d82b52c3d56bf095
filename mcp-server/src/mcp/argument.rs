//! What a tool takes: the one table from which its schema is written and its arguments are read.

use serde_json::{Map, Value, json};

/// One argument of a tool.
#[derive(Debug)]
pub(crate) struct Argument {
    /// Its name.
    pub(crate) name: &'static str,
    /// Other names under which it is taken. They are in no schema.
    pub(crate) aliases: &'static [&'static str],
    /// What it may hold.
    pub(crate) shape: Shape,
    /// Whether a call without it makes no sense.
    pub(crate) need: Need,
    /// For the model that calls; empty where the name says it all.
    pub(crate) description: &'static str,
}

/// What an argument may hold.
#[derive(Debug)]
pub(crate) enum Shape {
    /// A text that is kept or searched for as it is.
    Text,
    /// A list of short texts.
    Texts,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Some of these words.
    Choices(&'static [&'static str]),
    /// A whole number; outside the range the nearest end is taken.
    Integer { min: u64, max: u64 },
    /// A number from 0 to 1.
    Fraction,
    /// A date or a time.
    Moment(Edge),
    /// A list of identifiers.
    Ids,
    /// A list of relations.
    Relations,
    /// A list of objects with these arguments.
    Objects(&'static [Argument]),
}

/// What a date without a time of day stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edge {
    /// The first moment of the day.
    Start,
    /// The last moment of the day.
    Last,
    /// The first moment after the day.
    After,
}

/// Whether an argument must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    Required,
    Optional,
}

impl Argument {
    /// One that may be left out.
    pub(crate) const fn optional(
        name: &'static str,
        aliases: &'static [&'static str],
        shape: Shape,
        description: &'static str,
    ) -> Self {
        Self {
            name,
            aliases,
            shape,
            need: Need::Optional,
            description,
        }
    }

    /// One without which a call makes no sense.
    pub(crate) const fn required(
        name: &'static str,
        aliases: &'static [&'static str],
        shape: Shape,
        description: &'static str,
    ) -> Self {
        Self {
            need: Need::Required,
            ..Self::optional(name, aliases, shape, description)
        }
    }
}

/// The schema of an object with these arguments: flat, without references, unions or formats.
pub(crate) fn object_schema(arguments: &[Argument]) -> Map<String, Value> {
    let properties: Map<String, Value> = arguments
        .iter()
        .map(|argument| (argument.name.to_owned(), argument.schema()))
        .collect();
    let required: Vec<&str> = arguments
        .iter()
        .filter(|argument| argument.need == Need::Required)
        .map(|argument| argument.name)
        .collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema
}

impl Argument {
    fn schema(&self) -> Value {
        let mut schema = self.shape.schema();
        if let (Value::Object(schema), false) = (&mut schema, self.description.is_empty()) {
            schema.insert("description".to_owned(), json!(self.description));
        }
        schema
    }
}

impl Shape {
    fn schema(&self) -> Value {
        match self {
            Self::Text | Self::Moment(_) => json!({ "type": "string" }),
            Self::Texts | Self::Ids => json!({ "type": "array", "items": { "type": "string" } }),
            Self::Choice(words) => json!({ "type": "string", "enum": words }),
            Self::Choices(words) => {
                json!({ "type": "array", "items": { "type": "string", "enum": words } })
            }
            // Every least number here is one that goes without saying.
            Self::Integer { max, .. } => {
                json!({ "type": "integer", "maximum": max })
            }
            Self::Fraction => json!({ "type": "number", "minimum": 0, "maximum": 1 }),
            Self::Relations => {
                let ends = ["from", "relation", "to"];
                let properties: Map<String, Value> = ends
                    .iter()
                    .map(|&end| (end.to_owned(), json!({ "type": "string" })))
                    .collect();
                json!({
                    "type": "array",
                    "items": { "type": "object", "properties": properties },
                })
            }
            Self::Objects(arguments) => {
                json!({ "type": "array", "items": object_schema(arguments) })
            }
        }
    }
}
