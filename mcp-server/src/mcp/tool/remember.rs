//! The `remember` tool.

use palimpsest_memory::{
    Decision, Item, Kind, Occasion, Remember, Remembered, RememberedItem, Searchable, Strategy,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::answer::{id_texts, rounded};
use super::{Answer, Context};
use crate::mcp::argument::{Argument, Edge, Shape};
use crate::mcp::arguments::Arguments;
use crate::mcp::lenient;
use crate::mcp::refusal::Refusal;
use crate::mcp::text_cut::cut;

pub(super) const DESCRIPTION: &str = "Keep what later sessions should know: one self-contained \
statement a memory, names for pronouns, dates for \"yesterday\". Durable once answered. Equal text \
merges; the same topic, or replaces with ids, supersedes the older, which stays as history. Answers \
id, decision, reason, and similar memories (all kept). Dates: date, local date-time or RFC 3339.";

/// The words of `kind`.
pub(super) const KINDS: &[&str] = &[
    "fact",
    "preference",
    "decision",
    "event",
    "procedure",
    "note",
];

/// The words of `strategy`.
const STRATEGIES: &[&str] = &["explicit", "every_exchange", "semantic_shift"];

/// Similar memories that one item shows.
const SIMILAR_MAX: usize = 3;

/// How much of a similar memory is shown.
const SIMILAR_CHARS_MAX: usize = 160;

/// How much of all similar memories of one answer is shown; further ones show their ids.
const SIMILAR_CHARS_MAX_TOGETHER: usize = 3_000;

/// How much of a reason is shown: it may quote the text.
const REASON_CHARS_MAX: usize = 300;

const TEXT_ALIASES: &[&str] = &["content", "memory", "statement", "observation", "message"];
const KIND_ALIASES: &[&str] = &["type", "category", "kinds"];
const TAGS_ALIASES: &[&str] = &["tag", "labels", "label", "keywords"];
const ENTITIES_ALIASES: &[&str] = &["entity", "people", "names"];
const RELATIONS_ALIASES: &[&str] = &["relation", "relationships", "edges", "triples"];
const VALID_FROM_ALIASES: &[&str] = &["when", "date", "from", "since", "happened_at", "event_time"];
const VALID_TO_ALIASES: &[&str] = &["until", "valid_until", "expires", "expires_at"];
const SOURCE_ALIASES: &[&str] = &["author", "speaker", "origin", "said_by"];
const TOPIC_ALIASES: &[&str] = &["key", "topic_key", "subject"];
const REPLACES_ALIASES: &[&str] = &["replace", "supersedes", "supersede", "updates"];
const IMPORTANCE_ALIASES: &[&str] = &["weight", "salience"];

/// `entities` and `relations` of a call belong to one text, and so do `topic` and `replaces`.
const ITEM: &[Argument] = &[
    Argument::optional("text", TEXT_ALIASES, Shape::Text, ""),
    Argument::optional("kind", KIND_ALIASES, Shape::Choice(KINDS), ""),
    Argument::optional("tags", TAGS_ALIASES, Shape::Texts, ""),
    Argument::optional("entities", ENTITIES_ALIASES, Shape::Texts, ""),
    Argument::optional("relations", RELATIONS_ALIASES, Shape::Relations, ""),
    Argument::optional(
        "valid_from",
        VALID_FROM_ALIASES,
        Shape::Moment(Edge::Start),
        "",
    ),
    Argument::optional("valid_to", VALID_TO_ALIASES, Shape::Moment(Edge::Start), ""),
    Argument::optional("source", SOURCE_ALIASES, Shape::Text, ""),
    Argument::optional("topic", TOPIC_ALIASES, Shape::Text, ""),
    Argument::optional("replaces", REPLACES_ALIASES, Shape::Ids, ""),
    Argument::optional("importance", IMPORTANCE_ALIASES, Shape::Fraction, ""),
];

pub(super) const ARGUMENTS: &[Argument] = &[
    Argument::optional(
        "text",
        TEXT_ALIASES,
        Shape::Text,
        "At most 1 MiB; or items.",
    ),
    Argument::optional(
        "items",
        &["memories", "texts", "facts", "observations"],
        Shape::Objects(ITEM),
        "Up to 50, all or none; the call's kind, tags, source and dates hold for all.",
    ),
    Argument::optional("kind", KIND_ALIASES, Shape::Choice(KINDS), "Default fact."),
    Argument::optional("tags", TAGS_ALIASES, Shape::Texts, ""),
    Argument::optional(
        "entities",
        ENTITIES_ALIASES,
        Shape::Texts,
        "Who and what it is about.",
    ),
    Argument::optional("relations", RELATIONS_ALIASES, Shape::Relations, ""),
    Argument::optional(
        "valid_from",
        VALID_FROM_ALIASES,
        Shape::Moment(Edge::Start),
        "When it happened or began to hold.",
    ),
    Argument::optional(
        "valid_to",
        VALID_TO_ALIASES,
        Shape::Moment(Edge::Start),
        "When it ceased to hold; a date is the first day without.",
    ),
    Argument::optional("source", SOURCE_ALIASES, Shape::Text, "Who said it."),
    Argument::optional(
        "topic",
        TOPIC_ALIASES,
        Shape::Text,
        "Stable key, as user/home_city.",
    ),
    Argument::optional("replaces", REPLACES_ALIASES, Shape::Ids, ""),
    Argument::optional("importance", IMPORTANCE_ALIASES, Shape::Fraction, ""),
    Argument::optional(
        "strategy",
        &["save_strategy", "policy"],
        Shape::Choice(STRATEGIES),
        "Turns (source user or assistant): all, or what is new; corrections supersede.",
    ),
    Argument::optional("scope", &["project", "namespace"], Shape::Text, ""),
];

/// What the tool answers.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RememberAnswer {
    items: Vec<ItemAnswer>,
    scope: String,
    snapshot: u64,
    at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    zone: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ItemAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    decision: DecisionWord,
    reason: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    similar: Vec<SimilarAnswer>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    superseded: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    searchable: Option<SearchableWord>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SimilarAnswer {
    id: String,
    score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum DecisionWord {
    Stored,
    Merged,
    Superseded,
    Rejected,
}

#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum SearchableWord {
    Full,
    Keywords,
}

pub(super) fn call(context: &Context<'_>, mut arguments: Arguments<'_>) -> Result<Answer, Refusal> {
    refuse_dry_run(&mut arguments)?;
    let strategy = arguments.choice("strategy")?.and_then(Strategy::from_name);
    let request = Remember {
        scope: context.scope(&mut arguments)?,
        items: read_items(&mut arguments)?,
        strategy: strategy.unwrap_or_default(),
        occasion: Occasion::Now,
    };
    let remembered = context.memory.remember(request)?;
    let (warnings, zone) = context.finish(arguments, &remembered.warnings);
    let at = context.tell(remembered.at);
    Ok(Answer::of(&RememberAnswer::new(
        remembered, at, zone, warnings,
    )))
}

/// Whoever asks for a dry run must not find the memory changed.
fn refuse_dry_run(arguments: &mut Arguments<'_>) -> Result<(), Refusal> {
    let (dry_runs, others) = arguments
        .take_unknown()
        .into_iter()
        .partition::<Vec<_>, _>(|(key, _)| is_dry_run(key));
    for (key, _) in &others {
        let known = arguments.suggestion(key);
        arguments.warn(format!("{:?} was ignored: it takes {known}", cut(key, 60)));
    }
    if dry_runs
        .iter()
        .all(|(_, value)| lenient::truth(value) == Some(false))
    {
        return Ok(());
    }
    Err(Refusal::NotYet {
        argument: "dry_run",
        value: "true".to_owned(),
        expected: "leave it out to keep the text",
    })
}

pub(super) fn is_dry_run(key: &str) -> bool {
    let letters = key.chars().filter(|it| it.is_alphanumeric());
    letters.flat_map(char::to_lowercase).eq("dryrun".chars())
}

fn read_items(arguments: &mut Arguments<'_>) -> Result<Vec<Item>, Refusal> {
    let parts = arguments.objects("items")?;
    if parts.is_empty() {
        // Without a text either, the memory says what is missing.
        let has_text = arguments.has("text");
        let item = read_item(arguments)?;
        return Ok(if has_text { vec![item] } else { Vec::new() });
    }
    for name in ["text", "entities", "relations", "topic", "replaces"] {
        if arguments.has(name) {
            return Err(Refusal::Together {
                first: name,
                second: "items",
                expected: "give it in the item that it belongs to",
            });
        }
    }
    let common = read_item(arguments)?;
    let mut items = Vec::new();
    for (n, mut part) in parts.into_iter().enumerate() {
        if !part.has("text") {
            return Err(Refusal::Shape {
                argument: format!("items[{n}].text"),
                found: "missing".to_owned(),
                expected: "what to keep".to_owned(),
            });
        }
        let own = read_item(&mut part)?;
        items.push(with_common(own, &part, &common));
        arguments.absorb(part);
    }
    Ok(items)
}

fn read_item(arguments: &mut Arguments<'_>) -> Result<Item, Refusal> {
    let kind = arguments.choice("kind")?.and_then(Kind::from_name);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "0 to 1, and f32 is how it is kept"
    )]
    let importance = arguments
        .fraction("importance")?
        .map(|importance| importance as f32);
    Ok(Item {
        text: arguments.text("text")?.unwrap_or_default(),
        kind: kind.unwrap_or_default(),
        tags: arguments.texts("tags")?,
        entities: arguments.entities("entities")?,
        relations: arguments.relations("relations")?,
        valid_from: arguments.moment("valid_from")?,
        valid_to: arguments.moment("valid_to")?,
        source: arguments.text("source")?,
        topic: arguments.text("topic")?,
        replaces: arguments.ids("replaces")?,
        importance,
        turns: Vec::new(),
    })
}

