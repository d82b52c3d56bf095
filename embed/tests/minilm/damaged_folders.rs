//! A folder that is not a whole model: an error that names the file, never a panic.

use std::error::Error as _;
use std::fs;
use std::path::Path;

use candle_core::{DType, Device, Tensor};
use palimpsest_embed::{Embedder, Error, MiniLm, MiniLmOptions, Windowing};
use proptest::prelude::*;
use serde_json::json;

use crate::small_model::{SmallModel, WORDS};

const WEIGHTS: &str = "model.safetensors";
const TOKENIZER: &str = "tokenizer.json";
const CONFIG: &str = "config.json";

/// The error and what lies beneath it.
fn told(error: &Error) -> String {
    let mut told = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        told = format!("{told}: {error}");
        source = error.source();
    }
    told
}

fn check(folder: &Path, expect: &str) {
    let told = told(&MiniLm::load(folder).unwrap_err());
    assert!(told.contains(expect), "expected {expect:?} in {told:?}");
}

fn check_changed_model(change: impl FnOnce(&mut SmallModel), expect: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mut model = SmallModel::new(3);
    change(&mut model);
    model.write(folder.path());
    check(folder.path(), expect);
}

fn check_changed_files(change: impl FnOnce(&Path), expect: &str) {
    let folder = tempfile::tempdir().unwrap();
    SmallModel::new(3).write(folder.path());
    change(folder.path());
    check(folder.path(), expect);
}

fn truncate(path: &Path, len_bytes: impl FnOnce(usize) -> usize) {
    let bytes = fs::read(path).unwrap();
    fs::write(path, &bytes[..len_bytes(bytes.len())]).unwrap();
}

#[test]
fn an_undamaged_small_model_loads() {
    let folder = tempfile::tempdir().unwrap();
    SmallModel::new(3).write(folder.path());
    assert_eq!(MiniLm::load(folder.path()).unwrap().embedding_len(), 8);
}

#[test]
fn a_missing_or_unreadable_file_is_named() {
    for name in [WEIGHTS, TOKENIZER, CONFIG] {
        let missing = format!("{name} is missing (`palimpsest model fetch` gets the model)");
        check_changed_files(
            |folder| fs::remove_file(folder.join(name)).unwrap(),
            &missing,
        );
        let replace_by_folder = |folder: &Path| {
            fs::remove_file(folder.join(name)).unwrap();
            fs::create_dir(folder.join(name)).unwrap();
        };
        check_changed_files(replace_by_folder, &format!("{name} is not a regular file"));
    }
    check(Path::new("/no/such/folder"), "config.json is missing");
}

#[test]
fn damaged_weights_are_refused() {
    let weights = |change: fn(&Path)| move |folder: &Path| change(&folder.join(WEIGHTS));
    let not_whole = "bytes) is not a whole safetensors file";
    check_changed_files(
        weights(|path| truncate(path, |_| 0)),
        "model.safetensors (0 bytes)",
    );
    check_changed_files(weights(|path| truncate(path, |_| 7)), not_whole);
    check_changed_files(weights(|path| truncate(path, |_| 100)), not_whole);
    check_changed_files(weights(|path| truncate(path, |len| len / 2)), not_whole);
    check_changed_files(weights(|path| truncate(path, |len| len - 1)), not_whole);
    let longer =
        weights(|path| fs::write(path, [fs::read(path).unwrap(), vec![0]].concat()).unwrap());
    check_changed_files(longer, not_whole);
    check_changed_files(
        weights(|path| fs::write(path, [0xff; 64]).unwrap()),
        not_whole,
    );
}

#[test]
fn weights_of_another_model_are_refused() {
    const QUERY: &str = "encoder.layer.1.attention.self.query.weight";
    let replaced = |tensor: Tensor| {
        move |model: &mut SmallModel| {
            model.tensors.insert(QUERY.to_owned(), tensor);
        }
    };
    let ones = |shape: &[usize], dtype| Tensor::ones(shape, dtype, &Device::Cpu).unwrap();
    check_changed_model(
        |model| assert!(model.tensors.remove(QUERY).is_some()),
        &format!("model.safetensors lacks tensor {QUERY}"),
    );
    check_changed_model(
        replaced(ones(&[8, 9], DType::F32)),
        &format!("tensor {QUERY} has shape [8, 9] where the configuration says [8, 8]"),
    );
    check_changed_model(replaced(ones(&[64], DType::F32)), "has shape [64]");
    check_changed_model(replaced(ones(&[], DType::F32)), "has shape []");
    check_changed_model(replaced(ones(&[0, 8], DType::F32)), "has shape [0, 8]");
    check_changed_model(
        replaced(ones(&[8, 8], DType::F16)),
        "holds F16 where f32 is needed",
    );
    check_changed_model(
        replaced(ones(&[8, 8], DType::I64)),
        "holds I64 where f32 is needed",
    );
}

