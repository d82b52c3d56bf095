//! The `forget` tool.

use palimpsest_memory::{Forget, Forgotten};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::answer::id_texts;
use super::{Answer, Context, remember};
use crate::mcp::argument::{Argument, Shape};
use crate::mcp::arguments::Arguments;
use crate::mcp::lenient;
use crate::mcp::refusal::Refusal;
use crate::mcp::text_cut::cut;

pub(super) const DESCRIPTION: &str = "Retire memories by the ids that recall gives: what the user \
wants gone, or was wrong. They are then found only with known_at before. To correct a fact, \
remember the new one with replaces. Answers which ids were retired now, which before, \
and which are not in the scope.";

pub(super) const ARGUMENTS: &[Argument] = &[
    Argument::required("ids", &["id", "memory_id", "memory_ids"], Shape::Ids, ""),
    Argument::optional("reason", &["why", "because"], Shape::Text, ""),
    Argument::optional("mode", &[], Shape::Choice(&["retire"]), ""),
    Argument::optional("scope", &["project", "namespace"], Shape::Text, ""),
];

/// What the tool answers.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ForgetAnswer {
    count: usize,
    retired: Vec<String>,
    already_retired: Vec<String>,
    not_found: Vec<String>,
    scope: String,
    scopes: Vec<String>,
    snapshot: u64,
    at: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

pub(super) fn call(context: &Context<'_>, mut arguments: Arguments<'_>) -> Result<Answer, Refusal> {
    refuse_unknown(&mut arguments)?;
    refuse_erase(&mut arguments)?;
    let scope = context.scope(&mut arguments)?;
    let scopes = Context::scopes(&scope);
    let forgotten = context.memory.forget(Forget {
        ids: arguments.ids("ids")?,
        scopes: scopes.clone(),
        reason: arguments.text("reason")?,
    })?;
    let (warnings, _) = context.finish(arguments, &[]);
    let at = context.tell(forgotten.at);
    Ok(Answer::of(&ForgetAnswer::new(
        &forgotten, scope, scopes, at, warnings,
    )))
}

/// An argument that we do not know may say "only these" or "not really".
fn refuse_unknown(arguments: &mut Arguments<'_>) -> Result<(), Refusal> {
    let mut unknown = arguments.take_unknown().into_iter();
    // Only one is known to say nothing.
    let is_meant = |(key, value): &(String, Value)| {
        !remember::is_dry_run(key) || lenient::truth(value) != Some(false)
    };
    let Some((key, _)) = unknown.find(is_meant) else {
        return Ok(());
    };
    Err(Refusal::Unknown {
        argument: format!("{:?}", cut(&key, 60)),
        tool: "forget",
        known: arguments.suggestion(""),
    })
}

fn refuse_erase(arguments: &mut Arguments<'_>) -> Result<(), Refusal> {
    match arguments.text("mode")? {
        Some(mode) if mode.trim().eq_ignore_ascii_case("erase") => Err(Refusal::NotYet {
            argument: "mode",
            value: mode,
            expected: "erasing comes with the memory file; mode retire hides the memories and \
                       keeps their history",
        }),
        _ => arguments.choice("mode").map(|_| ()),
    }
}

impl ForgetAnswer {
    fn new(
        forgotten: &Forgotten,
        scope: String,
        scopes: Vec<String>,
        at: String,
        warnings: Vec<String>,
    ) -> Self {
        Self {
            count: forgotten.retired.len(),
            retired: id_texts(&forgotten.retired),
            already_retired: id_texts(&forgotten.already_retired),
            not_found: id_texts(&forgotten.not_found),
            scope,
            scopes,
            snapshot: forgotten.snapshot.0,
            at,
            warnings,
        }
    }
}
