//! What a commit costs beside a bare write and sync of the same bytes, and what a snapshot costs
//! when nothing has changed.
//!
//! `cargo run --release -p palimpsest-store --example commit_cost [FOLDER]` takes rounds of each
//! kind in turn in one run, so that their ratio holds on a busy machine; FOLDER should be on the
//! disk that matters (default: the system's folder for temporary files, which may be in memory).

use std::error::Error;
use std::fs::OpenOptions;
use std::hint::black_box;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use palimpsest_hdf5::{FileBackend, RamBackend};
use palimpsest_store::{
    Change, MemoryRecord, Operation, Planned, Store, StoreOptions, Timestamp, Tip, Verb,
};

const ROUNDS: usize = 9;
const COMMITS_A_ROUND: usize = 100;
const SNAPSHOTS: u32 = 100_000;
const TEXT: &str = "Ada prefers trains to planes, and window seats to both; booked for 12 May.";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os()
        .nth(1)
        .map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = folder.join(format!("palimpsest-commit-cost-{}", std::process::id()));
    let outcome = measure(&folder);
    std::fs::remove_dir_all(&folder)?;
    outcome
}

fn measure(folder: &Path) -> Result<(), Box<dyn Error>> {
    let options = StoreOptions {
        path: folder.join("memory.h5"),
        lock_wait: Duration::from_secs(10),
    };
    let store = Store::open(Arc::new(FileBackend::new()), options)?;
    let len_before = store.status()?.log_len_bytes;
    commit(&store)?;
    let frame_len = usize::try_from(store.status()?.log_len_bytes - len_before)?;
    let bare = OpenOptions::new()
        .create_new(true)
        .write(true)
        .open(folder.join("bare"))?;
    let (mut bare_end, mut ratios, mut commit_us, mut bare_us) = (0, vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        let commits = us_each(COMMITS_A_ROUND, || commit(&store))?;
        let bares = us_each(COMMITS_A_ROUND, || {
            bare.write_all_at(&vec![1; frame_len], bare_end)?;
            bare_end += frame_len as u64;
            Ok(bare.sync_data()?)
        })?;
        ratios.push(commits / bares);
        commit_us.push(commits);
        bare_us.push(bares);
    }
    // The same without a disk: what is not sync.
    let options = StoreOptions {
        path: "/ram/memory.h5".into(),
        lock_wait: Duration::ZERO,
    };
    let ram = Store::open(Arc::new(RamBackend::new()), options)?;
    let mut ram_us = Vec::new();
    for _ in 0..ROUNDS {
        ram_us.push(us_each(COMMITS_A_ROUND, || commit(&ram))?);
    }
    let begun = Instant::now();
    for _ in 0..SNAPSHOTS {
        black_box(store.snapshot()?);
    }
    let snapshot_ns = begun.elapsed().as_secs_f64() * 1e9 / f64::from(SNAPSHOTS);
    print(&[
        format!(
            "{frame_len} bytes a frame, {ROUNDS} rounds of {COMMITS_A_ROUND}; median (least .. most)"
        ),
        format!("commit                 {} us", spread(&mut commit_us)),
        format!("bare write + fdatasync {} us", spread(&mut bare_us)),
        format!("commit without a disk  {} us", spread(&mut ram_us)),
        format!("ratio                  {}", spread(&mut ratios)),
        format!("snapshot, unchanged    {snapshot_ns:.0} ns"),
    ]);
    Ok(())
}

fn commit(store: &Store) -> Result<(), Box<dyn Error>> {
    store.commit(Timestamp(1), |tip| Planned {
        operation: Some(keeping(tip)),
        answer: (),
    })?;
    Ok(())
}

fn keeping(tip: &Tip) -> Operation {
    let record = MemoryRecord {
        id: tip.next_memory,
        text: TEXT.into(),
        scope: "project".into(),
        kind: "fact".into(),
        topic: None,
        source: None,
        tags: Vec::new(),
        entities: Vec::new(),
        importance: 0.5,
        created_at: tip.at,
        valid_from: None,
        valid_to: None,
        superseded_by: None,
    };
    Operation {
        verb: Verb::Remember,
        changes: vec![Change::Put(Arc::new(record))],
    }
}

fn us_each(
    n: usize,
    mut act: impl FnMut() -> Result<(), Box<dyn Error>>,
) -> Result<f64, Box<dyn Error>> {
    let begun = Instant::now();
    for _ in 0..n {
        act()?;
    }
    Ok(begun.elapsed().as_secs_f64() * 1e6 / f64::from(u32::try_from(n)?))
}

fn spread(values: &mut [f64]) -> String {
    values.sort_by(f64::total_cmp);
    let (least, median, most) = (
        values[0],
        values[values.len() / 2],
        values[values.len() - 1],
    );
    format!("{median:8.2} ({least:.2} .. {most:.2})")
}

#[expect(clippy::print_stdout, reason = "this is a program that prints figures")]
fn print(lines: &[String]) {
    for line in lines {
        println!("{line}");
    }
}
