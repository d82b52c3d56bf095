//! What the indexes cost: commits, searches, opening and memory, by how much a store holds.
//!
//! `cargo run --profile ci -p palimpsest-store --example index_figures`. The texts are made up: words
//! drawn by Zipf's law, as in real text; the vectors are random.
#![expect(clippy::print_stdout, reason = "it prints what it measured")]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use palimpsest_hdf5::{Backend, FileBackend, RamBackend};
use palimpsest_store::{
    Change, Filter, KeywordQuery, MemoryId, MemoryRecord, ModelId, Operation, Planned, Store,
    StoreOptions, Timestamp, Verb, WindowVector,
};

const MODEL: ModelId = ModelId([1; 32]);
const DIM: usize = 384;
const BATCH_LEN: u64 = 50;
const N_SAMPLES: usize = 300;

/// Xorshift, so that every run is the same.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// 0 to 1.
    #[expect(clippy::cast_precision_loss, reason = "24 bits are enough")]
    fn share(&mut self) -> f64 {
        (self.next() >> 40) as f64 / (1_u64 << 24) as f64
    }

    /// A word by Zipf's law among 50,000.
    fn word(&mut self) -> String {
        let rank = 50_000_f64.powf(self.share());
        format!("w{}", rank.floor())
    }

    fn text(&mut self, n_words: u64) -> String {
        let words: Vec<_> = (0..n_words).map(|_| self.word()).collect();
        words.join(" ")
    }

    fn vector(&mut self) -> Vec<f32> {
        #[expect(clippy::cast_possible_truncation, reason = "numbers below 1")]
        let numbers: Vec<f32> = (0..DIM).map(|_| (self.share() - 0.5) as f32).collect();
        let length = numbers.iter().map(|x| x * x).sum::<f32>().sqrt();
        numbers.into_iter().map(|x| x / length).collect()
    }
}

fn memory(random: &mut Random, id: u64) -> [Change; 2] {
    let n_words = 15 + random.next() % 30;
    let record = MemoryRecord {
        id: MemoryId(id),
        text: random.text(n_words).into(),
        scope: format!("scope{}", id % 4).into(),
        kind: "fact".into(),
        topic: None,
        source: None,
        tags: Vec::new(),
        entities: Vec::new(),
        importance: 0.5,
        created_at: Timestamp(i64::try_from(id).unwrap_or(i64::MAX)),
        valid_from: None,
        valid_to: None,
        superseded_by: None,
    };
    let embed = Change::Embed {
        memory: MemoryId(id),
        model: MODEL,
        windows: vec![WindowVector {
            token_start: 0,
            embedding: random.vector().into(),
        }],
    };
    [Change::Put(Arc::new(record)), embed]
}

fn commit(store: &Store, mut changes: Vec<Change>) {
    let plan = move |_: &palimpsest_store::Tip| Planned {
        operation: Some(Operation {
            verb: Verb::Remember,
            changes: std::mem::take(&mut changes),
        }),
        answer: (),
    };
    store.commit(Timestamp(0), plan).expect("a commit");
}

fn open(backend: Arc<dyn Backend>, path: &Path) -> Store {
    let options = StoreOptions {
        path: path.to_owned(),
        lock_wait: Duration::from_secs(10),
    };
    Store::open(backend, options).expect("a store")
}

fn grow(store: &Store, random: &mut Random, ids: std::ops::Range<u64>) {
    let mut changes = Vec::new();
    for id in ids {
        changes.extend(memory(random, id));
        if id % BATCH_LEN == 0 {
            commit(store, std::mem::take(&mut changes));
        }
    }
    commit(store, changes);
}

fn report(what: &str, mut samples: Vec<Duration>) {
    samples.sort();
    let at = |percent: usize| samples[(samples.len() - 1) * percent / 100];
    let [least, median, most] = [1, 50, 99].map(at);
    println!("{what:<44} p1 {least:>9.1?}  p50 {median:>9.1?}  p99 {most:>9.1?}");
}

fn sample(mut what: impl FnMut()) -> Vec<Duration> {
    let run = |_| {
        let start = Instant::now();
        what();
        start.elapsed()
    };
    (0..N_SAMPLES).map(run).collect()
}

fn figures_in_ram() {
    let store = open(Arc::new(RamBackend::new()), Path::new("/figures/memory.h5"));
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut next_id = 1;
    for n_memories in [1_000, 10_000, 100_000] {
        grow(&store, &mut random, next_id..n_memories);
        next_id = n_memories;
        let commits = (0..N_SAMPLES).map(|_| {
            let changes = memory(&mut random, next_id).to_vec();
            next_id += 1;
            // The store pauses between two commits as long as the first one took.
            std::thread::sleep(Duration::from_millis(1));
            let start = Instant::now();
            commit(&store, changes);
            start.elapsed()
        });
        report(
            &format!("{n_memories}: commit of one memory"),
            commits.collect(),
        );
        let snapshot = store.snapshot().expect("a snapshot");
        let all = Filter::default();
        let one_scope = Filter {
            scopes: vec!["scope1".to_owned()],
            ..Filter::default()
        };
        for (name, filter) in [("all scopes", &all), ("one scope of four", &one_scope)] {
            let words = sample(|| {
                let hits =
                    snapshot.keyword_search(KeywordQuery::exact(&random.text(8)), filter, 100);
                assert!(!hits.is_empty(), "common words are everywhere");
            });
            report(&format!("{n_memories}: 8 words, {name}"), words);
            let query = random.vector();
            let vectors = sample(|| {
                let hits = snapshot.vector_search(MODEL, &[&query], filter, 100);
                assert_eq!(hits.expect("a sound query").len(), 100);
            });
            report(&format!("{n_memories}: vectors, {name}"), vectors);
        }
        report(
            &format!("{n_memories}: list 20"),
            sample(|| drop(snapshot.list(&all, 20))),
        );
        report(
            &format!("{n_memories}: nothing left to embed"),
            sample(|| assert!(snapshot.unembedded(MODEL, 1).is_empty())),
        );
    }
}

fn resident_len_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}

/// The processor time of this process, in user mode; clock ticks are 10 ms on Linux.
fn cpu_time_ms() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = behind_name.split_whitespace().nth(11);
    ticks
        .and_then(|ticks| ticks.parse::<u64>().ok())
        .unwrap_or(0)
        * 10
}

/// In a process of its own, so that nothing else is resident.
fn figures_of_opening(path: &Path) {
    let before = resident_len_bytes();
    let start = Instant::now();
    let store = open(Arc::new(FileBackend::new()), path);
    let elapsed = start.elapsed();
    let cpu_ms = cpu_time_ms();
    let snapshot = store.snapshot().expect("a snapshot");
    let n_memories = snapshot.count(&Filter::default()) as u64;
    let per_memory = (resident_len_bytes() - before) / n_memories;
    println!(
        "opened {n_memories} memories in {elapsed:.1?} ({cpu_ms} ms of processor time); \
         {per_memory} resident bytes a memory"
    );
}

fn main() -> std::io::Result<()> {
    if let Some(path) = std::env::args_os().nth(1) {
        figures_of_opening(Path::new(&path));
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("memory.h5");
    let store = open(Arc::new(FileBackend::new()), &path);
    grow(&store, &mut Random(0x9E37_79B9_7F4A_7C15), 1..100_001);
    drop(store);
    let program = std::env::current_exe()?;
    std::process::Command::new(program).arg(&path).status()?;
    figures_in_ram();
    Ok(())
}
