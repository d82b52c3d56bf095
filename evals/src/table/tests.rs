use super::Table;

#[test]
fn columns_are_aligned_and_numbers_stand_to_the_right() {
    let mut table = Table::new(["", "Hit@1", "who"]);
    table.push(["BM25".to_owned(), "5.0".to_owned(), "a".to_owned()]);
    table.push(["ä".to_owned(), "-".to_owned(), "bcde".to_owned()]);
    let expected = "\
|      | Hit@1 | who  |
| ---- | ----: | ---- |
| BM25 |   5.0 | a    |
| ä    |     - | bcde |
";
    assert_eq!(table.to_string(), expected);
}
