//! What can be run: one file a verb.

mod flags;
mod locomo;
mod longmemeval;
mod pool;
mod show;
mod sweep;

pub(crate) use locomo::{LocomoArguments, locomo};
pub(crate) use longmemeval::{LongMemEvalArguments, longmemeval};
pub(crate) use pool::{PoolArguments, pool};
