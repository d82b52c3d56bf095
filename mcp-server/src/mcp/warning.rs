//! The memory's warnings, with the command that ends what they warn of.

use palimpsest_memory::Warning;

/// `warning` in a sentence for the model and its user.
pub(crate) fn sentence(warning: &Warning) -> String {
    match warning {
        Warning::ModelMissing => "there is no embedding model, so this was answered by keywords \
             alone: `palimpsest model fetch` gets it"
            .to_owned(),
        Warning::ModelUnusable { reason } => format!(
            "the embedding model cannot be used, so this was answered by keywords alone: {reason}; \
             `palimpsest model fetch` gets it again"
        ),
        Warning::ModelLoading => "the embedding model is still loading, so this was answered by \
             keywords alone"
            .to_owned(),
        Warning::NotYetEmbedded { n_memories } => {
            format!("{n_memories} memories have no vector yet and are found by keywords alone")
        }
        _ => "the memory warns of something that this server has no words for".to_owned(),
    }
}
