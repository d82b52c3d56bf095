//! Reads the fields of an answer's structure. What is absent reads as empty.

use serde_json::Value;

/// A text field.
pub(crate) fn text<'a>(structure: &'a Value, name: &str) -> &'a str {
    structure.get(name).and_then(Value::as_str).unwrap_or("")
}

/// A whole number.
pub(crate) fn count(structure: &Value, name: &str) -> u64 {
    structure.get(name).and_then(Value::as_u64).unwrap_or(0)
}

/// A number.
pub(crate) fn number(structure: &Value, name: &str) -> f64 {
    structure.get(name).and_then(Value::as_f64).unwrap_or(0.0)
}

/// A list.
pub(crate) fn list<'a>(structure: &'a Value, name: &str) -> &'a [Value] {
    let list = structure.get(name).and_then(Value::as_array);
    list.map_or(&[], Vec::as_slice)
}

/// A list of texts, joined.
pub(crate) fn joined(structure: &Value, name: &str) -> String {
    let texts = list(structure, name).iter().filter_map(Value::as_str);
    texts.collect::<Vec<_>>().join(", ")
}

/// A moment in RFC 3339, shortened for people: its date, and its time where it is not midnight.
pub(crate) fn moment(rfc3339: &str) -> String {
    match (rfc3339.get(..10), rfc3339.get(11..16)) {
        (Some(date), Some("00:00")) => date.to_owned(),
        (Some(date), Some(time)) => format!("{date} {time}"),
        _ => rfc3339.to_owned(),
    }
}
