//! `remember`: what is asked, and what is answered.

mod checked;
mod draft;
mod pipeline;
mod plan;
mod reason;
mod similar;
mod strategic;

use palimpsest_store::{MemoryId, Seq, Timestamp};

use crate::{Kind, Occasion, SimilarMemory, Strategy, Turn, Warning};

pub(crate) use checked::{NAME_LEN_BYTES_MAX, checked_scopes, shown};
pub(crate) use pipeline::remember;

/// A request to keep one or several texts, all or nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Remember {
    /// Whose memory it is.
    pub scope: String,
    /// At least one, at most 50.
    pub items: Vec<Item>,
    /// What of it is saved.
    pub strategy: Strategy,
    /// When it was said.
    pub occasion: Occasion,
}

/// One text to keep, and what is known of it.
///
/// Names (scope, tags, entities, relations, source, topic) are kept in NFC, their white space collapsed,
/// at most 1,024 bytes each and 200 of a sort; a blank tag, source or topic counts as absent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Item {
    /// At most 1 MiB.
    pub text: String,
    /// What sort of memory it is.
    pub kind: Kind,
    /// Labels.
    pub tags: Vec<String>,
    /// Who and what it speaks of.
    pub entities: Vec<EntityMention>,
    /// How they relate. Both ends become entities of the memory.
    pub relations: Vec<RelationMention>,
    /// When what it says began to be true; `None` is always, and for a text that supersedes another the
    /// commit time.
    pub valid_from: Option<Timestamp>,
    /// When what it says ceased to be true; `None` is not yet.
    pub valid_to: Option<Timestamp>,
    /// Who said it or where it comes from.
    pub source: Option<String>,
    /// A stable key: the text supersedes the current one of the same scope and topic, unless it was over
    /// (`valid_to`) before now and that one is not. `None` takes the topic of what it `replaces`.
    pub topic: Option<String>,
    /// Memories of the same scope that it supersedes.
    pub replaces: Vec<MemoryId>,
    /// How much it matters, 0 to 1; `None` is 0.5.
    pub importance: Option<f32>,
    /// The turns that the text is made of; empty where it is one turn of its source. The strategies look at
    /// them: at what the user said for a correction, and at each whether it says anything. They are not kept.
    pub turns: Vec<Turn>,
}

impl Remember {
    /// A request to keep `items` because the caller names them, now.
    pub fn explicit(scope: impl Into<String>, items: Vec<Item>) -> Self {
        Self {
            scope: scope.into(),
            items,
            strategy: Strategy::Explicit,
            occasion: Occasion::Now,
        }
    }
}

/// A thing by its name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EntityMention {
    /// Any Unicode, not blank.
    pub name: String,
    /// What sort of thing it is.
    pub kind: Option<String>,
}

/// A relation by the names of its ends.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RelationMention {
    /// Where it starts.
    pub from: String,
    /// The verb.
    pub relation: String,
    /// Where it ends.
    pub to: String,
}

/// What became of a [`Remember`].
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered {
    /// One for each item, in order.
    pub items: Vec<RememberedItem>,
    /// The scope that was written.
    pub scope: String,
    /// A snapshot that holds the answer's memories.
    pub snapshot: Seq,
    /// The time of that snapshot.
    pub at: Timestamp,
    /// What the caller should know.
    pub warnings: Vec<Warning>,
}

/// What became of one item.
#[derive(Debug, Clone, PartialEq)]
pub struct RememberedItem {
    /// The memory that holds the text now; `None` when it was rejected.
    pub id: Option<MemoryId>,
    /// What was decided.
    pub decision: Decision,
    /// Why, in a sentence.
    pub reason: String,
    /// Who turned it away, where it was rejected.
    pub turned_away_by: Option<TurnedAwayBy>,
    /// Memories like it that were there before, nearest first. They were kept.
    /// Of a transcript none are searched.
    pub similar: Vec<SimilarMemory>,
    /// The memories that it superseded. A merged item can have some too.
    pub superseded: Vec<MemoryId>,
    /// How it can be found at this moment; `None` when it was rejected.
    pub searchable: Option<Searchable>,
}

/// The gate's decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// A new memory.
    Stored,
    /// The same text was there: its memory took what was new (tags, entities, relations).
    Merged,
    /// A new memory that took the place of others.
    Superseded,
    /// Not kept.
    Rejected,
}

/// Who turns a text away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnedAwayBy {
    /// The gate: it says nothing.
    Gate,
    /// The strategy: it says nothing new.
    Strategy,
}

/// How a memory can be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Searchable {
    /// By keywords and by meaning.
    Full,
    /// By keywords; its vector follows.
    Keywords,
}
