//! What every file system does, and what the failing one may do.

use std::io;
use std::path::Path;
use std::time::Duration;

use super::{
    Backend, Fault, FaultyBackend, File, FileBackend, LockKind, OpenMode, RamBackend, Unsynced,
};

fn read(file: &dyn File) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(file.len_bytes().unwrap()).unwrap() + 3];
    let n_read = file.read_at(&mut bytes, 0).unwrap();
    bytes.truncate(n_read);
    bytes
}

/// Runs `check` in an empty folder of each file system.
fn on_each(check: impl Fn(&dyn Backend, &Path)) {
    let folder = tempfile::tempdir().unwrap();
    check(&FileBackend::new(), &folder.path().canonicalize().unwrap());
    for backend in [&RamBackend::new() as &dyn Backend, &FaultyBackend::new()] {
        backend.create_folder(Path::new("/folder")).unwrap();
        check(backend, Path::new("/folder"));
    }
}

#[test]
fn what_is_written_is_read_at_its_place() {
    on_each(|backend, folder| {
        let path = folder.join("file");
        assert_eq!(
            backend.open(&path, OpenMode::Write).unwrap_err().kind(),
            io::ErrorKind::NotFound
        );
        let file = backend.open(&path, OpenMode::Create).unwrap();
        file.write_at(b"world", 5).unwrap();
        assert_eq!(read(&*file), b"\0\0\0\0\0world");
        file.write_at(b"hello", 0).unwrap();
        let reader = backend.open(&path, OpenMode::Read).unwrap();
        assert_eq!(read(&*reader), b"helloworld");
        let mut part = [0; 4];
        assert_eq!(reader.read_at(&mut part, 8).unwrap(), 2);
        assert_eq!(reader.read_at(&mut part, 99).unwrap(), 0);
        reader.write_at(b"x", 0).unwrap_err();
        file.set_len(3).unwrap();
        file.set_len(5).unwrap();
        assert_eq!(read(&*reader), b"hel\0\0");
        file.sync_data().unwrap();
    });
}

#[test]
fn names_lead_to_files_and_files_keep_their_identity() {
    on_each(|backend, folder| {
        let [old, new] = ["old", "new"].map(|name| folder.join(name));
        let file = backend.open(&old, OpenMode::Create).unwrap();
        let other = backend.open(&new, OpenMode::Create).unwrap();
        assert_eq!(backend.identity(&old).unwrap(), file.identity().unwrap());
        assert_ne!(backend.identity(&old).unwrap(), other.identity().unwrap());
        backend.rename(&old, &new).unwrap();
        assert_eq!(backend.identity(&new).unwrap(), file.identity().unwrap());
        assert_eq!(
            backend.identity(&old).unwrap_err().kind(),
            io::ErrorKind::NotFound
        );
        other.write_at(b"still there", 0).unwrap();
        assert_eq!(read(&*other), b"still there");
        backend.remove(&new).unwrap();
        backend.remove(&new).unwrap_err();
        backend.sync_folder(folder).unwrap();
        assert_eq!(backend.canonical(&new).unwrap(), new);
        assert!(backend.canonical(&folder.join("missing/file")).is_err());
        backend.create_folder(&folder.join("below")).unwrap();
        backend.create_folder(&folder.join("below")).unwrap();
        backend
            .create_folder(&folder.join("missing/below"))
            .unwrap_err();
        assert_ne!(backend.random().unwrap(), backend.random().unwrap());
    });
}

#[test]
fn a_lock_belongs_to_an_opening_and_ends_with_it() {
    on_each(|backend, folder| {
        let open = || {
            backend
                .open(&folder.join("file"), OpenMode::Create)
                .unwrap()
        };
        let [one, two, three] = [open(), open(), open()];
        assert!(one.try_lock(LockKind::Exclusive).unwrap());
        assert!(!two.try_lock(LockKind::Exclusive).unwrap());
        assert!(
            !two.lock(LockKind::Shared, Duration::from_millis(1))
                .unwrap()
        );
        one.unlock().unwrap();
        assert!(two.lock(LockKind::Shared, Duration::ZERO).unwrap());
        assert!(three.try_lock(LockKind::Shared).unwrap());
        assert!(!one.try_lock(LockKind::Exclusive).unwrap());
        drop((two, three));
        assert!(
            one.lock(LockKind::Exclusive, Duration::from_secs(10))
                .unwrap()
        );
    });
}

/// A file `/file` with the durable content `old`.
fn machine() -> (FaultyBackend, Box<dyn File>) {
    let machine = FaultyBackend::new();
    let file = machine.open(Path::new("/file"), OpenMode::Create).unwrap();
    file.write_at(b"old", 0).unwrap();
    file.sync_data().unwrap();
    machine.sync_folder(Path::new("/")).unwrap();
    assert_eq!(machine.n_unsynced(), 0);
    (machine, file)
}

fn found(machine: &FaultyBackend, unsynced: Unsynced) -> Vec<u8> {
    let after = machine.after_power_loss(unsynced);
    read(&*after.open(Path::new("/file"), OpenMode::Read).unwrap())
}

