//! Lines of all sorts.

use std::io::Cursor;

use super::*;

/// A line as it was read, in a word or two.
fn shown(line: Result<Line, BadLine>) -> String {
    match line {
        Ok(Line::Other) => "other".to_owned(),
        Ok(Line::Turn(spoken)) => {
            let Spoken {
                turn,
                source,
                at,
                session,
            } = spoken;
            let at = at.map(|at| at.0.to_string());
            let extras = [source, at, session].map(Option::unwrap_or_default);
            let extras = extras.join(" ");
            format!("{}: {} {}", turn.role.name(), turn.text, extras.trim())
                .trim_end()
                .to_owned()
        }
        Err(bad) => {
            let bad = bad.to_string();
            bad.split([':', ';']).next().unwrap_or_default().to_owned()
        }
    }
}

fn read_all(input: &[u8]) -> Vec<String> {
    let mut transcript = Transcript::new(Cursor::new(input), TimeZone::UTC);
    let mut lines = Vec::new();
    while let Some(line) = transcript.next_line().expect("it is in memory") {
        lines.push(shown(line));
    }
    assert_eq!(transcript.n_bytes(), input.len() as u64);
    assert_eq!(transcript.line_number(), lines.len() as u64);
    lines
}

#[test]
fn a_turn_is_read_in_every_shape_that_transcripts_have() {
    let cases = [
        (r#"{"role":"user","text":"a"}"#, "user: a"),
        (r#"{"role":"USER","content":"a"}"#, "user: a"),
        (r#"{"role":"human","content":"a","text":null}"#, "user: a"),
        (r#"{"role":"user","content":"a","text":""}"#, "user: a"),
        (r#"{"role":"user","content":["a"],"text":" "}"#, "user: a"),
        (r#"{"role":"user","content":"b","text":"a"}"#, "user: a"),
        (r#"{"role":"user","content":"","text":""}"#, "other"),
        (
            r#"{"role":"ai","text":"a","source":"Bo","session":7}"#,
            "assistant: a Bo  7",
        ),
        (
            r#"{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"tool_use","id":"x"},{"type":"output_text","text":"b"}]}"#,
            "assistant: a\nb",
        ),
        (r#"{"role":"user","content":["a","b"]}"#, "user: a\nb"),
        (
            r#"{"role":"user","text":"a","time":"1970-01-01T00:00:01Z","session":" s "}"#,
            "user: a 1000000 s",
        ),
        (
            r#"{"role":"user","text":"a","timestamp":"1970-01-02"}"#,
            "user: a 86400000000",
        ),
        (r#"{"role":"user","text":"a\u0000b"}"#, "user: ab"),
        (r#"{"role":"user","text":"a","extra":{"x":[1]}}"#, "user: a"),
        ("\u{feff}  {\"role\":\"user\",\"text\":\"a\"}\r", "user: a"),
        (r#"{"role":"system","text":"a"}"#, "other"),
        (r#"{"role":"tool","content":{}}"#, "other"),
        (r#"{"role":"user","text":"  "}"#, "other"),
        (
            r#"{"role":"assistant","content":[{"type":"tool_use","id":"x"}]}"#,
            "other",
        ),
        ("", "other"),
    ];
    for (line, expect) in cases {
        assert_eq!(read_all(format!("{line}\n").as_bytes()), [expect], "{line}");
    }
}

#[test]
fn a_line_that_cannot_be_read_says_why() {
    let long_name = format!(
        r#"{{"role":"user","text":"a","source":"{}"}}"#,
        "x".repeat(1_025)
    );
    let long_text = format!(
        r#"{{"role":"user","text":"{}"}}"#,
        "x".repeat((1 << 20) + 1)
    );
    let cases = [
        ("{", "it is not a JSON object"),
        ("[1]", "it is not a JSON object"),
        (r#"{"text":"a"}"#, "it has no role"),
        (r#"{"role":"wizard","text":"a"}"#, "its role is \"wizard\""),
        (r#"{"role":"user"}"#, "it has no text"),
        (r#"{"role":"user","text":7}"#, "it has no text"),
        (r#"{"role":"user","content":[7]}"#, "it has no text"),
        (
            r#"{"role":"user","text":"a","time":"soon"}"#,
            "its time is \"soon\"",
        ),
        (r#"{"role":"user","text":"a","time":7}"#, "its time is 7"),
        (
            r#"{"role":"user","text":"a","session":[]}"#,
            "its session is not a text of at most 1024 bytes",
        ),
        (&long_name, "its source is not a text of at most 1024 bytes"),
        (&long_text, "its text has 1048577 bytes"),
    ];
    for (line, expect) in cases {
        let found = read_all(format!("{line}\n").as_bytes());
        assert_eq!(found, [expect], "{}", &line[..line.len().min(80)]);
    }
    assert_eq!(read_all(b"\xff\xfe\n"), ["it is not UTF-8"]);
    let nested = "[".repeat(100_000);
    assert_eq!(read_all(nested.as_bytes()), ["it is not a JSON object"]);
}

#[test]
fn a_line_over_the_limit_is_passed_over_and_the_next_one_is_read() {
    let fits = format!(
        r#"{{"role":"system","text":"{}"}}"#,
        "x".repeat(LINE_LEN_BYTES_MAX - 27)
    );
    assert_eq!(fits.len(), LINE_LEN_BYTES_MAX);
    let over = "x".repeat(LINE_LEN_BYTES_MAX + 1);
    let far_over = "x".repeat(3 * LINE_LEN_BYTES_MAX);
    let last = r#"{"role":"user","text":"a"}"#;
    let input = [&fits, &over, &far_over, last].join("\n");
    let too_long = "it is longer than 8388608 bytes";
    assert_eq!(
        read_all(input.as_bytes()),
        ["other", too_long, too_long, "user: a"]
    );
    assert_eq!(read_all(over.as_bytes()), [too_long], "without an end");
}

#[test]
fn a_last_line_needs_no_end_and_an_empty_input_has_no_line() {
    assert_eq!(read_all(br#"{"role":"user","text":"a"}"#), ["user: a"]);
    assert_eq!(read_all(b""), Vec::<String>::new());
}

proptest::proptest! {
    #[test]
    fn any_bytes_are_read(input in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..300)) {
        let _lines = read_all(&input);
    }

    #[test]
    fn a_line_is_read_the_same_whatever_surrounds_it(text in "[a-z \\\\\"é\u{1F600}]{1,20}") {
        let line = serde_json::json!({ "role": "user", "text": text }).to_string();
        let alone = read_all(line.as_bytes());
        let among = read_all(format!("{{\n{line}\nnonsense\n").as_bytes());
        proptest::prop_assert_eq!(alone.first(), among.get(1));
    }
}
