//! Transactions: nothing that a reader uses is overwritten, and a crash leaves one state or the next.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use palimpsest_hdf5::{
    Backend, DatasetSpec, Datatype, Fault, FaultyBackend, File, FileBackend, FileBuilder, Filter,
    Hdf5File, Hyperslab, OpenMode, RamBackend, Transaction, Unsynced,
};

use crate::{python, ramp};

const PATH: &str = "/memory.h5";
const AHEAD_BYTES: u64 = 64 << 10;
/// How many rows each publication adds.
const ROWS: u64 = 5;

fn open(backend: &dyn Backend) -> Arc<dyn File> {
    Arc::from(backend.open(Path::new(PATH), OpenMode::Create).unwrap())
}

#[expect(clippy::unnecessary_wraps, reason = "a hook may refuse")]
fn no_hook(_: &[u8; 48]) -> Result<(), Infallible> {
    Ok(())
}

/// The state before the first publication of [`change`].
fn begin(device: Arc<dyn File>) {
    let mut transaction = Transaction::create(device, AHEAD_BYTES).unwrap();
    let filters = [Filter::Shuffle, Filter::Deflate { level: 1 }];
    let rows = DatasetSpec::growing(Datatype::unsigned(8), &[0], &[4]);
    transaction.create_dataset("rows", &rows).unwrap();
    transaction
        .create_dataset("filtered", &rows.filtered(&filters))
        .unwrap();
    let text = DatasetSpec::growing(Datatype::text(), &[0], &[4]);
    transaction.create_dataset("a/text", &text).unwrap();
    let vectors = DatasetSpec::growing(Datatype::f32(), &[0, 3], &[2, 3]).aligned(4096);
    transaction.create_dataset("a/vectors", &vectors).unwrap();
    let mutable = DatasetSpec::growing(Datatype::unsigned(4), &[64], &[8]);
    transaction.create_dataset("mutable", &mutable).unwrap();
    transaction.set_attribute("/", "seq", 0_u64).unwrap();
    transaction.publish(no_hook).unwrap();
}

/// Everything of publication `seq`, but for publishing it.
fn change(transaction: &mut Transaction, seq: u64) -> palimpsest_hdf5::Result<()> {
    let first = (seq - 1) * ROWS;
    let rows: Vec<_> = (first..first + ROWS).map(ramp::number).collect();
    transaction.append("rows", &rows)?;
    for row in &rows {
        transaction.append("filtered", &[*row])?;
    }
    let texts: Vec<_> = rows.iter().map(|row| ramp::text(*row)).collect();
    transaction.append_strings("a/text", &texts)?;
    let vectors: Vec<_> = rows.iter().flat_map(|row| [*row as f32; 3]).collect();
    transaction.append("a/vectors", &vectors)?;
    let marks = u32::try_from(seq).unwrap().to_le_bytes().repeat(2);
    transaction.write_bytes("mutable", &Hyperslab::rows(&[64], 2 * (seq % 30), 2), marks)?;
    transaction.create_group(&format!("groups/g{seq}"))?;
    transaction.set_attribute("/", "seq", seq)
}

fn publish(device: Arc<dyn File>, seq: u64) -> palimpsest_hdf5::Result<()> {
    let mut transaction = Transaction::open(device, AHEAD_BYTES)?;
    change(&mut transaction, seq)?;
    transaction.publish(no_hook).map(|_| ())
}

