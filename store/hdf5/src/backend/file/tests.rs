//! What only real files have: permissions, links, and the kernel's table of locks.

use std::os::unix::fs::{PermissionsExt, symlink};

use super::{Backend, FileBackend, LockKind, OpenMode, holder_in};

#[test]
fn files_and_folders_belong_to_their_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("below");
    let file = below.join("file");
    FileBackend::new().create_folder(&below).unwrap();
    FileBackend::new().open(&file, OpenMode::Create).unwrap();
    let mode = |path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&below), mode(&file)), (0o700, 0o600));
}

#[test]
fn a_canonical_path_follows_links_and_refuses_one_to_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    std::fs::create_dir(path.join("real")).unwrap();
    symlink(path.join("real"), path.join("link")).unwrap();
    symlink(path.join("nothing"), path.join("dangling")).unwrap();
    let canonical = |name: &str| FileBackend::new().canonical(&path.join(name));
    assert_eq!(
        canonical("link/../link/memory.h5").unwrap(),
        path.join("real/memory.h5")
    );
    canonical("dangling").unwrap_err();
    canonical("nothing/memory.h5").unwrap_err();
}

#[test]
fn the_holder_of_a_lock_is_found_in_the_kernels_table() {
    let locks = "1: POSIX  ADVISORY  WRITE 10 08:03:77 0 EOF\n\
                 2: FLOCK  ADVISORY  WRITE 20 08:03:66 0 EOF\n\
                 2: -> FLOCK  ADVISORY  WRITE 21 08:03:77 0 EOF\n\
                 3: FLOCK  ADVISORY  WRITE 30 08:03:77 0 EOF\n\
                 4: FLOCK  ADVISORY  WRITE 0 08:03:88 0 EOF\n\
                 nonsense";
    let found = [66, 77, 88, 99].map(|inode| holder_in(locks, inode));
    assert_eq!(found, [Some(20), Some(30), None, None]);
}

#[test]
#[cfg(target_os = "linux")]
fn the_holder_of_a_lock_is_named_with_its_age() {
    let folder = tempfile::tempdir().unwrap();
    let open = || {
        FileBackend::new()
            .open(&folder.path().join("file"), OpenMode::Create)
            .unwrap()
    };
    let [one, two] = [open(), open()];
    assert_eq!(two.lock_holder(), None);
    assert!(one.try_lock(LockKind::Exclusive).unwrap());
    let holder = two.lock_holder().unwrap();
    assert_eq!(holder.process, std::process::id());
    assert!(holder.age.unwrap().as_secs() < 24 * 3600);
}
