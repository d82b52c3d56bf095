//! Files that are broken, on purpose or not: an error or an answer, in bounded time and memory.

use std::path::PathBuf;
use std::process::Command;

use palimpsest_hdf5::{FileBuilder, Hdf5File};

use crate::{corpus, describe};

/// What a test of this module has for itself in a process of its own: address space for a file of
/// the corpus and 1 GiB, and this time.
const ADDRESS_SPACE_KIB: u32 = 1_500_000;
const SECONDS_A_FILE: u32 = 10;
/// Set where a test runs in such a process: the file that it is to read, or anything.
const BOUNDED: &str = "TEST_PALIMPSEST_HDF5_BOUNDED";

/// Reads everything of a file that can be read; whatever it answers is right.
fn read_all(bytes: Vec<u8>) {
    if let Ok(file) = Hdf5File::from_bytes(bytes) {
        drop(describe::file(&file));
    }
}

/// Runs a test of this module again, in a process with bounds.
fn run_bounded(test: &str, subject: &str, seconds: u32) {
    let script = "ulimit -v \"$1\" && exec timeout \"$2\" \"$3\" --exact \"$4\"";
    let output = Command::new("sh")
        .args(["-c", script, "sh"])
        .args([ADDRESS_SPACE_KIB.to_string(), seconds.to_string()])
        .arg(std::env::current_exe().unwrap())
        .arg(format!("malformed::{test}"))
        .env(BOUNDED, subject)
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    let status = output.status;
    assert!(
        status.success(),
        "{subject}: {status}\n{printed}\n{complaint}"
    );
    assert!(
        printed.contains("1 passed"),
        "{test} is no test here: {printed}"
    );
}

#[test]
fn malformed_files_get_an_answer() {
    if let Some(path) = std::env::var_os(BOUNDED) {
        return read_all(std::fs::read(path).unwrap());
    }
    let test = "malformed_files_get_an_answer";
    let Some(folder) = corpus::folder(test) else {
        return;
    };
    let entries = std::fs::read_dir(folder.join("malformed")).unwrap();
    let paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    for path in &paths {
        run_bounded(test, path.to_str().unwrap(), SECONDS_A_FILE);
    }
    println!("{} malformed files", paths.len());
    assert!(!paths.is_empty());
}

/// `SplitMix64` (Steele, Lea and Flood 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

#[test]
fn two_thousand_mutants_get_an_answer() {
    let test = "two_thousand_mutants_get_an_answer";
    let Some(folder) = corpus::folder(test) else {
        return;
    };
    if std::env::var_os(BOUNDED).is_none() {
        return run_bounded(test, "mutants", 60 * SECONDS_A_FILE);
    }
    let mut paths: Vec<_> = std::fs::read_dir(folder.join("valid"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let files: Vec<_> = paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect();
    let mut random = Random(20_260_601);
    for _ in 0..2000 {
        let bytes = files[random.below(files.len())].clone();
        read_all(mutant(&mut random, bytes));
    }
}

/// A file that some bytes of are others, or that is cut short.
pub(crate) fn mutant(random: &mut Random, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..=random.below(8) {
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
            2 => {
                let len = random.below(8).min(bytes.len() - at);
                bytes[at..at + len].fill(0xff);
            }
            _ => bytes.truncate(at.max(8)),
        }
    }
    bytes
}

/// A bit that changed in an attribute kept in a heap was not noticed where the heap has many blocks.
#[test]
fn no_changed_attribute_is_read_as_if_it_were_whole() {
    for n in [9_u64, 40, 2000] {
        let mut file = FileBuilder::new();
        for number in 0..n {
            let value = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            file.set_attribute("/", &number.to_string(), value).unwrap();
        }
        let bytes = file.into_bytes().unwrap();
        for number in [0, n / 2, n - 1] {
            let value = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1).to_le_bytes();
            let place = bytes.windows(8).position(|found| found == value).unwrap();
            let mut changed = bytes.clone();
            changed[place + 3] ^= 1;
            let file = Hdf5File::from_bytes(changed).unwrap();
            let error = file.attribute(&number.to_string()).unwrap_err();
            assert!(error.to_string().contains("checksum"), "{error}");
        }
    }
}