/// Which state a file is in, where it is wholly in one.
fn state(file: &Hdf5File) -> palimpsest_hdf5::Result<u64> {
    let seq: u64 = file.attribute("seq")?.scalar()?;
    let expected: Vec<_> = (0..seq * ROWS).map(ramp::number).collect();
    assert_eq!(file.dataset("rows")?.read::<u64>()?, expected);
    assert_eq!(file.dataset("filtered")?.read::<u64>()?, expected);
    let text = file.dataset("a/text")?;
    let texts: Vec<_> = expected.iter().map(|row| ramp::text(*row)).collect();
    assert_eq!(text.read_strings(&text.all())?, texts);
    let vectors: Vec<_> = expected.iter().flat_map(|row| [*row as f32; 3]).collect();
    assert_eq!(file.dataset("a/vectors")?.read::<f32>()?, vectors);
    let mut marks = vec![0_u32; 64];
    for seq in 1..=seq {
        marks[2 * (seq as usize % 30)..][..2].fill(seq as u32);
    }
    assert_eq!(file.dataset("mutable")?.read::<u32>()?, marks);
    if seq > 0 {
        assert_eq!(file.group("groups")?.links()?.len() as u64, seq);
    }
    Ok(seq)
}

fn bytes_of(backend: &dyn Backend) -> Vec<u8> {
    let device = open(backend);
    let mut bytes = vec![0; usize::try_from(device.len_bytes().unwrap()).unwrap()];
    device.read_at(&mut bytes, 0).unwrap();
    bytes
}

/// What losing power now can leave of the file.
fn fates(backend: &FaultyBackend, last_write_bytes: usize) -> Vec<Unsynced> {
    let n = backend.n_unsynced();
    let mut fates = vec![Unsynced::Lost, Unsynced::Kept, Unsynced::LastBlank];
    fates.extend((0..n).map(Unsynced::OnlyKept));
    fates.extend((0..n).map(Unsynced::OnlyLost));
    fates.extend((0..=last_write_bytes).step_by(512).map(Unsynced::LastTorn));
    fates
}

const PUBLICATIONS: u64 = 4;

/// A machine with the state before the first publication, and how many steps that took.
fn machine() -> FaultyBackend {
    let backend = FaultyBackend::new();
    begin(open(&backend));
    backend.sync_folder(Path::new("/")).unwrap();
    backend
}

/// How a publication reaches the device.
type Wrap = fn(Arc<dyn File>) -> Arc<dyn File>;

/// Every image that a crash at any step of the publications can leave, with the states that it may show.
fn crash_images(wrap: Wrap, skipped_sync: Option<u64>) -> Vec<(Vec<u8>, [u64; 2])> {
    let first = machine().n_steps();
    let mut seen = BTreeSet::new();
    let mut images = Vec::new();
    for step in first + 1.. {
        let backend = machine();
        // Where both are at one step the power is lost, else nothing would be.
        backend.plan(step, Fault::PowerLoss);
        if let Some(skipped) = skipped_sync {
            backend.plan(first + skipped, Fault::SyncIsSkipped);
        }
        let mut published = 0;
        let device = backend
            .open(Path::new(PATH), OpenMode::Write)
            .map(Arc::from);
        for seq in 1..=PUBLICATIONS {
            match device
                .as_ref()
                .map(|device| publish(wrap(Arc::clone(device)), seq))
            {
                Ok(Ok(())) => published = seq,
                _ => break,
            }
        }
        let last_write_bytes = match backend.journal().last() {
            Some((_, palimpsest_hdf5::Step::Write { len_bytes, .. })) => *len_bytes,
            _ => 0,
        };
        for fate in fates(&backend, last_write_bytes) {
            let bytes = bytes_of(&backend.after_power_loss(fate));
            if seen.insert(bytes.clone()) {
                images.push((bytes, [published, published + 1]));
            }
        }
        if published == PUBLICATIONS {
            return images;
        }
    }
    images
}

fn is_whole(bytes: &[u8], allowed: [u64; 2]) -> Result<(), String> {
    // A state that is none makes `state` panic: that, too, is an answer here.
    let bytes = bytes.to_vec();
    let found = std::panic::catch_unwind(move || state(&Hdf5File::from_bytes(bytes)?));
    match found {
        Ok(Ok(seq)) if allowed.contains(&seq) => Ok(()),
        Ok(Ok(seq)) => Err(format!("state {seq}, not of {allowed:?}")),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("a state that never was".to_owned()),
    }
}

