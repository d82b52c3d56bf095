//! `list`: the latest memories.

use clap::Args;
use palimpsest_memory::MemoryRecord;
use serde_json::{Value, json};

use super::flags::{OutputFlags, SettingFlags};
use super::recall::print_hit;
use super::session::Session;
use super::structure::text;
use super::{Ended, Failure, Printer};
use crate::mcp::{Refusal, moment};

/// So much of a text is shown; `show` prints it whole.
const TEXT_CHARS_MAX: usize = 500;

/// The arguments of `list`.
#[derive(Debug, Args)]
pub(super) struct ListArguments {
    /// The most memories, 1 to 10000
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    limit: u16,
    /// Of every scope
    #[arg(long)]
    all_scopes: bool,
    #[command(flatten)]
    output: OutputFlags,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Shows the latest memories of the scope, or of every scope.
pub(super) fn run(arguments: ListArguments, printer: &mut Printer) -> Result<Ended, Failure> {
    let session = Session::open(arguments.settings.resolve()?)?;
    let scope = (!arguments.all_scopes).then_some(session.settings.scope.as_str());
    let memories = session
        .memory
        .list(scope, arguments.limit.into())
        .map_err(Refusal::from)?;
    let told = memories.iter().map(|memory| tell_memory(memory, &session));
    let told: Vec<Value> = told.collect();
    if arguments.output.json {
        let mut answer = json!({ "memories": told });
        if let Some(scope) = scope {
            answer["scope"] = json!(scope);
        }
        printer.json(&answer)?;
        return Ok(Ended::Well);
    }
    for memory in &told {
        print_hit(&shortened(memory), printer)?;
    }
    if told.is_empty() {
        let place = scope.map_or(String::new(), |scope| format!(" in scope {scope:?}"));
        printer.paragraph(&format!("there are no memories{place}"))?;
    }
    Ok(Ended::Well)
}

/// A memory as a list shows it: the beginning of a long text.
fn shortened(memory: &Value) -> Value {
    let whole = text(memory, "text");
    let begin: String = whole.chars().take(TEXT_CHARS_MAX).collect();
    let n_left_out = whole.chars().count().saturating_sub(TEXT_CHARS_MAX);
    let mut shown = memory.clone();
    if n_left_out > 0 {
        shown["text"] = json!(format!("{begin}…"));
        shown["chars_left_out"] = json!(n_left_out);
    }
    shown
}

/// What a memory says, under the names of the MCP tools; what is absent is left out.
pub(super) fn tell_memory(memory: &MemoryRecord, session: &Session) -> Value {
    let tell = |time| moment::tell(time, &session.zone);
    let mut told = json!({
        "id": memory.id.to_string(),
        "text": &*memory.text,
        "kind": &*memory.kind,
        "when": tell(memory.when()),
        "scope": &*memory.scope,
        "importance": (f64::from(memory.importance) * 1e4).round() / 1e4,
        "created_at": tell(memory.created_at),
        "status": if memory.superseded_by.is_some() { "superseded" } else { "current" },
    });
    let tags: Vec<&str> = memory.tags.iter().map(|tag| &**tag).collect();
    if !tags.is_empty() {
        told["tags"] = json!(tags);
    }
    let optional = [
        ("topic", memory.topic.as_deref().map(str::to_owned)),
        ("source", memory.source.as_deref().map(str::to_owned)),
        ("valid_from", memory.valid_from.map(tell)),
        ("valid_to", memory.valid_to.map(tell)),
        (
            "superseded_by",
            memory.superseded_by.map(|id| id.to_string()),
        ),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            told[name] = json!(value);
        }
    }
    told
}
