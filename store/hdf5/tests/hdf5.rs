//! What no one module of the crate can show: other people's files, and other people's readers.
//!
//! | variable | what | without it |
//! | --- | --- | --- |
//! | `PALIMPSEST_PYTHON` | a Python with h5py and numpy | tests that need h5py say that they are skipped |
//! | `PALIMPSEST_SHARED` | the folder with `data/hdf5-corpus` | looked for as `shared` beside the checkout |
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../examples/manifest/describe.rs"]
mod describe;

#[path = "hdf5/corpus.rs"]
mod corpus;
#[path = "hdf5/malformed.rs"]
mod malformed;
#[path = "hdf5/python.rs"]
mod python;
#[path = "hdf5/ramp.rs"]
mod ramp;
#[path = "hdf5/transaction.rs"]
mod transaction;
#[path = "hdf5/written.rs"]
mod written;
