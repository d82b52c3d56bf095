//! The memory file in the hands of its owner: `tests/python/memory_file.py`, by h5py.

use std::path::Path;

use palimpsest_tests::{Era, Home, Repository, program, skipped};

fn run(home: &Home, arguments: &[&str]) {
    let ran = home
        .command(program())
        .args(arguments)
        .arg("--memory")
        .arg(home.memory())
        .output();
    let ran = ran.expect("the program can be started");
    assert!(
        ran.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&ran.stderr)
    );
}

#[test]
fn h5py_reads_the_memory_as_its_page_says_closed_and_open() {
    let Some(python) = std::env::var_os("TEST_PALIMPSEST_PYTHON") else {
        let why = "TEST_PALIMPSEST_PYTHON names no Python with tests/requirements.txt; tests/run makes one";
        return skipped(
            "h5py_reads_the_memory_as_its_page_says_closed_and_open",
            why,
        );
    };
    let home = Home::new();
    for text in ["The boat is red", "Ann sails it", "It floats"] {
        run(&home, &["remember", text]);
    }
    run(&home, &["forget", "1"]);
    let root = Repository::here().root().to_owned();
    let read = |state: &str| {
        let output = home
            .command(Path::new(&python))
            .arg(root.join("tests/python/memory_file.py"))
            .arg(root.join("store/FORMAT.md"))
            .arg(home.memory())
            .arg(state)
            .output()
            .expect("Python can be started");
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!((said.trim(), complaint.as_str()), ("read", ""), "{state}");
    };
    // The file alone is the whole memory.
    std::fs::remove_file(home.log()).expect("the log is there");
    read("closed");
    let mut server = home.server().open(Era::Handshake);
    assert_eq!(server.recall("sails").len(), 1);
    read("open");
}
