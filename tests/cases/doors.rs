//! The rooms open to each other by the doors of `ARCHITECTURE.md` and by no others.

use std::path::Path;

use palimpsest_tests::{Dependency, DependencyKind, Package, Repository, RustSource};

/// The arrows: each room, and the rooms that it opens.
const DOORS: [(&str, &[&str]); 8] = [
    ("palimpsest", &["palimpsest-memory"]),
    ("palimpsest-embed", &[]),
    ("palimpsest-hdf5", &[]),
    (
        "palimpsest-memory",
        &["palimpsest-embed", "palimpsest-store"],
    ),
    (
        "palimpsest-store",
        &["palimpsest-hdf5", "palimpsest-vector"],
    ),
    ("palimpsest-store-model", &[]),
    ("palimpsest-tests", &[]),
    ("palimpsest-vector", &[]),
];

/// The room that opens some of these, as it needs them.
const EVALS: &str = "palimpsest-evals";
const EVALS_MAY_OPEN: [&str; 5] = [
    "palimpsest-embed",
    "palimpsest-hdf5",
    "palimpsest-memory",
    "palimpsest-store",
    "palimpsest-vector",
];

/// A room whose tests compare it with a model that it is not built on.
const COMPARED: [(&str, &str); 1] = [("palimpsest-store", "palimpsest-store-model")];

/// Crates that only these rooms may build their product on.
const CONFINED: [(&str, &[&str]); 7] = [
    ("rmcp", &["palimpsest"]),
    ("schemars", &["palimpsest"]),
    ("tokio", &["palimpsest"]),
    (
        "serde_json",
        &["palimpsest", "palimpsest-embed", EVALS, "palimpsest-tests"],
    ),
    ("candle-core", &["palimpsest-embed"]),
    ("candle-nn", &["palimpsest-embed"]),
    ("tokenizers", &["palimpsest-embed"]),
];

/// What the default build must not contain: CUDA, a C regular expression engine, a second
/// tensor runtime.
const NEVER_BUILT: [&str; 6] = [
    "candle-kernels",
    "cudarc",
    "onig_sys",
    "openssl-sys",
    "ort-sys",
    "torch-sys",
];

/// Rooms that take the time as an argument.
const CLOCKLESS: [&str; 2] = ["store", "embed"];

/// Their files that measure how long they wait for a lock, or held one. No answer shows that.
const WAITING: [&str; 3] = [
    "store/hdf5/src/backend/file.rs",
    "store/hdf5/src/backend/ram.rs",
    "store/src/commit/group.rs",
];

fn normal(package: &Package) -> impl Iterator<Item = &Dependency> {
    package
        .dependencies
        .iter()
        .filter(|it| it.kind != DependencyKind::Dev)
}

fn rooms_opened(package: &Package) -> Vec<&str> {
    let names = normal(package).map(|it| it.name.as_str());
    let mut rooms: Vec<_> = names
        .filter(|name| name.starts_with("palimpsest"))
        .collect();
    rooms.sort_unstable();
    rooms
}

#[test]
fn rooms_open_the_doors_of_the_plan_and_no_others() {
    let packages = Repository::here().packages();
    for package in packages.iter().filter(|it| it.name != EVALS) {
        let (_, expected) = DOORS
            .iter()
            .find(|(room, _)| *room == package.name)
            .unwrap_or_else(|| panic!("{} is no room of the plan", package.name));
        assert_eq!(
            rooms_opened(package),
            *expected,
            "the doors of {}",
            package.name
        );
    }
    assert_eq!(
        packages.len(),
        DOORS.len() + 1,
        "a room of the plan is missing"
    );
}

#[test]
fn evals_open_only_what_they_may() {
    let packages = Repository::here().packages();
    let evals = packages
        .iter()
        .find(|it| it.name == EVALS)
        .expect("evals is a room");
    for room in rooms_opened(evals) {
        assert!(EVALS_MAY_OPEN.contains(&room), "{EVALS} opens {room}");
    }
}

