//! The measurement contract: plain retrieval as the published figures define it, and how hits are
//! counted. None of it is the product's, and nothing of it can be: no room depends on this one.

mod bm25;
mod fusion;
mod judgement;
mod latency;
mod ranking;
mod tally;
mod words;

pub(crate) use bm25::Bm25;
pub(crate) use fusion::{FusionMethod, fuse};
pub(crate) use judgement::{Level, RANK_MAX, rank_of_first_hit};
pub(crate) use latency::Latency;
pub(crate) use ranking::{Place, Scored, ranked};
pub(crate) use tally::{CUTOFFS, Tally, reciprocal_rank};
pub(crate) use words::{ContractWords, Words};
