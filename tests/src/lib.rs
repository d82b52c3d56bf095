//! What no one crate can hold: the built program driven as its users drive it.
//!
//! A harness, not a product: every function panics, with what it saw, where the program or the
//! repository is not as it should be. It knows the program by its pipes alone, never by its crates.

#![expect(
    clippy::missing_panics_doc,
    reason = "a panic is how a test harness tells that the program is wrong; see the crate's page"
)]

mod repository;
mod rust_source;

pub use repository::{Dependency, DependencyKind, Package, Repository};
pub use rust_source::RustSource;
