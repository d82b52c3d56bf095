//! Committing: requests queue up, and one thread at a time carries a group of them to the disk.

mod group;
mod queue;

pub(crate) use group::Writer;
pub(crate) use queue::{Failure, Plan, Queue, Request};
