//! The door of this room: anything that turns texts into unit vectors.

use std::fmt::Debug;

use crate::Error;

/// Turns texts into vectors.
pub trait Embedder: Debug + Send + Sync {
    /// The model's identity: SHA-256 over weights, tokenizer and pooling configuration.
    fn model_id(&self) -> [u8; 32];

    /// The length of every vector.
    fn embedding_len(&self) -> usize;

    /// Embeds `texts`, in order: for each at least one window.
    ///
    /// The result for a text does not depend on its neighbours.
    ///
    /// # Errors
    ///
    /// Where the model fails.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<Window>>, Error>;
}

/// One window of a text, and its vector.
#[derive(Debug, Clone, PartialEq)]
pub struct Window {
    /// The window's first token, counted without `[CLS]`.
    pub token_start: u32,
    /// Its tokens, counted without `[CLS]` and `[SEP]`.
    pub token_count: u32,
    /// Shape [`embedding_len`](Embedder::embedding_len), unit L2 length (within 1e-5).
    pub embedding: Vec<f32>,
}
