use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::DataFile;

/// SHA-256 of `abc` (FIPS 180-2, appendix B.1).
const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

fn check(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, bytes).unwrap();
    let first = DataFile::new(&path).read(|reader| {
        let mut first = [0];
        reader.read_exact(&mut first).unwrap();
        Ok(first)
    });
    assert_eq!(first.unwrap(), (*b"a", ABC.to_owned()));
}

#[test]
fn a_file_hashes_as_its_unpacked_bytes_however_much_was_looked_at() {
    check(b"abc");
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(b"abc").unwrap();
    check(&packed.finish().unwrap());
}
