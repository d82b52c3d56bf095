//! The flags that many commands share, and the settings that they make.

use std::path::PathBuf;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::Failure;
use crate::settings::{MEMORY, MODEL, SCOPE, Settings, Sources, Value};

/// Where the settings, the memory and the model are.
#[derive(Debug, Args)]
pub(super) struct SettingFlags {
    /// The memory file [default: memory.h5 in the platform's data folder]
    #[arg(long, value_name = "PATH")]
    pub(super) memory: Option<PathBuf>,
    /// Whose memory it is [default: user]
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(super) scope: Option<String>,
    /// The model's folder [default: in the platform's cache folder]
    #[arg(long, value_name = "FOLDER")]
    pub(super) model: Option<PathBuf>,
    /// The settings file [default: palimpsest.toml in the platform's configuration folder]
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
}

/// How the answer is written.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct OutputFlags {
    /// Answer with JSON, under the names that the MCP tools use
    #[arg(long)]
    pub(super) json: bool,
}

impl SettingFlags {
    /// The settings under these flags.
    pub(super) fn resolve(self) -> Result<Settings, Failure> {
        Ok(Settings::resolve(self.into_sources()?)?)
    }

    /// The process's sources with these flags on top.
    pub(super) fn into_sources(self) -> Result<Sources, Failure> {
        let mut sources = Sources::of_this_process()?;
        sources.file = self.config;
        if let Some(path) = self.memory {
            sources.flags.push((MEMORY, Value::Path(path), "--memory"));
        }
        if let Some(scope) = self.scope {
            sources.flags.push((SCOPE, Value::Text(scope), "--scope"));
        }
        if let Some(path) = self.model {
            sources.flags.push((MODEL, Value::Path(path), "--model"));
        }
        Ok(sources)
    }
}
