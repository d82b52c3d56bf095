use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Member, unpack};
use crate::error::Error;

/// SHA-256 of `abc` (FIPS 180-2, appendix B.1).
const MEMBER: Member = Member {
    package: "package",
    version: "1",
    archive_sha256: "",
    path_end: "data/file.json",
    len_bytes: 3,
    sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
};

fn unpacked(files: &[(&str, &str)]) -> Result<String, Error> {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("package-1.tar.gz");
    let packed = std::fs::File::create(&archive).unwrap();
    let mut tar = tar::Builder::new(GzEncoder::new(packed, Compression::default()));
    for (path, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, path, content.as_bytes())
            .unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap();
    let to = folder.path().join("new/folder/file.json");
    let answer = unpack(&archive, &MEMBER, &to);
    assert_eq!(Path::exists(&to), answer.is_ok(), "whole or not at all");
    answer.map(|()| std::fs::read_to_string(to).unwrap())
}

#[test]
fn the_member_is_found_and_put_in_place() {
    let files = [
        ("package-1/readme", "x"),
        ("package-1/data/file.json", "abc"),
    ];
    assert_eq!(unpacked(&files).unwrap(), "abc");
}

#[test]
fn other_bytes_and_missing_members_are_refused() {
    for (files, expected) in [
        ([("package-1/data/file.json", "abd")], "expected ba7816bf"),
        ([("package-1/data/file.json", "abcd")], "expected ba7816bf"),
        ([("package-1/data/other.json", "abc")], "no data/file.json"),
    ] {
        let error = unpacked(&files).unwrap_err().to_string();
        assert!(error.contains(expected), "{files:?}: {error}");
    }
}
