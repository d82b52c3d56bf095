//! `recall`: what is asked, and what is answered.

mod asked;
mod budget;
mod candidates;
mod confidence;
mod diversity;
mod excerpt;
mod fuse;
mod pipeline;
mod ranking;
mod spoken_of;

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use palimpsest_store::{MemoryId, MemoryRecord, Seq, TagsMatch, TermShare, Timestamp};

use crate::{Kind, Warning};

pub(crate) use asked::Asked;
pub use excerpt::Excerpt;
pub(crate) use pipeline::recall;

/// A question to the memory.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recall {
    /// What to look for, in any words; `None` lists what the filters let pass, latest first.
    pub query: Option<String>,
    /// By what it is found.
    pub mode: Mode,
    /// The scopes to search; empty means every scope.
    pub scopes: Vec<String>,
    /// Any of these kinds; empty means every kind.
    pub kinds: Vec<Kind>,
    /// These labels, as `tags_match` says.
    pub tags: Vec<String>,
    /// Whether one of `tags` is enough.
    pub tags_match: TagsMatch,
    /// Only these memories; empty means any.
    pub ids: Vec<MemoryId>,
    /// Memories whose time (`valid_from`, else when it was remembered) is at or after this.
    pub since: Option<Timestamp>,
    /// Memories whose time is before this.
    pub until: Option<Timestamp>,
    /// What was true then; `None` is now, or `known_at` where that is given and earlier.
    pub as_of: Option<Timestamp>,
    /// What the memory held then; `None` is now.
    pub known_at: Option<Timestamp>,
    /// Whose days are meant when the query speaks of a time ("yesterday"); `None` is UTC.
    pub zone: Option<TimeZone>,
    /// Also memories whose time is over at `as_of` because another one took their place. Memories that
    /// `ids` names are shown whatever became of them.
    pub superseded: Include,
    /// Also memories that are not true any more at `as_of`, or not yet.
    pub expired: Include,
    /// 1 to 100; `None` is the setting's.
    pub limit: Option<usize>,
    /// The most tokens, at least 1, that the texts of the hits may have together; `None` is the
    /// setting's. Estimated: four ASCII characters, two letters of another alphabet, or one Chinese,
    /// Japanese or Korean character or emoji each. Of a text that does not fit an excerpt is shown.
    pub max_tokens: Option<usize>,
    /// The least score, 0 to 1, that a hit must have. Under min-max fusion a score says how a hit stands
    /// among the candidates of this one question.
    pub min_score: Option<f64>,
}

/// Whether something that is left out by default is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Include {
    /// Left out.
    #[default]
    No,
    /// Wanted.
    Yes,
}

/// By what a memory is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Words and meaning, fused.
    #[default]
    Hybrid,
    /// Words.
    Keyword,
    /// Meaning.
    Semantic,
}

/// What came back.
#[derive(Debug, Clone, PartialEq)]
pub struct Recalled {
    /// Best first; ties by id.
    pub hits: Vec<Hit>,
    /// Further candidates that the limit or the token budget cut off.
    pub omitted: usize,
    /// How many memories were searched: those that scope, filters and moment let pass.
    pub n_searched: usize,
    /// How likely it is, 0 to 1, that what was found answers the query; `None` where it was not searched both
    /// by words and by meaning.
    pub confidence: Option<f64>,
    /// The best score that `min_score` rejected.
    pub nearest_rejected: Option<f64>,
    /// The scopes that were searched.
    pub scopes: Vec<String>,
    /// The snapshot that answered.
    pub snapshot: Seq,
    /// The time of that snapshot.
    pub at: Timestamp,
    /// What the caller should know.
    pub warnings: Vec<Warning>,
}

/// One memory that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The version that the snapshot shows.
    pub memory: MemoryRecord,
    /// The fused score, 0 to 1 under min-max fusion; 0 for a listing.
    pub score: f64,
    /// Whether it still holds.
    pub status: HitStatus,
    /// What of its text fits into the token budget, where the whole does not.
    pub excerpt: Option<Excerpt>,
    /// Where the score comes from.
    pub why: Why,
}

/// Whether a memory holds at the moment that was asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitStatus {
    /// It holds; perhaps another memory took its place later (`MemoryRecord::superseded_by`).
    Current,
    /// Another memory had taken its place.
    Superseded {
        /// That memory.
        by: MemoryId,
    },
    /// It ceased to be true before.
    Expired,
    /// It is not true yet.
    NotYet,
}

/// The parts of a score. They add up to it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Why {
    /// From its vectors.
    pub vector: Option<VectorShare>,
    /// From its words.
    pub keyword: Option<KeywordShare>,
    /// From what speaks for it beside these; none is 0.
    pub others: BTreeMap<RankingTerm, f64>,
}

/// What speaks for a memory beside its vectors and its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RankingTerm {
    /// The question names who said it, or is one of the user about themselves.
    Source,
    /// What was remembered just before and after it fits.
    Context,
    /// It is of a time that the question speaks of.
    Time,
    /// It speaks of an entity that the question names.
    Entity,
    /// Its owner's word; below 0 where that is below one half.
    Importance,
    /// How late it is.
    Recency,
}

impl RankingTerm {
    /// In one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Context => "context",
            Self::Time => "time",
            Self::Entity => "entity",
            Self::Importance => "importance",
            Self::Recency => "recency",
        }
    }
}

/// What a memory's vectors gave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VectorShare {
    /// Cosine of the query and the best window.
    pub similarity: f64,
    /// Which window that was.
    pub window: u32,
    /// Rank among the vector candidates, from 1.
    pub rank: usize,
    /// Its part of the fused score.
    pub share: f64,
}

/// What a memory's words gave.
#[derive(Debug, Clone, PartialEq)]
pub struct KeywordShare {
    /// BM25.
    pub score: f64,
    /// Each matching term's part of `score`.
    pub terms: Vec<TermShare>,
    /// How much of the query it holds, 0 to 1.
    pub coverage: f64,
    /// Rank among the keyword candidates, from 1.
    pub rank: usize,
    /// Its part of the fused score.
    pub share: f64,
}
