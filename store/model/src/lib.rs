//! An explicit-state model of the memory file's protocol: several processes that follow, commit,
//! checkpoint, compact, erase, open and close, are killed at any step and lose power at any step,
//! with every write that was not synced kept, lost or torn.

mod assessment;
mod bounds;
mod cell;
mod checkpoint;
mod commit;
mod compaction;
mod erase;
mod event;
mod fingerprint;
mod follow;
mod history;
mod invariant;
mod model;
mod opening;
mod power;
mod process;
mod progress;
mod reader;
mod recovery;
mod rules;
mod search;
mod sequence;
mod state;
mod step;
mod trace;
mod trim;
mod turn;
mod value;

pub use bounds::Bounds;
pub use event::{Action, Event, Target};
pub use invariant::Violation;
pub use model::Model;
pub use rules::{Rule, Rules, Sync};
pub use search::{Finding, Run, search};
pub use sequence::{Work, sequence};
pub use step::Step;
pub use trace::Trace;
