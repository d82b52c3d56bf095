//! A text's vectors do not depend on what it was embedded with.

use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::LazyLock;

use palimpsest_embed::{Embedder, MiniLm, MiniLmOptions, Window, Windowing};
use proptest::prelude::*;

use crate::published_model;
use crate::small_model::{SmallModel, WORDS};

/// Bitwise: also -0.0 from 0.0.
fn bits(windows: &[Window]) -> Vec<(u32, u32, Vec<u32>)> {
    windows
        .iter()
        .map(|window| {
            let embedding = window
                .embedding
                .iter()
                .map(|value| value.to_bits())
                .collect();
            (window.token_start, window.token_count, embedding)
        })
        .collect()
}

fn check_alone_equals_together(model: &MiniLm, texts: &[&str]) {
    let together = model.embed(texts).unwrap();
    assert_eq!(together.len(), texts.len());
    for (text, windows) in texts.iter().zip(&together) {
        let alone = model.embed(&[text]).unwrap().concat();
        assert_eq!(bits(&alone), bits(windows), "{text:?}");
    }
}

static SMALL_MODEL: LazyLock<MiniLm> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    SmallModel::new(7).write(folder.path());
    MiniLm::load(folder.path()).unwrap()
});

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn a_text_embeds_the_same_alone_and_in_a_batch_and_in_order(
        n_words in prop::collection::vec(prop_oneof![0..12_usize, 240..270_usize, 600..700_usize], 0..8),
        first_word_idx in 0..WORDS.len(),
    ) {
        let texts: Vec<String> = n_words
            .iter()
            .enumerate()
            .map(|(text_idx, &n_words)| {
                let word = WORDS[(first_word_idx + text_idx) % WORDS.len()];
                [word].repeat(n_words).join(" ")
            })
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        check_alone_equals_together(&SMALL_MODEL, &texts);
    }
}

/// The golden texts of at most `len_max_bytes`: of every kind, without the longest.
fn golden_texts(len_max_bytes: usize) -> Vec<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden/texts.json");
    let golden: Vec<serde_json::Value> = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let texts = golden
        .iter()
        .map(|entry| entry["text"].as_str().unwrap().to_owned());
    texts.filter(|text| text.len() <= len_max_bytes).collect()
}

#[test]
fn the_published_model_embeds_a_text_the_same_alone_and_in_a_batch() {
    let Some(model) = published_model::load() else {
        return;
    };
    let texts = golden_texts(1_300);
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    check_alone_equals_together(&model, &texts);
}

#[test]
fn the_number_of_threads_does_not_show_in_a_vector() {
    let Some(folder) = published_model::folder() else {
        return;
    };
    let texts = golden_texts(1_300);
    let texts: Vec<&str> = texts.iter().map(String::as_str).step_by(5).collect();
    let [one, three] = [1, 3].map(|n_threads| {
        let n_threads = NonZeroUsize::new(n_threads).unwrap();
        let options = MiniLmOptions {
            windowing: Windowing::Overlapping,
            n_threads,
        };
        let model = MiniLm::load_with(&folder, options).unwrap();
        model.embed(&texts).unwrap()
    });
    for (text, (one, three)) in texts.iter().zip(one.iter().zip(&three)) {
        assert_eq!(bits(one), bits(three), "{text:?}");
    }
}
