//! `ingest`: a transcript becomes memories, and what of it is skipped is told.

use serde_json::{Value, json};

use crate::home::{Home, model_or_skip, shown};

const TALK: &str = r#"{"role":"system","text":"You are a helpful assistant."}
{"role":"user","text":"My flight to the coast leaves on Monday","time":"2025-03-01T09:00:00Z","session":"trip"}
{"role":"assistant","content":[{"type":"text","text":"Noted, your flight leaves on Monday"}],"time":"2025-03-01T09:00:05Z","session":"trip"}
{"role":"user","text":"Actually it's Tuesday","time":"2025-03-01T09:01:00Z","session":"trip"}
{"role":"assistant","text":"ok","time":"2025-03-01T09:01:05Z","session":"trip"}

{"role":"user","text":"The goats ate the roses by the wall","source":"Ada","time":"2025-03-02T10:00:00Z","session":"garden"}
{"role":"user","text":"By the wall the goats ate the roses","source":"Ada","time":"2025-03-02T10:00:09Z","session":"garden"}
"#;

fn write(home: &Home, name: &str, text: &str) -> String {
    let path = home.path(name);
    std::fs::write(&path, text).expect("the home takes a page");
    shown(&path)
}

/// The counts of an answer that are not 0.
fn counts(answer: &Value) -> Value {
    let mut counts = answer.as_object().expect("an object").clone();
    counts.retain(|_, value| value.as_u64().is_some_and(|n| n > 0));
    Value::Object(counts)
}

fn texts(home: &Home) -> Vec<String> {
    let listed = home.json(&["list"]);
    let memories = listed["memories"].as_array().expect("a list").iter();
    let current = memories.filter(|memory| memory["status"] == "current");
    current
        .map(|memory| memory["text"].as_str().expect("a text").to_owned())
        .collect()
}

#[test]
fn a_transcript_becomes_memories_and_the_rest_is_counted() {
    let home = Home::new();
    let file = write(&home, "talk.jsonl", TALK);
    let answer = home.json(&["ingest", &file]);
    let expect = json!({
        "turns": 6, "saved": 5, "superseded": 2, "skipped_by_gate": 1, "other_lines": 2,
    });
    assert_eq!(counts(&answer), expect);
    assert_eq!(
        (&answer["scope"], &answer["dry_run"]),
        (&json!("user"), &json!(false))
    );
    assert_eq!(
        texts(&home),
        [
            "By the wall the goats ate the roses",
            "The goats ate the roses by the wall",
            "Actually it's Tuesday",
        ]
    );
    let found = home.json(&["recall", "Tuesday", "--tag", "trip"]);
    assert_eq!(found["hits"][0]["id"], "3", "its session is a tag");
    let first = home.json(&["show", "3"])["versions"][0].clone();
    assert_eq!(first["valid_from"], "2025-03-01T09:01:00Z");
    assert_eq!(
        (&first["source"], &first["kind"]),
        (&json!("user"), &json!("event"))
    );
    let history = home.json(&["show", "1"]);
    assert_eq!(history["versions"][0]["superseded_by"], "3");
    let then = ["recall", "flight", "--as-of", "2025-03-01T09:00:30Z"];
    let then = home.json(&[&then[..], &["--superseded"]].concat());
    let hits = then["hits"].as_array().expect("a list");
    let was_true = hits
        .iter()
        .any(|hit| hit["id"] == "1" && hit["status"] == "current");
    assert!(was_true, "until it was corrected: {then}");
}

#[test]
fn what_was_read_before_is_not_added_again() {
    for strategy in ["explicit", "every_exchange", "semantic_shift"] {
        for of in ["user", "agent", "both", "combined"] {
            let home = Home::new();
            let file = write(&home, "talk.jsonl", TALK);
            let read = || home.json(&["ingest", &file, "--strategy", strategy, "--of", of]);
            let first = read();
            let before = home.json(&["list"]);
            let second = read();
            assert_eq!(second["saved"], 0, "{strategy} {of}: {second}");
            assert_eq!(second["merged"], first["saved"], "{strategy} {of}");
            assert_eq!(home.json(&["list"]), before, "{strategy} {of}");
        }
    }
}

#[test]
fn a_dry_run_tells_what_a_run_would_do_and_changes_nothing() {
    let home = Home::new();
    home.json(&["remember", "The goats ate the roses by the wall"]);
    let file = write(&home, "talk.jsonl", TALK);
    let before = home.json(&["list"]);
    let log = home.path("data/palimpsest/memory.h5.log");
    let bytes = std::fs::read(&log).expect("it is there");
    let arguments = ["ingest", &file, "--strategy", "semantic_shift"];
    let told = home.json(&[&arguments[..], &["--dry-run"]].concat());
    assert_eq!(told["dry_run"], true);
    assert_eq!(home.json(&["list"]), before);
    assert_eq!(std::fs::read(&log).expect("it is there"), bytes);
    assert_eq!(home.entries("tmp"), [""; 0], "the copy is gone");
    let done = home.json(&arguments);
    assert_eq!(counts(&told), counts(&done));
    assert_eq!(done["skipped_by_strategy"], 1, "{done}");
    assert_eq!(done["merged"], 1, "{done}");
}

