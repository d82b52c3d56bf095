#![expect(
    clippy::indexing_slicing,
    reason = "a test that cuts where it should not fails"
)]

use std::fs::OpenOptions;
use std::io::Write as _;

use palimpsest_embed::Window;
use tempfile::TempDir;

use super::{Key, MAGIC, VectorCache};

const DIM: usize = 3;

fn windows(number: u8) -> Vec<Window> {
    let window = |window_idx: u8| Window {
        token_start: u32::from(window_idx) * 190,
        token_count: 254,
        embedding: vec![f32::from(number), f32::from(window_idx), -0.5],
    };
    (0..=number % 3).map(window).collect()
}

fn key(number: u8) -> Key {
    [number; 32]
}

struct Rig {
    folder: TempDir,
}

impl Rig {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("model.vectors")
    }

    fn open(&self) -> VectorCache {
        VectorCache::open(&self.path(), DIM).unwrap()
    }

    /// Which of the first ten texts come back, each with its own vectors.
    fn held(cache: &VectorCache) -> Vec<u8> {
        let is_held = |number: &u8| match cache.get(&key(*number)).unwrap() {
            Some(found) => {
                assert_eq!(found, windows(*number));
                true
            }
            None => false,
        };
        (0..10).filter(is_held).collect()
    }
}

#[test]
fn what_is_put_is_got_by_this_opening_and_the_next() {
    let rig = Rig::new();
    let cache = rig.open();
    for number in [4, 0, 7] {
        cache.put(&key(number), &windows(number)).unwrap();
    }
    assert!(cache.holds(&key(4)) && !cache.holds(&key(5)));
    assert_eq!(Rig::held(&cache), [0, 4, 7]);
    drop(cache);
    assert_eq!(Rig::held(&rig.open()), [0, 4, 7]);
}

#[test]
fn two_openings_append_to_one_file() {
    let rig = Rig::new();
    let (first, second) = (rig.open(), rig.open());
    for number in 0..6 {
        let cache = if number % 2 == 0 { &first } else { &second };
        cache.put(&key(number), &windows(number)).unwrap();
    }
    assert_eq!(Rig::held(&first), [0, 2, 4]);
    assert_eq!(Rig::held(&rig.open()), [0, 1, 2, 3, 4, 5]);
}

/// A kill can end the file anywhere: what was whole is kept, the rest is embedded again.
#[test]
fn a_file_that_ends_anywhere_keeps_every_whole_record() {
    let rig = Rig::new();
    let cache = rig.open();
    let mut ends = Vec::new();
    for number in 0..4 {
        cache.put(&key(number), &windows(number)).unwrap();
        ends.push(std::fs::metadata(rig.path()).unwrap().len());
    }
    drop(cache);
    let whole = std::fs::read(rig.path()).unwrap();
    for len in 0..=whole.len() {
        std::fs::write(rig.path(), &whole[..len]).unwrap();
        let cache = rig.open();
        let n_whole = ends.iter().filter(|end| **end <= len as u64).count();
        assert_eq!(Rig::held(&cache).len(), n_whole, "cut at {len}");
        cache.put(&key(9), &windows(9)).unwrap();
        drop(cache);
        assert_eq!(
            Rig::held(&rig.open()).len(),
            n_whole + 1,
            "cut at {len} and continued"
        );
    }
}

#[test]
fn a_flipped_byte_is_a_miss_and_never_another_vector() {
    let rig = Rig::new();
    let cache = rig.open();
    for number in 0..3 {
        cache.put(&key(number), &windows(number)).unwrap();
    }
    let whole = std::fs::read(rig.path()).unwrap();
    for offset in MAGIC.len()..whole.len() {
        let mut damaged = whole.clone();
        damaged[offset] ^= 0x10;
        std::fs::write(rig.path(), &damaged).unwrap();
        // Under an open cache, and then for one that opens it: every vector that comes is its text's.
        let n_held = Rig::held(&cache).len();
        assert!(n_held <= 3);
        assert!(
            Rig::held(&rig.open()).len() < 3,
            "the damage at {offset} was not seen"
        );
        std::fs::write(rig.path(), &whole).unwrap();
    }
}

#[test]
fn a_file_of_something_else_is_refused_and_left_alone() {
    let rig = Rig::new();
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(rig.path())
        .unwrap();
    file.write_all(b"somebody's diary").unwrap();
    let error = VectorCache::open(&rig.path(), DIM).unwrap_err().to_string();
    assert!(error.contains("first line of a cache"), "{error}");
    assert_eq!(std::fs::read(rig.path()).unwrap(), b"somebody's diary");
}

#[test]
fn vectors_of_another_length_are_a_miss() {
    let rig = Rig::new();
    rig.open().put(&key(0), &windows(0)).unwrap();
    let other = VectorCache::open(&rig.path(), DIM + 1).unwrap();
    assert_eq!(other.get(&key(0)).unwrap(), None);
}
