//! Folders with small BERT models of random weights: for what must hold of any weights, and for
//! damage.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use candle_core::{Device, Tensor};
use serde_json::{Value, json};

const HIDDEN: usize = 8;
const INTERMEDIATE: usize = 16;
const POSITIONS: usize = 300;
const LAYERS: usize = 2;
pub(crate) const WORDS: [&str; 8] = [
    "boat", "harbour", "lamp", "ledger", "fish", "soup", "ink", "winter",
];

/// The model as values, to be changed before it is written.
#[derive(Debug)]
pub(crate) struct SmallModel {
    pub(crate) config: Value,
    pub(crate) tokenizer: Value,
    pub(crate) tensors: HashMap<String, Tensor>,
}

impl SmallModel {
    pub(crate) fn new(seed: u64) -> Self {
        let vocabulary = vocabulary();
        let config = json!({
            "model_type": "bert", "hidden_act": "gelu", "layer_norm_eps": 1e-12,
            "vocab_size": vocabulary.len(), "hidden_size": HIDDEN, "num_attention_heads": 2,
            "num_hidden_layers": LAYERS, "intermediate_size": INTERMEDIATE,
            "max_position_embeddings": POSITIONS, "type_vocab_size": 2,
        });
        let tensors = tensors(vocabulary.len(), seed);
        Self {
            config,
            tokenizer: tokenizer(&vocabulary),
            tensors,
        }
    }

    pub(crate) fn write(&self, folder: &Path) {
        fs::write(folder.join("config.json"), self.config.to_string()).unwrap();
        fs::write(folder.join("tokenizer.json"), self.tokenizer.to_string()).unwrap();
        candle_core::safetensors::save(&self.tensors, folder.join("model.safetensors")).unwrap();
    }
}

/// The special tokens, each letter alone and within a word, and a few words.
fn vocabulary() -> Vec<String> {
    let special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"].map(str::to_owned);
    let letters = ('a'..='z').flat_map(|letter| [letter.to_string(), format!("##{letter}")]);
    special
        .into_iter()
        .chain(letters)
        .chain(WORDS.map(str::to_owned))
        .collect()
}

/// Cuts and pads as the published one does, which must not show.
fn tokenizer(vocabulary: &[String]) -> Value {
    let ids: HashMap<_, _> = vocabulary.iter().zip(0..).collect::<HashMap<_, i32>>();
    let added: Vec<_> = vocabulary[..4]
        .iter()
        .zip(0..)
        .map(|(content, id)| {
            json!({ "id": id, "content": content, "special": true, "single_word": false,
                    "lstrip": false, "rstrip": false, "normalized": false })
        })
        .collect();
    json!({
        "version": "1.0",
        "truncation": { "max_length": 128, "strategy": "LongestFirst", "stride": 0 },
        "padding": { "strategy": { "Fixed": 128 }, "direction": "Right", "pad_id": 0,
                     "pad_to_multiple_of": null, "pad_type_id": 0, "pad_token": "[PAD]" },
        "added_tokens": added,
        "normalizer": { "type": "BertNormalizer", "clean_text": true, "lowercase": true,
                        "handle_chinese_chars": true, "strip_accents": null },
        "pre_tokenizer": { "type": "BertPreTokenizer" },
        "post_processor": null,
        "decoder": null,
        "model": { "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                   "max_input_chars_per_word": 100, "vocab": ids },
    })
}

fn tensors(n_tokens: usize, seed: u64) -> HashMap<String, Tensor> {
    let mut shapes = vec![
        (
            "embeddings.word_embeddings.weight".to_owned(),
            vec![n_tokens, HIDDEN],
        ),
        (
            "embeddings.position_embeddings.weight".to_owned(),
            vec![POSITIONS, HIDDEN],
        ),
        (
            "embeddings.token_type_embeddings.weight".to_owned(),
            vec![2, HIDDEN],
        ),
        ("embeddings.LayerNorm.weight".to_owned(), vec![HIDDEN]),
        ("embeddings.LayerNorm.bias".to_owned(), vec![HIDDEN]),
    ];
    for layer_idx in 0..LAYERS {
        for (part, weight_shape) in [
            ("attention.self.query", vec![HIDDEN, HIDDEN]),
            ("attention.self.key", vec![HIDDEN, HIDDEN]),
            ("attention.self.value", vec![HIDDEN, HIDDEN]),
            ("attention.output.dense", vec![HIDDEN, HIDDEN]),
            ("attention.output.LayerNorm", vec![HIDDEN]),
            ("intermediate.dense", vec![INTERMEDIATE, HIDDEN]),
            ("output.dense", vec![HIDDEN, INTERMEDIATE]),
            ("output.LayerNorm", vec![HIDDEN]),
        ] {
            let name = format!("encoder.layer.{layer_idx}.{part}");
            shapes.push((format!("{name}.bias"), vec![weight_shape[0]]));
            shapes.push((format!("{name}.weight"), weight_shape));
        }
    }
    let mut state = seed;
    let mut next = || {
        // Knuth's MMIX generator; its upper half, from -1 to 1.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        f64::from(u32::try_from(state >> 32).unwrap()) / f64::from(u32::MAX) * 2.0 - 1.0
    };
    shapes
        .into_iter()
        .map(|(name, shape)| {
            let values: Vec<f64> = (0..shape.iter().product()).map(|_| next()).collect();
            let tensor = Tensor::from_vec(values, shape, &Device::Cpu).unwrap();
            (name, tensor.to_dtype(candle_core::DType::F32).unwrap())
        })
        .collect()
}
