//! Settings from every source, their order, and what is refused.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::*;

const DOCUMENTED: &str = include_str!("../../../configs/palimpsest.toml");

fn folders() -> Folders {
    Folders {
        home: Some(PathBuf::from("/home/ada")),
        data: Some(PathBuf::from("/home/ada/data")),
        cache: Some(PathBuf::from("/home/ada/cache")),
        config: None,
        working: PathBuf::from("/work"),
    }
}

fn sources(variables: &[(&str, &str)], file: Option<&Path>) -> Sources {
    Sources {
        folders: folders(),
        variables: variables
            .iter()
            .map(|(name, value)| (OsString::from(name), OsString::from(value)))
            .collect(),
        file: file.map(Path::to_owned),
        flags: Vec::new(),
    }
}

fn write_file(text: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), text).expect("it takes a page");
    file
}

fn resolve_file(text: &str) -> Result<Settings, String> {
    let file = write_file(text);
    let shown = file.path().display().to_string();
    Settings::resolve(sources(&[], Some(file.path())))
        .map_err(|error| error.to_string().replace(&shown, "FILE"))
}

fn resolve_variables(variables: &[(&str, &str)]) -> Result<Settings, String> {
    Settings::resolve(sources(variables, None)).map_err(|error| error.to_string())
}

#[test]
fn the_documented_file_names_every_setting_with_its_default() {
    let layer = file::read_file(Path::new("palimpsest.toml"), DOCUMENTED).expect("it is valid");
    for setting in SETTINGS {
        let (value, _) = layer.get(setting.name).unwrap_or_else(|| {
            panic!("configs/palimpsest.toml does not name {}", setting.name);
        });
        assert_eq!(*value, setting.default_value(), "{}", setting.name);
    }
}

#[test]
fn the_documented_file_states_every_range() {
    for setting in SETTINGS {
        let (before, _) = DOCUMENTED
            .split_once(&format!(
                "\n{} = ",
                setting.name.rsplit('.').next().unwrap()
            ))
            .expect("the test above finds it");
        let comment = before.rsplit("\n\n").next().unwrap();
        let words: Vec<String> = match setting.range {
            Range::Whole { min, max } => vec![format!("{min} to {max}.")],
            Range::Real { min, max } => vec![format!("{min} to {max}.")],
            Range::Choice(words) => words.iter().map(|word| format!("\"{word}\"")).collect(),
            Range::Switch => vec!["true or false.".to_owned()],
            Range::Path => vec!["Empty:".to_owned()],
            Range::Text => vec!["Not blank.".to_owned()],
        };
        for word in words {
            assert!(
                comment.contains(&word),
                "{}: {word:?} in {comment:?}",
                setting.name
            );
        }
    }
}

#[test]
fn every_default_lies_within_its_range() {
    for setting in SETTINGS {
        assert!(
            setting.range.holds(&setting.default_value()),
            "{}",
            setting.name
        );
    }
}

#[test]
fn the_defaults_are_those_of_the_memory_room() {
    let settings = Settings::resolve(sources(&[], None)).expect("defaults are valid");
    assert_eq!(settings.mind, palimpsest_memory::Settings::default());
    assert_eq!(settings.memory, Path::new("/home/ada/data/memory.h5"));
    assert_eq!(
        settings.model,
        Path::new("/home/ada/cache/models/all-MiniLM-L6-v2")
    );
    assert_eq!(settings.scope, "user");
    assert_eq!(settings.log, LevelFilter::WARN);
    assert!(settings.output_schema);
    assert_eq!(settings.lock_wait, Duration::from_secs(10));
    assert_eq!(settings.vector_wait, Duration::from_secs(30));
}

