//! Where the published model is, and what holds of it alone.

use std::path::PathBuf;

use palimpsest_embed::{Embedder, MINILM_FILES, MiniLm, MiniLmOptions, Windowing, verify_folder};
use sha2::{Digest, Sha256};

/// The folder of the published model: `PALIMPSEST_MODEL`, or where `palimpsest model fetch` puts
/// it. `None`, and a word about it, where it is in neither.
pub(crate) fn folder() -> Option<PathBuf> {
    let named = std::env::var_os("PALIMPSEST_MODEL").map(PathBuf::from);
    if named.is_some() {
        return named;
    }
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?;
    let folder = cache.join("palimpsest/models/all-MiniLM-L6-v2");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!(
        "skipped: no model in {} and none named by PALIMPSEST_MODEL; `palimpsest model fetch` \
         gets it",
        folder.display()
    );
    None
}

/// The published model, loaded, or a word that it is not there.
pub(crate) fn load() -> Option<MiniLm> {
    folder().map(|folder| MiniLm::load(&folder).unwrap())
}

#[test]
fn the_published_files_are_the_pinned_ones() {
    if let Some(folder) = folder() {
        verify_folder(&folder).unwrap();
    }
}

#[test]
fn two_loads_give_the_same_identity_and_another_windowing_another() {
    let Some(folder) = folder() else { return };
    let (one, other) = (
        MiniLm::load(&folder).unwrap(),
        MiniLm::load(&folder).unwrap(),
    );
    assert_eq!(one.model_id(), other.model_id());
    let windowing = Windowing::Cut { tokens_max: 256 };
    let cut = MiniLm::load_with(
        &folder,
        MiniLmOptions {
            windowing,
            ..MiniLmOptions::standard()
        },
    );
    assert_ne!(one.model_id(), cut.unwrap().model_id());
}

#[test]
fn the_published_model_has_the_identity_that_its_pinned_files_give() {
    let Some(model) = load() else { return };
    let [weights, tokenizer, _] = MINILM_FILES;
    let text = format!(
        "palimpsest-embed 1\nweights {}\ntokenizer {}\nbert heads 12 gelu layer_norm_eps 1e-12 \
         mean pooling unit length windows of 256 tokens every 190\n",
        weights.sha256, tokenizer.sha256
    );
    assert_eq!(model.model_id()[..], Sha256::digest(text)[..]);
    assert_eq!(model.embedding_len(), 384);
}

#[test]
fn a_text_is_nearest_to_what_means_the_same() {
    let Some(model) = load() else { return };
    let texts = [
        "Where can I park my car?",
        "A place to leave the automobile",
        "The soup needs more salt",
        "She plays the cello in an orchestra",
    ];
    let vectors = model.embed(&texts).unwrap();
    let dot = |one: usize, other: usize| -> f32 {
        let pairs = vectors[one][0]
            .embedding
            .iter()
            .zip(&vectors[other][0].embedding);
        pairs.map(|(left, right)| left * right).sum()
    };
    assert!(dot(0, 1) > 0.4, "{}", dot(0, 1));
    assert!(
        dot(0, 2) < 0.2 && dot(0, 3) < 0.2,
        "{} {}",
        dot(0, 2),
        dot(0, 3)
    );
}
