//! Reads one JSON value as what it was meant to be. Knows no tool.
//!
//! Models send lists as strings, numbers as strings and strings as numbers. What can be meant in one
//! way only is taken; anything else is `None`, and the caller says what to give.

use std::collections::BTreeSet;

use palimpsest_memory::{EntityMention, MemoryId, RelationMention};
use serde_json::{Map, Value};

/// Whether `value` says nothing: null, a blank string, an empty list.
pub(crate) fn is_absent(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

/// A text; a number or a boolean is taken as it is written.
pub(crate) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Array(items) => match items.as_slice() {
            [only] => text(only),
            _ => None,
        },
        Value::Null | Value::Object(_) => None,
    }
}

/// A list: an array, the text of an array, one object, or a text whose parts commas divide.
pub(crate) fn list(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::Array(items) => Some(items.clone()),
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Array(items)) => Some(items),
            Ok(object @ Value::Object(_)) => Some(vec![object]),
            _ => Some(parts(text).map(Value::from).collect()),
        },
        Value::Object(_) | Value::Number(_) => Some(vec![value.clone()]),
        Value::Null | Value::Bool(_) => None,
    }
}

/// A list of short texts, trimmed, without blank ones and repeats.
pub(crate) fn texts(value: &Value) -> Option<Vec<String>> {
    let mut texts: Vec<String> = Vec::new();
    let mut known = BTreeSet::new();
    for item in list(value)?.iter().filter(|item| !is_absent(item)) {
        let text = text(item)?.trim().to_owned();
        if known.insert(text.clone()) {
            texts.push(text);
        }
    }
    Some(texts)
}

/// A list of texts that are kept as they are: a string is one of them, or the text of an array.
pub(crate) fn whole_texts(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Array(items)) => Some(items),
            Ok(object @ Value::Object(_)) => Some(vec![object]),
            _ => Some(vec![value.clone()]),
        },
        _ => list(value),
    }
}

/// A list of identifiers: numbers, or texts of them with or without a `#`.
pub(crate) fn ids(value: &Value) -> Option<Vec<MemoryId>> {
    let mut ids = Vec::new();
    let mut known = BTreeSet::new();
    for item in list(value)?.iter().filter(|item| !is_absent(item)) {
        let id = MemoryId(match item {
            Value::String(text) => text.trim().trim_start_matches('#').parse().ok()?,
            other => integer(other)?,
        });
        if known.insert(id) {
            ids.push(id);
        }
    }
    Some(ids)
}

/// A whole number that is not negative.
pub(crate) fn integer(value: &Value) -> Option<u64> {
    match value {
        Value::String(text) => {
            let text = text.trim();
            text.parse().ok().or_else(|| whole(text.parse().ok()?))
        }
        Value::Number(number) => number.as_u64().or_else(|| whole(number.as_f64()?)),
        _ => None,
    }
}

/// A number that is neither infinite nor "not a number".
pub(crate) fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::String(text) => text.trim().parse().ok()?,
        Value::Number(number) => number.as_f64()?,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// Something to be done or not.
pub(crate) fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(truth) => Some(*truth),
        Value::String(text) => match text.trim().to_lowercase().as_str() {
            "true" | "yes" | "1" => Some(true),
            "false" | "no" | "0" => Some(false),
            _ => None,
        },
        Value::Number(number) => number.as_u64().and_then(|number| match number {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }),
        _ => None,
    }
}

/// A list of entities: names, or objects with a name and a kind.
pub(crate) fn entities(value: &Value) -> Option<Vec<EntityMention>> {
    let items = list(value)?;
    items
        .iter()
        .filter(|item| !is_absent(item))
        .map(|item| match item {
            Value::Object(object) => Some(EntityMention {
                name: first(object, &["name", "entity", "id"])?,
                kind: first(object, &["kind", "type", "entity_type", "entityType"]),
            }),
            other => Some(EntityMention {
                name: text(other)?.trim().to_owned(),
                kind: None,
            }),
        })
        .collect()
}

/// A list of relations: objects, or triples.
pub(crate) fn relations(value: &Value) -> Option<Vec<RelationMention>> {
    let items = list(value)?;
    // One triple that is not in a list.
    if let [Value::String(_), Value::String(_), Value::String(_)] = items.as_slice()
        && value.is_array()
    {
        return Some(vec![relation(value)?]);
    }
    items.iter().map(relation).collect()
}

fn relation(value: &Value) -> Option<RelationMention> {
    match value {
        Value::Object(object) => Some(RelationMention {
            from: first(object, &["from", "source", "subject", "head"])?,
            relation: first(
                object,
                &[
                    "relation",
                    "type",
                    "relationType",
                    "relation_type",
                    "predicate",
                    "verb",
                    "label",
                ],
            )?,
            to: first(object, &["to", "target", "object", "tail"])?,
        }),
        Value::Array(triple) => match triple.as_slice() {
            [from, relation, to] => Some(RelationMention {
                from: name(from)?,
                relation: name(relation)?,
                to: name(to)?,
            }),
            _ => None,
        },
        _ => None,
    }
}

/// What the first of `names` that `object` has holds, where that is a text.
fn first(object: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|&key| name(object.get(key)?))
}

fn name(value: &Value) -> Option<String> {
    let text = text(value)?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// The parts of `a, b`; also of `['a', 'b']`, which is how Python writes a list.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let text = text.trim();
    let inner = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'));
    let quotes: &[char] = if inner.is_some() { &['\'', '"'] } else { &[] };
    inner
        .unwrap_or(text)
        .split(',')
        .map(move |part| part.trim().trim_matches(quotes))
        .filter(|part| !part.is_empty())
}

/// 12.0 is 12. Beyond 2^53 a float does not say which number was meant.
fn whole(number: f64) -> Option<u64> {
    const WHOLE_MAX: f64 = 9_007_199_254_740_992.0; // 2^53
    if number.fract() != 0.0 || !(0.0..=WHOLE_MAX).contains(&number) {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole, not negative, and at most 2^53"
    )]
    Some(number as u64)
}

#[cfg(test)]
pub(in crate::mcp) mod tests;
