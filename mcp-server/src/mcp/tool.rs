//! The tools: their names, what a client is told of them, and running one. Knows no protocol.

mod answer;
mod forget;
mod graph;
mod maintain;
mod recall;
mod remember;

use std::sync::Arc;

use jiff::tz::TimeZone;
use palimpsest_memory::{Memory, Timestamp};
use rmcp::model::{JsonObject, Tool as Listing, ToolAnnotations};
use serde_json::{Map, Value};

use super::argument::{Argument, object_schema};
use super::arguments::Arguments;
use super::moment;
use super::output_schema::output_schema;
use super::refusal::Refusal;
use crate::serve::OutputSchema;

pub(crate) use answer::Answer;
pub(crate) use forget::ForgetAnswer;
pub(crate) use graph::GraphAnswer;
pub(crate) use maintain::StatusAnswer;
pub(crate) use recall::RecallAnswer;
pub(crate) use remember::RememberAnswer;

/// The scope that every recall searches beside the current one.
pub(crate) const USER_SCOPE: &str = "user";

/// One tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool {
    Remember,
    Recall,
    Forget,
    Graph,
    Maintain,
}

/// What a tool does to the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    Reads,
    Adds,
    Removes,
}

/// What a call is run with.
#[derive(Debug)]
pub(crate) struct Context<'server> {
    /// The memory, open.
    pub(crate) memory: Arc<Memory>,
    /// The scope of calls that name none.
    pub(crate) scope: &'server str,
    /// The zone of dates that name none, and of the dates that are told.
    pub(crate) zone: &'server TimeZone,
}

impl Tool {
    /// All of them, in the order in which they are listed.
    pub(crate) const ALL: [Self; 5] = [
        Self::Remember,
        Self::Recall,
        Self::Forget,
        Self::Graph,
        Self::Maintain,
    ];

    /// The tool of that name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Remember => "remember",
            Self::Recall => "recall",
            Self::Forget => "forget",
            Self::Graph => "graph",
            Self::Maintain => "maintain",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Remember => "Remember",
            Self::Recall => "Recall",
            Self::Forget => "Forget",
            Self::Graph => "Relations",
            Self::Maintain => "Memory status",
        }
    }

    const fn description(self) -> &'static str {
        match self {
            Self::Remember => remember::DESCRIPTION,
            Self::Recall => recall::DESCRIPTION,
            Self::Forget => forget::DESCRIPTION,
            Self::Graph => graph::DESCRIPTION,
            Self::Maintain => maintain::DESCRIPTION,
        }
    }

    /// What it takes.
    pub(crate) const fn arguments(self) -> &'static [Argument] {
        match self {
            Self::Remember => remember::ARGUMENTS,
            Self::Recall => recall::ARGUMENTS,
            Self::Forget => forget::ARGUMENTS,
            Self::Graph => graph::ARGUMENTS,
            Self::Maintain => maintain::ARGUMENTS,
        }
    }

    const fn effect(self) -> Effect {
        match self {
            Self::Recall | Self::Graph | Self::Maintain => Effect::Reads,
            Self::Remember => Effect::Adds,
            Self::Forget => Effect::Removes,
        }
    }

    fn output_schema(self) -> JsonObject {
        match self {
            Self::Remember => output_schema::<RememberAnswer>(),
            Self::Recall => output_schema::<RecallAnswer>(),
            Self::Forget => output_schema::<ForgetAnswer>(),
            Self::Graph => output_schema::<GraphAnswer>(),
            Self::Maintain => output_schema::<StatusAnswer>(),
        }
    }

    /// What a client is told of it.
    pub(crate) fn listing(self, outputs: OutputSchema) -> Listing {
        let effect = self.effect();
        let hints = ToolAnnotations::new()
            .read_only(effect == Effect::Reads)
            .destructive(effect == Effect::Removes)
            .idempotent(true)
            .open_world(false);
        let listing = Listing::new(
            self.name(),
            self.description(),
            object_schema(self.arguments()),
        )
        .with_title(self.title())
        .with_annotations(hints);
        match outputs {
            OutputSchema::Listed => listing.with_raw_output_schema(Arc::new(self.output_schema())),
            OutputSchema::Omitted => listing,
        }
    }

    /// Runs it. Blocks.
    ///
    /// # Errors
    /// In words for the model that called.
    pub(crate) fn call(
        self,
        context: &Context<'_>,
        given: Map<String, Value>,
    ) -> Result<Answer, Refusal> {
        let arguments = Arguments::read(self.arguments(), given, context.zone);
        match self {
            Self::Remember => remember::call(context, arguments),
            Self::Recall => recall::call(context, arguments),
            Self::Forget => forget::call(context, arguments),
            Self::Graph => graph::call(context, arguments),
            Self::Maintain => maintain::call(context, arguments),
        }
    }
}

impl Context<'_> {
    /// The scope of a call: its own, else the server's.
    fn scope(&self, arguments: &mut Arguments<'_>) -> Result<String, Refusal> {
        Ok(arguments
            .text("scope")?
            .unwrap_or_else(|| self.scope.to_owned()))
    }

    /// The scopes that a call in `scope` sees.
    fn scopes(scope: &str) -> Vec<String> {
        let mut scopes = vec![scope.to_owned()];
        if scope != USER_SCOPE {
            scopes.push(USER_SCOPE.to_owned());
        }
        scopes
    }

    fn tell(&self, time: Timestamp) -> String {
        moment::tell(time, self.zone)
    }

    /// The warnings of a call, and the zone where it gave a time.
    fn finish(
        &self,
        arguments: Arguments<'_>,
        of_memory: &[palimpsest_memory::Warning],
    ) -> (Vec<String>, Option<String>) {
        let (mut warnings, has_told_time) = arguments.finish();
        warnings.extend(of_memory.iter().map(ToString::to_string));
        let zone = has_told_time.then(|| moment::zone_name(self.zone));
        (warnings, zone)
    }
}

#[cfg(test)]
mod tests;
