use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn check(text: &str, len_bytes: usize, expect: &[&str]) {
    assert_eq!(parts(text, len_bytes).collect::<Vec<_>>(), expect);
}

#[test]
fn a_long_text_is_parted_before_the_next_space_or_line_feed_and_nowhere_else() {
    check("", 4, &[""]);
    check("lamp", 4, &["lamp"]);
    check("lamp ", 4, &["lamp", " "]);
    check("lamp oil and soup", 4, &["lamp", " oil", " and", " soup"]);
    check("lamps\n\nlit at six", 4, &["lamps", "\n\nlit", " at six"]);
    check(
        "one\u{b}two\tthree\u{a0}four five",
        2,
        &["one\u{b}two\tthree\u{a0}four", " five"],
    );
    check("ééé é", 3, &["ééé", " é"]);
}

/// A tokenizer of letters, with the rules of a BERT model's.
static LETTERS: LazyLock<WordPieces> = LazyLock::new(|| {
    let pieces = ('a'..='e').flat_map(|letter| [letter.to_string(), format!("##{letter}")]);
    let names = ["[UNK]", "[CLS]", "[SEP]", "-", "é", "港"].map(str::to_owned);
    let vocabulary: Vec<String> = names.into_iter().chain(pieces).collect();
    let added = json!({ "id": 2, "content": "[SEP]", "special": true, "single_word": false,
                        "lstrip": false, "rstrip": false, "normalized": false });
    let file = json!({
        "added_tokens": [added],
        "normalizer": { "type": "BertNormalizer", "clean_text": true, "lowercase": true,
                        "handle_chinese_chars": true, "strip_accents": null },
        "pre_tokenizer": { "type": "BertPreTokenizer" },
        "model": { "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                   "max_input_chars_per_word": 6,
                   "vocab": vocabulary.iter().zip(0..).collect::<std::collections::BTreeMap<_, i32>>() },
    });
    WordPieces::parse(
        PathBuf::new(),
        file.to_string().as_bytes(),
        vocabulary.len(),
    )
    .unwrap()
});

proptest! {
    #[test]
    fn the_tokens_of_the_parts_are_the_tokens_of_the_whole(
        chars in prop::collection::vec(prop::sample::select(vec![
            "a", "b", "C", "D", "e", " ", " ", "\n", "\t", "\r", "\u{b}", "\u{1c}", "\u{85}", "\u{a0}", "\u{2028}",
            "\0", "\u{200b}", "\u{fffd}", "\u{301}", "\u{323}", "é", "-", "港", "[SEP]", "[", "SEP]", "👩\u{200d}💻",
        ]), 0..60),
        len_bytes in 1..12_usize,
    ) {
        let text = chars.concat();
        let whole = LETTERS.tokenizer.encode_fast(text.as_str(), false).unwrap();
        let parted: Vec<u32> =
            parts(&text, len_bytes).flat_map(|part| LETTERS.tokens(part).unwrap()).collect();
        prop_assert_eq!(whole.get_ids(), parted);
    }
}
