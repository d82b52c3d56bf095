//! Where and when a run was made, and of which code.

use std::fs;
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

/// Where and when a run was made, and of which code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Provenance {
    pub(crate) version: String,
    /// As `git describe --always --dirty` names the checkout that was built, where it still is there.
    pub(crate) commit: Option<String>,
    /// In UTC.
    pub(crate) ended_at: String,
    pub(crate) machine: Machine,
}

/// What it ran on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) system: String,
    /// The processor's name, where the system tells it.
    pub(crate) processor: Option<String>,
    pub(crate) n_cores: usize,
}

impl Provenance {
    /// Of a run that ends now.
    pub(crate) fn of_this_run() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: commit(),
            ended_at: jiff::Timestamp::now()
                .strftime("%Y-%m-%dT%H:%M:%S.%3fZ")
                .to_string(),
            machine: Machine::here(),
        }
    }

    /// The time, as a part of a file's name.
    pub(super) fn stamp(&self) -> String {
        let digits = self.ended_at.chars();
        digits.filter(char::is_ascii_alphanumeric).collect()
    }
}

impl Machine {
    fn here() -> Self {
        Self {
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            processor: processor(),
            n_cores: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

fn commit() -> Option<String> {
    let output = Command::new("git")
        .args(["-C", env!("CARGO_MANIFEST_DIR")])
        .args([
            "describe",
            "--always",
            "--dirty",
            "--abbrev=40",
            "--exclude=*",
        ])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let commit = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !commit.is_empty()).then_some(commit)
}

/// From `/proc/cpuinfo`, where there is one.
fn processor() -> Option<String> {
    let cpus = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = cpus.lines().find(|line| line.starts_with("model name"))?;
    let (_, name) = line.split_once(':')?;
    Some(name.trim().to_owned())
}
