//! What the verbs and the embedding thread tell each other. Knows no store and no model's inside.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use palimpsest_store::Seq;

use crate::Warning;
use crate::model::{ModelState, ReadyModel};

/// The common state. No lock of it is held while anything is embedded, searched or committed.
#[derive(Debug)]
pub(crate) struct Board {
    notes: Mutex<Notes>,
    changed: Condvar,
}

/// How far the model is.
#[derive(Debug, Clone)]
pub(crate) enum Loaded {
    Missing,
    Loading,
    Ready(ReadyModel),
    Unusable(String),
}

#[derive(Debug)]
struct Notes {
    model: Loaded,
    /// The newest commit that anyone here has seen.
    seen: Seq,
    /// Up to here every memory has a vector, but for [`Self::n_failed`].
    embedded: Seq,
    /// Memories that the model could not embed.
    n_failed: usize,
    is_stopping: bool,
    is_ended: bool,
}

impl Board {
    pub(crate) fn new(model: Loaded) -> Self {
        let (seen, embedded) = (Seq::ZERO, Seq::ZERO);
        let notes = Notes {
            model,
            seen,
            embedded,
            n_failed: 0,
            is_stopping: false,
            is_ended: false,
        };
        Self {
            notes: Mutex::new(notes),
            changed: Condvar::new(),
        }
    }

    /// The model where it answers, else why it does not.
    pub(crate) fn ready_model(&self) -> Result<ReadyModel, Warning> {
        let notes = self.notes();
        match &notes.model {
            Loaded::Ready(model) => {
                Ok(model.caught_up_at(Some(notes.embedded).filter(|_| notes.n_failed == 0)))
            }
            Loaded::Missing => Err(Warning::ModelMissing),
            Loaded::Loading => Err(Warning::ModelLoading),
            Loaded::Unusable(reason) => Err(Warning::ModelUnusable {
                reason: reason.clone(),
            }),
        }
    }

    pub(crate) fn model_state(&self) -> ModelState {
        match &self.notes().model {
            Loaded::Ready(model) => ModelState::Ready {
                id: model.id.to_string(),
            },
            Loaded::Missing => ModelState::Missing,
            Loaded::Loading => ModelState::Loading,
            Loaded::Unusable(reason) => ModelState::Unusable {
                reason: reason.clone(),
            },
        }
    }

    /// A verb has seen this commit, of whatever process.
    pub(crate) fn announce(&self, seq: Seq) {
        let mut notes = self.notes();
        if notes.seen < seq {
            notes.seen = seq;
            self.changed.notify_all();
        }
    }

    /// Waits until every memory up to `seq` has a vector, the model cannot give any, or `wait` is over;
    /// whether they have.
    pub(crate) fn settle(&self, seq: Seq, wait: Duration) -> bool {
        self.announce(seq);
        let is_open = |notes: &mut Notes| match notes.model {
            Loaded::Missing | Loaded::Unusable(_) => false,
            Loaded::Loading => !notes.is_ended,
            Loaded::Ready(_) => notes.embedded < seq && !notes.is_ended,
        };
        let waited = self.changed.wait_timeout_while(self.notes(), wait, is_open);
        let (notes, _) = waited.unwrap_or_else(PoisonError::into_inner);
        matches!(notes.model, Loaded::Ready(_)) && notes.embedded >= seq && notes.n_failed == 0
    }

    /// Asks the thread to end, and waits for that; whether it has.
    pub(crate) fn stop(&self, wait: Duration) -> bool {
        let mut notes = self.notes();
        notes.is_stopping = true;
        self.changed.notify_all();
        let waited = self
            .changed
            .wait_timeout_while(notes, wait, |notes| !notes.is_ended);
        waited.unwrap_or_else(PoisonError::into_inner).0.is_ended
    }

    /// The thread: whether to end.
    pub(crate) fn is_stopping(&self) -> bool {
        self.notes().is_stopping
    }

    /// The thread: how far the model is now.
    pub(crate) fn set_model(&self, model: Loaded) {
        self.notes().model = model;
        self.changed.notify_all();
    }

    /// The thread: all is embedded up to `seq`, but for `n_failed`; waits for a later commit.
    pub(crate) fn rest(&self, seq: Seq, n_failed: usize) {
        let mut notes = self.notes();
        notes.embedded = notes.embedded.max(seq);
        notes.n_failed = n_failed;
        self.changed.notify_all();
        let is_idle = |notes: &mut Notes| notes.seen <= seq && !notes.is_stopping;
        drop(
            self.changed
                .wait_while(notes, is_idle)
                .unwrap_or_else(PoisonError::into_inner),
        );
    }

    /// The thread: waits, unless it is to end.
    pub(crate) fn pause(&self, wait: Duration) {
        let is_waiting = |notes: &mut Notes| !notes.is_stopping;
        let waited = self
            .changed
            .wait_timeout_while(self.notes(), wait, is_waiting);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// The thread: its last word.
    pub(crate) fn end(&self) {
        let mut notes = self.notes();
        notes.is_ended = true;
        if std::thread::panicking() {
            notes.model =
                Loaded::Unusable("it failed while embedding; restart to try again".to_owned());
        }
        self.changed.notify_all();
    }

    /// A thread that panicked leaves nothing half done behind this lock.
    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
