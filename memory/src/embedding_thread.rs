//! The thread that loads the model and gives vectors to the memories that have none; it takes a log that has grown
//! long into the memory file too.
//!
//! It sleeps until a verb has seen a later commit, of this process or of another one. Two processes
//! may embed the same memory; the store keeps one of the two.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use palimpsest_store::{
    Change, MemoryId, MemoryRecord, ModelId, Operation, Planned, Snapshot, Store, Tip, Verb,
};

use crate::Clock;
use crate::board::{Board, Loaded};
use crate::model::{ModelSource, ReadyModel};
use crate::tokens::estimate_tokens;

/// Memories of one commit.
const PACK_MEMORIES_MAX: usize = 16;
/// Tokens of one commit; a longer text goes alone. About two seconds of one core.
const PACK_TOKENS_MAX: usize = 2_000;
/// How often to look for a model that is not there.
const LOOK_AGAIN: Duration = Duration::from_secs(2);
/// How long to leave a store alone that refused: at first, and at most; it doubles in between.
const RETRY_MIN: Duration = Duration::from_secs(1);
const RETRY_MAX: Duration = Duration::from_secs(300);
/// Memories among which the shortest go first, so that one huge text keeps no other from its vector.
const LOOK_AHEAD: usize = 256;
/// How long a dropped memory waits for the text that is being embedded.
const STOP_WAIT: Duration = Duration::from_secs(1);

/// The running thread. Dropping it ends the thread between two texts; one that takes longer than a
/// second is left to end by itself, and commits nothing more.
#[derive(Debug)]
pub(crate) struct EmbeddingThread {
    board: Arc<Board>,
    handle: Option<JoinHandle<()>>,
}

impl EmbeddingThread {
    /// Starts it. Where the system has no thread to give, there is no model.
    pub(crate) fn start(
        store: Arc<Store>,
        source: Arc<dyn ModelSource>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let model = if source.is_there() {
            Loaded::Loading
        } else {
            Loaded::Missing
        };
        let board = Arc::new(Board::new(model));
        let worker = Worker {
            board: Arc::clone(&board),
            store,
            source,
            clock,
        };
        let thread = thread::Builder::new().name("palimpsest-embedding".to_owned());
        let handle = match thread.spawn(move || worker.run()) {
            Ok(handle) => Some(handle),
            Err(error) => {
                board.set_model(Loaded::Unusable(format!("no thread to embed on: {error}")));
                None
            }
        };
        Self { board, handle }
    }

    pub(crate) fn board(&self) -> &Board {
        &self.board
    }
}

impl EmbeddingThread {
    /// Ends it between two texts.
    pub(crate) fn stop(&mut self) {
        if let Some(handle) = self.handle.take()
            && self.board.stop(STOP_WAIT)
            && handle.join().is_err()
        {
            tracing::error!("the embedding thread had panicked");
        }
    }
}

impl Drop for EmbeddingThread {
    fn drop(&mut self) {
        self.stop();
    }
}

/// What the thread works with.
struct Worker {
    board: Arc<Board>,
    store: Arc<Store>,
    source: Arc<dyn ModelSource>,
    clock: Arc<dyn Clock>,
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.board.end();
    }
}

impl Worker {
    fn run(self) {
        let Some(model) = self.load() else { return };
        let mut work = Work::default();
        let mut retry = RETRY_MIN;
        while !self.board.is_stopping() {
            self.shorten_log();
            match self.catch_up(&model, &mut work) {
                Ok(()) => retry = RETRY_MIN,
                Err(error) => {
                    tracing::warn!(%error, "no vectors could be kept; trying again in {retry:?}");
                    self.board.pause(retry);
                    retry = (retry * 2).min(RETRY_MAX);
                }
            }
        }
    }

