//! What an agent remembers: what is kept, how it relates, and how it is found again.
//!
//! [`Memory::open`] is the one constructor; `remember`, `recall`, `forget` and `graph` are the four
//! verbs. Answers are owned values: no guard, no lock, no borrowed store.
//!
//! This room knows nothing of MCP, JSON, files or candle.

mod answer;
mod board;
mod clock;
mod embedding_thread;
mod error;
mod forget;
mod gate;
mod graph;
mod kind;
mod memory;
mod model;
mod recall;
mod remember;
mod settings;
mod spoken_time;
mod strategy;
#[cfg(test)]
mod test_rig;
mod tokens;

pub use answer::{SimilarMemory, Warning};
pub use clock::{Clock, SystemClock};
pub use error::Error;
pub use forget::{Forget, Forgotten};
pub use gate::{Trivial, trivial};
pub use graph::{Graph, GraphAnswer, GraphEdge, GraphView};
pub use kind::Kind;
pub use memory::{Memory, Options, Status};
pub use model::ModelState;
pub use palimpsest_embed::{MINILM_FILES, ModelFile, verify_folder};
pub use palimpsest_store::{
    KeywordHit, MemoryId, MemoryRecord, Seq, TagsMatch, TermShare, Timestamp, Version,
};
pub use recall::{
    Excerpt, Hit, HitStatus, Include, KeywordShare, Mode, RankingTerm, Recall, Recalled,
    VectorShare, Why,
};
pub use remember::{
    Decision, EntityMention, Item, RelationMention, Remember, Remembered, RememberedItem,
    Searchable, TurnedAwayBy,
};
pub use settings::{Fusion, Novelty, Ranking, Settings};
pub use strategy::{Exchanges, Occasion, Role, Speakers, Strategy, Turn, saved_when_empty};
