//! The settings of the memory under test, by name: the defaults, a file, and single values over it.
//!
//! Every field of [`Settings`] is there under its own name (`fusion.vector_weight`), whatever fields
//! there are: the names are those that it is written down with.

use std::fs;
use std::path::Path;

use clap::ValueEnum;
use palimpsest_memory::Settings;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::Error;

/// Where a turn's speaker goes.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, ValueEnum, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SpeakerIn {
    /// Into the memory's `source`; the text is what was said, verbatim.
    #[default]
    Source,
    /// Into the text, before what was said: "Ada: The key hangs here."
    Text,
}

/// The default settings, with the values of a TOML file over them, and `name=value` over those.
pub(crate) fn chosen_settings(file: Option<&Path>, sets: &[String]) -> Result<Settings, Error> {
    let mut tree = written(&Settings::default())?;
    let mut named = Vec::new();
    if let Some(path) = file {
        let text = fs::read_to_string(path).map_err(Error::io("read", path))?;
        let values: Value = toml::from_str(&text).map_err(|error| Error::Setting {
            name: path.display().to_string(),
            value: "read".to_owned(),
            reason: error.to_string(),
        })?;
        leaves(String::new(), &values, &mut named);
    }
    for set in sets {
        let (name, value) = set.split_once('=').ok_or_else(|| Error::Setting {
            name: set.clone(),
            value: "nothing".to_owned(),
            reason: "write NAME=VALUE".to_owned(),
        })?;
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
        named.push((name.trim().to_owned(), value));
    }
    for (name, value) in &named {
        put(&mut tree, name, value.clone());
    }
    let read: Result<Settings, _> = serde_json::from_value(tree);
    let all = || {
        let shown = named.iter().map(|(name, value)| format!("{name}={value}"));
        shown.collect::<Vec<_>>().join(" ")
    };
    let settings = read.map_err(|error| Error::Setting {
        name: "settings".to_owned(),
        value: all(),
        reason: error.to_string(),
    })?;
    // A name that no field has is not in what is written down again.
    let kept = written(&settings)?;
    for (name, value) in &named {
        if find(&kept, name).is_none() {
            let mut known = Vec::new();
            leaves(String::new(), &kept, &mut known);
            let known: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
            return Err(Error::Setting {
                name: name.clone(),
                value: value.to_string(),
                reason: format!("there are {}", known.join(", ")),
            });
        }
    }
    Ok(settings)
}

fn written(settings: &Settings) -> Result<Value, Error> {
    serde_json::to_value(settings).map_err(|error| Error::Setting {
        name: "settings".to_owned(),
        value: "written down".to_owned(),
        reason: error.to_string(),
    })
}

/// The values of a tree by their path.
fn leaves(path: String, value: &Value, found: &mut Vec<(String, Value)>) {
    let Value::Object(fields) = value else {
        found.push((path, value.clone()));
        return;
    };
    for (name, value) in fields {
        let path = if path.is_empty() {
            name.clone()
        } else {
            format!("{path}.{name}")
        };
        leaves(path, value, found);
    }
}

fn find<'a>(tree: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(tree, |tree, name| tree.get(name))
}

fn put(tree: &mut Value, path: &str, value: Value) {
    let mut place = tree;
    for name in path.split('.') {
        if !place.is_object() {
            *place = Value::Object(Map::new());
        }
        place = &mut place[name];
    }
    *place = value;
}

#[cfg(test)]
mod tests;
