//! The tools' everyday uses, in a line each; what is odd is called by [`Server::call`].
//!
//! It knows the names of arguments and answers, and nothing of how the server comes by them.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{Server, until};

/// The most ids of one recall: texts of a kilobyte fit the greatest budget.
const RECALL_MAX: usize = 20;

/// A memory, as `recall` answers it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// Its id.
    pub id: String,
    /// Its text.
    pub text: String,
}

impl Server {
    /// Keeps one text that is new, and answers its id.
    pub fn remember(&mut self, text: &str) -> String {
        let answer = self.call("remember", &json!({"text": text}));
        kept_ids(answer.value()).remove(0)
    }

    /// What a query finds, best first.
    pub fn recall(&mut self, query: &str) -> Vec<Found> {
        let answer = self.call("recall", &json!({"query": query}));
        found(answer.value())
    }

    /// The memories of these ids that are visible, by id.
    pub fn recall_ids(&mut self, ids: &[String]) -> Vec<Found> {
        let mut all = Vec::new();
        for part in ids.chunks(RECALL_MAX) {
            let arguments = json!({"ids": part, "limit": RECALL_MAX, "max_tokens": 10_000});
            let answer = self.call("recall", &arguments);
            assert_eq!(
                answer.value()["omitted"],
                0,
                "the budget is too small: {}",
                answer.text()
            );
            all.extend(found(answer.value()));
        }
        all.sort();
        all
    }

    /// Retires memories.
    pub fn forget(&mut self, ids: &[&str]) -> Value {
        self.call("forget", &json!({"ids": ids})).value().clone()
    }

    /// The figures of the memory.
    pub fn status(&mut self) -> Value {
        let answer = self.call("maintain", &json!({"action": "status"}));
        answer.value().clone()
    }

    /// Waits until the model answers and every memory has its vector.
    pub fn wait_until_embedded(&mut self, limit: Duration) {
        until("every memory has its vector", limit, || {
            let status = self.status();
            let is_ready = status["model"]["state"] == "ready";
            (is_ready && status["without_vector"] == 0).then_some(())
        });
    }
}

/// The ids of what a `remember` kept, in the order of its items.
pub fn kept_ids(remembered: &Value) -> Vec<String> {
    let items = remembered["items"]
        .as_array()
        .expect("an answer for each item");
    let id = |item: &Value| item["id"].as_str().map(str::to_owned);
    let ids: Option<Vec<_>> = items.iter().map(id).collect();
    ids.unwrap_or_else(|| panic!("something was not kept: {remembered}"))
}

/// The hits of a `recall`, best first.
pub fn found(recalled: &Value) -> Vec<Found> {
    let hits = recalled["hits"].as_array().expect("recall answers hits");
    let text = |hit: &Value, name: &str| hit[name].as_str().unwrap_or_default().to_owned();
    hits.iter()
        .map(|hit| Found {
            id: text(hit, "id"),
            text: text(hit, "text"),
        })
        .collect()
}
