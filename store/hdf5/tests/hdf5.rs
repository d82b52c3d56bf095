//! What no one module of the crate can show: other people's files, and other people's readers.
//!
//! | variable | what | without it |
//! | --- | --- | --- |
//! | `TEST_PALIMPSEST_PYTHON` | a Python with h5py and numpy | tests that need h5py say that they are skipped |
//! | `TEST_PALIMPSEST_SHARED` | the folder with `data/hdf5-corpus` | looked for as `shared` beside the checkout |
//! | `TEST_PALIMPSEST_SKIPPED` | a file to list skipped tests in | they are told on standard error alone |
//! | `RUN_SLOW_TESTS` | 1: h5py opens a file 20,000 times beside a writer | it opens it 300 times |
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the tests' own numbers are small"
)]

#[path = "../examples/manifest/describe.rs"]
mod describe;

#[path = "hdf5/corpus.rs"]
mod corpus;
#[path = "hdf5/foreign.rs"]
mod foreign;
#[path = "hdf5/malformed.rs"]
mod malformed;
#[path = "hdf5/model.rs"]
mod model;
#[path = "hdf5/python.rs"]
mod python;
#[path = "hdf5/ramp.rs"]
mod ramp;
#[path = "hdf5/refusal.rs"]
mod refusal;
#[path = "hdf5/skip.rs"]
mod skip;
#[path = "hdf5/transaction.rs"]
mod transaction;
#[path = "hdf5/twin.rs"]
mod twin;
#[path = "hdf5/work.rs"]
mod work;
#[path = "hdf5/written.rs"]
mod written;
