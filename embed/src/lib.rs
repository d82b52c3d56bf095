//! Text to unit vectors, on this machine.
//!
//! It knows nothing of memory policy, stores or the network.

mod embedder;
mod error;
mod minilm;
mod model_folder;

pub use embedder::{Embedder, Window};
pub use error::Error;
pub use minilm::MiniLm;
pub use model_folder::{MINILM_FILES, ModelFile, verify_folder};
