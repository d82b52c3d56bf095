//! `recall`: finds memories.

use clap::Args;
use clap::builder::PossibleValuesParser;
use palimpsest_memory::Kind;
use serde_json::Value;

use super::call::Call;
use super::flags::{OutputFlags, SettingFlags};
use super::session::Session;
use super::structure::{count, joined, list, moment, number, text};
use super::{Ended, Failure, Printer};
use crate::mcp::Tool;

/// The arguments of `recall`.
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(super) struct RecallArguments {
    /// What to look for; several words are joined by spaces. Without it, filters list the latest
    query: Vec<String>,
    /// By what it is found [default: hybrid]
    #[arg(long, value_parser = ["hybrid", "keyword", "semantic"])]
    mode: Option<String>,
    /// Only this kind (may be repeated)
    #[arg(long = "kind", value_name = "KIND")]
    #[arg(value_parser = PossibleValuesParser::new(Kind::ALL.map(Kind::name)))]
    kinds: Vec<String>,
    /// Only with this label (may be repeated: any of them)
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Only with every label given
    #[arg(long, requires = "tags")]
    all_tags: bool,
    /// Only this memory (may be repeated)
    #[arg(long = "id", value_name = "ID", value_parser = clap::value_parser!(u64))]
    ids: Vec<u64>,
    /// Dated then or later: a date, a local date-time, or RFC 3339
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Dated before then
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// What was true then [default: now]
    #[arg(long, value_name = "TIME")]
    as_of: Option<String>,
    /// What the memory held then [default: now]
    #[arg(long, value_name = "TIME")]
    known_at: Option<String>,
    /// Also memories that another one superseded
    #[arg(long)]
    superseded: bool,
    /// Also memories that are not true any more, or not yet
    #[arg(long)]
    expired: bool,
    /// Show where each score comes from
    #[arg(long)]
    scores: bool,
    /// The most hits, 1 to 100
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=100))]
    limit: Option<u64>,
    /// The most tokens that the texts may have together, 50 to 10000
    #[arg(long, value_parser = clap::value_parser!(u64).range(50..=10_000))]
    max_tokens: Option<u64>,
    /// The least score that a hit must have, 0 to 1
    #[arg(long)]
    min_score: Option<f64>,
    #[command(flatten)]
    output: OutputFlags,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Finds memories, and shows them.
pub(super) fn run(arguments: RecallArguments, printer: &mut Printer) -> Result<Ended, Failure> {
    let is_json = arguments.output.json;
    let by_words_alone = arguments.query.is_empty() || arguments.mode.as_deref() == Some("keyword");
    let (call, flags) = into_call(arguments);
    let session = Session::open(flags.resolve()?)?;
    if !by_words_alone {
        session.wait_for_model();
    }
    let answer = session.call(Tool::Recall, call)?;
    if is_json {
        printer.json(&answer)?;
    } else {
        print(&answer, printer)?;
    }
    Ok(Ended::Well)
}

fn into_call(arguments: RecallArguments) -> (Call, SettingFlags) {
    let query = Some(arguments.query.join(" ")).filter(|query| !query.is_empty());
    let ids: Vec<String> = arguments.ids.iter().map(u64::to_string).collect();
    let included = [
        (arguments.superseded, "superseded"),
        (arguments.expired, "expired"),
        (arguments.scores, "scores"),
    ];
    let include = included.into_iter().filter(|(is_wanted, _)| *is_wanted);
    let include: Vec<String> = include.map(|(_, word)| word.to_owned()).collect();
    let call = Call::default()
        .with("query", query)
        .with("mode", arguments.mode)
        .with_list("kind", &arguments.kinds)
        .with_list("tags", &arguments.tags)
        .with("tags_match", arguments.all_tags.then_some("all"))
        .with_list("ids", &ids)
        .with("since", arguments.since)
        .with("until", arguments.until)
        .with("as_of", arguments.as_of)
        .with("known_at", arguments.known_at)
        .with_list("include", &include)
        .with("limit", arguments.limit)
        .with("max_tokens", arguments.max_tokens)
        .with("min_score", arguments.min_score);
    (call, arguments.settings)
}

fn print(answer: &Value, printer: &mut Printer) -> Result<(), Failure> {
    let hits = list(answer, "hits");
    for hit in hits {
        print_hit(hit, printer)?;
    }
    if hits.is_empty() {
        let searched = count(answer, "searched");
        let scopes = joined(answer, "scopes");
        printer.paragraph(&format!(
            "nothing found among {searched} memories (scopes: {scopes})"
        ))?;
    }
    if let Some(score) = answer.get("nearest_rejected").and_then(Value::as_f64) {
        printer.paragraph(&format!("the best score below --min-score was {score:.2}"))?;
    }
    let omitted = count(answer, "omitted");
    if omitted > 0 {
        printer.paragraph(&format!("{omitted} more: raise --limit or --max-tokens"))?;
    }
    super::note_warnings(answer);
    Ok(())
}

/// Writes one memory: its id and text, and what is known of it below.
pub(crate) fn print_hit(hit: &Value, printer: &mut Printer) -> Result<(), std::io::Error> {
    let label = format!("{:>4}  ", text(hit, "id"));
    printer.hanging(&label, text(hit, "text"))?;
    let mut facts = vec![text(hit, "kind").to_owned(), moment(text(hit, "when"))];
    let chars_left_out = count(hit, "chars_left_out");
    if chars_left_out > 0 {
        let id = text(hit, "id");
        facts.push(format!(
            "{chars_left_out} characters left out: `palimpsest show {id}` prints all"
        ));
    }
    let score = number(hit, "score");
    if score > 0.0 {
        facts.push(format!("score {score:.2}"));
    }
    match text(hit, "status") {
        "" | "current" => {}
        "superseded" => facts.push(format!("superseded by {}", text(hit, "superseded_by"))),
        "not_yet" => facts.push("not true yet".to_owned()),
        other => facts.push(other.to_owned()),
    }
    if let Some(why) = hit.get("why") {
        facts.extend(explain(why));
    }
    printer.aside(6, &facts.join(" · "))
}

fn explain(why: &Value) -> Vec<String> {
    let mut parts = Vec::new();
    if why.get("vector_rank").is_some() {
        let (share, similarity) = (number(why, "vector_share"), number(why, "similarity"));
        parts.push(format!("meaning {share:.2} (cosine {similarity:.2})"));
    }
    if why.get("keyword_rank").is_some() {
        let (share, terms) = (number(why, "keyword_share"), joined(why, "terms"));
        parts.push(format!("words {share:.2} ({terms})"));
    }
    let others = why.get("other_shares").and_then(Value::as_array);
    let others = others.into_iter().flatten().filter_map(Value::as_str);
    parts.extend(others.map(str::to_owned));
    parts
}
