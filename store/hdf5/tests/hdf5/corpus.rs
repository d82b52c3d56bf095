//! Other people's files, compared with what h5py reads of them.

use std::path::{Path, PathBuf};

use palimpsest_hdf5::Hdf5File;
use serde_json::{Map, Value};

use crate::{describe, skip};

/// The corpus' folder: in `TEST_PALIMPSEST_SHARED`, else in `shared` beside a folder above the checkout.
pub(crate) fn folder(test: &str) -> Option<PathBuf> {
    let place = Path::new("data/hdf5-corpus");
    let shared = std::env::var_os("TEST_PALIMPSEST_SHARED").map(PathBuf::from);
    let above = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .map(|folder| folder.join("shared"));
    let found = shared
        .into_iter()
        .chain(above)
        .map(|folder| folder.join(place))
        .find(|f| f.is_dir());
    if found.is_none() {
        skip::skipped(
            test,
            "the HDF5 corpus (shared/data/hdf5-corpus) is not here",
        );
    }
    found
}

pub(crate) fn manifest(folder: &Path) -> Map<String, Value> {
    let text = std::fs::read(folder.join("manifest.json")).unwrap();
    let mut manifest: Value = serde_json::from_slice(&text).unwrap();
    match manifest["files"].take() {
        Value::Object(files) => files,
        _ => panic!("the manifest has no files"),
    }
}

/// The filters that are read.
const FILTERS: [u64; 4] = [1, 2, 3, 32_015];

/// Whether everything in the file is of a kind that is read here.
fn is_in_scope(entry: &Value) -> bool {
    entry["objects"]
        .as_object()
        .unwrap()
        .values()
        .all(|object| {
            let filters = object["filters"].as_array().into_iter().flatten();
            let mut filters = filters.map(|filter| filter.as_u64().unwrap());
            object["layout"] != "virtual"
                && object["external"].as_u64().unwrap_or(0) == 0
                && filters.all(|filter| FILTERS.contains(&filter))
        })
}

/// What was found of a file, in the order of how good it is.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum Outcome {
    /// Everything is as h5py reads it.
    Full,
    /// All but some attributes, which are not supported.
    Core,
    /// What is there is as h5py reads it, and the rest is said to be not supported.
    Partial,
}

/// Compares an object's or attribute's values; the names of the keys that differ.
fn differing(expected: &Value, found: &Value) -> Vec<String> {
    let keys = [
        "kind",
        "shape",
        "type",
        "layout",
        "filters",
        "chunk",
        "maxshape",
        "raw_len",
        "raw_sha256",
        "le_sha256",
        "strings_sha256",
        "vlen_sha256",
    ];
    let differs = |key: &&&str| {
        expected
            .get(**key)
            .is_some_and(|expected| found.get(**key) != Some(expected))
    };
    let mut faults: Vec<_> = keys
        .iter()
        .filter(differs)
        .map(|key| format!("{key}: {} is {:?}", expected[*key], found.get(*key)))
        .collect();
    // The manifest has them in the order of creation where a group keeps it.
    if let (Some(expected), Some(found)) = (children(expected), children(found)) {
        let same = |(expected, found): (&Child, &Child)| {
            expected.0 == found.0 && (expected.1 == found.1 || found.1 == "unreadable")
        };
        if expected.len() != found.len() || !expected.iter().zip(&found).all(same) {
            faults.push(format!("children: {expected:?} is {found:?}"));
        }
    }
    faults
}

/// The name and the kind of a child.
type Child = (String, String);

fn children(object: &Value) -> Option<Vec<Child>> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let children = object.get("children")?.as_array()?.iter();
    let mut children: Vec<_> = children
        .map(|child| (text(&child[0]), text(&child[1])))
        .collect();
    children.sort();
    Some(children)
}

fn compare(entry: &Value, found: &Value, faults: &mut Vec<String>) -> Outcome {
    let mut outcome = Outcome::Full;
    for (path, expected) in entry["objects"].as_object().unwrap() {
        let object = &found["objects"][path];
        if object["not_supported"] == true {
            outcome = Outcome::Partial;
            continue;
        }
        if expected.get("h5py_error").is_some() {
            continue;
        }
        faults.extend(
            differing(expected, object)
                .into_iter()
                .map(|fault| format!("{path} {fault}")),
        );
        if let Some(error) = object.get("error") {
            faults.push(format!("{path}: {error}"));
        }
        let expected = expected
            .get("attrs")
            .and_then(Value::as_object)
            .into_iter()
            .flatten();
        for (name, expected) in expected {
            let attribute = &object["attrs"][name];
            if attribute["not_supported"] == true {
                if outcome == Outcome::Full {
                    outcome = Outcome::Core;
                }
            } else if expected.get("h5py_error").is_none() {
                let differing = differing(expected, attribute).into_iter();
                faults.extend(differing.map(|fault| format!("{path}@{name} {fault} {attribute}")));
            }
        }
    }
    outcome
}

#[test]
fn every_file_is_read_as_h5py_reads_it_or_is_said_to_be_not_supported() {
    let test = "every_file_is_read_as_h5py_reads_it_or_is_said_to_be_not_supported";
    let Some(folder) = folder(test) else { return };
    let (mut n_full, mut n_core, mut n_partial, mut n_in_scope) = (0, 0, 0, 0);
    let mut faults = Vec::new();
    for (path, entry) in manifest(&folder) {
        if entry["kind"] != "valid" {
            continue;
        }
        let file = Hdf5File::open(&folder.join(&path));
        let found = file.and_then(|file| describe::file(&file));
        let mut own = Vec::new();
        let outcome = match &found {
            Ok(found) => compare(&entry, found, &mut own),
            Err(error) => {
                if !error.is_not_supported() {
                    own.push(error.to_string());
                }
                Outcome::Partial
            }
        };
        let in_scope = is_in_scope(&entry);
        n_in_scope += u32::from(in_scope);
        if in_scope && outcome != Outcome::Full {
            own.push(format!("is in scope, and only {outcome:?}"));
        }
        match outcome {
            Outcome::Full => n_full += 1,
            Outcome::Core => n_core += 1,
            Outcome::Partial => n_partial += 1,
        }
        faults.extend(own.into_iter().map(|fault| format!("{path}: {fault}")));
    }
    println!(
        "{n_full} files full and right ({n_in_scope} in scope), {n_core} but for attributes, {n_partial} in part"
    );
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
    assert!(n_full >= 70, "only {n_full} files are read in full");
}
