//! A home that is no user's, and runs of the program in it.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// Empty folders, removed with this.
pub(crate) struct Home {
    folder: TempDir,
}

/// How one run ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Home {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let home = Self { folder };
        std::fs::create_dir(home.path("tmp")).expect("it is empty");
        home
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The program, to be run here: nothing that could reach a user's folders or settings is left.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_palimpsest"));
        for (name, _) in std::env::vars_os() {
            let shown = name.to_string_lossy();
            if shown.starts_with("PALIMPSEST_") || shown.starts_with("RUST_LOG") {
                command.env_remove(name);
            }
        }
        for folder in ["DATA", "CACHE", "CONFIG", "STATE"] {
            let path = self.path(&folder.to_lowercase());
            command.env(format!("XDG_{folder}_HOME"), path);
        }
        command
            .args(arguments)
            .env("HOME", self.folder.path())
            .env("TMPDIR", self.path("tmp"))
            .env("TZ", "UTC")
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        Run::of(&mut self.command(arguments))
    }

    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &str) -> Run {
        let mut command = self.command(arguments);
        let pipes = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = pipes.spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("it is a pipe");
        // It need not read to the end.
        drop(stdin.write_all(input.as_bytes()));
        drop(stdin);
        Run::new(&child.wait_with_output().expect("the program ends"))
    }

    /// Runs with `--json`, and reads the answer.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let run = self.run(&[arguments, &["--json"]].concat());
        assert_eq!(run.code, 0, "{arguments:?}: {run:?}");
        run.json()
    }

    /// Everything in a folder of this home, by name.
    pub(crate) fn entries(&self, name: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(name))
            .into_iter()
            .flatten()
            .flatten();
        let mut names: Vec<_> = entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

impl Run {
    pub(crate) fn of(command: &mut Command) -> Self {
        Self::new(&command.output().expect("the program starts"))
    }

    fn new(output: &std::process::Output) -> Self {
        Self {
            code: output.status.code().expect("it was not killed"),
            stdout: String::from_utf8(output.stdout.clone()).expect("it writes text"),
            stderr: String::from_utf8(output.stderr.clone()).expect("it writes text"),
        }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// The model's folder, as `PALIMPSEST_MODEL` names it; without one, `test` says that it is skipped.
pub(crate) fn model_or_skip(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("PALIMPSEST_MODEL").map(PathBuf::from);
    if folder.is_none() {
        let said = writeln!(
            std::io::stderr(),
            "skipped {test}: PALIMPSEST_MODEL names no model"
        );
        said.expect("standard error takes a line");
    }
    folder
}

pub(crate) fn shown(path: &Path) -> String {
    path.display().to_string()
}
