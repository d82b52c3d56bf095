//! What can be run: one file a verb.

mod answerable;
mod compare;
mod fetch;
mod flags;
mod gate;
mod generate;
mod latency;
mod locomo;
mod longmemeval;
mod pool;
mod report;
mod show;
mod sweep;

pub(crate) use answerable::{AnswerableArguments, answerable};
pub(crate) use compare::{CompareArguments, compare};
pub(crate) use fetch::{FetchArguments, fetch};
pub(crate) use gate::{GateArguments, gate};
pub(crate) use generate::{GenerateArguments, generate};
pub(crate) use latency::{LatencyArguments, latency};
pub(crate) use locomo::{LocomoArguments, locomo};
pub(crate) use longmemeval::{LongMemEvalArguments, longmemeval};
pub(crate) use pool::{PoolArguments, pool};
pub(crate) use report::{ReportArguments, report};
