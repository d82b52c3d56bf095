//! Evaluations of recall, streaming and file speed that anyone can repeat: records and reports.
//!
//! `palimpsest-evals` is the program; each of its verbs has a file in `verbs`. The folders answer one
//! question each: `dataset` what is asked of what, `contract` how plain retrieval is done and how hits
//! are counted, `embeddings` where vectors come from, `product` what the memory itself finds, `record`
//! and `report` what is kept of a run and how people read it.
//!
//! It knows nothing of MCP.

mod bootstrap;
mod cli;
mod contract;
mod dataset;
mod draws;
mod embeddings;
mod error;
mod evaluation;
mod half;
mod printer;
mod product;
mod progress;
mod record;
mod report;
mod table;
mod verbs;

pub use cli::run;
