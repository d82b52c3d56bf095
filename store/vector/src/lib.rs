//! Vector search: kernels and the exact versioned index.
//!
//! It knows nothing of files or text. A row is a vector with an owner and a lifespan in commits.
//! [`FlatIndex`] answers exactly, by a scan of every visible row.

mod block;
mod error;
mod flat;
mod kernel;
mod lifespan;
mod nearest;
mod vector;

pub use error::Error;
pub use flat::{FlatIndex, RowRange};
pub use kernel::Kernel;
pub use lifespan::visible_at;
pub use nearest::Hit;
pub use vector::{DIM_MAX, check_vector};
