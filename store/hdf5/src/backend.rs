//! All file access behind one small trait, so that a crash is a small test double.

use std::fmt::Debug;

/// A file system.
pub trait Backend: Debug + Send + Sync {}
