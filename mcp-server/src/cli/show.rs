//! `show`: one memory and its history.

use clap::Args;
use palimpsest_memory::{MemoryId, Seq, Version};
use serde_json::{Value, json};

use super::flags::{OutputFlags, SettingFlags};
use super::list::tell_memory;
use super::session::Session;
use super::structure::{joined, moment, text};
use super::{Ended, Failure, Printer};
use crate::mcp::Refusal;

/// The arguments of `show`.
#[derive(Debug, Args)]
pub(super) struct ShowArguments {
    /// The memory
    id: u64,
    #[command(flatten)]
    output: OutputFlags,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Shows the current version and every one before, newest first.
pub(super) fn run(arguments: ShowArguments, printer: &mut Printer) -> Result<Ended, Failure> {
    let id = MemoryId(arguments.id);
    let session = Session::open(arguments.settings.resolve()?)?;
    let versions = session.memory.history(id).map_err(Refusal::from)?;
    if versions.is_empty() {
        return Err(Failure::UnknownMemory { id });
    }
    let told = versions
        .iter()
        .map(|version| tell_version(version, &session));
    let told: Vec<Value> = told.collect();
    if arguments.output.json {
        printer.json(&json!({ "id": id.to_string(), "versions": told }))?;
        return Ok(Ended::Well);
    }
    for version in &told {
        print(version, printer)?;
    }
    Ok(Ended::Well)
}

fn tell_version(version: &Version, session: &Session) -> Value {
    let mut told = tell_memory(&version.memory, session);
    told["born"] = json!(version.lifespan.born.0);
    if version.lifespan.died != Seq::NEVER {
        told["died"] = json!(version.lifespan.died.0);
        if told["status"] == "current" {
            told["status"] = json!(match version.retired_because {
                Some(_) => "retired",
                None => "ended",
            });
        }
    }
    if let Some(reason) = &version.retired_because {
        told["retired_because"] = json!(&**reason);
    }
    told
}

fn print(version: &Value, printer: &mut Printer) -> Result<(), std::io::Error> {
    let label = format!("{:>4}  ", text(version, "id"));
    printer.hanging(&label, text(version, "text"))?;
    let born = &version["born"];
    let lifespan = match version.get("died") {
        Some(died) => format!("snapshots {born} until {died}"),
        None => format!("since snapshot {born}"),
    };
    printer.aside(6, &format!("{}, {lifespan}", text(version, "status")))?;
    let mut facts = vec![text(version, "kind").to_owned()];
    facts.push(format!("scope {}", text(version, "scope")));
    facts.push(format!(
        "remembered {}",
        moment(text(version, "created_at"))
    ));
    for (name, label) in [
        ("valid_from", "true from"),
        ("valid_to", "true until"),
        ("topic", "topic"),
        ("source", "source"),
        ("superseded_by", "superseded by"),
        ("retired_because", "retired because"),
    ] {
        let value = text(version, name);
        if name.starts_with("valid") && !value.is_empty() {
            facts.push(format!("{label} {}", moment(value)));
        } else if !value.is_empty() {
            facts.push(format!("{label} {value}"));
        }
    }
    let tags = joined(version, "tags");
    if !tags.is_empty() {
        facts.push(format!("tags {tags}"));
    }
    printer.aside(6, &facts.join(" · "))
}
