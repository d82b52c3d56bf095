//! A file system whose syncs of files wait at a gate, to see who waits for them.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use palimpsest_hdf5::{Backend, File, FileIdentity, LockHolder, LockKind, OpenMode, RamBackend};

use super::{keep, open, texts};
use crate::log::FRAMES_OFFSET;
use crate::{Planned, Timestamp};

#[derive(Debug, Default)]
struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    is_closed: bool,
    n_waiting: usize,
    n_syncs: usize,
    /// So many reads of frames go wrong.
    n_bad_reads: usize,
}

impl Gate {
    fn set_closed(&self, is_closed: bool) {
        self.state.lock().unwrap().is_closed = is_closed;
        self.changed.notify_all();
    }

    fn await_waiting(&self) {
        let state = self.state.lock().unwrap();
        drop(
            self.changed
                .wait_while(state, |state| state.n_waiting == 0)
                .unwrap(),
        );
    }

    fn pass(&self) {
        let mut state = self.state.lock().unwrap();
        state.n_syncs += 1;
        state.n_waiting += 1;
        self.changed.notify_all();
        let mut state = self
            .changed
            .wait_while(state, |state| state.is_closed)
            .unwrap();
        state.n_waiting -= 1;
    }
}

#[derive(Debug, Clone)]
struct GatedBackend {
    ram: RamBackend,
    gate: Arc<Gate>,
}

#[derive(Debug)]
struct GatedFile {
    ram: Box<dyn File>,
    gate: Arc<Gate>,
}

impl Backend for GatedBackend {
    fn process(&self) -> u64 {
        self.ram.process()
    }
    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.ram.canonical(path)
    }
    fn open(&self, path: &Path, mode: OpenMode) -> io::Result<Box<dyn File>> {
        let ram = self.ram.open(path, mode)?;
        Ok(Box::new(GatedFile {
            ram,
            gate: Arc::clone(&self.gate),
        }))
    }
    fn identity(&self, path: &Path) -> io::Result<FileIdentity> {
        self.ram.identity(path)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.ram.rename(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.ram.remove(path)
    }
    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.ram.create_folder(path)
    }
    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.ram.sync_folder(path)
    }
    fn random(&self) -> io::Result<u128> {
        self.ram.random()
    }
}

impl File for GatedFile {
    fn read_at(&self, buffer: &mut [u8], offset_bytes: u64) -> io::Result<usize> {
        let n_read = self.ram.read_at(buffer, offset_bytes)?;
        let mut state = self.gate.state.lock().unwrap();
        if offset_bytes >= FRAMES_OFFSET && state.n_bad_reads > 0 {
            state.n_bad_reads -= 1;
            buffer[0] ^= 1;
        }
        Ok(n_read)
    }
    fn write_at(&self, bytes: &[u8], offset_bytes: u64) -> io::Result<()> {
        self.ram.write_at(bytes, offset_bytes)
    }
    fn len_bytes(&self) -> io::Result<u64> {
        self.ram.len_bytes()
    }
    fn set_len(&self, len_bytes: u64) -> io::Result<()> {
        self.ram.set_len(len_bytes)
    }
    fn sync_data(&self) -> io::Result<()> {
        self.gate.pass();
        self.ram.sync_data()
    }
    fn identity(&self) -> io::Result<FileIdentity> {
        self.ram.identity()
    }
    fn try_lock(&self, kind: LockKind) -> io::Result<bool> {
        self.ram.try_lock(kind)
    }
    fn lock(&self, kind: LockKind, wait: Duration) -> io::Result<bool> {
        self.ram.lock(kind, wait)
    }
    fn unlock(&self) -> io::Result<()> {
        self.ram.unlock()
    }
    fn lock_holder(&self) -> Option<LockHolder> {
        self.ram.lock_holder()
    }
}

fn gated() -> GatedBackend {
    GatedBackend {
        ram: RamBackend::new(),
        gate: Arc::default(),
    }
}

#[test]
fn a_reader_waits_for_no_sync_and_sees_nothing_that_is_not_durable() {
    let backend = gated();
    let store = open(backend.clone()).unwrap();
    let other = open(backend.ram.another_process()).unwrap();
    keep(&store, "first").unwrap();
    std::thread::scope(|scope| {
        backend.gate.set_closed(true);
        let writer = scope.spawn(|| keep(&store, "second"));
        backend.gate.await_waiting();
        assert_eq!(texts(&store).unwrap(), ["first"]);
        assert_eq!(texts(&other).unwrap(), ["first"]);
        backend.gate.set_closed(false);
        writer.join().unwrap().unwrap();
    });
    assert_eq!(texts(&store).unwrap(), ["first", "second"]);
    assert_eq!(texts(&other).unwrap(), ["first", "second"]);
}

#[test]
fn a_frame_that_reads_badly_is_read_again_before_it_is_called_damaged() {
    let backend = gated();
    let store = open(backend.clone()).unwrap();
    let other = open(backend.ram.another_process()).unwrap();
    for (n_bad_reads, text) in [(0, "first"), (1, "second")] {
        keep(&other, text).unwrap();
        backend.gate.state.lock().unwrap().n_bad_reads = n_bad_reads;
        assert!(texts(&store).unwrap().contains(&text.to_owned()));
    }
    keep(&other, "third").unwrap();
    backend.gate.state.lock().unwrap().n_bad_reads = 9;
    texts(&store).unwrap_err();
}

#[test]
fn commits_that_come_during_a_sync_share_the_next_one() {
    let backend = gated();
    let store = open(backend.clone()).unwrap();
    let n_syncs_before = backend.gate.state.lock().unwrap().n_syncs;
    std::thread::scope(|scope| {
        backend.gate.set_closed(true);
        scope.spawn(|| keep(&store, "first").unwrap());
        backend.gate.await_waiting();
        let store = &store;
        for i in 0..20 {
            scope.spawn(move || keep(store, &i.to_string()).unwrap());
        }
        while store.shared.queue.len() < 20 {
            std::thread::yield_now();
        }
        backend.gate.set_closed(false);
    });
    assert_eq!(
        backend.gate.state.lock().unwrap().n_syncs - n_syncs_before,
        2
    );
    let mut found = texts(&store).unwrap();
    assert_eq!(found.remove(0), "first");
    let mut expected: Vec<String> = (0..20).map(|i| i.to_string()).collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn a_plan_stands_on_its_groups_earlier_commits() {
    let backend = gated();
    let store = open(backend.clone()).unwrap();
    let n_added = std::thread::scope(|scope| {
        backend.gate.set_closed(true);
        scope.spawn(|| keep(&store, "first").unwrap());
        backend.gate.await_waiting();
        let store = &store;
        // Each adds the text only if nobody has: one of them does.
        let adders: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(move || {
                    let plan = |tip: &crate::Tip| {
                        let is_known = tip.snapshot.seq().0 > 1;
                        let operation = (!is_known).then(|| super::keeping(tip, "once"));
                        Planned {
                            operation,
                            answer: !is_known,
                        }
                    };
                    store.commit(Timestamp(1), plan).unwrap()
                })
            })
            .collect();
        while store.shared.queue.len() < 8 {
            std::thread::yield_now();
        }
        backend.gate.set_closed(false);
        let committed = adders.into_iter().map(|adder| adder.join().unwrap());
        committed
            .inspect(|committed| assert_eq!(committed.snapshot.seq().0, 2))
            .filter(|c| c.answer)
            .count()
    });
    assert_eq!(n_added, 1);
    assert_eq!(texts(&store).unwrap(), ["first", "once"]);
}
