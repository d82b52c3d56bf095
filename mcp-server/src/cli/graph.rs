//! `graph`: how people, places and things relate.

use clap::Args;
use serde_json::Value;

use super::call::Call;
use super::flags::{OutputFlags, SettingFlags};
use super::session::Session;
use super::structure::{count, joined, list, moment, text};
use super::{Ended, Failure, Printer};
use crate::mcp::Tool;

/// The arguments of `graph`.
#[derive(Debug, Args)]
pub(super) struct GraphArguments {
    /// Someone or something by its name
    about: String,
    /// The other end of a path
    #[arg(long, value_name = "NAME")]
    to: Option<String>,
    /// Only relations of this name
    #[arg(long)]
    relation: Option<String>,
    /// How many steps away, 1 to 3
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=3))]
    depth: Option<u64>,
    /// What was true then [default: now]
    #[arg(long, value_name = "TIME")]
    as_of: Option<String>,
    /// What the memory held then [default: now]
    #[arg(long, value_name = "TIME")]
    known_at: Option<String>,
    /// The most relations, 1 to 200
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=200))]
    limit: Option<u64>,
    #[command(flatten)]
    output: OutputFlags,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Walks the graph, and shows the relations.
pub(super) fn run(arguments: GraphArguments, printer: &mut Printer) -> Result<Ended, Failure> {
    let other_end = arguments.to.clone();
    let call = Call::default()
        .with("about", Some(arguments.about))
        .with("to", arguments.to)
        .with("relation", arguments.relation)
        .with("depth", arguments.depth)
        .with("as_of", arguments.as_of)
        .with("known_at", arguments.known_at)
        .with("limit", arguments.limit);
    let session = Session::open(arguments.settings.resolve()?)?;
    let answer = session.call(Tool::Graph, call)?;
    if arguments.output.json {
        printer.json(&answer)?;
        return Ok(Ended::Well);
    }
    for edge in list(&answer, "edges") {
        print_edge(edge, printer)?;
    }
    if list(&answer, "edges").is_empty() {
        let about = text(&answer, "about");
        printer.paragraph(&match other_end {
            Some(to) => format!("no way from {about} to {to} within the depth"),
            None => format!("{about} has no relations"),
        })?;
    }
    let omitted = count(&answer, "omitted");
    if omitted > 0 {
        printer.paragraph(&format!("{omitted} more: raise --limit"))?;
    }
    super::note_warnings(&answer);
    Ok(Ended::Well)
}

/// Writes one relation and the memories that say so.
pub(crate) fn print_edge(edge: &Value, printer: &mut Printer) -> Result<(), std::io::Error> {
    let words = [text(edge, "from"), text(edge, "relation"), text(edge, "to")];
    let [from, relation, to] = words;
    printer.hanging("  ", &format!("{from} —{relation}→ {to}"))?;
    let mut facts = vec![format!("memory {}", joined(edge, "memories"))];
    for (name, word) in [("valid_from", "from"), ("valid_to", "to")] {
        let time = text(edge, name);
        if !time.is_empty() {
            facts.push(format!("{word} {}", moment(time)));
        }
    }
    printer.aside(6, &facts.join(" · "))
}
