//! The vectors against those of `golden/reference.py`, which computes in f64 and on its own.

use std::fs;
use std::path::PathBuf;

use palimpsest_embed::Embedder;
use serde::Deserialize;

use crate::published_model;

/// What rounding to f32 costs in six layers, several times over.
const DIFFERENCE_MAX: f32 = 1e-6;

#[derive(Deserialize)]
struct Golden {
    name: String,
    text: String,
}

fn read(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("golden")
        .join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The rows of a C-ordered `.npy` file of f32, version 1.
fn npy_rows(bytes: &[u8], row_len: usize) -> Vec<Vec<f32>> {
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let header_len = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = String::from_utf8_lossy(&bytes[10..10 + header_len]);
    assert!(
        header.contains("'descr': '<f4', 'fortran_order': False"),
        "{header}"
    );
    let values: Vec<f32> = bytes[10 + header_len..]
        .chunks_exact(4)
        .map(|value| f32::from_le_bytes(value.try_into().unwrap()))
        .collect();
    values.chunks_exact(row_len).map(<[f32]>::to_vec).collect()
}

/// Of each window its text, first token and number of tokens.
fn golden_windows() -> Vec<(usize, u32, u32)> {
    let lines = String::from_utf8(read("windows.tsv")).unwrap();
    lines
        .lines()
        .skip(1)
        .map(|line| {
            let numbers: Vec<u32> = line
                .split('\t')
                .map(|field| field.parse().unwrap())
                .collect();
            (numbers[0] as usize, numbers[1], numbers[2])
        })
        .collect()
}

#[test]
fn vectors_are_those_of_the_reference_in_f64() {
    let Some(model) = published_model::load() else {
        return;
    };
    let golden: Vec<Golden> = serde_json::from_slice(&read("texts.json")).unwrap();
    let expected_windows = golden_windows();
    let expected_vectors = npy_rows(&read("vectors.npy"), 384);
    assert!(golden.len() >= 60 && expected_windows.len() == expected_vectors.len());

    let mut expected = expected_windows.into_iter().zip(expected_vectors);
    let mut worst = (0.0_f32, "");
    for (text_idx, Golden { name, text }) in golden.iter().enumerate() {
        for window in model.embed(&[text]).unwrap().concat() {
            let (place, vector) = expected.next().unwrap();
            assert_eq!(
                (text_idx, window.token_start, window.token_count),
                place,
                "{name}"
            );
            assert_eq!(window.embedding.len(), vector.len(), "{name}");
            for (found, expected) in window.embedding.iter().zip(vector) {
                let difference = (found - expected).abs();
                assert!(
                    difference <= DIFFERENCE_MAX,
                    "{name}: off by {difference:e}"
                );
                if difference > worst.0 {
                    worst = (difference, name);
                }
            }
        }
    }
    assert_eq!(expected.next(), None);
    println!("largest difference from f64: {:e} ({})", worst.0, worst.1);
}
