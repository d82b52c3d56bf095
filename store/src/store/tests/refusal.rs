//! What is refused, and that nothing comes of it.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use palimpsest_hdf5::{
    Backend, Fault, FaultyBackend, FileBackend, LockKind, OpenMode, RamBackend, Transaction,
};

use super::{keep, keep_together, keeping, open, texts};
use crate::commit::Failure;
use crate::{Change, Error, MemoryId, Operation, Planned, Store, StoreOptions, Timestamp, Verb};

#[test]
fn a_memory_file_of_a_newer_version_is_refused_in_plain_words() {
    let machine = RamBackend::new();
    let store = open(machine.clone()).unwrap();
    keep(&store, "first").unwrap();
    store.close(Timestamp(1)).unwrap();
    drop(store);
    let path = Path::new("/home/memory.h5");
    let device = machine.open(path, OpenMode::Write).unwrap();
    let mut changed = Transaction::open(Arc::from(device), 0).unwrap();
    changed.set_attribute("/", "format_version", 2_u32).unwrap();
    changed.publish(|_| Ok::<_, io::Error>(())).unwrap();
    let error = open(machine).unwrap_err();
    assert_eq!(
        error.to_string(),
        "/home/memory.h5 was made by a newer version of Palimpsest (format 2, this one knows 1): update this program"
    );
}

#[test]
fn a_log_of_a_newer_format_is_refused_in_plain_words() {
    let machine = RamBackend::new();
    drop(open(machine.clone()).unwrap());
    let log = machine
        .open(Path::new("/home/memory.h5.log"), OpenMode::Write)
        .unwrap();
    let mut slot = [0; 204];
    log.read_at(&mut slot, 0).unwrap();
    slot[8] = 2;
    let crc = crc32c::crc32c(&slot[..200]);
    slot[200..].copy_from_slice(&crc.to_le_bytes());
    log.write_at(&slot, 0).unwrap();
    let error = open(machine).unwrap_err();
    let Error::NewerFormat {
        found: 2, known: 1, ..
    } = error
    else {
        panic!("{error:?}")
    };
}

#[test]
fn what_can_only_be_read_is_read_and_not_changed() {
    for refusal in [
        io::ErrorKind::PermissionDenied,
        io::ErrorKind::ReadOnlyFilesystem,
    ] {
        let machine = RamBackend::new();
        let writer = open(machine.clone()).unwrap();
        keep(&writer, "first").unwrap();
        let reader = open(machine.read_only(refusal)).unwrap();
        assert_eq!(texts(&reader).unwrap(), ["first"]);
        let error = keep(&reader, "never").unwrap_err();
        assert!(matches!(error, Error::ReadOnly { .. }), "{error}");
        keep(&writer, "second").unwrap();
        assert_eq!(texts(&reader).unwrap(), ["first", "second"]);
    }
}

#[test]
fn a_dead_writers_frame_is_read_only_where_nobody_can_write() {
    for (refusal, expected) in [
        (io::ErrorKind::PermissionDenied, &["first"][..]),
        (io::ErrorKind::ReadOnlyFilesystem, &["first", "second"]),
    ] {
        let machine = FaultyBackend::new();
        let writer = open(machine.clone()).unwrap();
        keep(&writer, "first").unwrap();
        machine.plan(machine.n_steps() + 3, Fault::Kill { n_bytes: 0 });
        keep(&writer, "second").unwrap_err();
        let reader = open(machine.read_only(refusal)).unwrap();
        assert_eq!(texts(&reader).unwrap(), expected);
        // A writer comes, and makes it durable.
        let writer = open(machine.another_process()).unwrap();
        keep(&writer, "third").unwrap();
        assert_eq!(texts(&reader).unwrap(), ["first", "second", "third"]);
    }
}