    /// Loads the model as soon as it is there; `None` where it cannot be used, or when told to end.
    fn load(&self) -> Option<ReadyModel> {
        while !self.board.is_stopping() {
            if !self.source.is_there() {
                self.shorten_log();
                self.board.set_model(Loaded::Missing);
                self.board.pause(LOOK_AGAIN);
                continue;
            }
            self.board.set_model(Loaded::Loading);
            match self.source.load() {
                Ok(embedder) => {
                    let model = ReadyModel::new(embedder);
                    self.board.set_model(Loaded::Ready(model.clone()));
                    return Some(model);
                }
                Err(error) => {
                    tracing::warn!(%error, "the model cannot be used");
                    self.board.set_model(Loaded::Unusable(error.to_string()));
                    return None;
                }
            }
        }
        None
    }

    /// Takes a long log into the memory file. What cannot be now is tried again with the next commit.
    fn shorten_log(&self) {
        if !self.store.is_log_long() {
            return;
        }
        if let Err(error) = self.store.checkpoint(self.clock.now()) {
            tracing::warn!(%error, "the log could not be taken into the memory file");
        }
    }

    /// Embeds and commits one pack, or rests where nothing is without a vector. Vectors that could
    /// not be kept are offered again before anything else is embedded.
    fn catch_up(&self, model: &ReadyModel, work: &mut Work) -> Result<(), palimpsest_store::Error> {
        if work.embeds.is_empty() {
            let snapshot = self.store.snapshot()?;
            let pack = next_pack(&snapshot, model.id, &work.failed);
            if pack.is_empty() {
                self.board.rest(snapshot.seq(), work.failed.len());
                return Ok(());
            }
            self.embed(model, &pack, work);
        }
        let embeds = work.embeds.clone();
        let committed = self
            .store
            .commit(self.clock.now(), move |tip| keep_embeds(tip, &embeds))?;
        work.embeds.clear();
        self.board.announce(committed.snapshot.seq());
        Ok(())
    }

    /// Embeds the memories of a pack, until it is told to end.
    fn embed(&self, model: &ReadyModel, pack: &[Arc<MemoryRecord>], work: &mut Work) {
        for memory in pack {
            if self.board.is_stopping() {
                break;
            }
            match model.embed(&[&*memory.text]) {
                Ok(embedded) => work.embeds.push(Change::Embed {
                    memory: memory.id,
                    model: model.id,
                    windows: embedded.into_iter().flatten().collect(),
                }),
                Err(error) => {
                    tracing::warn!(%error, id = %memory.id, "a memory cannot be embedded");
                    work.failed.insert(memory.id);
                }
            }
        }
    }
}

/// What the thread has done and not handed over.
#[derive(Debug, Default)]
struct Work {
    /// Vectors that the store does not have yet.
    embeds: Vec<Change>,
    /// Memories that the model could not embed.
    failed: BTreeSet<MemoryId>,
}

/// The next memories without a vector, shortest first, ties by id.
fn next_pack(
    snapshot: &Snapshot,
    model: ModelId,
    failed: &BTreeSet<MemoryId>,
) -> Vec<Arc<MemoryRecord>> {
    let mut without = snapshot.unembedded(model, LOOK_AHEAD + failed.len());
    without.retain(|memory| !failed.contains(&memory.id));
    without.sort_by_key(|memory| (memory.text.len(), memory.id));
    let mut n_tokens = 0;
    let mut pack: Vec<Arc<MemoryRecord>> = Vec::new();
    for memory in without {
        n_tokens += estimate_tokens(&memory.text);
        if pack.len() == PACK_MEMORIES_MAX || (n_tokens > PACK_TOKENS_MAX && !pack.is_empty()) {
            break;
        }
        pack.push(memory);
    }
    pack
}

/// Those vectors whose memory is still there and still without.
fn keep_embeds(tip: &Tip, embeds: &[Change]) -> Planned<()> {
    let is_wanted = |change: &&Change| match change {
        Change::Embed { memory, model, .. } => {
            tip.snapshot.memory(*memory).is_some()
                && tip.snapshot.vectors(*model, *memory).is_empty()
        }
        _ => false,
    };
    let changes: Vec<Change> = embeds.iter().filter(is_wanted).cloned().collect();
    let operation = (!changes.is_empty()).then_some(Operation {
        verb: Verb::Embed,
        changes,
    });
    Planned {
        operation,
        answer: (),
    }
}
