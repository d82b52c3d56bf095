//! Why a text could not be embedded, by what the caller can do about it.

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {}