#[test]
fn a_flag_wins_over_the_environment_and_the_environment_over_the_file() {
    let file = write_file("scope = 'file'\nmemory = 'file.h5'\n[recall]\nlimit = 3\n");
    let variables = [
        ("PALIMPSEST_SCOPE", "variable"),
        ("PALIMPSEST_MEMORY", "variable.h5"),
    ];
    let mut sources = sources(&variables, Some(file.path()));
    let flag = Value::Path(PathBuf::from("flag.h5"));
    sources.flags.push((MEMORY, flag, "--memory"));
    let settings = Settings::resolve(sources).expect("all are valid");
    assert_eq!(settings.memory, Path::new("/work/flag.h5"));
    assert_eq!(*settings.origin(MEMORY), Origin::Flag("--memory"));
    assert_eq!(settings.scope, "variable");
    assert_eq!(settings.mind.recall_limit, 3);
    let line = Origin::File {
        path: file.path().to_owned(),
        line: 4,
    };
    assert_eq!(*settings.origin(table::RECALL_LIMIT), line);
    assert_eq!(*settings.origin(MODEL), Origin::Default);
}

#[test]
fn variables_of_the_evaluations_and_of_others_are_passed_over() {
    let variables = [("PALIMPSEST_EVALS_CACHE", "/cache"), ("PALIMPSESTRY", "x")];
    let settings = Settings::resolve(sources(&variables, None)).expect("none is a setting");
    assert_eq!(*settings.origin(MODEL), Origin::Default);
}

#[test]
fn every_setting_can_be_set_by_its_variable() {
    for setting in SETTINGS {
        let (text, expect) = match setting.range {
            Range::Path => ("/p/q".to_owned(), Value::Path(PathBuf::from("/p/q"))),
            Range::Text => ("höhle/α".to_owned(), Value::Text("höhle/α".to_owned())),
            Range::Choice(words) => (words[1].to_owned(), Value::Text(words[1].to_owned())),
            Range::Whole { max, .. } => (max.to_string(), Value::Whole(max)),
            Range::Real { max, .. } => (max.to_string(), Value::Real(max)),
            Range::Switch => ("false".to_owned(), Value::Switch(false)),
        };
        let variable = setting.variable();
        let settings = resolve_variables(&[(&variable, &text)]).expect("it is valid");
        assert_eq!(settings.value(setting.name).0, expect);
        assert_eq!(
            *settings.origin(setting.name),
            Origin::Environment(variable)
        );
    }
    assert_eq!(SETTINGS[0].variable(), "PALIMPSEST_MEMORY");
    assert_eq!(SETTINGS[4].variable(), "PALIMPSEST_RECALL__LIMIT");
}

#[test]
fn rank_fusion_can_be_chosen() {
    let settings = resolve_file("[recall.fusion]\nmethod = 'rrf'\nrrf_k = 20\n").expect("valid");
    assert_eq!(settings.mind.fusion, Fusion::Rrf { k: 20.0 });
}

#[test]
fn what_a_file_may_not_say_is_refused_by_name_and_line() {
    let cases = [
        (
            "\n[recal]\nlimit = 3",
            "unknown setting \"recal.limit\" (FILE, line 3): did you mean recall.limit?",
        ),
        (
            "modle = 'x'",
            "unknown setting \"modle\" (FILE, line 1): did you mean model?",
        ),
        (
            "memory.file = 'x'",
            "setting memory is a table (FILE, line 1): it must be a path in quotes",
        ),
        (
            "zebra = 1",
            "unknown setting \"zebra\" (FILE, line 1): configs/palimpsest.toml lists every setting",
        ),
        (
            "[zebra]",
            "unknown setting \"zebra\" (FILE, line 1): configs/palimpsest.toml lists every setting",
        ),
        (
            "recall = 5",
            "unknown setting \"recall\" (FILE, line 1): did you mean recall.limit?",
        ),
        (
            "[recall]\nlimit = 0",
            "setting recall.limit is 0 (FILE, line 2): it must be a whole number from 1 to 100",
        ),
        (
            "[recall]\nlimit = '9'",
            "setting recall.limit is '9' (FILE, line 2): it must be a whole number from 1 to 100",
        ),
        (
            "[recall]\nlimit = -1",
            "setting recall.limit is -1 (FILE, line 2): it must be a whole number from 1 to 100",
        ),
        (
            "[recall]\nlimit = 99999999999999999999",
            "setting recall.limit is 99999999999999999999 (FILE, line 2): it must be a whole number from 1 to 100",
        ),
        (
            "[recall.fusion]\nvector_weight = nan",
            "setting recall.fusion.vector_weight is nan (FILE, line 2): it must be a number from 0 to 1",
        ),
        (
            "[recall.fusion]\nmethod = 'max'",
            "setting recall.fusion.method is 'max' (FILE, line 2): it must be one of \"min_max\", \"rrf\"",
        ),
        (
            "scope = ' '",
            "setting scope is ' ' (FILE, line 1): it must be a text in quotes, not blank",
        ),
        (
            "[serve]\noutput_schema = 1",
            "setting serve.output_schema is 1 (FILE, line 2): it must be true or false",
        ),
        (
            "memory = ['a']",
            "setting memory is ['a'] (FILE, line 1): it must be a path in quotes",
        ),
    ];
    for (text, expect) in cases {
        assert_eq!(resolve_file(text).expect_err(text), expect, "{text}");
    }
}

