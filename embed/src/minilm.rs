//! all-MiniLM-L6-v2 by candle.

use std::path::Path;

use crate::{Embedder, Error, Window};

/// The model, loaded: 6 layers, 384 wide, masked mean pooling, unit length.
#[derive(Debug)]
pub struct MiniLm {}

#[expect(clippy::todo, unused_variables, reason = "filled in with the model")]
impl MiniLm {
    /// Loads the model from a folder with `model.safetensors`, `tokenizer.json` and `config.json`.
    ///
    /// # Errors
    ///
    /// Names the file that is missing or damaged.
    pub fn load(folder: &Path) -> Result<Self, Error> {
        todo!()
    }
}

#[expect(clippy::todo, unused_variables, reason = "filled in with the model")]
impl Embedder for MiniLm {
    fn model_id(&self) -> [u8; 32] {
        todo!()
    }
    fn embedding_len(&self) -> usize {
        todo!()
    }
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<Window>>, Error> {
        todo!()
    }
}
