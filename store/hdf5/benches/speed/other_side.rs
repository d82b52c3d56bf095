//! Other programs' side: each run is a process that prints its times.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::figures::Figures;

/// libhdf5 in C, or h5py.
pub(crate) struct OtherSide {
    name: String,
    /// The program and its first arguments.
    command: Vec<OsString>,
    /// What it calls the file that it writes.
    file: &'static str,
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("benches/speed")
        .join(name)
}

impl OtherSide {
    /// The sides that this machine has, libhdf5 first.
    pub(crate) fn all(folder: &Path) -> Vec<Self> {
        Self::libhdf5(folder)
            .into_iter()
            .chain(Self::h5py())
            .collect()
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn file(&self) -> &str {
        self.file
    }

    #[expect(clippy::print_stderr, reason = "why a side is missing")]
    fn libhdf5(folder: &Path) -> Option<Self> {
        let program = folder.join("speed-libhdf5");
        // Where Debian has it, and where others do.
        let places = [
            "/usr/include/hdf5/serial",
            "/usr/local/include",
            "/usr/include",
        ];
        let headers = places
            .iter()
            .find(|place| Path::new(place).join("hdf5.h").exists())?;
        let built = Command::new("cc")
            .args(["-O3", "-march=native", "-I", headers])
            .arg(source("libhdf5.c"))
            .args([
                "-L/usr/lib/x86_64-linux-gnu/hdf5/serial",
                "-L/usr/lib/aarch64-linux-gnu/hdf5/serial",
            ])
            .args(["-lhdf5", "-o"])
            .arg(&program)
            .status();
        if !built.is_ok_and(|status| status.success()) {
            eprintln!("the C program cannot be compiled");
            return None;
        }
        let config = std::fs::read_to_string(Path::new(headers).join("H5public.h")).unwrap();
        let number = |name: &str| {
            let line = config
                .lines()
                .find(|line| line.contains(name))
                .unwrap_or("");
            line.split_whitespace().nth(2).unwrap_or("?").to_owned()
        };
        let version = ["H5_VERS_MAJOR", "H5_VERS_MINOR", "H5_VERS_RELEASE"]
            .map(number)
            .join(".");
        Some(Self {
            name: format!("libhdf5 {version} in C"),
            command: vec![program.into()],
            file: "libhdf5.h5",
        })
    }

    #[expect(clippy::print_stderr, reason = "why a side is missing")]
    fn h5py() -> Option<Self> {
        let Some(python) = std::env::var_os("TEST_PALIMPSEST_PYTHON") else {
            eprintln!("TEST_PALIMPSEST_PYTHON names no Python with h5py");
            return None;
        };
        let versions =
            "import h5py; print('h5py', h5py.__version__, 'on', h5py.version.hdf5_version)";
        let output = Command::new(&python)
            .args(["-c", versions])
            .output()
            .unwrap();
        Some(Self {
            name: String::from_utf8_lossy(&output.stdout).trim().to_owned(),
            command: vec![python, source("h5py_low_level.py").into()],
            file: "h5py.h5",
        })
    }

    /// Runs a round with each of the file's formats; the faster counts. What it read last.
    pub(crate) fn run(
        &self,
        workload: &str,
        folder: &Path,
        n_repeats: u32,
        figures: &mut Figures,
    ) -> f64 {
        let rounds = ["earliest", "latest"].map(|version| {
            let output = Command::new(&self.command[0])
                .args(&self.command[1..])
                .arg(workload)
                .arg(folder)
                // The first is to warm up.
                .args([(n_repeats + 1).to_string().as_str(), version])
                .output()
                .unwrap();
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}: {complaint}", self.name);
            let printed = String::from_utf8(output.stdout).unwrap();
            let mut lines = printed.lines();
            let times = lines.next().unwrap().split_whitespace();
            let times: Vec<f64> = times.skip(1).map(|it| it.parse().unwrap()).collect();
            (times, lines.next().unwrap().parse().unwrap())
        });
        let total = |times: &[f64]| times.iter().sum::<f64>();
        let [earliest, latest] = rounds;
        let (times, answer) = if total(&earliest.0) < total(&latest.0) {
            earliest
        } else {
            latest
        };
        figures.add_round(times);
        answer
    }
}
