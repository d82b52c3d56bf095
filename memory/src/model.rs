//! The model as the verbs see it: whether it is there, and vectors from it. Knows no store.

use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;

use palimpsest_embed::{Embedder, MINILM_FILES, MiniLm, Window};
use palimpsest_store::{ModelId, Seq, WindowVector};

use crate::Warning;

/// What the model is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelState {
    /// No folder was given, or its files are not there. It is looked for again from time to time.
    Missing,
    /// It is being loaded.
    Loading,
    /// It answers.
    Ready {
        /// SHA-256 over weights, tokenizer and pooling, in hexadecimal.
        id: String,
    },
    /// The files are there and cannot be used.
    Unusable {
        /// Why.
        reason: String,
    },
}

/// Where an embedder comes from.
pub(crate) trait ModelSource: Debug + Send + Sync {
    /// Whether there is something to load. Quick.
    fn is_there(&self) -> bool;

    /// Loads it. Slow.
    fn load(&self) -> Result<Arc<dyn Embedder>, palimpsest_embed::Error>;
}

/// A model's folder, if there is one.
#[derive(Debug)]
pub(crate) struct ModelFolder(pub(crate) Option<PathBuf>);

impl ModelSource for ModelFolder {
    fn is_there(&self) -> bool {
        let has_all =
            |folder: &PathBuf| MINILM_FILES.iter().all(|it| folder.join(it.name).is_file());
        self.0.as_ref().is_some_and(has_all)
    }

    fn load(&self) -> Result<Arc<dyn Embedder>, palimpsest_embed::Error> {
        let folder = self.0.clone().unwrap_or_default();
        Ok(Arc::new(MiniLm::load(&folder)?))
    }
}

/// An embedder that is loaded already.
#[derive(Debug)]
pub(crate) struct LoadedEmbedder(pub(crate) Arc<dyn Embedder>);

impl ModelSource for LoadedEmbedder {
    fn is_there(&self) -> bool {
        true
    }

    fn load(&self) -> Result<Arc<dyn Embedder>, palimpsest_embed::Error> {
        Ok(Arc::clone(&self.0))
    }
}

/// A loaded model. Cheap to clone; used without any lock.
#[derive(Debug, Clone)]
pub(crate) struct ReadyModel {
    pub(crate) id: ModelId,
    /// A commit at which no memory was without a vector: there none need be counted.
    pub(crate) caught_up_at: Option<Seq>,
    embedder: Arc<dyn Embedder>,
}

impl ReadyModel {
    pub(crate) fn new(embedder: Arc<dyn Embedder>) -> Self {
        Self {
            id: ModelId(embedder.model_id()),
            caught_up_at: None,
            embedder,
        }
    }

    /// The same model, and how far it is known to have come.
    pub(crate) fn caught_up_at(&self, seq: Option<Seq>) -> Self {
        let caught_up_at = seq;
        Self {
            caught_up_at,
            ..self.clone()
        }
    }

    /// The windows of each text, in order.
    pub(crate) fn embed(
        &self,
        texts: &[&str],
    ) -> Result<Vec<Vec<WindowVector>>, palimpsest_embed::Error> {
        let embedded = self.embedder.embed(texts)?.into_iter();
        let kept = |window: Window| WindowVector {
            token_start: window.token_start,
            embedding: window.embedding.into(),
        };
        Ok(embedded
            .map(|windows| windows.into_iter().map(kept).collect())
            .collect())
    }

    /// The windows of a query; a failure is no reason not to answer by keywords.
    pub(crate) fn embed_query(&self, query: &str) -> Result<Vec<WindowVector>, Warning> {
        let embedded = self.embed(&[query]);
        let embedded = embedded.map_err(|error| Warning::ModelUnusable {
            reason: error.to_string(),
        })?;
        Ok(embedded.into_iter().flatten().collect())
    }
}