#[test]
fn tests_of_a_room_open_no_room_above_it() {
    for package in Repository::here().packages() {
        let opened = rooms_opened(&package);
        let in_tests = package
            .dependencies
            .iter()
            .filter(|it| it.kind == DependencyKind::Dev);
        for dependency in in_tests.filter(|it| it.name.starts_with("palimpsest")) {
            let pair = (package.name.as_str(), dependency.name.as_str());
            let is_open = opened.contains(&pair.1) || COMPARED.contains(&pair);
            assert!(
                is_open,
                "the tests of {} open {}",
                package.name, dependency.name
            );
        }
    }
}

#[test]
fn every_dependency_is_used_by_the_room_that_names_it() {
    let repository = Repository::here();
    let files = repository.files_of_kind("rs");
    let packages = repository.packages();
    let mut unused = Vec::new();
    for package in &packages {
        let inner: Vec<_> = packages
            .iter()
            .filter(|it| it.folder != package.folder && it.folder.starts_with(&package.folder))
            .collect();
        let own = files.iter().filter(|file| {
            file.starts_with(&package.folder)
                && !inner.iter().any(|other| file.starts_with(&other.folder))
        });
        let sources: Vec<_> = own
            .map(|file| RustSource::new(&repository.read(file)))
            .collect();
        for dependency in &package.dependencies {
            let word = dependency.name.replace('-', "_");
            if !sources.iter().any(|source| source.has_word(&word)) {
                unused.push(format!("{} names {}", package.name, dependency.name));
            }
        }
    }
    assert!(unused.is_empty(), "and does not use it: {unused:#?}");
}

#[test]
fn protocol_json_and_tensors_stay_in_their_rooms() {
    for package in Repository::here().packages() {
        for dependency in normal(&package) {
            let confined = CONFINED.iter().find(|(name, _)| *name == dependency.name);
            let Some((name, rooms)) = confined else {
                continue;
            };
            let is_allowed = rooms.contains(&package.name.as_str());
            assert!(
                is_allowed,
                "{} builds on {name}; only {rooms:?} may",
                package.name
            );
        }
    }
}

#[test]
fn the_default_build_contains_no_cuda_and_no_foreign_runtime() {
    let repository = Repository::here();
    for package in repository.packages() {
        let is_cuda = |feature: &String| feature.contains("cuda");
        let has_cuda = package.default_features.iter().any(is_cuda);
        assert!(!has_cuda, "cuda is on by default in {}", package.name);
    }
    let tree = repository.cargo(&[
        "tree",
        "--offline",
        "--workspace",
        "--edges",
        "normal,build",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ]);
    let built: Vec<_> = tree
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert!(
        built.contains(&"candle-core"),
        "cargo tree shows what is built: {tree}"
    );
    for name in NEVER_BUILT {
        assert!(!built.contains(&name), "the default build contains {name}");
    }
}

#[test]
fn rooms_below_memory_never_read_a_clock() {
    let repository = Repository::here();
    let mut found = Vec::new();
    for file in repository.files_of_kind("rs") {
        let is_clockless = CLOCKLESS.iter().any(|room| file.starts_with(room));
        if !is_clockless || is_test(&file) {
            continue;
        }
        let may_wait = WAITING.iter().any(|named| Path::new(named) == file);
        let words: &[&str] = if may_wait {
            &["SystemTime"]
        } else {
            &["SystemTime", "Instant"]
        };
        let source = RustSource::new(&repository.read(&file));
        for word in words {
            let lines = source.lines_with_word(word);
            found.extend(lines.map(|line| format!("{}:{line}: {word}", file.display())));
        }
    }
    assert!(found.is_empty(), "take the time as an argument: {found:#?}");
    let gone: Vec<_> = WAITING
        .iter()
        .filter(|named| !repository.holds(named))
        .collect();
    assert!(gone.is_empty(), "named to wait, and not there: {gone:?}");
}

fn is_test(file: &Path) -> bool {
    let is_in_tests = file
        .iter()
        .any(|part| part == "tests" || part == "benches" || part == "examples");
    is_in_tests || file.file_stem().is_some_and(|stem| stem == "tests")
}
