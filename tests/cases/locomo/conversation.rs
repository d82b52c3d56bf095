//! A conversation of the data set: who said what and when, and what is asked about it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use palimpsest_tests::Repository;
use serde_json::Value;

/// Categories whose questions can be answered from the conversation.
const CATEGORIES: std::ops::RangeInclusive<u64> = 1..=4;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// One conversation.
#[derive(Debug)]
pub(crate) struct Conversation {
    pub(crate) name: String,
    /// In the order in which they were said.
    pub(crate) turns: Vec<Turn>,
    /// Those of the categories, with evidence.
    pub(crate) questions: Vec<Question>,
}

/// What one person said at once.
#[derive(Debug)]
pub(crate) struct Turn {
    /// As evidence names it: `D3:17`.
    pub(crate) name: String,
    pub(crate) speaker: String,
    pub(crate) text: String,
    /// The session's time, and a second for each turn before it.
    pub(crate) said_at: String,
}

impl Turn {
    /// The turn as an agent notes it down: who said what.
    pub(crate) fn said(&self) -> String {
        format!("{}: {}", self.speaker, self.text)
    }
}

/// What is asked, and the turns that hold the answer.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) text: String,
    pub(crate) evidence: BTreeSet<String>,
}

impl Conversation {
    /// All of the data set, in order; `None` where that is not on this machine.
    pub(crate) fn all() -> Option<Vec<Self>> {
        let path = data_set()?;
        let unpacked = Command::new("gzip")
            .arg("-dc")
            .arg(path)
            .stdin(Stdio::null())
            .output()
            .expect("gzip can be run");
        assert!(unpacked.status.success(), "the data set can be unpacked");
        let all: Value = serde_json::from_slice(&unpacked.stdout).expect("the data set is JSON");
        let all = all.as_array().expect("the data set is a list").iter();
        let conversation = |it: &Value| {
            let turns = turns(&it["conversation"]);
            Self {
                name: text(&it["sample_id"]),
                questions: questions(&it["qa"], &turns),
                turns,
            }
        };
        Some(all.map(conversation).collect())
    }
}

/// `TEST_PALIMPSEST_SHARED`, else a folder `shared` beside a folder above this checkout.
fn data_set() -> Option<PathBuf> {
    let from_root = "data/locomo10.json.gz";
    let repository = Repository::here();
    let above = repository.root().ancestors().skip(1);
    let folders: Vec<PathBuf> = match std::env::var_os("TEST_PALIMPSEST_SHARED") {
        Some(folder) => vec![PathBuf::from(folder)],
        None => above.map(|folder| folder.join("shared")).collect(),
    };
    folders
        .iter()
        .map(|folder| folder.join(from_root))
        .find(|path| Path::exists(path))
}

fn turns(conversation: &Value) -> Vec<Turn> {
    let mut turns = Vec::new();
    let sessions = (1..).map(|number| format!("session_{number}"));
    for session in sessions.take_while(|session| conversation[session].is_array()) {
        let began = text(&conversation[format!("{session}_date_time")]);
        let said = conversation[&session]
            .as_array()
            .expect("a session is a list");
        for (turn_idx, turn) in said.iter().enumerate() {
            turns.push(Turn {
                name: text(&turn["dia_id"]),
                speaker: text(&turn["speaker"]),
                text: text(&turn["text"]),
                said_at: moment(&began, turn_idx),
            });
        }
    }
    turns
}

fn questions(all: &Value, turns: &[Turn]) -> Vec<Question> {
    let names: BTreeSet<&str> = turns.iter().map(|turn| turn.name.as_str()).collect();
    let mut questions = Vec::new();
    for question in all.as_array().expect("questions are a list") {
        let mut evidence = evidence(&question["evidence"]);
        // One question's only evidence is a turn that nobody said.
        evidence.retain(|name| names.contains(name.as_str()));
        let category = question["category"].as_u64();
        if category.is_some_and(|it| CATEGORIES.contains(&it)) && !evidence.is_empty() {
            questions.push(Question {
                text: text(&question["question"]),
                evidence,
            });
        }
    }
    questions
}

/// Names of turns by the pattern `D\d+:\d+`; some entries hold several, or other words.
fn evidence(entries: &Value) -> BTreeSet<String> {
    let entries = entries
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    let words =
        entries.flat_map(|entry| entry.split(|it: char| !it.is_ascii_alphanumeric() && it != ':'));
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    let is_name = |word: &&str| {
        let parts = word.strip_prefix('D').and_then(|rest| rest.split_once(':'));
        parts.is_some_and(|(session, turn)| is_number(session) && is_number(turn))
    };
    words.filter(is_name).map(str::to_owned).collect()
}

/// `1:56 pm on 8 May, 2023` and some seconds, as RFC 3339 writes it.
fn moment(began: &str, seconds: usize) -> String {
    let parse = || {
        let (time, date) = began.split_once(" on ")?;
        let (clock, half) = time.split_once(' ')?;
        let (hour, minute) = clock.split_once(':')?;
        let (day, month_year) = date.split_once(' ')?;
        let (month, year) = month_year.split_once(", ")?;
        let hour = hour.parse::<usize>().ok()? % 12 + if half == "pm" { 12 } else { 0 };
        let seconds = minute.parse::<usize>().ok()? * 60 + seconds;
        let month = MONTHS.iter().position(|it| *it == month)? + 1;
        let day: usize = day.parse().ok()?;
        let (hour, minute, second) = (hour + seconds / 3600, seconds / 60 % 60, seconds % 60);
        assert!(hour < 24, "no session of the data set runs over midnight");
        Some(format!(
            "{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
        ))
    };
    parse().unwrap_or_else(|| panic!("the data set writes a time anew: {began:?}"))
}

fn text(value: &Value) -> String {
    let text = value.as_str();
    text.unwrap_or_else(|| panic!("the data set has no text where it should: {value}"))
        .to_owned()
}

#[test]
fn times_of_the_data_set_are_read() {
    assert_eq!(moment("1:56 pm on 8 May, 2023", 0), "2023-05-08T13:56:00Z");
    assert_eq!(
        moment("12:09 am on 13 September, 2023", 61),
        "2023-09-13T00:10:01Z"
    );
    assert_eq!(
        moment("12:30 pm on 4 January, 2024", 1800),
        "2024-01-04T13:00:00Z"
    );
}

#[test]
fn evidence_is_read_by_its_pattern() {
    let entries = serde_json::json!(["D1:3", "D8:6; D9:17", "D", "D:1:2", "see D2:x"]);
    let expected = ["D1:3", "D8:6", "D9:17"].map(str::to_owned);
    assert_eq!(evidence(&entries), BTreeSet::from(expected));
}
