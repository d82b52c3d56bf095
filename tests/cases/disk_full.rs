//! A disk without space: a clear error, reads go on, nothing is lost, and writing resumes.

use std::path::Path;
use std::process::{Command, Stdio};

use palimpsest_tests::{Era, Home, Server, kept_ids, skipped};
use serde_json::json;

/// Remembers texts until one is refused; answers the ids of what was kept, and the refusal.
fn fill(server: &mut Server) -> (Vec<String>, String) {
    const N_WRITES_MAX: usize = 2_000;
    let mut ids = Vec::new();
    for number in 0..N_WRITES_MAX {
        let text = format!(
            "Ledger line {number}: {}",
            "so much flour, so much salt; ".repeat(35)
        );
        let answer = server.call("remember", &json!({"text": text}));
        if answer.is_refusal() {
            return (ids, answer.refusal());
        }
        ids.extend(kept_ids(answer.value()));
    }
    panic!("{N_WRITES_MAX} texts of a kilobyte fit a disk of less");
}

fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let status = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

/// Checks the whole rule on a server that has just run out of space.
fn check(server: &mut Server, home: &Home, memory: &Path, make_space: impl FnOnce()) {
    let (ids, refusal) = fill(server);
    assert!(!ids.is_empty(), "something fits");
    let is_clear = ["space", "large", "full"]
        .iter()
        .any(|word| refusal.contains(word));
    assert!(is_clear, "it says what is wrong: {refusal}");
    assert_eq!(server.recall_ids(&ids).len(), ids.len(), "reads go on");
    let again = server.call("remember", &json!({"text": "word ".repeat(50_000)}));
    assert!(
        again.is_refusal(),
        "there is no space yet: {}",
        again.text()
    );
    assert_eq!(server.recall_ids(&ids).len(), ids.len(), "and go on");

    make_space();
    let last = server.remember("There is space again");
    let all: Vec<String> = ids.iter().cloned().chain([last]).collect();
    assert_eq!(server.recall_ids(&all).len(), all.len(), "nothing is lost");
    let mut other = home.server().memory(memory).open(Era::Stateless);
    assert_eq!(other.recall_ids(&all).len(), all.len(), "nor for others");
    assert_eq!(
        other.status()["memories"],
        all.len(),
        "and nothing is there that was refused"
    );
}

#[test]
fn a_file_that_may_not_grow_refuses_writes_and_loses_nothing() {
    const TEST: &str = "a_file_that_may_not_grow_refuses_writes_and_loses_nothing";
    if !succeeds("prlimit", &["--version"]) {
        return skipped(TEST, "there is no prlimit, which gives the space back");
    }
    let home = Home::new();
    // The signal that comes with the limit would kill the server before it sees the error.
    let launch = home
        .server()
        .prepared_by_shell("trap '' XFSZ; ulimit -S -f 256");
    let mut server = launch.open(Era::Handshake);
    let process = server.process_id().to_string();
    check(&mut server, &home, &home.memory(), || {
        let limit = ["--pid", &process, "--fsize=unlimited"];
        assert!(succeeds("prlimit", &limit), "the limit can be raised");
    });
}

#[test]
fn a_disk_without_space_refuses_writes_and_loses_nothing() {
    const TEST: &str = "a_disk_without_space_refuses_writes_and_loses_nothing";
    let home = Home::new();
    let Some(disk) = SmallDisk::mount(&home) else {
        return skipped(TEST, "a small disk cannot be mounted here; that needs root");
    };
    let memory = disk.folder.join("memory.h5");
    let mut server = home.server().memory(&memory).open(Era::Handshake);
    check(&mut server, &home, &memory, || disk.grow());
}

/// A file system of a few pages, in memory; unmounted when this is dropped.
struct SmallDisk {
    folder: std::path::PathBuf,
}

impl SmallDisk {
    fn mount(home: &Home) -> Option<Self> {
        let folder = home.folder().join("disk");
        std::fs::create_dir(&folder).expect("a folder can be made");
        let path = folder.to_str()?;
        let arguments = ["-t", "tmpfs", "-o", "size=256k", "palimpsest-tests", path];
        succeeds("mount", &arguments).then_some(Self { folder })
    }

    fn grow(&self) {
        let path = self.folder.to_str().expect("it was mounted by this path");
        let grown = succeeds("mount", &["-o", "remount,size=16m", path]);
        assert!(grown, "a mounted disk can be made larger");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: a server may still have its files open.
        let path = self.folder.to_string_lossy().into_owned();
        assert!(
            succeeds("umount", &["-l", &path]),
            "what was mounted can be unmounted"
        );
    }
}
