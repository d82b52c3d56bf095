//! Text to unit vectors, on this machine.
//!
//! It knows nothing of memory policy, stores or the network.

mod bert;
mod config;
mod device;
mod embedder;
mod error;
mod identity;
mod minilm;
mod model_folder;
mod pooling;
mod weights;
mod windowing;
mod word_pieces;

pub use embedder::{Embedder, Window};
pub use error::Error;
pub use minilm::{MiniLm, MiniLmOptions};
pub use model_folder::{MINILM_FILES, ModelFile, verify_folder};
pub use windowing::Windowing;
