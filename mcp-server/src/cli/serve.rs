//! `serve`: the MCP server on standard input and output.

use clap::Args;

use super::flags::SettingFlags;
use super::session::options;
use super::{Ended, Failure};
use crate::serve::{OutputSchema, ServeOptions};
use crate::settings::{LOG, LOG_LEVELS, OUTPUT_SCHEMA, Settings, Value};

/// The arguments of `serve`.
#[derive(Debug, Args)]
pub(super) struct ServeArguments {
    #[command(flatten)]
    settings: SettingFlags,
    /// Leave the output schemas out of the list of tools, for a client that cannot do with them
    #[arg(long)]
    no_output_schema: bool,
    /// What is logged to standard error [default: warn]
    #[arg(long, value_name = "LEVEL", value_parser = LOG_LEVELS)]
    log: Option<String>,
}

/// Serves one session; nothing else may write to standard output.
pub(super) fn run(arguments: ServeArguments) -> Result<Ended, Failure> {
    let mut sources = arguments.settings.into_sources()?;
    if arguments.no_output_schema {
        let off = Value::Switch(false);
        sources
            .flags
            .push((OUTPUT_SCHEMA, off, "--no-output-schema"));
    }
    if let Some(level) = arguments.log {
        sources.flags.push((LOG, Value::Text(level), "--log"));
    }
    let settings = Settings::resolve(sources)?;
    let serve = ServeOptions {
        scope: settings.scope.clone(),
        output_schema: if settings.output_schema {
            OutputSchema::Listed
        } else {
            OutputSchema::Omitted
        },
        log_level: settings.log,
    };
    crate::serve::run(options(&settings), serve)?;
    Ok(Ended::Well)
}
