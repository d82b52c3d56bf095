//! Remember, recall, forget, graph, list, show: what one command keeps the next one finds.

use std::process::Stdio;

use serde_json::json;

use crate::home::{Home, Run, model_or_skip, shown};

fn ids(answer: &serde_json::Value, name: &str) -> Vec<String> {
    let entries = answer[name].as_array().expect("a list").iter();
    entries
        .map(|entry| entry["id"].as_str().expect("an id").to_owned())
        .collect()
}

#[test]
fn what_one_command_keeps_the_next_one_finds() {
    let home = Home::new();
    let kept = home.json(&[
        "remember",
        "The spare key hangs behind the blue door",
        "--tag",
        "house",
        "--kind",
        "note",
        "--valid-from",
        "2025-03-04",
        "--source",
        "Ada",
        "--topic",
        "key/spare",
    ]);
    assert_eq!(kept["items"][0]["decision"], "stored");
    assert_eq!(kept["items"][0]["id"], "1");
    assert_eq!(kept["scope"], "user");
    home.json(&[
        "remember", "Tea", "is", "kept", "in", "the", "tall", "cupboard",
    ]);

    let found = home.json(&["recall", "blue door"]);
    assert_eq!(ids(&found, "hits")[0], "1");
    assert_eq!(
        found["hits"][0]["text"],
        "The spare key hangs behind the blue door"
    );
    assert_eq!(found["hits"][0]["kind"], "note");
    assert_eq!(
        ids(&home.json(&["recall", "--tag", "house"]), "hits"),
        ["1"]
    );
    assert_eq!(
        ids(&home.json(&["recall", "--kind", "fact"]), "hits"),
        ["2"]
    );
    assert_eq!(
        ids(&home.json(&["recall", "--until", "2025-12-31"]), "hits"),
        ["1"]
    );

    let listed = home.json(&["list"]);
    assert_eq!(ids(&listed, "memories"), ["2", "1"]);
    let first = &listed["memories"][1];
    assert_eq!(first["tags"], json!(["house"]));
    assert_eq!(first["valid_from"], "2025-03-04T00:00:00Z");
    assert_eq!(
        listed["memories"][0]["text"],
        "Tea is kept in the tall cupboard"
    );

    let told = home.run(&["status"]).stdout;
    let log = std::fs::metadata(home.path("data/palimpsest/memory.h5.log")).expect("it is there");
    for part in [
        "palimpsest/memory.h5 (default)".to_owned(),
        format!("palimpsest/memory.h5.log, {} bytes", log.len()),
        "2 memories, 2 versions; 2 without a vector".to_owned(),
        "`palimpsest model fetch` gets it".to_owned(),
    ] {
        assert!(told.contains(&part), "{part} in {told}");
    }
    let status = home.json(&["status"]);
    assert_eq!(status["memories"], 2);
    assert_eq!(
        status["path"],
        shown(&home.path("data/palimpsest/memory.h5"))
    );
}

#[test]
fn a_forgotten_memory_is_gone_now_and_known_before() {
    let home = Home::new();
    home.json(&["remember", "The ladder is lent to the neighbour"]);
    let before = home.json(&["remember", "The rake is lent to nobody"]);
    let moment = before["at"].as_str().expect("a time");
    let forgotten = home.json(&["forget", "1", "--reason", "it came back"]);
    assert_eq!(forgotten["retired"], json!(["1"]));
    assert_eq!(ids(&home.json(&["recall", "ladder"]), "hits"), [""; 0]);
    let known = home.json(&["recall", "ladder", "--known-at", moment]);
    assert_eq!(ids(&known, "hits"), ["1"]);

    let history = home.json(&["show", "1"]);
    assert_eq!(history["id"], "1");
    assert_eq!(history["versions"][0]["status"], "retired");
    assert_eq!(history["versions"][0]["retired_because"], "it came back");

    let again = home.run(&["forget", "1", "99", "--json"]);
    assert_eq!(again.code, 1, "one was not found");
    assert_eq!(again.json()["already_retired"], json!(["1"]));
    assert_eq!(again.json()["not_found"], json!(["99"]));
}

#[test]
fn a_newer_text_under_a_topic_takes_the_place_of_the_older() {
    let home = Home::new();
    home.json(&["remember", "The bins go out on Monday", "--topic", "bins"]);
    let newer = home.json(&["remember", "The bins go out on Thursday", "--topic", "bins"]);
    assert_eq!(newer["items"][0]["decision"], "superseded");
    assert_eq!(newer["items"][0]["superseded"], json!(["1"]));
    assert_eq!(ids(&home.json(&["recall", "bins"]), "hits"), ["2"]);
    let all = home.json(&["recall", "bins", "--superseded"]);
    assert_eq!(ids(&all, "hits").len(), 2);
    let versions = home.json(&["show", "1"])["versions"].clone();
    assert_eq!(versions.as_array().expect("a list").len(), 2);
    assert_eq!(versions[0]["superseded_by"], "2");
}

