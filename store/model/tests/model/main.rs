//! The model's runs: the rules hold within bounds, and each rule and each sync is there for a reason.

mod clean;
mod mistakes;
mod sequences;

use palimpsest_store_model::Bounds;

/// Everything at most once, but for what is said.
fn quiet() -> Bounds {
    Bounds {
        group_len_max: 1,
        ..Bounds::default()
    }
}
