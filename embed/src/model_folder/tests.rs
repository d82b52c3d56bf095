use std::fs;

use super::*;

// printf '%s' 'a palimpsest' | sha256sum
const TEXT: &[u8] = b"a palimpsest";
const FILES: [ModelFile; 2] = [
    ModelFile {
        name: "one",
        len_bytes: 12,
        sha256: "30cd884cbcb13bdc14433ba8c073e13deed1689f8021a56fba7a415d252864ed",
    },
    ModelFile {
        name: "two",
        len_bytes: 0,
        sha256: EMPTY_SHA256,
    },
];
const EMPTY_SHA256: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

fn check(change: fn(&Path), expect: Result<(), &str>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("one"), TEXT).unwrap();
    fs::write(folder.path().join("two"), b"").unwrap();
    change(folder.path());
    let found = verify_files(folder.path(), &FILES).map_err(|error| error.to_string());
    match (found, expect) {
        (Ok(()), Ok(())) => {}
        (Err(found), Err(expect)) if found.contains(expect) => {}
        (found, expect) => panic!("expected {expect:?}, found {found:?}"),
    }
}

#[test]
fn a_folder_with_every_byte_as_published_passes() {
    check(|_| {}, Ok(()));
    check(
        |folder| fs::write(folder.join("three"), b"not ours").unwrap(),
        Ok(()),
    );
}

#[test]
fn a_folder_with_a_file_missing_or_changed_is_refused_and_the_file_named() {
    check(
        |folder| fs::remove_file(folder.join("two")).unwrap(),
        Err("two is missing"),
    );
    check(
        |folder| fs::remove_dir_all(folder).unwrap(),
        Err("one is missing"),
    );
    check(
        |folder| fs::write(folder.join("one"), b"a palimpses").unwrap(),
        Err("one has 11 bytes where the published file has 12"),
    );
    check(
        |folder| fs::write(folder.join("one"), b"a palimpsesT").unwrap(),
        Err("one has SHA-256 "),
    );
    check(
        |folder| {
            fs::remove_file(folder.join("one")).unwrap();
            fs::create_dir(folder.join("one")).unwrap();
        },
        Err("one is not a regular file"),
    );
}

#[test]
fn no_more_of_a_file_is_read_than_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one");
    fs::write(&path, TEXT).unwrap();
    assert_eq!(read_file(&path, 12).unwrap(), TEXT);
    let refused = read_file(&path, 11).unwrap_err().to_string();
    assert!(
        refused.ends_with("one has 12 bytes, more than the 11 that are read"),
        "{refused}"
    );
}
