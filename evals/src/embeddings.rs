//! Where vectors come from: the model, a cache of what it gave before, or reference files.

mod cache;
mod cached_embedder;
mod model_vectors;
mod npy;
mod reference;
mod text_vectors;
mod tokens;

pub(crate) use cached_embedder::CachedEmbedder;
pub(crate) use model_vectors::ModelVectors;
pub(crate) use reference::ReferenceVectors;
pub(crate) use text_vectors::{TextVectors, UnitVector};
pub(crate) use tokens::Tokens;