#[test]
fn a_crash_leaves_the_old_state_or_the_new_one() {
    let images = crash_images(|device| device, None);
    for (bytes, allowed) in &images {
        is_whole(bytes, *allowed).unwrap();
    }
    println!("{} images of crashes", images.len());
    assert!(images.len() > 50, "{}", images.len());
}

#[test]
fn h5py_finds_the_old_state_or_the_new_one_after_a_crash() {
    let test = "h5py_finds_the_old_state_or_the_new_one_after_a_crash";
    let Some(interpreter) = python::interpreter(test) else {
        return;
    };
    let images = crash_images(|device| device, None);
    let folder = tempfile::tempdir().unwrap();
    for (number, (bytes, [old, new])) in images.iter().enumerate() {
        std::fs::write(
            folder.path().join(format!("{number}-{old}-{new}.h5")),
            bytes,
        )
        .unwrap();
    }
    println!(
        "{}",
        python::run(&interpreter, "crashed.py", &[folder.path()])
    );
}

#[test]
fn without_a_sync_before_the_superblock_a_crash_is_found() {
    let backend = machine();
    let first = backend.n_steps();
    let device = Arc::from(backend.open(Path::new(PATH), OpenMode::Write).unwrap());
    publish(device, 1).unwrap();
    let journal = backend.journal();
    let mut syncs = (1_u64..)
        .zip(journal.iter().filter(|(_, step)| step.is_counted()))
        .filter(|(number, (_, step))| *number > first && step.is_sync());
    let (before_the_superblock, _) = syncs.next().unwrap();
    let images = crash_images(|device| device, Some(before_the_superblock - first));
    let n_broken = images
        .iter()
        .filter(|(bytes, allowed)| is_whole(bytes, *allowed).is_err())
        .count();
    println!("{n_broken} of {} images are broken", images.len());
    assert!(n_broken > 0);
}

/// A device to which the superblock goes first, and the sync before it goes nowhere.
#[derive(Debug)]
struct SuperblockFirst {
    device: Arc<dyn File>,
    held: std::sync::Mutex<Vec<(u64, Vec<u8>)>>,
}

impl File for SuperblockFirst {
    fn read_at(&self, buffer: &mut [u8], offset_bytes: u64) -> std::io::Result<usize> {
        self.device.read_at(buffer, offset_bytes)
    }
    fn write_at(&self, bytes: &[u8], offset_bytes: u64) -> std::io::Result<()> {
        let mut held = self.held.lock().unwrap();
        if offset_bytes > 0 {
            held.push((offset_bytes, bytes.to_vec()));
            return Ok(());
        }
        self.device.write_at(bytes, 0)?;
        held.drain(..)
            .try_for_each(|(offset_bytes, bytes)| self.device.write_at(&bytes, offset_bytes))
    }
    fn len_bytes(&self) -> std::io::Result<u64> {
        self.device.len_bytes()
    }
    fn set_len(&self, len_bytes: u64) -> std::io::Result<()> {
        self.device.set_len(len_bytes)
    }
    fn sync_data(&self) -> std::io::Result<()> {
        self.device.sync_data()
    }
    fn identity(&self) -> std::io::Result<palimpsest_hdf5::FileIdentity> {
        self.device.identity()
    }
    fn try_lock(&self, kind: palimpsest_hdf5::LockKind) -> std::io::Result<bool> {
        self.device.try_lock(kind)
    }
    fn lock(
        &self,
        kind: palimpsest_hdf5::LockKind,
        wait: std::time::Duration,
    ) -> std::io::Result<bool> {
        self.device.lock(kind, wait)
    }
    fn unlock(&self) -> std::io::Result<()> {
        self.device.unlock()
    }
    fn lock_holder(&self) -> Option<palimpsest_hdf5::LockHolder> {
        self.device.lock_holder()
    }
}

