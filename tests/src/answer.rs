//! What a tool answered: its two forms, which must say the same.

use serde_json::Value;

/// The answer of a tool.
#[derive(Debug, Clone)]
pub struct Answer {
    result: Value,
}

impl Answer {
    pub(crate) fn new(result: Value) -> Self {
        Self { result }
    }

    /// What the tool answered, where it did what was asked.
    pub fn value(&self) -> &Value {
        assert!(!self.is_refusal(), "the tool refuses: {}", self.text());
        let value = &self.result["structuredContent"];
        assert!(
            value.is_object(),
            "an answer has structured content: {}",
            self.result
        );
        value
    }

    /// What the tool says, where it did not do what was asked.
    pub fn refusal(&self) -> String {
        assert!(
            self.is_refusal(),
            "the tool should refuse and answers: {}",
            self.text()
        );
        self.text()
    }

    /// Whether the tool did not do what was asked.
    pub fn is_refusal(&self) -> bool {
        self.result["isError"].as_bool().unwrap_or(false)
    }

    /// The text that a model reads.
    pub fn text(&self) -> String {
        let content = self.result["content"].as_array();
        let texts = content
            .into_iter()
            .flatten()
            .filter_map(|part| part["text"].as_str());
        texts.collect::<Vec<_>>().join("\n")
    }

    /// What the caller is warned of.
    pub fn warnings(&self) -> Vec<&str> {
        let warnings = self.value()["warnings"].as_array();
        warnings
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect()
    }
}
