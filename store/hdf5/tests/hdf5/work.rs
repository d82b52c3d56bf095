//! How much work it is to read all of a file that may be broken: bytes read, decoded and copied, as
//! the library counts them, and no time.

use std::collections::BTreeSet;
use std::path::PathBuf;

use palimpsest_hdf5::{
    Attribute, AttributeValue, Dataset, DatasetSpec, Datatype, Extent, FileBuilder, Filter, Group,
    Hdf5File, Hyperslab, LinkTarget, Object, Result, Storage,
};

use crate::corpus;
use crate::malformed::{Random, mutant};

/// How many bytes of values are asked for at once.
const SLAB_BYTES: u64 = 1 << 20;
/// How many bytes of one dataset are asked for: more may be declared than is anywhere.
const DATASET_BYTES_MAX: u64 = 8 << 20;
/// The work is at most so much for each byte of the file, and for each that was asked for or that
/// came.
const WORK_PER_BYTE: u64 = 8;

/// A reading of everything.
#[derive(Default)]
struct Walk {
    seen: BTreeSet<u64>,
    /// How many bytes were asked for, chunks that were touched counted whole, and how many came.
    asked_bytes: u64,
}

impl Walk {
    fn group(&mut self, group: &Group) {
        self.seen.insert(group.address());
        self.attributes(group.attributes());
        for link in group.links().unwrap_or_default() {
            let LinkTarget::Hard(address) = link.target else {
                continue;
            };
            if !self.seen.insert(address) {
                continue;
            }
            match group.object_at(address) {
                Ok(Object::Group(inner)) => self.group(&inner),
                Ok(Object::Dataset(dataset)) => {
                    self.attributes(dataset.attributes());
                    self.dataset(&dataset);
                }
                _ => {}
            }
        }
    }

    fn attributes(&mut self, found: Result<Vec<(String, Result<Attribute>)>>) {
        for (_, attribute) in found.unwrap_or_default() {
            let Ok(attribute) = attribute else { continue };
            self.asked_bytes += attribute.bytes().len() as u64;
            if let Ok(texts) = attribute.read_byte_strings() {
                self.asked_bytes += texts.iter().map(|t| t.len() as u64 + 16).sum::<u64>();
            }
            drop(attribute.values());
        }
    }

    fn dataset(&mut self, dataset: &Dataset) {
        if *dataset.extent() == Extent::Null {
            return;
        }
        let chunk = match dataset.storage() {
            Storage::Chunked(chunk) => chunk,
            _ => vec![1; dataset.shape().len()],
        };
        let element = u64::from(dataset.datatype().size_bytes());
        let mut left = DATASET_BYTES_MAX;
        for_each_block(dataset.shape(), &chunk, element, &mut |slab, touched| {
            self.asked_bytes += touched;
            match dataset.datatype() {
                Datatype::VlenString { .. } => {
                    for text in dataset.read_byte_strings(slab).unwrap_or_default() {
                        self.asked_bytes += text.len() as u64 + 16;
                    }
                }
                Datatype::Sequence { .. } => {
                    for values in dataset.read_sequences(slab).unwrap_or_default() {
                        self.asked_bytes += values.len() as u64 + 16;
                    }
                }
                _ => drop(dataset.read_values(slab)),
            }
            left = left.saturating_sub(touched);
            left > 0
        });
    }
}

/// Visits blocks of whole chunks, of about [`SLAB_BYTES`], until `visit` has enough; with each, how many
/// bytes its chunks have.
fn for_each_block(
    shape: &[u64],
    chunk: &[u64],
    element: u64,
    visit: &mut dyn FnMut(&Hyperslab, u64) -> bool,
) {
    if shape.contains(&0) {
        return;
    }
    let mut block = chunk.to_vec();
    let bytes = |block: &[u64]| block.iter().fold(element, |n, len| n.saturating_mul(*len));
    for dim in (0..shape.len()).rev() {
        while block[dim] < shape[dim] && bytes(&block) < SLAB_BYTES / 2 {
            block[dim] *= 2;
        }
    }
    let mut start = vec![0; shape.len()];
    loop {
        let ends = start.iter().zip(&block).zip(shape);
        let count: Vec<_> = ends.map(|((at, len), all)| (all - at).min(*len)).collect();
        if !visit(&Hyperslab::block(&start, &count), bytes(&block)) {
            return;
        }
        let Some(dim) = (0..shape.len())
            .rev()
            .find(|dim| shape[*dim] - start[*dim] > block[*dim])
        else {
            return;
        };
        start[dim] += block[dim];
        start[dim + 1..].fill(0);
    }
}

