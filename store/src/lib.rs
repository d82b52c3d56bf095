//! The memory store: one log, many snapshots, and the indexes that read them.
//!
//! A [`Store`] keeps versions of memories, their vectors and their graph. Every change is one
//! [`Operation`], committed as one frame of the log and durable before it is acknowledged. Every
//! read goes through a [`Snapshot`], which never changes. Any number of processes may have the same
//! store open; each follows the log before it answers.
//!
//! This room knows nothing of language models or agents, and never reads a clock: time is an
//! argument.

mod checkpoint;
mod checkpointing;
mod commit;
mod error;
mod filter;
mod follow;
mod keyword;
mod location;
mod lock;
mod log;
mod memory_file;
mod opening;
mod operation;
mod record;
mod recovery;
mod scalar;
mod shared;
mod snapshot;
mod store;
mod text;
mod view;

pub use checkpoint::FileProblem;
pub use error::{Damage, Error, PayloadProblem};
pub use filter::{Filter, TagsMatch};
pub use keyword::{KeywordQuery, Occurrence, content_words, occurrences};
pub use operation::{Change, Operation, TEXT_LEN_BYTES_MAX, Verb, WindowVector};
pub use palimpsest_hdf5::{Backend, FileBackend, RamBackend};
pub use record::{Entity, MemoryRecord, Relation, Version};
pub use scalar::{EntityId, Lifespan, MemoryId, ModelId, Seq, Timestamp};
pub use snapshot::{Edge, KeywordHit, NamedSource, Neighbour, Snapshot, TermShare, VectorHit};
pub use store::{Committed, Planned, Status, Store, StoreOptions, Tip};
pub use text::{fold_name, normalise_text};
