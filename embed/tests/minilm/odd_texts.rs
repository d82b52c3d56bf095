//! Texts that nobody would write: each has vectors, of unit length.

use palimpsest_embed::{Embedder, MiniLm, MiniLmOptions, Windowing};

use crate::small_model::SmallModel;

/// What a memory may hold at most.
const TEXT_LEN_MAX_BYTES: usize = 1 << 20;

fn model(windowing: Windowing) -> MiniLm {
    let folder = tempfile::tempdir().unwrap();
    SmallModel::new(11).write(folder.path());
    MiniLm::load_with(
        folder.path(),
        MiniLmOptions {
            windowing,
            ..MiniLmOptions::standard()
        },
    )
    .unwrap()
}

fn check(model: &MiniLm, text: &str, expect_tokens: u32) {
    let windows = model.embed(&[text]).unwrap().concat();
    let last = windows.last().unwrap();
    assert_eq!(last.token_start + last.token_count, expect_tokens);
    for window in &windows {
        let length: f32 = window
            .embedding
            .iter()
            .map(|value| value * value)
            .sum::<f32>()
            .sqrt();
        assert!((length - 1.0).abs() <= 1e-5, "{length}");
    }
}

#[test]
fn every_text_has_a_vector_of_unit_length() {
    let model = model(Windowing::Overlapping);
    for (text, expect_tokens) in [
        ("", 0),
        (" \n\t\u{a0}\u{3000}", 0),
        ("\0", 0),
        ("\u{1}\u{2}\u{1b}\u{7f}", 0),
        ("\u{200b}\u{feff}\u{202e}", 0),
        ("\u{fffd}", 0),
        ("lamp", 1),
        ("la\0mp", 1),
        ("LAMP\u{301}", 1),
        ("[CLS][SEP]", 2),
        ("\u{10ffff}", 1),
        ("👩\u{200d}💻", 1),
        ("港口", 2),
        ("-!-", 3),
    ] {
        check(&model, text, expect_tokens);
    }
}

#[test]
fn a_mebibyte_of_anything_has_vectors() {
    let long = |text: &str| text.repeat(TEXT_LEN_MAX_BYTES / text.len());
    let model_of_windows = model(Windowing::Overlapping);
    check(&model_of_windows, &long("x"), 1);
    check(&model_of_windows, &long("\u{301}"), 0);
    check(&model_of_windows, &long(" "), 0);
    check(&model_of_windows, &long("\0"), 0);
    // Of these every window would count, so only the first is looked at.
    let model_of_one_window = model(Windowing::Cut { tokens_max: 256 });
    check(&model_of_one_window, &long("harbour lamp ledger "), 254);
    check(&model_of_one_window, &long("-"), 254);
    check(&model_of_one_window, &long("港"), 254);
}

#[test]
fn a_text_of_many_windows_ends_with_its_last_token() {
    check(
        &model(Windowing::Overlapping),
        &"harbour lamp ledger ".repeat(1000),
        3000,
    );
}

#[test]
fn a_cut_text_is_the_same_as_its_first_tokens() {
    let cut = model(Windowing::Cut { tokens_max: 128 });
    let long = cut.embed(&[&"boat ".repeat(500)]).unwrap();
    let short = cut.embed(&[&"boat ".repeat(126)]).unwrap();
    assert_eq!(long, short);
    assert_eq!(long[0].len(), 1);
    assert_eq!(long[0][0].token_count, 126);
    let shorter = cut.embed(&[&"boat ".repeat(125)]).unwrap();
    assert_ne!(long, shorter);
}