#[test]
fn a_full_disk_keeps_nothing_of_a_commit_and_loses_nothing_else() {
    let machine = FaultyBackend::new();
    let store = open(machine.clone()).unwrap();
    keep(&store, "first").unwrap();
    machine.plan(machine.n_steps() + 1, Fault::DiskIsFull);
    // Half of what is written is a whole frame, and more.
    for outcome in keep_together(&store, &["second", "third", "fourth"]) {
        let error = outcome.unwrap_err();
        assert!(
            matches!(error, Failure::Refused(Error::DiskFull { .. })),
            "{error:?}"
        );
    }
    assert_eq!(texts(&store).unwrap(), ["first"]);
    machine.clear_faults();
    keep(&store, "fifth").unwrap();
    let restarted = machine.after_power_loss(palimpsest_hdf5::Unsynced::Kept);
    assert_eq!(
        texts(&open(restarted).unwrap()).unwrap(),
        ["first", "fifth"]
    );
}

#[test]
fn a_frame_that_is_too_large_is_refused_alone() {
    let store = open(RamBackend::new()).unwrap();
    let error = store
        .commit(Timestamp(1), |tip| {
            let part = keeping(tip, &"x".repeat(1 << 20)).changes;
            let Change::Put(record) = &part[0] else {
                unreachable!("a memory is put")
            };
            let put = |i| {
                let id = MemoryId(tip.next_memory.0 + i);
                Change::Put(Arc::new(crate::MemoryRecord {
                    id,
                    ..(**record).clone()
                }))
            };
            let changes = (0..64).map(put).collect();
            Planned {
                operation: Some(Operation {
                    verb: Verb::Remember,
                    changes,
                }),
                answer: (),
            }
        })
        .unwrap_err();
    let Error::FrameTooLarge {
        len_bytes,
        len_bytes_max: 67_108_864,
    } = error
    else {
        panic!("{error:?}");
    };
    assert!(len_bytes > 67_108_864);
    assert_eq!(keep(&store, "small").unwrap(), MemoryId(1));
}

#[test]
fn a_plan_that_panics_reaches_its_caller_and_nobody_else() {
    let store = open(RamBackend::new()).unwrap();
    let panicking = || {
        store.commit(Timestamp(1), |_| -> Planned<()> {
            panic!("a plan of ours")
        })
    };
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(panicking)).unwrap_err();
    assert_eq!(panic.downcast_ref(), Some(&"a plan of ours"));
    keep(&store, "first").unwrap();
    assert_eq!(texts(&store).unwrap(), ["first"]);
}

#[test]
fn a_lock_that_is_held_for_too_long_ends_the_wait_with_its_holder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.h5");
    let open = |process, lock_wait| {
        let backend = Arc::new(FileBackend::as_process(process));
        Store::open(
            backend,
            StoreOptions {
                path: path.clone(),
                lock_wait,
            },
        )
        .unwrap()
    };
    let store = open(1 << 40, Duration::ZERO);
    keep(&store, "first").unwrap();
    let log = FileBackend::new().open(&folder.path().join("memory.h5.log"), OpenMode::Write);
    let log = log.unwrap();
    assert!(log.try_lock(LockKind::Exclusive).unwrap());
    let error = keep(&store, "second").unwrap_err();
    let Error::LockTimeout { holder, .. } = &error else {
        panic!("{error:?}")
    };
    if cfg!(target_os = "linux") {
        let holder = holder.expect("/proc/locks names it");
        assert_eq!(holder.process, std::process::id());
        assert!(error.to_string().contains(", running for "), "{error}");
    }
    // Readers do not care.
    assert_eq!(texts(&store).unwrap(), ["first"]);
    log.unlock().unwrap();
    keep(&store, "second").unwrap();
}

#[test]
fn a_log_that_was_replaced_while_it_was_open_is_not_written() {
    let machine = RamBackend::new();
    let store = open(machine.clone()).unwrap();
    keep(&store, "first").unwrap();
    machine.remove(Path::new("/home/memory.h5.log")).unwrap();
    let error = keep(&store, "second").unwrap_err();
    assert!(matches!(error, Error::Replaced { .. }), "{error}");
    let anew = open(machine.clone()).unwrap();
    assert_eq!(
        texts(&anew).unwrap(),
        Vec::<String>::new(),
        "the same process, another memory"
    );
    keep(&anew, "other").unwrap();
    let error = keep(&store, "second").unwrap_err();
    assert!(matches!(error, Error::Replaced { .. }), "{error}");
    assert_eq!(texts(&anew).unwrap(), ["other"]);
}
