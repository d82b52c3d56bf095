//! The `maintain` tool.

use palimpsest_memory::{ModelState, Status};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Answer, Context};
use crate::mcp::argument::{Argument, Shape};
use crate::mcp::arguments::Arguments;
use crate::mcp::moment;
use crate::mcp::refusal::Refusal;

pub(super) const DESCRIPTION: &str = "status: where the memory is, how much it holds, how many \
memories have no vector yet, whether the model is loaded.";

pub(super) const ARGUMENTS: &[Argument] = &[Argument::required(
    "action",
    &["command", "operation", "op"],
    Shape::Choice(&["status"]),
    "",
)];

/// What the tool answers.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct StatusAnswer {
    path: String,
    log_bytes: u64,
    memories: u64,
    versions: u64,
    without_vector: u64,
    model: ModelAnswer,
    version: String,
    scope: String,
    zone: String,
    snapshot: u64,
    at: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ModelAnswer {
    state: ModelWord,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ModelWord {
    Missing,
    Loading,
    Ready,
    Unusable,
}

pub(super) fn call(context: &Context<'_>, mut arguments: Arguments<'_>) -> Result<Answer, Refusal> {
    // One action so far: a call without one can mean nothing else.
    arguments.choice("action")?;
    let status = context.memory.status()?;
    let (warnings, _) = context.finish(arguments, &[]);
    Ok(Answer::of(&StatusAnswer {
        path: status.store.path.display().to_string(),
        log_bytes: status.store.log_len_bytes,
        memories: status.n_memories,
        versions: status.store.n_versions,
        without_vector: status.n_unembedded,
        model: ModelAnswer::new(&status),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        scope: context.scope.to_owned(),
        zone: moment::zone_name(context.zone),
        snapshot: status.snapshot.0,
        at: context.tell(status.at),
        warnings,
    }))
}

impl ModelAnswer {
    fn new(status: &Status) -> Self {
        let (state, id, reason) = match &status.model {
            ModelState::Missing => (ModelWord::Missing, None, None),
            ModelState::Loading => (ModelWord::Loading, None, None),
            ModelState::Ready { id } => (ModelWord::Ready, Some(id.clone()), None),
            ModelState::Unusable { reason } => (ModelWord::Unusable, None, Some(reason.clone())),
        };
        Self {
            state,
            id,
            path: status
                .model_path
                .as_ref()
                .map(|path| path.display().to_string()),
            reason,
        }
    }
}
