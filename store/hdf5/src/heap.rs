//! The three heaps of the format: where names, long values and dense storage are kept.

pub(crate) mod fractal;
pub(crate) mod fractal_write;
pub(crate) mod global;
pub(crate) mod local;