#[test]
fn weights_that_are_no_numbers_are_refused() {
    for value in [f32::NAN, f32::INFINITY, f32::MAX] {
        let spoil = |model: &mut SmallModel| {
            let spoilt = Tensor::full(value, (16, 8), &Device::Cpu).unwrap();
            model.tensors.insert(
                "encoder.layer.0.intermediate.dense.weight".to_owned(),
                spoilt,
            );
        };
        check_changed_model(spoil, "model.safetensors gives vectors that are not finite");
    }
}

#[test]
fn a_word_whose_weights_are_no_numbers_is_refused_and_the_others_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut model = SmallModel::new(3);
    let name = "embeddings.word_embeddings.weight";
    let mut rows = model.tensors[name].to_vec2::<f32>().unwrap();
    rows.last_mut().unwrap()[5] = f32::NAN; // the last word's
    model
        .tensors
        .insert(name.to_owned(), Tensor::new(rows, &Device::Cpu).unwrap());
    model.write(folder.path());
    let model = MiniLm::load(folder.path()).unwrap();
    assert!(model.embed(&[WORDS[0]]).is_ok());
    let refused = model.embed(&[WORDS[0], WORDS[7]]).unwrap_err();
    assert!(
        told(&refused).contains("model.safetensors gives vectors that are not"),
        "{refused}"
    );
}

#[test]
fn a_configuration_that_is_no_bert_models_is_refused() {
    let refused = "config.json is not a model's configuration";
    for (bytes, expect) in [
        (b"".to_vec(), refused),
        (b"{\"model_type\": \"bert\"".to_vec(), refused),
        (b"[]".to_vec(), refused),
        (b"\xff\xfe".to_vec(), refused),
        (vec![b'['; 100_000], refused),
        (
            vec![b' '; (1 << 20) + 1],
            "config.json has 1048577 bytes, more than",
        ),
    ] {
        check_changed_files(
            |folder| fs::write(folder.join(CONFIG), bytes).unwrap(),
            expect,
        );
    }
    for (setting, value, expect) in [
        ("hidden_size", json!(null), refused),
        ("hidden_size", json!(-8), refused),
        ("hidden_size", json!(8.5), refused),
        (
            "hidden_size",
            json!(0),
            "hidden_size is 0, but at least 1 is needed",
        ),
        ("hidden_size", json!(12), "has shape"),
        ("hidden_size", json!(u64::MAX - 1), "has shape"),
        (
            "num_attention_heads",
            json!(3),
            "num_attention_heads is 3, but a divisor of hidden_size",
        ),
        ("num_attention_heads", json!(0), "num_attention_heads is 0"),
        ("num_hidden_layers", json!(0), "num_hidden_layers is 0"),
        (
            "num_hidden_layers",
            json!(3),
            "lacks tensor encoder.layer.2.",
        ),
        (
            "num_hidden_layers",
            json!(u64::MAX),
            "lacks tensor encoder.layer.2.",
        ),
        ("intermediate_size", json!(u64::MAX), "has shape"),
        ("max_position_embeddings", json!(301), "has shape"),
        (
            "max_position_embeddings",
            json!(255),
            "a window of 256 tokens is not within 3..=255",
        ),
        ("type_vocab_size", json!(0), "type_vocab_size is 0"),
        ("vocab_size", json!(u64::MAX), "tokens where the model has"),
        ("layer_norm_eps", json!(-1.0), "layer_norm_eps is -1"),
        (
            "model_type",
            json!("roberta"),
            "model_type is \"roberta\", but bert is needed",
        ),
        ("hidden_act", json!("relu"), "hidden_act is \"relu\""),
        (
            "position_embedding_type",
            json!("relative_key"),
            "position_embedding_type is",
        ),
    ] {
        check_changed_model(|model| model.config[setting] = value, expect);
    }
}

