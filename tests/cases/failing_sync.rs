//! A disk that cannot be trusted: the syncs of one server fail, those of another do not.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use palimpsest_tests::{Era, Home, Repository, kept_ids, skipped};
use serde_json::json;

/// Builds the library that makes syncs fail; `None` where this machine cannot.
fn failing_sync(folder: &Path) -> Option<PathBuf> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let library = folder.join("failing_sync.so");
    let source = Repository::here()
        .root()
        .join("tests/cases/failing_sync/failing_sync.c");
    let status = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(source)
        .arg("-ldl")
        .stdin(Stdio::null())
        .status();
    status
        .is_ok_and(|status| status.success())
        .then_some(library)
}

#[test]
fn a_sync_that_fails_acknowledges_nothing_and_nobody_builds_on_it() {
    const TEST: &str = "a_sync_that_fails_acknowledges_nothing_and_nobody_builds_on_it";
    let home = Home::new();
    let Some(library) = failing_sync(home.folder()) else {
        return skipped(TEST, "there is no way here to make syncs fail");
    };
    let sign = home.folder().join("syncs-fail");
    let mut failing = home
        .server()
        .variable("LD_PRELOAD", &library.to_string_lossy())
        .variable("FAILS_WHILE", &sign.to_string_lossy())
        .open(Era::Handshake);
    let mut other = home.server().open(Era::Stateless);
    let mut acknowledged = vec![
        failing.remember("The first crate of figs came on Monday"),
        other.remember("The second crate of figs came on Tuesday"),
    ];

    for round in 0..3 {
        fs::write(&sign, "").expect("the sign can be set up");
        let text = format!("Crate {round} of dates fell off the quay");
        let answer = failing.call("remember", &json!({"text": text}));
        let refusal = answer.refusal();
        assert!(
            !refusal.contains("not kept"),
            "nobody can know that: {refusal}"
        );
        assert!(refusal.contains("may or may not"), "it says so: {refusal}");
        // The other builds on what is durable, and neither sees what may be lost.
        acknowledged.push(other.remember(&format!("Crate {round} of olives is on the shelf")));
        assert!(other.recall("dates quay").is_empty(), "round {round}");
        assert_eq!(
            other.recall_ids(&acknowledged).len(),
            acknowledged.len(),
            "round {round}"
        );

        fs::remove_file(&sign).expect("the sign can be taken down");
        let answer = failing.call(
            "remember",
            &json!({"text": format!("Crate {round} of nuts is dry")}),
        );
        acknowledged.extend(kept_ids(answer.value()));
        assert_eq!(
            failing.recall_ids(&acknowledged).len(),
            acknowledged.len(),
            "round {round}"
        );
    }
    drop((failing, other));
    let mut again = home.server().open(Era::Handshake);
    assert_eq!(again.recall_ids(&acknowledged).len(), acknowledged.len());
    assert_eq!(
        again.status()["memories"],
        acknowledged.len(),
        "and nothing else is there"
    );
}