/// Refuses more work than a file's length and what was asked of it allow.
fn check_work(file: &Hdf5File, len: u64, asked_bytes: u64) {
    let (work, allowed) = (file.work_bytes(), WORK_PER_BYTE * (len + asked_bytes));
    assert!(work <= allowed, "{work} of {allowed}");
}

/// A file, and how long it is.
fn built(file: FileBuilder<'_>) -> (Hdf5File, u64) {
    let bytes = file.into_bytes().unwrap();
    let len = bytes.len() as u64;
    (Hdf5File::from_bytes(bytes).unwrap(), len)
}

/// Each row had its chunk decoded anew.
#[test]
fn a_chunk_that_is_read_row_by_row_is_decoded_once() {
    const ROWS: u64 = 2000;
    let values: Vec<_> = (0..ROWS * 64).collect();
    let filters = [Filter::Shuffle, Filter::Deflate { level: 1 }];
    let spec = DatasetSpec::chunked(Datatype::unsigned(8), &[ROWS, 64], &[ROWS, 32]);
    let mut file = FileBuilder::new();
    file.create_dataset("rows", &spec.filtered(&filters))
        .unwrap();
    file.write("rows", &values).unwrap();
    let (file, len) = built(file);
    let rows = file.dataset("rows").unwrap();
    for row in 0..ROWS {
        let found: Vec<u64> = rows
            .read_slice(&Hyperslab::rows(&[ROWS, 64], row, 1))
            .unwrap();
        assert_eq!(found[..], values[row as usize * 64..][..64]);
    }
    check_work(&file, len, ROWS * 64 * 8);
}

/// For each of many attributes the heap was read anew, and for each long one the index of them.
#[test]
fn all_attributes_together_are_read_once() {
    for (n, n_bytes) in [(3000, 10), (4000, 4200)] {
        let mut file = FileBuilder::new();
        for name in 0..n {
            let value = AttributeValue::list(&vec![1_u8; n_bytes]);
            file.set_attribute("/", &name.to_string(), value).unwrap();
        }
        let (file, len) = built(file);
        let attributes = file.root().unwrap().attributes().unwrap();
        assert_eq!(attributes.len(), n);
        let bytes = attributes
            .iter()
            .map(|(_, a)| a.as_ref().unwrap().bytes().len());
        assert_eq!(bytes.sum::<usize>(), n * n_bytes);
        check_work(&file, len, 0);
    }
}

/// Every chunk that was never written was looked for.
#[test]
fn chunks_that_are_not_there_are_no_work() {
    let n = 1 << 20;
    let mut file = FileBuilder::new();
    let spec = DatasetSpec::growing(Datatype::unsigned(1), &[n], &[1]);
    file.create_dataset("a", &spec).unwrap();
    file.write_bytes("a", &Hyperslab::block(&[3], &[1]), vec![7])
        .unwrap();
    let (file, len) = built(file);
    let found: Vec<u8> = file.dataset("a").unwrap().read().unwrap();
    assert_eq!(
        (found[3], found.iter().map(|n| u64::from(*n)).sum()),
        (7, 7_u64)
    );
    check_work(&file, len, n);
}

