//! The room's promises, on the published model where it is there and on small models of random
//! weights that the tests make.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests, their builders included"
)]

mod damaged_folders;
mod golden;
mod neighbours;
mod odd_texts;
mod published_model;
mod small_model;
