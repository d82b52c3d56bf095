//! The door of this room.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use palimpsest_embed::Embedder;
use palimpsest_store::{
    Backend, FileBackend, Filter, MemoryId, MemoryRecord, Snapshot, Store, StoreOptions, Timestamp,
    Version,
};

use crate::board::Board;
use crate::embedding_thread::EmbeddingThread;
use crate::forget::forget;
use crate::graph::graph;
use crate::model::{LoadedEmbedder, ModelFolder, ModelSource, ModelState};
use crate::recall::{Asked, recall};
use crate::remember::{checked_scopes, remember};
use crate::{
    Clock, Error, Forget, Forgotten, Graph, GraphAnswer, Recall, Recalled, Remember, Remembered,
    Settings,
};

/// One memory, open. Share it in an [`Arc`]; every method takes `&self`.
///
/// While it is open, a thread of its own loads the model and gives vectors to memories without.
/// No lock is held while anything is embedded or searched.
#[derive(Debug)]
pub struct Memory {
    thread: EmbeddingThread,
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    settings: Settings,
    model_path: Option<PathBuf>,
}

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
    /// Those of them without a vector of this model; all of them while none is ready.
    pub n_unembedded: u64,
    /// The model.
    pub model: ModelState,
    /// The model's folder, as it was given.
    pub model_path: Option<PathBuf>,
}

impl Memory {
    /// Opens or makes the memory at `options.path`.
    ///
    /// # Errors
    /// Where a setting is out of range, or the store cannot be opened. A model that is missing or damaged
    /// is no error: see [`Self::model_state`].
    pub fn open(options: Options, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        let source = Arc::new(ModelFolder(options.model.clone()));
        Self::open_with(Arc::new(FileBackend::new()), source, options, clock)
    }

    /// As [`Self::open`], with an embedder that is loaded already; `options.model` is only shown in the
    /// status. For programs that open many memories, or that embed in a way of their own.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_with_embedder(
        options: Options,
        embedder: Arc<dyn Embedder>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, Error> {
        let source = Arc::new(LoadedEmbedder(embedder));
        Self::open_with(Arc::new(FileBackend::new()), source, options, clock)
    }

