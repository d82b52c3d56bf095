//! `status`: where everything is, what it holds, and the settings in force.

use clap::Args;
use serde_json::{Map, Value, json};

use super::call::Call;
use super::flags::{OutputFlags, SettingFlags};
use super::session::{Session, is_there, log_of};
use super::structure::{count, text};
use super::{Ended, Failure, Printer};
use crate::mcp::Tool;
use crate::settings::{MEMORY, MODEL, Origin, SCOPE, SETTINGS, Settings, Value as Setting};

/// The arguments of `status`.
#[derive(Debug, Args)]
pub(super) struct StatusArguments {
    #[command(flatten)]
    output: OutputFlags,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Shows paths, figures and settings. Makes nothing: a memory that is not there stays so.
pub(super) fn run(arguments: StatusArguments, printer: &mut Printer) -> Result<Ended, Failure> {
    let settings = arguments.settings.resolve()?;
    let mut answer = if is_there(&settings.memory) {
        let session = Session::open(settings.clone())?;
        session.wait_for_model();
        session.call(
            Tool::Maintain,
            Call::default().with("action", Some("status")),
        )?
    } else {
        json!({
            "action": "status",
            "path": settings.memory.display().to_string(),
            "memories": 0,
            "model": { "path": settings.model.display().to_string() },
            "version": env!("CARGO_PKG_VERSION"),
            "scope": settings.scope,
        })
    };
    answer["settings_file"] = tell_file(&settings);
    answer["settings"] = tell_settings(&settings);
    if arguments.output.json {
        printer.json(&answer)?;
    } else {
        print(&answer, &settings, printer)?;
    }
    Ok(Ended::Well)
}

fn tell_file(settings: &Settings) -> Value {
    let file = &settings.file;
    let path = file.path.as_ref().map(|path| path.display().to_string());
    json!({
        "path": path.unwrap_or_default(),
        "present": file.is_present,
        "origin": file.origin.to_string(),
    })
}

fn tell_settings(settings: &Settings) -> Value {
    let told = SETTINGS.iter().map(|setting| {
        let (value, origin) = settings.value(setting.name);
        let value = match value {
            Setting::Path(_) if setting.name == MEMORY => {
                json!(settings.memory.display().to_string())
            }
            Setting::Path(_) => json!(settings.model.display().to_string()),
            Setting::Text(text) => json!(text),
            Setting::Whole(number) => json!(number),
            Setting::Real(number) => json!(number),
            Setting::Switch(on) => json!(on),
        };
        let told = json!({ "value": value, "origin": origin.to_string() });
        (setting.name.to_owned(), told)
    });
    Value::Object(told.collect::<Map<_, _>>())
}

fn print(answer: &Value, settings: &Settings, printer: &mut Printer) -> Result<(), Failure> {
    let from = |name| format!("({})", settings.origin(name));
    let memory = format!("{} {}", settings.memory.display(), from(MEMORY));
    printer.hanging("memory    ", &memory)?;
    if answer.get("snapshot").is_some() {
        let log_path = log_of(&settings.memory);
        let log = format!(
            "{}, {} bytes",
            log_path.display(),
            count(answer, "log_bytes")
        );
        printer.hanging("log       ", &log)?;
        let holds = format!(
            "{} memories, {} versions; {} without a vector",
            count(answer, "memories"),
            count(answer, "versions"),
            count(answer, "without_vector"),
        );
        printer.hanging("holds     ", &holds)?;
    } else {
        printer.hanging(
            "holds     ",
            "nothing yet: the first `palimpsest remember` makes it",
        )?;
    }
    let model = format!("{} {}", settings.model.display(), from(MODEL));
    printer.hanging("model     ", &model)?;
    printer.aside(10, &tell_model(answer, settings))?;
    printer.hanging(
        "scope     ",
        &format!("{:?} {}", settings.scope, from(SCOPE)),
    )?;
    let file = &settings.file;
    let path = file
        .path
        .as_ref()
        .map_or("none".to_owned(), |path| path.display().to_string());
    let presence = if file.is_present { "read" } else { "not there" };
    printer.hanging(
        "settings  ",
        &format!("{path}, {presence} ({})", file.origin),
    )?;
    for setting in SETTINGS.iter().filter(|setting| !is_path(setting.name)) {
        let (value, origin) = settings.value(setting.name);
        if *origin != Origin::Default && setting.name != SCOPE {
            printer.hanging(
                "          ",
                &format!("{} = {value} ({origin})", setting.name),
            )?;
        }
    }
    printer.hanging("version   ", text(answer, "version"))?;
    super::note_warnings(answer);
    Ok(())
}

fn is_path(name: &str) -> bool {
    name == MEMORY || name == MODEL
}

fn tell_model(answer: &Value, settings: &Settings) -> String {
    let model = &answer["model"];
    match text(model, "state") {
        "ready" => format!("ready, {}", text(model, "id")),
        "unusable" => format!(
            "unusable, so recall works by keywords alone: {}; `palimpsest model fetch` gets it again",
            text(model, "reason")
        ),
        "loading" => "still loading".to_owned(),
        _ if settings.model.is_dir() => "there; it is loaded when a memory is open".to_owned(),
        _ => "not there, so recall works by keywords alone: `palimpsest model fetch` gets it"
            .to_owned(),
    }
}
