//! `remember`: keeps one text.

use std::io::{self, Read as _, stdin};

use clap::Args;
use clap::builder::PossibleValuesParser;
use palimpsest_memory::{Kind, ModelState, Strategy};
use serde_json::{Value, json};

use super::call::Call;
use super::flags::{OutputFlags, SettingFlags};
use super::session::Session;
use super::structure::{joined, list, number, text};
use super::{Ended, Failure, Printer};
use crate::mcp::Tool;

/// The most that a memory takes; one byte more is enough to be refused.
const TEXT_LEN_BYTES_MAX: u64 = 1 << 20;

/// What is said where the wait ends before the vector is there.
const NO_VECTOR_YET: &str = "it is kept, and found by keywords; its vector takes longer, and is made by \
the next command or server that runs long enough";

/// The arguments of `remember`.
#[derive(Debug, Args)]
pub(super) struct RememberArguments {
    /// The text; several words are joined by spaces; - reads standard input
    #[arg(required = true)]
    text: Vec<String>,
    /// What sort of memory it is [default: fact]
    #[arg(long, value_parser = PossibleValuesParser::new(Kind::ALL.map(Kind::name)))]
    kind: Option<String>,
    /// A label (may be repeated)
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Someone or something that it speaks of (may be repeated)
    #[arg(long = "entity", value_name = "NAME")]
    entities: Vec<String>,
    /// How two of them relate: --relation Ada wrote "Note G" (may be repeated)
    #[arg(long = "relation", num_args = 3, value_names = ["FROM", "RELATION", "TO"])]
    relations: Vec<String>,
    /// When it happened or began to be true: a date, a local date-time, or RFC 3339
    #[arg(long, value_name = "TIME")]
    valid_from: Option<String>,
    /// When it ceased to be true
    #[arg(long, value_name = "TIME")]
    valid_to: Option<String>,
    /// Who said it, or where it is from
    #[arg(long)]
    source: Option<String>,
    /// A stable key: the text supersedes the current one under it
    #[arg(long)]
    topic: Option<String>,
    /// A memory that it supersedes (may be repeated)
    #[arg(long, value_name = "ID", value_parser = clap::value_parser!(u64))]
    replaces: Vec<u64>,
    /// How much it matters, 0 to 1
    #[arg(long)]
    importance: Option<f64>,
    /// What is saved of it: for what a --source user or assistant said [default: explicit]
    #[arg(long, value_parser = PossibleValuesParser::new(Strategy::ALL.map(Strategy::name)))]
    strategy: Option<String>,
    #[command(flatten)]
    output: OutputFlags,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Keeps the text, waits for its vector, and tells what became of it.
pub(super) fn run(arguments: RememberArguments, printer: &mut Printer) -> Result<Ended, Failure> {
    let memory_text = read_text(&arguments.text)?;
    let settings = arguments.settings.resolve()?;
    let relations = arguments.relations.chunks_exact(3).map(|ends| {
        let [from, relation, to] = ends else {
            unreachable!("chunks of three have three");
        };
        json!({ "from": from, "relation": relation, "to": to })
    });
    let relations: Vec<Value> = relations.collect();
    let replaces: Vec<String> = arguments.replaces.iter().map(u64::to_string).collect();
    let call = Call::default()
        .with("text", Some(memory_text))
        .with("kind", arguments.kind)
        .with_list("tags", &arguments.tags)
        .with_list("entities", &arguments.entities)
        .with("relations", Some(relations).filter(|list| !list.is_empty()))
        .with("valid_from", arguments.valid_from)
        .with("valid_to", arguments.valid_to)
        .with("source", arguments.source)
        .with("topic", arguments.topic)
        .with_list("replaces", &replaces)
        .with("importance", arguments.importance)
        .with("strategy", arguments.strategy);
    let session = Session::open_or_make(settings)?;
    let mut answer = session.call(Tool::Remember, call)?;
    follow_with_vectors(&session, &mut answer)?;
    if arguments.output.json {
        printer.json(&answer)?;
    } else {
        print(&answer, printer)?;
    }
    let is_kept = list(&answer, "items")
        .iter()
        .all(|item| text(item, "decision") != "rejected");
    Ok(if is_kept { Ended::Well } else { Ended::Partly })
}

fn read_text(words: &[String]) -> Result<String, Failure> {
    if words != ["-"] {
        return Ok(words.join(" "));
    }
    let mut bytes = Vec::new();
    let mut input = stdin().lock().take(TEXT_LEN_BYTES_MAX + 1);
    input.read_to_end(&mut bytes).map_err(Failure::Input)?;
    if bytes.len() as u64 > TEXT_LEN_BYTES_MAX {
        // The memory refuses it, and says why; its last character may be cut.
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    String::from_utf8(bytes).map_err(|error| {
        let error = io::Error::new(io::ErrorKind::InvalidData, error);
        Failure::Input(error)
    })
}

/// The text is kept already. A vector that follows now makes the answer out of date in two places.
fn follow_with_vectors(session: &Session, answer: &mut Value) -> Result<(), Failure> {
    let waits = |item: &Value| text(item, "searchable") == "keywords";
    if !list(answer, "items").iter().any(waits) {
        return Ok(());
    }
    let has_vectors = session.wait_for_vectors()?;
    let is_ready = matches!(session.memory.model_state(), ModelState::Ready { .. });
    let Some(fields) = answer.as_object_mut() else {
        return Ok(());
    };
    if !has_vectors {
        if is_ready {
            fields.insert("warnings".to_owned(), json!([NO_VECTOR_YET]));
        }
        return Ok(());
    }
    fields.remove("warnings");
    if let Some(items) = fields.get_mut("items").and_then(Value::as_array_mut) {
        for item in items.iter_mut().filter(|item| waits(item)) {
            item["searchable"] = json!("full");
        }
    }
    Ok(())
}

fn print(answer: &Value, printer: &mut Printer) -> Result<(), Failure> {
    for item in list(answer, "items") {
        let id = text(item, "id");
        let decision = match text(item, "decision") {
            "merged" => format!("merged into {id}"),
            "superseded" => format!("stored {id}, in place of {}", joined(item, "superseded")),
            "rejected" => "not kept".to_owned(),
            _ => format!("stored {id}"),
        };
        printer.heading(&decision)?;
        printer.aside(2, text(item, "reason"))?;
        for similar in list(item, "similar") {
            let score = number(similar, "score");
            let line = format!("similar ({score:.2}): {}", text(similar, "text"));
            printer.hanging(&format!("  {}  ", text(similar, "id")), &line)?;
        }
    }
    super::note_warnings(answer);
    Ok(())
}