#[test]
fn relations_are_walked() {
    let home = Home::new();
    home.json(&[
        "remember",
        "Ada wrote Note G",
        "--relation",
        "Ada",
        "wrote",
        "Note G",
    ]);
    home.json(&[
        "remember",
        "Note G is about the Engine, which Babbage drew",
        "--relation",
        "Note G",
        "about",
        "the Engine",
        "--relation",
        "Babbage",
        "drew",
        "the Engine",
    ]);
    let around = home.json(&["graph", "ada"]);
    assert_eq!(around["edges"][0]["to"], "Note G");
    assert_eq!(around["edges"][0]["memories"], json!(["1"]));
    let way = home.json(&["graph", "Ada", "--to", "Babbage"]);
    assert_eq!(way["edges"].as_array().expect("a list").len(), 3);
    let run = home.run(&["graph", "Ada"]);
    assert!(run.stdout.contains("Ada —wrote→ Note G"), "{run:?}");
    let unknown = home.run(&["graph", "Nobody"]);
    assert_eq!(unknown.code, 1);
    assert!(unknown.stderr.contains("names \"Nobody\""), "{unknown:?}");
}

#[test]
fn scopes_do_not_leak() {
    let home = Home::new();
    home.json(&["remember", "the port is 8080", "--scope", "höhle/eins"]);
    assert_eq!(
        ids(&home.json(&["recall", "port", "--scope", "zwei"]), "hits"),
        [""; 0]
    );
    assert_eq!(
        ids(
            &home.json(&["recall", "port", "--scope", "höhle/eins"]),
            "hits"
        ),
        ["1"]
    );
    assert_eq!(ids(&home.json(&["list"]), "memories"), [""; 0]);
    assert_eq!(
        ids(&home.json(&["list", "--all-scopes"]), "memories"),
        ["1"]
    );
}

#[test]
fn a_text_from_standard_input_is_kept_as_it_is() {
    let home = Home::new();
    let text = "first line\n\n  second line, with \"quotes\" and ☕\n";
    let run = home.run_with_input(&["remember", "-", "--json"], text);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(home.json(&["list"])["memories"][0]["text"], text);
    let long = home.run_with_input(&["remember", "-"], &"a ".repeat(600_000));
    assert_eq!(long.code, 1);
    assert!(long.stderr.contains("1048576"), "{long:?}");
}

#[test]
fn a_text_that_is_not_kept_ends_with_1_and_its_reason() {
    let home = Home::new();
    let run = home.run(&["remember", "thanks!"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stdout.starts_with("not kept\n  "), "{run:?}");
}

#[test]
fn reading_a_memory_that_is_not_there_makes_none() {
    let home = Home::new();
    for arguments in [
        &["recall", "x"][..],
        &["forget", "1"],
        &["graph", "x"],
        &["list"],
        &["show", "1"],
    ] {
        let run = home.run(arguments);
        assert_eq!(run.code, 1, "{run:?}");
        assert!(run.stderr.contains("there is no memory at"), "{run:?}");
        assert!(run.stderr.contains("data/palimpsest/memory.h5"), "{run:?}");
        assert_eq!(run.stdout, "");
    }
    let status = home.run(&["status"]);
    assert_eq!(status.code, 0);
    assert!(status.stdout.contains("nothing yet"), "{status:?}");
    assert_eq!(home.entries("data"), [""; 0]);
}

#[test]
fn an_unknown_memory_is_an_error() {
    let home = Home::new();
    home.json(&["remember", "the moon was full"]);
    let run = home.run(&["show", "7"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("memory 7 has never been there"),
        "{run:?}"
    );
}

#[test]
fn a_reader_that_has_read_enough_is_no_error() {
    let home = Home::new();
    home.json(&["remember", "a memory that nobody reads to its end"]);
    let mut command = home.command(&["list"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn what_people_read_steers_no_terminal_and_notes_go_elsewhere() {
    let home = Home::new();
    let run = home.run(&[
        "remember",
        "a bell \u{7} and a colour \u{1b}[31m in one text",
    ]);
    assert_eq!(run.code, 0, "{run:?}");
    let run = home.run(&["recall", "colour"]);
    assert!(
        run.stdout.contains("\\u{7} and a colour \\u{1b}[31m"),
        "{run:?}"
    );
    assert!(!run.stdout.contains('\u{1b}'), "{run:?}");
    assert!(
        run.stderr.contains("palimpsest model fetch"),
        "no model is there: {run:?}"
    );
    assert!(!run.stdout.contains("model fetch"), "{run:?}");
}

#[test]
fn with_the_model_a_command_waits_for_its_vector_and_finds_by_meaning() {
    let Some(model) = model_or_skip("with_the_model_a_command_waits_for_its_vector") else {
        return;
    };
    let home = Home::new();
    let with_model = |arguments: &[&str]| {
        let mut command = home.command(arguments);
        Run::of(command.arg("--json").env("PALIMPSEST_MODEL", &model))
    };
    let kept = with_model(&["remember", "Ines is afraid of spiders"]).json();
    assert_eq!(kept["items"][0]["searchable"], "full");
    assert_eq!(kept.get("warnings"), None);
    with_model(&["remember", "the train to Lyon leaves at noon"]);
    let found = with_model(&["recall", "Which phobias do people have?", "--scores"]).json();
    assert_eq!(found["hits"][0]["id"], "1", "{found}");
    assert_eq!(found.get("warnings"), None);
    let mut command = home.command(&["recall", "a fear of spiders", "--scores"]);
    let told = Run::of(command.env("PALIMPSEST_MODEL", &model)).stdout;
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "fact · 20",
        "score 1.00",
        "meaning 0.40 (cosine 0.",
        "words 0.60 (spiders ",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
    let status = with_model(&["status"]).json();
    assert_eq!(status["model"]["state"], "ready");
    assert_eq!(status["without_vector"], 0);
}
