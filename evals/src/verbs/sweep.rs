//! Which weights, fusions and lengths a sweep goes through: `configs/sweeps/longmemeval.toml`.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::contract::FusionMethod;
use crate::embeddings::Tokens;
use crate::error::Error;
use crate::evaluation::{Hybrid, Plain, Retrieval, VectorList};

/// The sweep that comes with the program.
const BUILT_IN: &str = include_str!("../../../configs/sweeps/longmemeval.toml");

/// The values of a sweep; every combination is run.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sweep {
    vector_weights: Vec<f64>,
    tokens: Vec<Tokens>,
    fusions: Vec<FusionMethod>,
    lists: Vec<VectorList>,
}

impl Sweep {
    /// Reads the sweep at `path`, or the built-in one.
    pub(super) fn read(path: Option<&Path>) -> Result<Self, Error> {
        let text = match path {
            Some(path) => fs::read_to_string(path).map_err(Error::io("read", path))?,
            None => BUILT_IN.to_owned(),
        };
        let refused = |reason: String| Error::Setting {
            name: path.map_or("sweep".to_owned(), |path| path.display().to_string()),
            value: "read".to_owned(),
            reason,
        };
        let sweep: Self = toml::from_str(&text).map_err(|error| refused(error.to_string()))?;
        let in_range = |weight: &f64| (0.0..=1.0).contains(weight);
        if sweep.vector_weights.iter().all(in_range) {
            Ok(sweep)
        } else {
            Err(refused("weights are numbers from 0 to 1".to_owned()))
        }
    }

    /// Leaves out vectors of other lengths than `tokens`, where any are named.
    pub(super) fn only(mut self, tokens: &[Tokens]) -> Self {
        if !tokens.is_empty() {
            self.tokens.retain(|it| tokens.contains(it));
        }
        self
    }

    /// Every combination.
    pub(super) fn plains(&self) -> Vec<Plain> {
        let mut plains = Vec::new();
        for fusion in &self.fusions {
            for list in &self.lists {
                for tokens in &self.tokens {
                    let hybrids = self.vector_weights.iter().map(|vector_weight| Hybrid {
                        tokens: *tokens,
                        fusion: *fusion,
                        vector_weight: *vector_weight,
                        list: *list,
                    });
                    plains.extend(hybrids.map(|it| Plain::contract(Retrieval::Hybrid(it))));
                }
            }
        }
        plains
    }
}

#[cfg(test)]
mod tests;
