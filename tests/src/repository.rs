//! The repository as it lies on disk: its files, and its packages as cargo sees them.
//!
//! It knows nothing of what the files should say.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// Folders that are not part of the repository.
const FOREIGN_FOLDERS: [&str; 4] = ["target", ".git", "node_modules", "__pycache__"];

/// A checkout.
#[derive(Debug)]
pub struct Repository {
    root: PathBuf,
}

/// A package of the workspace.
#[derive(Debug)]
pub struct Package {
    /// As cargo names it.
    pub name: String,
    /// Where its `Cargo.toml` is, from the root.
    pub folder: PathBuf,
    /// What it names in its own `Cargo.toml`.
    pub dependencies: Vec<Dependency>,
    /// The features that it has on by default.
    pub default_features: Vec<String>,
}

/// A dependency that a package names itself.
#[derive(Debug)]
pub struct Dependency {
    /// As its registry names it.
    pub name: String,
    /// What it is for.
    pub kind: DependencyKind,
}

/// When a dependency is compiled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DependencyKind {
    /// In the product.
    Normal,
    /// In tests, examples and benchmarks.
    Dev,
    /// In a build script.
    Build,
}

impl Repository {
    /// The checkout that this package was built from.
    pub fn here() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .expect("this package is a folder of the workspace");
        Self {
            root: root.to_path_buf(),
        }
    }

    /// Its absolute path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether a path from the root is there.
    pub fn holds(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// The text of a file.
    pub fn read(&self, path: impl AsRef<Path>) -> String {
        let path = self.root.join(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Every file, as a path from the root, in order.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![self.root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder of the repository can be read") {
                let entry = entry.expect("a folder of the repository can be read");
                let name = entry.file_name().to_string_lossy().into_owned();
                let kind = entry.file_type().expect("its entries have a kind");
                let path = entry.path();
                if kind.is_file() {
                    let path = path
                        .strip_prefix(&self.root)
                        .expect("it lies under the root");
                    found.push(path.to_path_buf());
                } else if kind.is_dir() && !FOREIGN_FOLDERS.contains(&name.as_str()) {
                    folders.push(path);
                }
            }
        }
        found.sort();
        found
    }

    /// Every file whose name ends in `.` and `extension`, in order.
    pub fn files_of_kind(&self, extension: &str) -> Vec<PathBuf> {
        let mut files = self.files();
        files.retain(|file| has_extension(file, extension));
        files
    }

    /// The packages of the workspace, by name.
    pub fn packages(&self) -> Vec<Package> {
        let text = self.cargo(&[
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ]);
        let metadata: Value = serde_json::from_str(&text).expect("cargo metadata prints JSON");
        let mut packages: Vec<_> = list(&metadata, "packages")
            .iter()
            .map(|package| self.package(package))
            .collect();
        packages.sort_by(|left, right| left.name.cmp(&right.name));
        packages
    }

    /// What cargo prints, run in the root.
    pub fn cargo(&self, arguments: &[&str]) -> String {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(arguments)
            .current_dir(&self.root)
            .stdin(Stdio::null())
            .output()
            .expect("cargo can be started");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "cargo {arguments:?}: {complaint}");
        String::from_utf8(output.stdout).expect("cargo prints UTF-8")
    }

    fn package(&self, package: &Value) -> Package {
        let manifest = PathBuf::from(text(package, "manifest_path"));
        let folder = manifest.parent().expect("a manifest lies in a folder");
        let default_features = package["features"]["default"].as_array();
        Package {
            name: text(package, "name"),
            folder: folder
                .strip_prefix(&self.root)
                .expect("a package of the workspace lies under its root")
                .to_path_buf(),
            dependencies: list(package, "dependencies")
                .iter()
                .map(dependency)
                .collect(),
            default_features: default_features
                .into_iter()
                .flatten()
                .filter_map(|feature| feature.as_str().map(str::to_owned))
                .collect(),
        }
    }
}

fn has_extension(file: &Path, extension: &str) -> bool {
    file.extension().is_some_and(|it| it == extension)
}

fn dependency(dependency: &Value) -> Dependency {
    Dependency {
        name: text(dependency, "name"),
        kind: match dependency["kind"].as_str() {
            None => DependencyKind::Normal,
            Some("dev") => DependencyKind::Dev,
            Some("build") => DependencyKind::Build,
            Some(other) => panic!("cargo has a new kind of dependency: {other}"),
        },
    }
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    let list = value[key].as_array();
    list.unwrap_or_else(|| panic!("cargo metadata has no list {key:?}"))
}

fn text(value: &Value, key: &str) -> String {
    let text = value[key].as_str();
    text.unwrap_or_else(|| panic!("cargo metadata has no text {key:?}"))
        .to_owned()
}
