//! What one commit does: a verb and its changes, applied all or none. Knows no log and no index.

mod check;
mod codec;
mod reader;

use std::sync::Arc;

pub(crate) use check::check_windows;

use crate::{Entity, MemoryId, MemoryRecord, ModelId, Relation};

/// The longest text, name or label that is kept.
pub const TEXT_LEN_BYTES_MAX: usize = 1 << 20;

/// One committed operation. Its changes become visible together.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// What the caller did, for the commit table.
    pub verb: Verb,
    /// Applied in order.
    pub changes: Vec<Change>,
}

/// Why a commit was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verb {
    /// New memories, or new facts about known ones.
    Remember,
    /// Memories retired.
    Forget,
    /// Vectors that follow memories committed before.
    Embed,
}

impl Verb {
    /// Its number in files.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Remember => 1,
            Self::Forget => 2,
            Self::Embed => 3,
        }
    }

    /// The verb of a number.
    pub(crate) const fn from_code(code: u8) -> Option<Self> {
        match code {
            1 => Some(Self::Remember),
            2 => Some(Self::Forget),
            3 => Some(Self::Embed),
            _ => None,
        }
    }
}

/// One change of a record.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// A new memory, or a new version of one: the living version of the same id ends here.
    Put(Arc<MemoryRecord>),
    /// The living version of a memory ends, and no other begins.
    Retire {
        /// The memory. Without a living version the change does nothing.
        id: MemoryId,
        /// Why, in the caller's words.
        reason: Option<Arc<str>>,
    },
    /// All vectors of a memory under one model. Dropped when the memory has vectors of that model.
    Embed {
        /// The memory.
        memory: MemoryId,
        /// Whose vectors these are.
        model: ModelId,
        /// One for each window of the text, in order; all of one length.
        windows: Vec<WindowVector>,
    },
    /// A new entity, or new facts about a known one.
    PutEntity(Arc<Entity>),
    /// A new relation. One with the same ends, verb and memory takes its place.
    PutRelation(Arc<Relation>),
}

/// The vector of one window of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct WindowVector {
    /// The window's first token, counted without `[CLS]`.
    pub token_start: u32,
    /// Shape `dim`, unit length (within 1e-5).
    pub embedding: Arc<[f32]>,
}