#[test]
fn each_unsynced_write_is_lost_kept_or_torn() {
    let (machine, file) = machine();
    file.write_at(b"new", 0).unwrap();
    file.write_at(b"more", 3).unwrap();
    for (unsynced, expected) in [
        (Unsynced::Lost, &b"old"[..]),
        (Unsynced::Kept, b"newmore"),
        (Unsynced::OnlyKept(0), b"new"),
        (Unsynced::OnlyKept(1), b"oldmore"),
        (Unsynced::OnlyLost(1), b"new"),
        (Unsynced::LastTorn(2), b"newmo"),
        (Unsynced::LastBlank, b"new\0\0\0\0"),
    ] {
        assert_eq!(found(&machine, unsynced), expected, "{unsynced:?}");
    }
    file.sync_data().unwrap();
    assert_eq!(found(&machine, Unsynced::Lost), b"newmore");
}

#[test]
fn what_was_cut_may_come_back_until_it_is_written_over() {
    let (machine, file) = machine();
    file.set_len(1).unwrap();
    file.sync_data().unwrap();
    assert_eq!(found(&machine, Unsynced::Lost), b"old");
    assert_eq!(found(&machine, Unsynced::Kept), b"o");
    file.write_at(b"NEW", 1).unwrap();
    file.sync_data().unwrap();
    for unsynced in [Unsynced::Lost, Unsynced::Kept] {
        assert_eq!(found(&machine, unsynced), b"oNEW");
    }
}

#[test]
fn names_that_were_not_synced_may_be_lost() {
    let (machine, _file) = machine();
    let [file, other] = ["/file", "/other"].map(Path::new);
    machine.create_folder(Path::new("/new")).unwrap();
    machine
        .open(Path::new("/new/file"), OpenMode::Create)
        .unwrap();
    machine.sync_folder(Path::new("/new")).unwrap();
    machine.rename(file, other).unwrap();
    let lost = machine.after_power_loss(Unsynced::Lost);
    lost.identity(file).unwrap();
    lost.identity(other).unwrap_err();
    lost.identity(Path::new("/new/file")).unwrap_err();
    machine.sync_folder(Path::new("/")).unwrap();
    let synced = machine.after_power_loss(Unsynced::Lost);
    synced.identity(file).unwrap_err();
    synced.identity(other).unwrap();
    synced.identity(Path::new("/new/file")).unwrap();
}

#[test]
fn after_a_failed_sync_nothing_is_certain_and_each_opening_hears_of_it_once() {
    let (machine, file) = machine();
    let other = machine.open(Path::new("/file"), OpenMode::Write).unwrap();
    file.write_at(b"new", 0).unwrap();
    machine.plan(machine.n_steps() + 1, Fault::SyncFails);
    file.sync_data().unwrap_err();
    file.sync_data().unwrap();
    other.sync_data().unwrap_err();
    other.sync_data().unwrap();
    machine
        .open(Path::new("/file"), OpenMode::Write)
        .unwrap()
        .sync_data()
        .unwrap();
    assert_eq!(read(&*file), b"new");
    assert_eq!(found(&machine, Unsynced::Lost), b"old");
    assert_eq!(found(&machine, Unsynced::Kept), b"new");
    file.write_at(b"new", 0).unwrap();
    file.sync_data().unwrap();
    assert_eq!(found(&machine, Unsynced::Lost), b"new");
}

#[test]
fn a_killed_process_leaves_its_writes_and_no_lock() {
    let (machine, file) = machine();
    assert!(file.try_lock(LockKind::Exclusive).unwrap());
    machine.plan(machine.n_steps() + 1, Fault::Kill { n_bytes: 2 });
    file.write_at(b"new", 0).unwrap_err();
    file.read_at(&mut [0], 0).unwrap_err();
    let survivor = machine.another_process();
    let file = survivor.open(Path::new("/file"), OpenMode::Write).unwrap();
    assert!(file.try_lock(LockKind::Exclusive).unwrap());
    assert_eq!(read(&*file), b"ned");
}

#[test]
fn a_full_disk_takes_no_more_but_what_is_there_can_be_changed() {
    let (machine, file) = machine();
    machine.plan(machine.n_steps() + 1, Fault::DiskIsFull);
    file.write_at(b"new", 0).unwrap();
    let error = file.write_at(b"more", 3).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    assert_eq!(read(&*file), b"newmo");
    machine.clear_faults();
    file.write_at(b"more", 3).unwrap();
    assert_eq!(read(&*file), b"newmore");
}

#[test]
fn a_dead_machine_does_nothing_and_a_skipped_sync_less() {
    let (machine, file) = machine();
    file.write_at(b"new", 0).unwrap();
    machine.plan(machine.n_steps() + 1, Fault::SyncIsSkipped);
    file.sync_data().unwrap();
    assert_eq!(found(&machine, Unsynced::Lost), b"old");
    machine.plan(machine.n_steps() + 1, Fault::PowerLoss);
    file.sync_data().unwrap_err();
    machine
        .another_process()
        .open(Path::new("/file"), OpenMode::Read)
        .unwrap()
        .read_at(&mut [0], 0)
        .unwrap_err();
    assert_eq!(found(&machine, Unsynced::Lost), b"old");
}
