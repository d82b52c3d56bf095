//! The arguments of a tool call, made from flags: what is absent is left out.

use serde_json::{Map, Value, json};

/// Arguments under their MCP names.
#[derive(Debug, Default)]
pub(super) struct Call(Map<String, Value>);

impl Call {
    /// Adds an argument where there is one.
    pub(super) fn with(mut self, name: &str, value: Option<impl Into<Value>>) -> Self {
        if let Some(value) = value {
            self.0.insert(name.to_owned(), value.into());
        }
        self
    }

    /// Adds a list where it is not empty.
    pub(super) fn with_list(mut self, name: &str, values: &[String]) -> Self {
        if !values.is_empty() {
            self.0.insert(name.to_owned(), json!(values));
        }
        self
    }

    /// The arguments.
    pub(super) fn into_map(self) -> Map<String, Value> {
        self.0
    }
}