    /// As [`Self::open`], on any file system and with any embedder.
    pub(crate) fn open_with(
        backend: Arc<dyn Backend>,
        source: Arc<dyn ModelSource>,
        options: Options,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, Error> {
        options.settings.check()?;
        let Options {
            path,
            model,
            lock_wait,
            settings,
        } = options;
        let store = Arc::new(Store::open(backend, StoreOptions { path, lock_wait })?);
        let thread = EmbeddingThread::start(Arc::clone(&store), source, Arc::clone(&clock));
        Ok(Self {
            store,
            thread,
            clock,
            settings,
            model_path: model,
        })
    }

    /// Keeps texts, all or nothing; durable when it returns.
    ///
    /// # Errors
    /// Where an item is out of range, or the store refuses; nothing was kept.
    pub fn remember(&self, request: Remember) -> Result<Remembered, Error> {
        let model = self.board().ready_model();
        let answer = remember(
            &self.store,
            model,
            &self.settings,
            self.clock.now(),
            request,
        )?;
        self.board().announce(answer.snapshot);
        Ok(answer)
    }

    /// Finds memories. Writes nothing.
    ///
    /// # Errors
    /// Where there is nothing to search for, an argument out of range, or the store refuses.
    pub fn recall(&self, request: &Recall) -> Result<Recalled, Error> {
        self.recall_by(&self.settings, request)
    }

    /// As [`Self::recall`], by other settings than the memory's own: to see what they would find.
    ///
    /// # Errors
    /// As [`Self::recall`], and where a setting is out of range.
    pub fn recall_with(&self, settings: &Settings, request: &Recall) -> Result<Recalled, Error> {
        settings.check()?;
        self.recall_by(settings, request)
    }

    fn recall_by(&self, settings: &Settings, request: &Recall) -> Result<Recalled, Error> {
        let newest = self.snapshot()?;
        let asked = Asked::check(request, settings, self.now_at(&newest))?;
        let snapshot = request
            .known_at
            .map_or_else(|| newest.clone(), |at| newest.known_at(at));
        recall(&snapshot, self.board().ready_model(), settings, &asked)
    }

    /// Retires memories; durable when it returns.
    ///
    /// # Errors
    /// Where no id is given, or the store refuses.
    pub fn forget(&self, request: Forget) -> Result<Forgotten, Error> {
        forget(&self.store, self.clock.now(), request)
    }

    /// Walks the graph. Writes nothing.
    ///
    /// # Errors
    /// Where the entity is unknown, an argument out of range, or the store refuses.
    pub fn graph(&self, request: &Graph) -> Result<GraphAnswer, Error> {
        let newest = self.snapshot()?;
        let snapshot = request
            .known_at
            .map_or_else(|| newest.clone(), |at| newest.known_at(at));
        graph(&snapshot, self.now_at(&newest), request)
    }

    /// The current version of a memory and every version before, newest first; empty when never there.
    ///
    /// # Errors
    /// Where the store refuses.
    pub fn history(&self, id: MemoryId) -> Result<Vec<Version>, Error> {
        Ok(self.snapshot()?.history(id))
    }

    /// The latest visible memories of a scope (`None`: of every scope), latest first, superseded ones
    /// included.
    ///
    /// # Errors
    /// Where the scope is blank, or the store refuses.
    pub fn list(&self, scope: Option<&str>, limit: usize) -> Result<Vec<Arc<MemoryRecord>>, Error> {
        let scopes = scope.map(str::to_owned).into_iter().collect::<Vec<_>>();
        let filter = Filter {
            scopes: checked_scopes(&scopes)?,
            ..Filter::default()
        };
        Ok(self.snapshot()?.list(&filter, limit))
    }

    /// Figures.
    ///
    /// # Errors
    /// Where the store refuses.
    pub fn status(&self) -> Result<Status, Error> {
        let snapshot = self.snapshot()?;
        let n_memories = snapshot.count(&Filter::default()) as u64;
        let n_unembedded = match self.board().ready_model() {
            Ok(model) => snapshot.unembedded(model.id, usize::MAX).len() as u64,
            Err(_) => n_memories,
        };
        Ok(Status {
            store: self.store.status()?,
            snapshot: snapshot.seq(),
            at: snapshot.committed_at(),
            n_memories,
            n_unembedded,
            model: self.model_state(),
            model_path: self.model_path.clone(),
        })
    }

    /// What the model is doing.
    pub fn model_state(&self) -> ModelState {
        self.board().model_state()
    }

    /// Waits until the model is ready (or cannot be) and no memory is without a vector, at most `wait`;
    /// answers whether every memory has one. For programs that end after one command.
    ///
    /// # Errors
    /// Where the store refuses.
    pub fn settle(&self, wait: Duration) -> Result<bool, Error> {
        let newest = self.store.snapshot()?.seq();
        Ok(self.board().settle(newest, wait))
    }

    /// The newest state, of which the embedding thread hears too.
    fn snapshot(&self) -> Result<Snapshot, Error> {
        let snapshot = self.store.snapshot()?;
        self.board().announce(snapshot.seq());
        Ok(snapshot)
    }

    /// Now, but never before the newest commit: what was superseded is over, though a clock went back.
    fn now_at(&self, newest: &Snapshot) -> Timestamp {
        self.clock.now().max(newest.committed_at())
    }

    fn board(&self) -> &Board {
        self.thread.board()
    }
}

impl Drop for Memory {
    /// What the log holds goes into the memory file, which by itself is the whole memory then.
    fn drop(&mut self) {
        self.thread.stop();
        if let Err(error) = self.store.close(self.clock.now()) {
            tracing::warn!(%error, "the log was not taken into the memory file; nothing is lost");
        }
    }
}

#[cfg(test)]
mod tests;
