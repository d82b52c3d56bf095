//! The door of this room.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use palimpsest_store::{MemoryId, MemoryRecord, Version};

use crate::{
    Clock, Error, Forget, Forgotten, Graph, GraphAnswer, Recall, Recalled, Remember, Remembered,
    Settings,
};

/// One memory, open. Share it in an [`Arc`]; every method takes `&self`.
///
/// While it is open, a thread of its own loads the model and gives vectors to memories without.
#[derive(Debug)]
pub struct Memory {}

/// Where a memory is and how it behaves.
#[derive(Debug, Clone)]
pub struct Options {
    /// The memory file (`memory.h5`); its folder is made when missing.
    pub path: PathBuf,
    /// The model's folder; `None` remembers and recalls by keywords alone.
    pub model: Option<PathBuf>,
    /// How long to wait for another process's lock.
    pub lock_wait: Duration,
    /// The owner's choices.
    pub settings: Settings,
}

/// What the model is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelState {
    /// No folder was given, or it is not there.
    Missing,
    /// It is being loaded.
    Loading,
    /// It answers.
    Ready {
        /// SHA-256 over weights, tokenizer and pooling, in hexadecimal.
        id: String,
    },
    /// The folder is there and cannot be used.
    Unusable {
        /// Why.
        reason: String,
    },
}

/// Figures of an open memory.
#[derive(Debug, Clone)]
pub struct Status {
    /// The store's figures.
    pub store: palimpsest_store::Status,
    /// The newest commit.
    pub snapshot: palimpsest_store::Seq,
    /// Its time.
    pub at: palimpsest_store::Timestamp,
    /// Memories that are visible now, superseded ones included.
    pub n_memories: u64,
    /// Those of them without a vector of this model.
    pub n_unembedded: u64,
    /// The model.
    pub model: ModelState,
    /// The model's folder.
    pub model_path: Option<PathBuf>,
}

#[expect(
    clippy::todo,
    clippy::unused_self,
    unused_variables,
    reason = "filled in by the verbs"
)]
impl Memory {
    /// Opens or makes the memory at `options.path`.
    ///
    /// # Errors
    /// Where the store cannot be opened. A model that is missing or damaged is no error: see [`Self::model_state`].
    pub fn open(options: Options, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        todo!()
    }
    /// Keeps texts, all or nothing; durable when it returns.
    ///
    /// # Errors
    /// Where an item is out of range, or the store refuses; nothing was kept.
    pub fn remember(&self, request: Remember) -> Result<Remembered, Error> {
        todo!()
    }
    /// Finds memories. Writes nothing.
    ///
    /// # Errors
    /// Where there is nothing to search for, or the store refuses.
    pub fn recall(&self, request: &Recall) -> Result<Recalled, Error> {
        todo!()
    }
    /// Retires memories; durable when it returns.
    ///
    /// # Errors
    /// Where no id is given, or the store refuses.
    pub fn forget(&self, request: Forget) -> Result<Forgotten, Error> {
        todo!()
    }
    /// Walks the graph. Writes nothing.
    ///
    /// # Errors
    /// Where the entity is unknown, an argument out of range, or the store refuses.
    pub fn graph(&self, request: &Graph) -> Result<GraphAnswer, Error> {
        todo!()
    }
    /// The current version of a memory and every version before, newest first; empty when never there.
    ///
    /// # Errors
    /// Where the store refuses.
    pub fn history(&self, id: MemoryId) -> Result<Vec<Version>, Error> {
        todo!()
    }
    /// The latest visible memories of a scope (`None`: of every scope), latest first.
    ///
    /// # Errors
    /// Where the store refuses.
    pub fn list(&self, scope: Option<&str>, limit: usize) -> Result<Vec<Arc<MemoryRecord>>, Error> {
        todo!()
    }
    /// Figures.
    ///
    /// # Errors
    /// Where the store refuses.
    pub fn status(&self) -> Result<Status, Error> {
        todo!()
    }
    /// What the model is doing.
    pub fn model_state(&self) -> ModelState {
        todo!()
    }
    /// Waits until the model is ready (or cannot be) and no memory is without a vector, at most `wait`;
    /// answers whether that was reached. For programs that end after one command.
    ///
    /// # Errors
    /// Where the store refuses.
    pub fn settle(&self, wait: Duration) -> Result<bool, Error> {
        todo!()
    }
}
