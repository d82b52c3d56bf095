//! The `graph` tool.

use palimpsest_memory::{Graph, GraphEdge, GraphView};
use schemars::JsonSchema;
use serde::Serialize;

use super::answer::id_texts;
use super::{Answer, Context};
use crate::mcp::argument::{Argument, Edge, Shape};
use crate::mcp::arguments::Arguments;
use crate::mcp::refusal::Refusal;
use crate::mcp::text_cut::cut;

pub(super) const DESCRIPTION: &str = "How people, places and things relate, as remember was told. \
neighbors: within depth steps of about; path: a shortest way from about to to. Each edge \
names its memories, for recall's ids, and when it held.";

/// The characters of one answer's edges, about 5,000 tokens.
const EDGES_CHARS_MAX: usize = 20_000;

/// How much of a name is shown.
const NAME_CHARS_MAX: usize = 200;

/// The memories of one edge that are shown.
const MEMORIES_MAX: usize = 10;

pub(super) const ARGUMENTS: &[Argument] = &[
    Argument::required(
        "about",
        &["entity", "name", "node", "query"],
        Shape::Text,
        "An entity.",
    ),
    Argument::optional(
        "to",
        &["target", "destination"],
        Shape::Text,
        "Other end of a path.",
    ),
    Argument::optional("view", &["mode"], Shape::Choice(&["neighbors", "path"]), ""),
    Argument::optional("relation", &["relation_type", "edge_type"], Shape::Text, ""),
    Argument::optional(
        "depth",
        &["hops", "max_depth"],
        Shape::Integer { min: 1, max: 3 },
        "",
    ),
    Argument::optional("as_of", &["valid_at", "at"], Shape::Moment(Edge::Last), ""),
    Argument::optional("known_at", &["as_known_at"], Shape::Moment(Edge::Last), ""),
    Argument::optional(
        "limit",
        &["k", "top_k", "n", "max_results", "count"],
        Shape::Integer { min: 1, max: 200 },
        "",
    ),
    Argument::optional("scope", &["project", "namespace"], Shape::Text, ""),
];

/// What the tool answers.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct GraphAnswer {
    about: String,
    view: ViewWord,
    edges: Vec<EdgeAnswer>,
    omitted: usize,
    scope: String,
    scopes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    as_of: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    known_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    zone: Option<String>,
    snapshot: u64,
    at: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ViewWord {
    Neighbors,
    Path,
}

#[derive(Debug, Serialize, JsonSchema)]
struct EdgeAnswer {
    from: String,
    relation: String,
    to: String,
    distance: usize,
    memories: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    valid_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    valid_to: Option<String>,
}

pub(super) fn call(context: &Context<'_>, mut arguments: Arguments<'_>) -> Result<Answer, Refusal> {
    let scope = context.scope(&mut arguments)?;
    let request = read_request(&mut arguments, Context::scopes(&scope))?;
    let answer = context.memory.graph(&request)?;
    let (warnings, zone) = context.finish(arguments, &[]);
    let n_edges = answer.edges.len();
    let edges = within_budget(
        answer
            .edges
            .iter()
            .map(|edge| EdgeAnswer::new(edge, context)),
    );
    Ok(Answer::of(&GraphAnswer {
        about: cut(&answer.about, NAME_CHARS_MAX).into_owned(),
        view: match request.view {
            GraphView::Path { .. } => ViewWord::Path,
            _ => ViewWord::Neighbors,
        },
        omitted: answer.omitted + (n_edges - edges.len()),
        edges,
        scope,
        scopes: request.scopes,
        as_of: request.as_of.map(|time| context.tell(time)),
        known_at: request.known_at.map(|time| context.tell(time)),
        zone,
        snapshot: answer.snapshot.0,
        at: context.tell(answer.at),
        warnings,
    }))
}

fn read_request(arguments: &mut Arguments<'_>, scopes: Vec<String>) -> Result<Graph, Refusal> {
    let about = arguments.text("about")?.ok_or(Refusal::Missing {
        argument: "about",
        expected: "give an entity's name, such as {\"about\": \"Ada Lovelace\"}",
    })?;
    let view = match (arguments.choice("view")?, arguments.text("to")?) {
        (Some("path"), None) => {
            return Err(Refusal::Missing {
                argument: "to",
                expected: "a path needs the name of the entity at its other end",
            });
        }
        (Some("path") | None, Some(to)) => GraphView::Path { to },
        (_, to) => {
            if to.is_some() {
                arguments.warn("to was ignored: it belongs to view path");
            }
            GraphView::Neighbors
        }
    };
    Ok(Graph {
        about,
        view,
        scopes,
        relation: arguments.text("relation")?,
        depth: arguments.integer("depth")?,
        as_of: arguments.moment("as_of")?,
        known_at: arguments.moment("known_at")?,
        limit: arguments.integer("limit")?,
    })
}

/// The first edges that fit the budget.
fn within_budget(edges: impl Iterator<Item = EdgeAnswer>) -> Vec<EdgeAnswer> {
    let mut chars_left = EDGES_CHARS_MAX;
    edges
        .take_while(|edge| {
            let text = serde_json::to_string(edge).map_or(0, |text| text.chars().count());
            let fits = text <= chars_left;
            chars_left = chars_left.saturating_sub(text);
            fits
        })
        .collect()
}

impl EdgeAnswer {
    fn new(edge: &GraphEdge, context: &Context<'_>) -> Self {
        let shown = |name: &str| cut(name, NAME_CHARS_MAX).into_owned();
        let memories = edge.memories.get(..MEMORIES_MAX).unwrap_or(&edge.memories);
        Self {
            from: shown(&edge.from),
            relation: shown(&edge.relation),
            to: shown(&edge.to),
            distance: edge.distance,
            memories: id_texts(memories),
            valid_from: edge.valid_from.map(|time| context.tell(time)),
            valid_to: edge.valid_to.map(|time| context.tell(time)),
        }
    }
}
