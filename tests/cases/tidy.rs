//! The house rules that no lint holds: files, marks, names, and pages that tell the truth.

use std::collections::BTreeSet;
use std::path::Path;

use palimpsest_tests::{Repository, RustSource};

const FILE_LEN_LINES_MAX: usize = 500;
const ARCHITECTURE_LEN_LINES_MAX: usize = 200;

/// Names that say nothing of what is inside.
const EMPTY_NAMES: [&str; 8] = [
    "common", "core", "helper", "helpers", "misc", "types", "util", "utils",
];

/// Marks of work that was not done. In two parts, so that this file holds none of them.
const UNFINISHED: [(&str, &str); 7] = [
    ("to", "do!("),
    ("unimple", "mented!("),
    ("FIX", "ME"),
    ("TO", "DO:"),
    ("// TO", "DO"),
    ("// XX", "X"),
    ("#[ign", "ore"),
];

/// Hosts of package registries: packages are named, never their hosts. In two parts, as above.
const REGISTRY_HOSTS: [(&str, &str); 9] = [
    ("crates", ".io"),
    ("pypi", ".org"),
    ("pypi", ".python.org"),
    ("pythonhosted", ".org"),
    ("npmjs", ".org"),
    ("npmjs", ".com"),
    ("deb.debian", ".org"),
    ("security.debian", ".org"),
    ("proxy.golang", ".org"),
];

/// First parts of the protocol's method names, which look like paths.
const METHOD_FAMILIES: [&str; 7] = [
    "completion",
    "notifications",
    "prompts",
    "resources",
    "roots",
    "server",
    "tools",
];

fn check_rust_files(broken: impl Fn(&Path, &str) -> Option<String>, rule: &str) {
    let repository = Repository::here();
    let complaints: Vec<_> = repository
        .files_of_kind("rs")
        .iter()
        .filter_map(|file| {
            let complaint = broken(file, &repository.read(file))?;
            Some(format!("{}: {complaint}", file.display()))
        })
        .collect();
    assert!(complaints.is_empty(), "{rule}: {complaints:#?}");
}

#[test]
fn every_rust_file_begins_with_what_it_is_for() {
    check_rust_files(
        |file, text| {
            // The tests of a module are for that module.
            let is_told = text.starts_with("//! ") || file.ends_with("tests.rs");
            (!is_told).then(|| text.lines().next().unwrap_or("").to_owned())
        },
        "the first line is `//!` and what the file is for",
    );
}

#[test]
fn no_rust_file_is_longer_than_a_reader_can_hold() {
    check_rust_files(
        |_, text| {
            let len_lines = text.lines().count();
            (len_lines > FILE_LEN_LINES_MAX).then(|| format!("{len_lines} lines"))
        },
        "one noun a file, at most 500 lines",
    );
}

#[test]
fn functions_are_held_to_seventy_lines() {
    let repository = Repository::here();
    let clippy = repository.read("clippy.toml");
    assert!(
        clippy
            .lines()
            .any(|line| line == "too-many-lines-threshold = 70")
    );
    let workspace = repository.read("Cargo.toml");
    assert!(
        workspace.contains("pedantic = { level = \"warn\""),
        "clippy's pedantic is on"
    );
    for package in repository.packages() {
        let manifest = repository.read(package.folder.join("Cargo.toml"));
        let is_linted = manifest.contains("[lints]\nworkspace = true\n");
        assert!(
            is_linted,
            "{} does not take the workspace's lints",
            package.name
        );
    }
    check_rust_files(
        |_, text| {
            RustSource::new(text)
                .has_word("too_many_lines")
                .then(|| "switched off".into())
        },
        "clippy counts the lines of every function",
    );
}

#[test]
fn no_work_is_left_marked_undone() {
    check_rust_files(
        |_, text| {
            let found = UNFINISHED
                .iter()
                .map(|(head, tail)| format!("{head}{tail}"));
            let found: Vec<_> = found.filter(|mark| text.contains(mark)).collect();
            (!found.is_empty()).then(|| found.join(", "))
        },
        "a thing that is not built is left out",
    );
}

#[test]
fn no_file_or_module_has_an_empty_name() {
    check_rust_files(
        |file, text| {
            let parts = file.iter().map(|part| part.to_string_lossy());
            let mut names: Vec<_> = parts
                .map(|it| it.trim_end_matches(".rs").to_owned())
                .collect();
            let source = RustSource::new(text);
            names.extend(modules(source.code()).map(str::to_owned));
            names
                .into_iter()
                .find(|name| EMPTY_NAMES.contains(&name.as_str()))
        },
        "a name says what is inside",
    );
}

#[test]
fn unsafe_code_lives_in_the_files_that_the_plan_names_and_nowhere_else() {
    let repository = Repository::here();
    let page = repository.read("ARCHITECTURE.md");
    let named: BTreeSet<_> = section(&page, "unsafe")
        .map(|text| code_spans(&text).filter(|it| is_rust_file(it)).collect())
        .unwrap_or_default();
    let files = repository.files_of_kind("rs");
    let found: BTreeSet<_> = files
        .iter()
        .filter(|file| RustSource::new(&repository.read(file)).has_word("unsafe"))
        .map(|file| file.display().to_string())
        .collect();
    assert_eq!(
        found, named,
        "left: files with unsafe code; right: files that ARCHITECTURE.md names"
    );
}

