//! Settings through the program: what is in force, and how wrong ones end.

use crate::home::{Home, Run, shown};

#[test]
fn status_tells_every_path_and_where_it_comes_from() {
    let home = Home::new();
    let config = home.path("config/palimpsest");
    std::fs::create_dir_all(&config).expect("it is new");
    std::fs::write(config.join("palimpsest.toml"), "[recall]\nlimit = 7\n").expect("it is new");
    let mut command = home.command(&["status", "--memory", "mine.h5"]);
    let run = Run::of(command.env("PALIMPSEST_MODEL", "models/mine"));
    assert_eq!(run.code, 0, "{run:?}");
    for expected in [
        format!("{} (--memory)", shown(&home.path("mine.h5"))),
        format!(
            "{} (environment variable PALIMPSEST_MODEL)",
            shown(&home.path("models/mine"))
        ),
        format!("{}, read (default)", shown(&config.join("palimpsest.toml"))),
        "recall.limit = 7".to_owned(),
        "palimpsest.toml, line 2)".to_owned(),
        "\"user\" (default)".to_owned(),
    ] {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words(&run.stdout).contains(&words(&expected)),
            "{expected} in {}",
            run.stdout
        );
    }
    let told = home.json(&["status", "--memory", "mine.h5"]);
    assert_eq!(told["settings"]["recall.limit"]["value"], 7);
    assert_eq!(
        told["settings"]["memory"]["value"],
        shown(&home.path("mine.h5"))
    );
    assert_eq!(told["settings"]["memory"]["origin"], "--memory");
}

/// Arguments, variables, and what standard error must say.
type Case<'a> = (&'a [&'a str], &'a [(&'a str, &'a str)], &'a str);

#[test]
fn wrong_settings_and_flags_end_with_2_before_anything_is_made() {
    let home = Home::new();
    std::fs::write(home.path("wrong.toml"), "[recal]\nlimit = 7\n").expect("it is new");
    let cases: [Case<'_>; 7] = [
        (
            &["remember", "x", "--config", "wrong.toml"],
            &[],
            "did you mean recall.limit?",
        ),
        (
            &["remember", "x", "--config", "none.toml"],
            &[],
            "none.toml",
        ),
        (
            &["remember", "x"],
            &[("PALIMPSEST_MEMROY", "m.h5")],
            "did you mean PALIMPSEST_MEMORY?",
        ),
        (
            &["serve"],
            &[("PALIMPSEST_RECALL__LIMIT", "0")],
            "a whole number from 1 to 100",
        ),
        (&["remember", "x", "--kind", "wish"], &[], "preference"),
        (&["remember", "x", "--scpoe", "a"], &[], "--scope"),
        (&["rember", "x"], &[], "remember"),
    ];
    for (arguments, variables, expected) in cases {
        let mut command = home.command(arguments);
        let run = Run::of(command.envs(variables.iter().copied()));
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.stderr.contains(expected), "{expected} in {run:?}");
        assert_eq!(run.stdout, "");
    }
    assert_eq!(home.entries("data"), [""; 0]);
}

#[test]
fn a_time_that_cannot_be_read_says_how_times_are_written() {
    let home = Home::new();
    home.json(&["remember", "the swallows came back"]);
    let run = home.run(&["recall", "swallows", "--since", "last spring"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(
        run.stderr.contains("since is") && run.stderr.contains("a date (2026-05-31)"),
        "{run:?}"
    );
}
