//! Vector search: kernels and the exact versioned index.
//!
//! It knows nothing of files or text. A row is a vector with an owner and a lifespan in commits.