#[test]
fn with_the_superblock_written_early_a_crash_is_found() {
    let early: Wrap = |device| {
        Arc::new(SuperblockFirst {
            device,
            held: std::sync::Mutex::default(),
        })
    };
    let images = crash_images(early, None);
    assert!(
        images
            .iter()
            .any(|(bytes, allowed)| is_whole(bytes, *allowed).is_err())
    );
}

#[test]
fn the_hook_gets_the_bytes_that_are_written_and_can_refuse_them() {
    let backend = RamBackend::new();
    begin(open(&backend));
    let mut transaction = Transaction::open(open(&backend), AHEAD_BYTES).unwrap();
    change(&mut transaction, 1).unwrap();
    let before = bytes_of(&backend)[..48].to_vec();
    let mut image = None;
    let publication = transaction
        .publish(|bytes| {
            image = Some(*bytes);
            assert_eq!(bytes_of(&backend)[..48], before, "not yet written");
            Ok::<_, Infallible>(())
        })
        .unwrap();
    assert_eq!(image, Some(publication.image));
    assert_eq!(bytes_of(&backend)[..48], publication.image);
    change(&mut transaction, 2).unwrap();
    let refused = transaction.publish(|_| Err("the log is full")).unwrap_err();
    assert!(matches!(refused, palimpsest_hdf5::Error::Refused(_)));
    assert_eq!(
        state(&Hdf5File::open_device(open(&backend)).unwrap()).unwrap(),
        1
    );
}

/// Nobody knows what is on the disk after a failed write or sync, and what a hook refused counts as
/// written: the next publication would lead to it.
#[test]
fn nothing_is_published_after_a_failure() {
    let n_steps = {
        let backend = machine();
        publish(open(&backend), 1).unwrap();
        backend.n_steps()
    };
    let first = machine().n_steps();
    for step in first + 1..=n_steps {
        for fault in [Fault::SyncFails, Fault::DiskIsFull] {
            let backend = machine();
            let mut transaction = Transaction::open(open(&backend), 1 << 20).unwrap();
            backend.plan(step + 1, fault);
            let changed = change(&mut transaction, 1).and_then(|()| transaction.publish(no_hook));
            let Err(error) = changed else { continue };
            assert!(
                matches!(error, palimpsest_hdf5::Error::Io { .. }),
                "{error}"
            );
            let superblock = bytes_of(&backend)[..48].to_vec();
            let again = transaction.publish(no_hook).unwrap_err();
            assert!(matches!(again, palimpsest_hdf5::Error::Poisoned), "{again}");
            assert_eq!(bytes_of(&backend)[..48], superblock);
        }
    }
    let backend = machine();
    let mut transaction = Transaction::open(open(&backend), AHEAD_BYTES).unwrap();
    change(&mut transaction, 1).unwrap();
    transaction.publish(|_| Err("the log is full")).unwrap_err();
    let again = transaction.publish(no_hook).unwrap_err();
    assert!(matches!(again, palimpsest_hdf5::Error::Poisoned), "{again}");
    let file = Hdf5File::open_device(open(&backend)).unwrap();
    assert_eq!(state(&file).unwrap(), 0);
}

#[test]
fn a_reader_keeps_its_state_across_a_hundred_publications() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.h5");
    let backend = FileBackend::new();
    let device: Arc<dyn File> = Arc::from(backend.open(&path, OpenMode::Create).unwrap());
    begin(Arc::clone(&device));
    publish(Arc::clone(&device), 1).unwrap();
    let readers = [
        Hdf5File::open(&path).unwrap(),
        Hdf5File::open_mapped(&path).unwrap(),
    ];
    let mut transaction = Transaction::open(device, AHEAD_BYTES).unwrap();
    for seq in 2..=101 {
        change(&mut transaction, seq).unwrap();
        transaction.publish(no_hook).unwrap();
        if seq % 10 == 1 {
            for reader in &readers {
                assert_eq!(state(reader).unwrap(), 1);
            }
        }
    }
    transaction.close().unwrap();
    let file = Hdf5File::open(&path).unwrap();
    assert_eq!(state(&file).unwrap(), 101);
}