#[test]
fn the_plan_is_short_and_every_path_it_names_exists() {
    let repository = Repository::here();
    let page = repository.read("ARCHITECTURE.md");
    let len_lines = page.lines().count();
    assert!(
        len_lines < ARCHITECTURE_LEN_LINES_MAX,
        "ARCHITECTURE.md has {len_lines} lines"
    );
    let missing: Vec<_> = code_spans(&page)
        .filter(|span| is_path(span) && !repository.holds(span))
        .collect();
    assert!(
        missing.is_empty(),
        "ARCHITECTURE.md names what is not there: {missing:#?}"
    );
}

#[test]
fn links_between_pages_lead_somewhere() {
    let repository = Repository::here();
    let mut broken = Vec::new();
    for page in repository.files_of_kind("md") {
        let text = repository.read(&page);
        let folder = page.parent().expect("a page lies in a folder");
        for target in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let target = target.split('#').next().unwrap_or("");
            let is_local = !target.is_empty() && !target.contains(':');
            if is_local && !repository.root().join(folder).join(target).exists() {
                broken.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn every_direct_dependency_has_its_line_and_every_line_its_dependency() {
    let repository = Repository::here();
    let packages = repository.packages();
    let mut named: BTreeSet<String> = packages
        .iter()
        .flat_map(|package| &package.dependencies)
        .map(|dependency| dependency.name.clone())
        .filter(|name| !name.starts_with("palimpsest"))
        .collect();
    let requirements = repository.read("tests/requirements.txt");
    let direct = requirements.lines().take_while(|line| !line.is_empty());
    named.extend(
        direct
            .filter_map(|line| line.split_once("=="))
            .map(|(name, _)| name.to_owned()),
    );
    let page = repository.read("docs/dependencies.md");
    let lines: BTreeSet<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(name, _)| name.to_owned())
        .collect();
    let without_line: Vec<_> = named.difference(&lines).collect();
    assert!(
        without_line.is_empty(),
        "docs/dependencies.md has no line for {without_line:?}"
    );
    let without_use: Vec<_> = lines.difference(&named).collect();
    assert!(
        without_use.is_empty(),
        "docs/dependencies.md explains what is not used: {without_use:?}"
    );
}

#[test]
fn every_dependency_line_says_use_alternatives_and_licence() {
    let page = Repository::here().read("docs/dependencies.md");
    for line in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(
            cells.len(),
            4,
            "name, use, what else, licence and health: {line}"
        );
        assert!(
            cells.iter().all(|cell| !cell.is_empty()),
            "an empty cell: {line}"
        );
    }
}

#[test]
fn no_file_names_a_registry_host() {
    let repository = Repository::here();
    // The lock file is cargo's own, and names the registry of each package.
    let files = repository
        .files()
        .into_iter()
        .filter(|file| file != Path::new("Cargo.lock"));
    let mut found = Vec::new();
    for file in files {
        let Ok(text) = std::fs::read_to_string(repository.root().join(&file)) else {
            continue; // not text
        };
        let hosts = REGISTRY_HOSTS
            .iter()
            .map(|(head, tail)| format!("{head}{tail}"));
        found.extend(
            hosts
                .filter(|host| text.contains(host))
                .map(|it| (file.clone(), it)),
        );
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn decisions_are_numbered_without_a_gap() {
    let repository = Repository::here();
    let pages = repository.files_of_kind("md");
    let decisions = pages
        .iter()
        .filter(|page| page.starts_with("docs/decisions"));
    for (decision_idx, page) in decisions.enumerate() {
        let name = page
            .file_name()
            .expect("a page has a name")
            .to_string_lossy();
        let number = format!("{:04}-", decision_idx + 1);
        assert!(
            name.starts_with(&number),
            "{name} should begin with {number}"
        );
    }
}

/// The names of the modules that `code` declares.
fn modules(code: &str) -> impl Iterator<Item = &str> {
    let is_name = |it: char| it.is_alphanumeric() || it == '_';
    let words = code
        .split(move |it| !is_name(it))
        .filter(|word| !word.is_empty());
    let pairs = words.clone().zip(words.skip(1));
    pairs
        .filter(|(word, _)| *word == "mod")
        .map(|(_, name)| name)
}

/// The lines below the first heading that holds `word`, up to the next heading.
fn section(page: &str, word: &str) -> Option<String> {
    let is_heading = |line: &&str| line.starts_with('#');
    let mut lines = page
        .lines()
        .skip_while(|line| !(is_heading(line) && line.to_lowercase().contains(word)));
    lines.next()?;
    Some(
        lines
            .take_while(|line| !is_heading(line))
            .collect::<Vec<_>>()
            .join("\n"),
    )
}

/// What stands between single backticks, fenced blocks left out.
fn code_spans(page: &str) -> impl Iterator<Item = String> {
    let prose = page.split("```").step_by(2);
    let spans = prose.flat_map(|text| text.split('`').skip(1).step_by(2));
    spans.map(str::to_owned)
}

/// Whether a code span names something in the repository.
fn is_path(span: &str) -> bool {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "._-/".contains(it);
    let is_absolute = span.starts_with('/');
    if span.is_empty() || is_absolute || !span.chars().all(is_plain) {
        return false;
    }
    if let Some((family, _)) = span.split_once('/') {
        return !METHOD_FAMILIES.contains(&family) && !family.is_empty();
    }
    let kinds = ["md", "rs", "toml", "txt", "py"];
    Path::new(span)
        .extension()
        .is_some_and(|it| kinds.iter().any(|kind| it == *kind))
}

fn is_rust_file(span: &str) -> bool {
    Path::new(span).extension().is_some_and(|it| it == "rs")
}