#[test]
fn what_a_variable_may_not_say_is_refused_by_name() {
    let cases = [
        (
            "PALIMPSEST_RECALL_LIMIT",
            "3",
            "unknown setting PALIMPSEST_RECALL_LIMIT (environment variable PALIMPSEST_RECALL_LIMIT): \
             did you mean PALIMPSEST_RECALL__LIMIT?",
        ),
        (
            "PALIMPSEST_RECALL__LIMIT",
            "many",
            "setting recall.limit is \"many\" (environment variable PALIMPSEST_RECALL__LIMIT): \
             it must be a whole number from 1 to 100",
        ),
        (
            "PALIMPSEST_RECALL__FUSION__VECTOR_WEIGHT",
            "1.5",
            "setting recall.fusion.vector_weight is \"1.5\" \
             (environment variable PALIMPSEST_RECALL__FUSION__VECTOR_WEIGHT): \
             it must be a number from 0 to 1",
        ),
    ];
    for (variable, value, expect) in cases {
        assert_eq!(
            resolve_variables(&[(variable, value)]).expect_err(variable),
            expect
        );
    }
}

#[test]
fn other_variables_and_empty_ones_are_left_alone() {
    let settings = resolve_variables(&[
        ("PALIMPSEST_MEMORY", ""),
        ("PALIMPSESTX", "1"),
        ("HOME", "x"),
    ]);
    assert_eq!(
        *settings.expect("none of them counts").origin(MEMORY),
        Origin::Default
    );
}

#[test]
fn text_that_is_no_toml_is_refused_with_its_place() {
    let error = resolve_file("memory = \n").expect_err("there is no value");
    assert!(error.starts_with("FILE is not a TOML file: "), "{error}");
    assert!(error.contains("line 1"), "{error}");
    let deep = format!("recall = {}1{}", "{a=".repeat(100_000), "}".repeat(100_000));
    assert!(resolve_file(&deep).is_err());
}

#[test]
fn a_missing_file_is_an_error_only_where_it_was_asked_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut own = sources(&[], None);
    own.folders.config = Some(folder.path().to_owned());
    let settings = Settings::resolve(own.clone()).expect("absent is fine");
    assert!(!settings.file.is_present);
    std::fs::write(folder.path().join("palimpsest.toml"), "scope = 'x'").expect("it can be made");
    let settings = Settings::resolve(own.clone()).expect("it is valid");
    assert_eq!(settings.scope, "x");
    own.file = Some(folder.path().join("none.toml"));
    let error = Settings::resolve(own)
        .expect_err("it was asked for")
        .to_string();
    assert!(error.contains("none.toml"), "{error}");
}

#[test]
fn paths_become_absolute() {
    for (given, expect) in [
        ("m.h5", "/work/m.h5"),
        ("./a/m.h5", "/work/a/m.h5"),
        ("/x/m.h5", "/x/m.h5"),
        ("~/m.h5", "/home/ada/m.h5"),
        ("~other/m.h5", "/work/~other/m.h5"),
    ] {
        let settings = resolve_variables(&[("PALIMPSEST_MEMORY", given)]).expect("it is valid");
        assert_eq!(settings.memory, Path::new(expect));
    }
}

#[test]
fn an_account_without_a_home_is_told_what_to_give() {
    let mut homeless = sources(&[], None);
    homeless.folders.data = None;
    let error = Settings::resolve(homeless)
        .expect_err("there is no place")
        .to_string();
    assert!(
        error.contains("--memory") && error.contains("PALIMPSEST_MEMORY"),
        "{error}"
    );
}