#[test]
fn a_tokenizer_of_another_model_is_refused() {
    let refused = "tokenizer.json is not a tokenizer of a BERT model";
    let tokenizer = |change: fn(&Path)| move |folder: &Path| change(&folder.join(TOKENIZER));
    check_changed_files(tokenizer(|path| truncate(path, |_| 0)), refused);
    check_changed_files(tokenizer(|path| truncate(path, |len| len - 1)), refused);
    check_changed_files(tokenizer(|path| fs::write(path, "{}").unwrap()), refused);
    check_changed_model(
        |model| model.tokenizer["model"]["type"] = json!("BPE"),
        "model.type is",
    );
    check_changed_model(|model| model.tokenizer["normalizer"] = json!(null), refused);
    check_changed_model(
        |model| model.tokenizer["normalizer"] = json!({ "type": "Lowercase" }),
        "tokenizer.json: normalizer.type is \"Lowercase\", but BertNormalizer is needed",
    );
    check_changed_model(
        |model| model.tokenizer["pre_tokenizer"]["type"] = json!("Whitespace"),
        "pre_tokenizer.type is",
    );
    check_changed_model(
        |model| model.tokenizer["model"]["vocab"]["quay"] = json!(64),
        "tokenizer.json has 65 tokens where the model has 64",
    );
    check_changed_model(
        |model| model.tokenizer["model"]["vocab"] = json!([]),
        refused,
    );
    check_changed_model(
        |model| {
            // Not under its name, neither among the words nor among the added tokens.
            let vocabulary = model.tokenizer["model"]["vocab"].as_object_mut().unwrap();
            let id = vocabulary.remove("[CLS]").unwrap();
            vocabulary.insert("quay".to_owned(), id);
            model.tokenizer["added_tokens"]
                .as_array_mut()
                .unwrap()
                .remove(2);
        },
        "tokenizer.json has no token [CLS]",
    );
}

#[test]
fn a_token_that_the_model_does_not_have_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut model = SmallModel::new(3);
    model.tokenizer["model"]["vocab"]["winter"] = json!(u32::MAX);
    model.write(folder.path());
    let model = MiniLm::load(folder.path()).unwrap();
    let refused = told(&model.embed(&["winter"]).unwrap_err());
    assert!(
        refused.contains("tokenizer.json has 4294967296 tokens where"),
        "{refused}"
    );
}

#[test]
fn a_window_that_the_model_cannot_take_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    SmallModel::new(3).write(folder.path());
    for (tokens_max, is_taken) in [(0, false), (2, false), (3, true), (300, true), (301, false)] {
        let windowing = Windowing::Cut { tokens_max };
        let options = MiniLmOptions {
            windowing,
            ..MiniLmOptions::standard()
        };
        let loaded = MiniLm::load_with(folder.path(), options);
        assert_eq!(loaded.is_ok(), is_taken, "{tokens_max}");
        if let Ok(model) = loaded {
            model.embed(&[&"ink ".repeat(400)]).unwrap();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_in_place_of_a_file_are_refused(
        name in prop::sample::select(vec![WEIGHTS, TOKENIZER, CONFIG]),
        bytes in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        check_changed_files(|folder| fs::write(folder.join(name), bytes).unwrap(), name);
    }

    #[test]
    fn a_safetensors_header_that_lies_never_panics(
        header_len in prop_oneof![0..200_u64, any::<u64>()],
        start in 0..10_000_u64, end in prop_oneof![0..10_000_u64, any::<u64>()],
        rows in prop_oneof![0..100_u64, any::<u64>()],
    ) {
        let header = json!({ "embeddings.word_embeddings.weight":
            { "dtype": "F32", "shape": [rows, 8], "data_offsets": [start, end] } }).to_string();
        for header_len in [header_len, header.len() as u64] {
            let bytes = [&header_len.to_le_bytes()[..], header.as_bytes(), &[0; 4096]].concat();
            check_changed_files(|folder| fs::write(folder.join(WEIGHTS), bytes).unwrap(), WEIGHTS);
        }
    }

    #[test]
    fn a_changed_byte_anywhere_never_panics(
        name in prop::sample::select(vec![WEIGHTS, TOKENIZER, CONFIG]),
        place in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        SmallModel::new(3).write(folder.path());
        let mut bytes = fs::read(folder.path().join(name)).unwrap();
        *place.get_mut(&mut bytes) = byte;
        fs::write(folder.path().join(name), bytes).unwrap();
        if let Ok(model) = MiniLm::load(folder.path()) {
            // Changed, it may work or be refused.
            drop(model.embed(&["", "boat lamp zzz [SEP] winter", &"ink ".repeat(300)]));
        }
    }
}
