//! `demo`, with the model: it shows what it says, twice, and leaves nothing behind.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::home::{Home, Run, model_or_skip};

fn demo(home: &Home, model: &Path) -> Command {
    let mut command = home.command(&["demo"]);
    command.env("PALIMPSEST_MODEL", model);
    command
}

fn assert_left_nothing(home: &Home) {
    assert_eq!(
        home.entries("tmp"),
        [""; 0],
        "the temporary folder is removed"
    );
    for folder in ["data", "config", "cache"] {
        assert_eq!(home.entries(folder), [""; 0], "{folder} is not touched");
    }
}

#[test]
fn the_demonstration_shows_what_it_says_and_leaves_nothing_behind() {
    let Some(model) = model_or_skip("the_demonstration_shows_what_it_says") else {
        return;
    };
    let home = Home::new();
    for _ in 0..2 {
        let run = Run::of(&mut demo(&home, &model));
        assert_eq!(run.code, 0, "{run:?}");
        let program = env!("CARGO_BIN_EXE_palimpsest");
        let last = run.stdout.lines().last().expect("it says something");
        assert_eq!(
            last,
            format!("claude mcp add palimpsest -- {program} serve")
        );
        for step in [
            "remember",
            "by meaning",
            "by keyword",
            "forget",
            "supersede",
            "graph",
        ] {
            assert!(run.stdout.contains(step), "{step} in {}", run.stdout);
        }
        assert_eq!(
            run.stderr, "",
            "a demonstration that works complains of nothing"
        );
        assert_left_nothing(&home);
    }
}

#[test]
fn a_memory_that_cannot_embed_makes_the_demonstration_fail() {
    let home = Home::new();
    let folder = home.path("wrong");
    std::fs::create_dir(&folder).expect("it is new");
    std::fs::write(folder.join("config.json"), "{}").expect("it is new");
    std::fs::write(folder.join("model.safetensors"), "").expect("it is new");
    let run = Run::of(&mut demo(&home, &folder));
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stderr.contains("holds other files"), "{run:?}");
    assert_left_nothing(&home);
}

#[cfg(unix)]
#[test]
fn an_interrupted_demonstration_leaves_nothing_behind() {
    let Some(model) = model_or_skip("an_interrupted_demonstration_leaves_nothing_behind") else {
        return;
    };
    for signal in ["-INT", "-TERM"] {
        let home = Home::new();
        let mut command = demo(&home, &model);
        let pipes = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pipes.spawn().expect("the program starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("it is a pipe"));
        let mut line = String::new();
        // The first step is shown when the server is there.
        while !line.starts_with("recall by meaning") {
            line.clear();
            assert_ne!(stdout.read_line(&mut line).expect("it writes text"), 0);
        }
        let pid = child.id().to_string();
        let sent = Command::new("kill")
            .args([signal, &pid])
            .status()
            .expect("kill is there");
        assert!(sent.success());
        // Standard error is the server's too: it ends when both have ended.
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).expect("it writes text");
        let output = child.wait_with_output().expect("both end");
        assert_eq!(output.status.code(), Some(1), "{signal}: {rest}");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains("interrupted"), "{signal}: {stderr}");
        assert_left_nothing(&home);
    }
}
