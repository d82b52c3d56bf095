//! `config.json`: the sizes of a BERT model. It knows nothing of weights or tokens.

use std::path::Path;

use serde::Deserialize;

use crate::Error;
use crate::model_folder::{CONFIG_NAME, read_file};

/// The published one has 612 bytes.
const CONFIG_LEN_MAX_BYTES: u64 = 1 << 20;

/// What shapes a BERT model, by the names of the file.
///
/// Every value has been checked: no size is 0, the heads divide the hidden size.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct BertConfig {
    model_type: String,
    hidden_act: String,
    position_embedding_type: Option<String>,
    pub(crate) vocab_size: usize,
    pub(crate) hidden_size: usize,
    pub(crate) num_hidden_layers: usize,
    pub(crate) num_attention_heads: usize,
    pub(crate) intermediate_size: usize,
    pub(crate) max_position_embeddings: usize,
    pub(crate) type_vocab_size: usize,
    pub(crate) layer_norm_eps: f64,
}

impl BertConfig {
    /// Reads and checks `config.json`.
    ///
    /// # Errors
    ///
    /// [`Error::Config`] where it is not JSON or lacks a setting, [`Error::Setting`] where a value
    /// will not do; those of reading.
    pub(crate) fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(CONFIG_NAME);
        let bytes = read_file(&path, CONFIG_LEN_MAX_BYTES)?;
        let config: Self = serde_json::from_slice(&bytes).map_err(|source| Error::Config {
            path: path.clone(),
            source,
        })?;
        match config.unfit_setting() {
            None => Ok(config),
            Some((setting, found, expected)) => Err(Error::Setting {
                path,
                setting,
                found,
                expected,
            }),
        }
    }

    /// The first setting for which there is no model here: its name, its value, what would do.
    fn unfit_setting(&self) -> Option<(&'static str, String, &'static str)> {
        for (setting, found, expected) in [
            ("model_type", self.model_type.as_str(), "bert"),
            ("hidden_act", self.hidden_act.as_str(), "gelu"),
            (
                "position_embedding_type",
                self.position_embedding_type
                    .as_deref()
                    .unwrap_or("absolute"),
                "absolute",
            ),
        ] {
            if found != expected {
                return Some((setting, format!("{found:?}"), expected));
            }
        }
        for (setting, found) in [
            ("vocab_size", self.vocab_size),
            ("hidden_size", self.hidden_size),
            ("num_hidden_layers", self.num_hidden_layers),
            ("num_attention_heads", self.num_attention_heads),
            ("intermediate_size", self.intermediate_size),
            ("max_position_embeddings", self.max_position_embeddings),
            ("type_vocab_size", self.type_vocab_size),
        ] {
            if found == 0 {
                return Some((setting, found.to_string(), "at least 1"));
            }
        }
        if !self.hidden_size.is_multiple_of(self.num_attention_heads) {
            let found = self.num_attention_heads.to_string();
            return Some(("num_attention_heads", found, "a divisor of hidden_size"));
        }
        if !(self.layer_norm_eps.is_finite() && self.layer_norm_eps > 0.0) {
            let found = self.layer_norm_eps.to_string();
            return Some(("layer_norm_eps", found, "a number above 0"));
        }
        None
    }
}
