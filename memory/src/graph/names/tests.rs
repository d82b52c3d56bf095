//! Misspelt names.

use super::nearest_names;

#[test]
fn a_misspelt_name_finds_the_known_one() {
    let known = ["Alice", "Bob", "Acme Corporation", "Zürich", "Alistair"];
    let expected: [(&str, &[&str]); 6] = [
        ("Alcie", &["Alice"]),
        ("acme", &["Acme Corporation"]),
        ("Zurich", &["Zürich"]),
        ("Alice Smith", &["Alice"]),
        ("bib", &["Bob"]),
        ("Xylophone", &[]),
    ];
    for (name, nearest) in expected {
        assert_eq!(nearest_names(name, known), nearest, "{name}");
    }
}
