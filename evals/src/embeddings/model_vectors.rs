//! Vectors by the model, each length of text by a model of its own, all cached.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use palimpsest_embed::{MiniLm, MiniLmOptions, Window};

use super::{CachedEmbedder, Tokens};
use crate::error::Error;

/// `[CLS]` and `[SEP]`, which a cut counts and a window does not.
const SPECIAL_TOKENS: u32 = 2;

/// The model's folder, and what was loaded from it.
#[derive(Debug)]
pub(crate) struct ModelVectors {
    model: PathBuf,
    cache: PathBuf,
    embedders: Mutex<BTreeMap<Tokens, Arc<CachedEmbedder>>>,
}

impl ModelVectors {
    /// Loads nothing yet.
    pub(crate) fn new(model: PathBuf, cache: PathBuf) -> Self {
        Self {
            model,
            cache,
            embedders: Mutex::default(),
        }
    }

    /// The model that sees so much of a text; loaded when it is first asked for.
    pub(crate) fn embedder(&self, tokens: Tokens) -> Result<Arc<CachedEmbedder>, Error> {
        let embedders = self.embedders.lock();
        let mut embedders = embedders.unwrap_or_else(PoisonError::into_inner);
        if let Some(embedder) = embedders.get(&tokens) {
            return Ok(Arc::clone(embedder));
        }
        let n_cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let options = MiniLmOptions {
            windowing: tokens.windowing(),
            n_threads: n_cores,
        };
        let model = MiniLm::load_with(&self.model, options).map_err(|source| Error::NoModel {
            path: self.model.clone(),
            source,
        })?;
        let embedder = Arc::new(CachedEmbedder::open(Arc::new(model), &self.cache)?);
        embedders.insert(tokens, Arc::clone(&embedder));
        Ok(embedder)
    }

    /// The vectors of a text, from whichever cache has them: the first window that the product embeds
    /// is the first 256 tokens, and a text that is shorter than a cut is the same under every cut.
    pub(crate) fn vectors(&self, tokens: Tokens, text: &str) -> Result<Vec<Window>, Error> {
        let own = self.embedder(tokens)?;
        if let Some(windows) = own.cached(text)? {
            return Ok(windows);
        }
        match self.known_by_a_longer_one(tokens, text)? {
            Some(first) => Ok(vec![first]),
            None => own.windows(text),
        }
    }

    /// Of `texts` those that only the model can give the vectors of.
    pub(crate) fn missing<'a>(
        &self,
        tokens: Tokens,
        texts: &[&'a str],
    ) -> Result<Vec<&'a str>, Error> {
        let own = self.embedder(tokens)?;
        let mut missing = Vec::new();
        for text in texts {
            let is_there =
                own.cached(text)?.is_some() || self.known_by_a_longer_one(tokens, text)?.is_some();
            if !is_there {
                missing.push(*text);
            }
        }
        Ok(missing)
    }

    fn known_by_a_longer_one(&self, tokens: Tokens, text: &str) -> Result<Option<Window>, Error> {
        if tokens == Tokens::Windows {
            return Ok(None);
        }
        let windows = self.embedder(Tokens::Windows)?.cached(text)?;
        let first = windows.and_then(|windows| windows.into_iter().next());
        Ok(first.filter(|first| {
            tokens == Tokens::First256 || first.token_count <= 128 - SPECIAL_TOKENS
        }))
    }
}
