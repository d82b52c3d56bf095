//! The model: where tests find it, if this machine has it.

use std::path::PathBuf;

use crate::skipped;

/// The model's folder, as `PALIMPSEST_MODEL` names it; where there is none, `test` is told to be skipped.
pub fn model_or_skip(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("PALIMPSEST_MODEL").map(PathBuf::from);
    if folder.is_none() {
        skipped(
            test,
            "PALIMPSEST_MODEL names no model; `palimpsest model fetch` gets one",
        );
    }
    folder
}
