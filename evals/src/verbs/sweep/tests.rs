use super::Sweep;
use crate::embeddings::Tokens;

#[test]
fn the_sweep_that_comes_with_the_program_has_every_combination() {
    let sweep = Sweep::read(None).unwrap();
    assert_eq!(sweep.plains().len(), 11 * 3 * 2);
    assert_eq!(sweep.only(&[Tokens::First128]).plains().len(), 11 * 2);
}

#[test]
fn a_weight_out_of_range_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sweep.toml");
    let text =
        "vector_weights = [1.5]\ntokens = [\"128\"]\nfusions = [\"rrf\"]\nlists = [\"full\"]\n";
    std::fs::write(&path, text).unwrap();
    let error = Sweep::read(Some(&path)).unwrap_err().to_string();
    assert!(error.contains("from 0 to 1"), "{error}");
    std::fs::write(&path, text.replace("1.5", "0.5")).unwrap();
    assert_eq!(Sweep::read(Some(&path)).unwrap().plains().len(), 1);
}