#[test]
fn bad_lines_are_told_by_number_and_skipped() {
    let home = Home::new();
    let talk = "{\"role\":\"user\",\"text\":\"The boat is in the harbour\"}\nnonsense\n{\"role\":\"user\"}\n\
        {\"role\":\"user\",\"text\":\"The oars are in the shed\",\"time\":\"soon\"}\n\
        {\"role\":\"user\",\"text\":\"The sail is being mended\"}\n";
    let run = home.run_with_input(&["ingest", "-", "--json"], talk);
    assert_eq!(run.code, 1, "{run:?}");
    assert_eq!(
        counts(&run.json()),
        json!({ "turns": 2, "saved": 2, "bad_lines": 3 })
    );
    for (number, reason) in [(2, "not a JSON object"), (3, "no text"), (4, "its time is")] {
        let line = format!("line {number} was skipped: ");
        let told = run.stderr.lines().find(|it| it.contains(&line));
        assert!(
            told.is_some_and(|it| it.contains(reason)),
            "{number}: {run:?}"
        );
    }
    assert_eq!(
        texts(&home),
        ["The sail is being mended", "The boat is in the harbour"]
    );
}

#[test]
fn both_speakers_of_a_combined_exchange_stay_readable() {
    let home = Home::new();
    let file = write(&home, "talk.jsonl", TALK);
    let answer = home.json(&["ingest", &file, "--of", "combined", "--scope", "trips"]);
    assert_eq!(answer["saved"], 3);
    let listed = home.json(&["show", "1"]);
    assert_eq!(
        listed["versions"][0]["text"],
        "user: My flight to the coast leaves on Monday\nassistant: Noted, your flight leaves on Monday"
    );
    assert_eq!(listed["versions"][0]["source"], "user, assistant");
    assert_eq!(listed["versions"][0]["scope"], "trips");
    assert_eq!(listed["versions"][0]["superseded_by"], "2");
}

#[test]
fn a_transcript_that_is_not_there_makes_no_memory() {
    let home = Home::new();
    let run = home.run(&["ingest", "nowhere.jsonl"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr
            .contains("cannot read the transcript nowhere.jsonl"),
        "{run:?}"
    );
    let run = home.run(&["ingest", &shown(&home.path("tmp"))]);
    assert_eq!(run.code, 1, "a folder: {run:?}");
    assert_eq!(home.entries("data"), [""; 0]);
    assert_eq!(home.run(&["ingest", "x", "--strategy", "some"]).code, 2);
    assert_eq!(home.run(&["ingest", "x", "--of", "nobody"]).code, 2);
}

#[test]
fn people_read_what_became_of_it() {
    let home = Home::new();
    let file = write(&home, "talk.jsonl", TALK);
    let run = home.run(&["ingest", &file, "--strategy", "semantic_shift"]);
    assert_eq!(run.code, 0, "{run:?}");
    let expect = [
        "6 turns read into scope \"user\"",
        "4  saved as new memories",
        "2  memories superseded by a correction",
        "1  skipped: they say nothing",
        "1  skipped: they say nothing new",
    ];
    let lines: Vec<&str> = run.stdout.lines().map(str::trim).collect();
    for line in expect {
        assert!(lines.contains(&line), "{line:?} in {run:?}");
    }
    assert!(run.stderr.contains("decided by words alone"), "{run:?}");
}

#[test]
fn a_command_remembers_by_a_strategy() {
    let home = Home::new();
    let said = |text, strategy| {
        let arguments = [
            "remember",
            text,
            "--source",
            "user",
            "--strategy",
            strategy,
            "--json",
        ];
        home.run(&arguments)
    };
    said("The shop opens on Monday", "every_exchange");
    let corrected = said("No, it's Tuesday", "every_exchange").json();
    assert_eq!(corrected["items"][0]["superseded"], json!(["1"]));
    let known = said("It's Tuesday. No!", "semantic_shift");
    assert_eq!(known.code, 1, "{known:?}");
    assert_eq!(known.json()["items"][0]["decision"], "rejected");
}

#[test]
fn with_the_model_meaning_decides_what_is_new() {
    let Some(model) = model_or_skip("with_the_model_meaning_decides_what_is_new") else {
        return;
    };
    let home = Home::new();
    let talk = [
        "My brother plays the cello in an orchestra",
        "My brother plays cello in an orchestra.",
        "My brother plays the cello in the Vienna orchestra",
        "The car needs new tyres before winter",
    ];
    let lines = talk.map(|text| json!({ "role": "user", "text": text }).to_string());
    let file = write(&home, "talk.jsonl", &lines.join("\n"));
    let arguments = [
        "ingest",
        &file,
        "--strategy",
        "semantic_shift",
        "--model",
        &shown(&model),
    ];
    let answer = home.json(&arguments);
    assert_eq!(
        counts(&answer),
        json!({ "turns": 4, "saved": 3, "skipped_by_strategy": 1 })
    );
    assert_eq!(answer.get("warnings"), None, "{answer}");
    assert_eq!(home.json(&arguments)["saved"], 0);
}
