//! Files that are broken, on purpose or not: an error or an answer, in bounded time and memory.

use palimpsest_hdf5::Hdf5File;

use crate::corpus;
use crate::describe;

/// Reads everything of a file that can be read; whatever it answers is right.
fn read_all(bytes: Vec<u8>) {
    if let Ok(file) = Hdf5File::from_bytes(bytes) {
        drop(describe::file(&file));
    }
}

#[test]
fn malformed_files_get_an_answer() {
    let Some(folder) = corpus::folder() else {
        return;
    };
    let mut n_files = 0;
    for entry in std::fs::read_dir(folder.join("malformed")).unwrap() {
        read_all(std::fs::read(entry.unwrap().path()).unwrap());
        n_files += 1;
    }
    println!("{n_files} malformed files");
    assert!(n_files > 0);
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

#[test]
fn two_thousand_mutants_get_an_answer() {
    let Some(folder) = corpus::folder() else {
        return;
    };
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
        let mut bytes = files[random.below(files.len())].clone();
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
        read_all(bytes);
    }
}