/// Each collection of the heap was all that is behind it, and was read for the text in it.
#[test]
fn collections_that_lie_over_each_other_are_refused() {
    const N: usize = 2000;
    // A head and the head of an object, over and over.
    let mut heads = Vec::new();
    for number in 0..N as u64 {
        let len = 32 * (N as u64 - number);
        heads.extend_from_slice(b"GCOL\x01\0\0\0");
        heads.extend_from_slice(&len.to_le_bytes());
        heads.extend_from_slice(&[1, 0, 0, 0, 0, 0, 0, 0]);
        heads.extend_from_slice(&(len - 32).to_le_bytes());
    }
    let mut file = FileBuilder::new();
    let spec = DatasetSpec::contiguous(Datatype::unsigned(1), &[heads.len() as u64]);
    file.create_dataset("heads", &spec).unwrap();
    file.write("heads", &heads).unwrap();
    let spec = DatasetSpec::contiguous(Datatype::text(), &[N as u64]);
    file.create_dataset("texts", &spec).unwrap();
    let all = Hyperslab::all(&[N as u64]);
    file.write_strings("texts", &all, &vec!["a"; N]).unwrap();
    let mut bytes = file.into_bytes().unwrap();
    let start = |bytes: &[u8], wanted: &[u8]| {
        bytes
            .windows(wanted.len())
            .position(|found| found == wanted)
            .unwrap()
    };
    let first_head = start(&bytes, &heads[..64]) as u64;
    let file = Hdf5File::from_bytes(bytes.clone()).unwrap();
    let references = file.dataset("texts").unwrap().read_bytes(&all).unwrap();
    let first = start(&bytes, &references);
    for number in 0..N {
        let reference = &mut bytes[first + 16 * number..][..16];
        let head = first_head + 32 * number as u64;
        reference[4..12].copy_from_slice(&head.to_le_bytes());
        reference[12..].copy_from_slice(&1_u32.to_le_bytes());
    }
    let len = bytes.len() as u64;
    let file = Hdf5File::from_bytes(bytes).unwrap();
    let texts = file.dataset("texts").unwrap();
    let error = texts.read_byte_strings(&all).unwrap_err();
    assert!(
        error.to_string().contains("do not lie over each other"),
        "{error}"
    );
    // One of them alone is as good as any.
    let one = Hyperslab::block(&[0], &[1]);
    assert_eq!(texts.read_byte_strings(&one).unwrap(), [b"G"]);
    check_work(&file, len, 17 * N as u64);
}

/// The work of reading all of a file, and what it may be.
fn work_of(bytes: Vec<u8>) -> (u64, u64) {
    let len = bytes.len() as u64;
    let mut walk = Walk::default();
    let Ok(file) = Hdf5File::from_bytes(bytes) else {
        return (0, 1);
    };
    if let Ok(root) = file.root() {
        walk.group(&root);
    }
    (file.work_bytes(), WORK_PER_BYTE * (len + walk.asked_bytes))
}

/// A file in which some words are what others are: what several places lead to is read for each.
fn aliased(random: &mut Random, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..random.below(4) * random.below(100) {
        let len = 8 << random.below(2);
        let n_words = bytes.len() / len;
        if n_words > 0 {
            let (from, to) = (random.below(n_words) * len, random.below(n_words) * len);
            bytes.copy_within(from..from + len, to);
        }
    }
    bytes
}

#[test]
fn a_mutant_takes_no_more_work_than_its_length_and_what_is_asked_of_it() {
    let test = "a_mutant_takes_no_more_work_than_its_length_and_what_is_asked_of_it";
    let Some(folder) = corpus::folder(test) else {
        return;
    };
    let slow = std::env::var_os("RUN_SLOW_TESTS").is_some();
    let n_mutants = if slow { 5000 } else { 500 };
    if !slow {
        println!("500 mutants; with RUN_SLOW_TESTS=1 they are 5,000");
    }
    let entries = std::fs::read_dir(folder.join("valid")).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: &PathBuf| std::fs::read(path).unwrap();
    let files: Vec<_> = paths.iter().map(read).collect();
    let mut random = Random(20_261_201);
    let mut found = Vec::new();
    for (path, file) in paths.iter().zip(&files) {
        found.push((work_of(file.clone()), path.clone(), 0));
    }
    for number in 1..=n_mutants {
        let which = random.below(files.len());
        let bytes = mutant(&mut random, files[which].clone());
        let bytes = aliased(&mut random, bytes);
        found.push((work_of(bytes), paths[which].clone(), number));
    }
    let share = |(work, allowed): (u64, u64)| work as f64 / allowed as f64;
    let most = found
        .iter()
        .max_by(|a, b| share(a.0).total_cmp(&share(b.0)));
    let (work, path, number) = most.unwrap();
    let what = format!(
        "{:.3} of the work that is allowed: {work:?}, mutant {number} of {}",
        share(*work),
        path.display()
    );
    println!("at most {what}");
    assert!(share(*work) <= 1.0, "{what}");
}
