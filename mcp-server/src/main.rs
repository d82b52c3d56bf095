//! Long-term memory for LLM agents: the MCP server and its command line.

mod mcp;
mod serve;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::{Parser, Subcommand};

/// Long-term memory for LLM agents.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the memory over MCP on standard input and output.
    Serve {
        /// The memory file [default: memory.h5 in the platform's data folder].
        #[arg(long)]
        memory: Option<PathBuf>,
        /// The model's folder.
        #[arg(long)]
        model: Option<PathBuf>,
        /// The scope of calls that name none.
        #[arg(long, default_value = "user")]
        scope: String,
        /// Leave the output schemas out of the list of tools.
        #[arg(long)]
        no_output_schema: bool,
        /// What is logged to standard error: off, error, warn, info, debug, trace.
        #[arg(long, default_value = "warn")]
        log: tracing::level_filters::LevelFilter,
    },
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().command {
        Command::Serve {
            memory,
            model,
            scope,
            no_output_schema,
            log,
        } => Ok(serve::run(
            palimpsest_memory::Options {
                path: memory.map_or_else(memory_path_default, Ok)?,
                model,
                lock_wait: Duration::from_secs(10),
                settings: palimpsest_memory::Settings::default(),
            },
            serve::ServeOptions {
                scope,
                output_schema: if no_output_schema {
                    serve::OutputSchema::Omitted
                } else {
                    serve::OutputSchema::Listed
                },
                log_level: log,
            },
        )?),
    }
}

fn memory_path_default() -> anyhow::Result<PathBuf> {
    let folders = directories::ProjectDirs::from("", "", "palimpsest")
        .context("this platform tells no data folder: give --memory")?;
    Ok(folders.data_dir().join("memory.h5"))
}
