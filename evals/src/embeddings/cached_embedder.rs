//! An embedder that remembers on disk what the model gave before. Its vectors are the model's own.

use std::fmt::{self, Debug};
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

use palimpsest_embed::{Embedder, Window};
use sha2::{Digest, Sha256};

use super::cache::{Key, VectorCache};
use crate::dataset::hex;
use crate::error::Error;
use crate::progress::Progress;

/// A model and the cache of its vectors.
pub(crate) struct CachedEmbedder {
    model: Arc<dyn Embedder>,
    cache: VectorCache,
}

impl CachedEmbedder {
    /// Opens the cache of `model` in `folder`: a file named by the model's identity, in which weights,
    /// tokenizer and the cut of long texts take part.
    pub(crate) fn open(model: Arc<dyn Embedder>, folder: &Path) -> Result<Self, Error> {
        let name = format!("{}.vectors", hex(&model.model_id()));
        let cache = VectorCache::open(&folder.join(name), model.embedding_len())?;
        Ok(Self { model, cache })
    }

    /// Embeds those of `texts` that the cache does not hold, on all cores.
    ///
    /// On threads of its own: the model has a pool, and a thread of another pool that waits for it would
    /// take up further texts meanwhile, one inside the other, until its stack is full.
    pub(crate) fn prepare(&self, texts: &[&str], progress: &Progress) -> Result<(), Error> {
        let n_threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let next = AtomicUsize::new(0);
        let work = || -> Result<(), Error> {
            while let Some(text) = texts.get(next.fetch_add(1, Ordering::Relaxed)) {
                if !self.cache.holds(&key(text)) {
                    self.windows(text)?;
                }
                progress.advance(1);
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..n_threads.min(texts.len()))
                .map(|_| scope.spawn(work))
                .collect();
            let mut ended = threads.into_iter().map(ScopedJoinHandle::join);
            ended.try_for_each(|ended| ended.unwrap_or_else(|panic| resume_unwind(panic)))
        })
    }

    /// The model behind the cache.
    pub(super) fn model(&self) -> Arc<dyn Embedder> {
        Arc::clone(&self.model)
    }

    /// The windows of a text where the cache holds them.
    pub(crate) fn cached(&self, text: &str) -> Result<Option<Vec<Window>>, Error> {
        self.cache.get(&key(text))
    }

    /// The windows of a text.
    pub(crate) fn windows(&self, text: &str) -> Result<Vec<Window>, Error> {
        if let Some(windows) = self.cached(text)? {
            return Ok(windows);
        }
        let windows = self.model.embed(&[text])?.into_iter().flatten();
        let windows: Vec<Window> = windows.collect();
        self.keep(text, &windows)?;
        Ok(windows)
    }

    /// Keeps the windows of a text that are known to be what the model gives.
    pub(super) fn keep(&self, text: &str, windows: &[Window]) -> Result<(), Error> {
        self.cache.put(&key(text), windows)
    }
}

impl Embedder for CachedEmbedder {
    fn model_id(&self) -> [u8; 32] {
        self.model.model_id()
    }

    fn embedding_len(&self) -> usize {
        self.model.embedding_len()
    }

    /// A cache that fails costs time and nothing else: the model is asked.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<Window>>, palimpsest_embed::Error> {
        let embed = |text: &&str| match self.windows(text) {
            Ok(windows) => Ok(windows),
            Err(Error::Embed(error)) => Err(error),
            Err(_) => Ok(self.model.embed(&[text])?.into_iter().flatten().collect()),
        };
        texts.iter().map(embed).collect()
    }
}

impl Debug for CachedEmbedder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("CachedEmbedder");
        shown.field("model", &self.model).finish_non_exhaustive()
    }
}

fn key(text: &str) -> Key {
    Sha256::digest(text.as_bytes()).into()
}

#[cfg(test)]
mod tests;