#[test]
fn only_what_changed_is_written() {
    const DATASETS: u64 = 20;
    const ROWS: u64 = 1_000_000;
    const CHUNK: u64 = 1024;
    let values = vec![7_u8; ROWS as usize];
    let mut file = FileBuilder::new();
    for n in 0..DATASETS {
        let path = format!("group {}/column {n}", n % 3);
        let filters: &[Filter] = if n % 2 == 0 {
            &[]
        } else {
            &[Filter::Fletcher32]
        };
        let spec = DatasetSpec::growing(Datatype::unsigned(1), &[ROWS], &[CHUNK]).filtered(filters);
        file.create_dataset(&path, &spec).unwrap();
        file.write(&path, &values).unwrap();
    }
    let backend = RamBackend::new();
    let device = open(&backend);
    device.write_at(&file.into_bytes().unwrap(), 0).unwrap();
    let mut transaction = Transaction::open(device, 1 << 20).unwrap();
    for n in 0..DATASETS {
        transaction
            .append(&format!("group {}/column {n}", n % 3), &[8_u8; 1000])
            .unwrap();
    }
    let publication = transaction.publish(no_hook).unwrap();
    // 576 rows are in the last chunk: with 1,000 more two chunks are written.
    let chunk_bytes = DATASETS * 2 * (CHUNK + 4);
    let beside = publication.written_bytes - chunk_bytes;
    println!("{beside} bytes beside the rows' own chunks");
    assert!(beside < 1_000_000, "{beside}");
}

#[test]
fn dead_bytes_are_what_compaction_saves() {
    let backend = RamBackend::new();
    begin(open(&backend));
    let mut dead_bytes = 0;
    let mut end_bytes = 0;
    for seq in 1..=40 {
        let mut transaction = Transaction::open(open(&backend), AHEAD_BYTES).unwrap();
        change(&mut transaction, seq).unwrap();
        let publication = transaction.publish(no_hook).unwrap();
        dead_bytes += publication.dead_bytes;
        end_bytes = publication.end_bytes;
    }
    let old = Hdf5File::open_device(open(&backend)).unwrap();
    let mut compact = FileBuilder::new();
    compact.copy_live(&old).unwrap();
    let bytes = compact.into_bytes().unwrap();
    let (live, compacted) = (end_bytes - dead_bytes, bytes.len() as u64);
    assert_eq!(state(&Hdf5File::from_bytes(bytes).unwrap()).unwrap(), 40);
    println!("{end_bytes} bytes, {dead_bytes} dead, {live} live, {compacted} compacted");
    // What is not counted: texts lie closer together afterwards, and metadata is rounded up.
    assert!(live.abs_diff(compacted) < compacted / 4);
}

#[test]
fn h5py_opens_the_file_beside_constant_publishing() {
    let test = "h5py_opens_the_file_beside_constant_publishing";
    let Some(interpreter) = python::interpreter(test) else {
        return;
    };
    let slow = std::env::var_os("RUN_SLOW_TESTS").is_some();
    let n_openings = if slow { "20000" } else { "300" };
    if !slow {
        println!("300 openings; with RUN_SLOW_TESTS=1 they are 20,000");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.h5");
    let device: Arc<dyn File> =
        Arc::from(FileBackend::new().open(&path, OpenMode::Create).unwrap());
    begin(Arc::clone(&device));
    let mut child = std::process::Command::new(interpreter)
        .args([
            python::script("openings.py").as_os_str(),
            path.as_os_str(),
            n_openings.as_ref(),
        ])
        .spawn()
        .unwrap();
    let mut transaction = Transaction::open(device, 64 << 20).unwrap();
    let mut seq = 0;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        seq += 1;
        change(&mut transaction, seq).unwrap();
        transaction.publish(no_hook).unwrap();
    };
    println!("{seq} publications");
    assert!(status.success());
}