fn with_common(mut item: Item, given: &Arguments<'_>, common: &Item) -> Item {
    if !given.has("kind") {
        item.kind = common.kind;
    }
    if !given.has("tags") {
        item.tags.clone_from(&common.tags);
    }
    item.source = item.source.or_else(|| common.source.clone());
    item.valid_from = item.valid_from.or(common.valid_from);
    item.valid_to = item.valid_to.or(common.valid_to);
    item.importance = item.importance.or(common.importance);
    item
}

impl RememberAnswer {
    fn new(
        remembered: Remembered,
        at: String,
        zone: Option<String>,
        warnings: Vec<String>,
    ) -> Self {
        let mut chars_left = SIMILAR_CHARS_MAX_TOGETHER;
        Self {
            items: remembered
                .items
                .iter()
                .map(|item| ItemAnswer::new(item, &mut chars_left))
                .collect(),
            scope: remembered.scope,
            snapshot: remembered.snapshot.0,
            at,
            zone,
            warnings,
        }
    }
}

impl ItemAnswer {
    fn new(item: &RememberedItem, chars_left: &mut usize) -> Self {
        let similar = item.similar.iter().take(SIMILAR_MAX).map(|similar| {
            let text = cut(&similar.text, SIMILAR_CHARS_MAX).into_owned();
            let n_chars = text.chars().count();
            let text = (n_chars <= *chars_left).then(|| {
                *chars_left -= n_chars;
                text
            });
            SimilarAnswer {
                id: similar.id.to_string(),
                score: rounded(similar.score),
                text,
            }
        });
        Self {
            similar: similar.collect(),
            id: item.id.map(|id| id.to_string()),
            decision: item.decision.into(),
            reason: cut(&item.reason, REASON_CHARS_MAX).into_owned(),
            superseded: id_texts(&item.superseded),
            searchable: item.searchable.map(SearchableWord::from),
        }
    }
}

impl From<Decision> for DecisionWord {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Merged => Self::Merged,
            Decision::Superseded => Self::Superseded,
            Decision::Rejected => Self::Rejected,
            // What comes to the gate later keeps the text too.
            _ => Self::Stored,
        }
    }
}

impl From<Searchable> for SearchableWord {
    fn from(searchable: Searchable) -> Self {
        match searchable {
            Searchable::Full => Self::Full,
            Searchable::Keywords => Self::Keywords,
        }
    }
}
