//! What people read of records: one HTML page that needs nothing beside itself.

mod chart;
mod escape;
mod page;

pub(crate) use page::page;
