//! Vector search: kernels and the exact versioned index.
//!
//! It knows nothing of files or text. A row is a vector with an owner and a lifespan in commits.

mod error;
mod vector;

pub use error::Error;
pub use vector::{DIM_MAX, check_vector};
