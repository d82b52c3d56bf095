//! What no one crate can hold: the built program driven as its users drive it.
//!
//! A harness, not a product: every function panics, with what it saw, where the program or the
//! repository is not as it should be. It knows the program by its pipes alone, never by its crates.
//!
//! `tests/run` sets what it needs; by hand all of it is optional:
//!
//! | variable | names | without it |
//! | --- | --- | --- |
//! | `TEST_PALIMPSEST_BIN` | the built program | cargo builds it, in the profile of the tests |
//! | `PALIMPSEST_MODEL` | the folder of the model | tests that embed are skipped |
//! | `TEST_PALIMPSEST_PYTHON` | a Python with `tests/requirements.txt` | tests of other clients are skipped |
//! | `TEST_PALIMPSEST_SHARED` | the folder with `data/locomo10.json.gz` | looked for as `shared` beside the checkout |
//! | `TEST_PALIMPSEST_SKIPPED` | a file to list skipped tests in | they are told on standard error alone |

#![expect(
    clippy::missing_panics_doc,
    reason = "a panic is how a test harness tells that the program is wrong; see the crate's page"
)]

mod answer;
mod home;
mod launch;
mod model;
mod pipe;
mod program;
mod repository;
mod rust_source;
mod seeded;
mod server;
mod skip;
mod verbs;
mod wait;

pub use answer::Answer;
pub use home::Home;
pub use launch::Launch;
pub use model::model_or_skip;
pub use program::program;
pub use repository::{Dependency, DependencyKind, Package, Repository};
pub use rust_source::RustSource;
pub use seeded::Seeded;
pub use server::{Ended, Era, Reply, RequestId, Server};
pub use skip::skipped;
pub use verbs::{Found, found, kept_ids};
pub use wait::until;
