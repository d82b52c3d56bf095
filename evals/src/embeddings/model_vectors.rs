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

    /// The vectors of a text.
    pub(crate) fn vectors(&self, tokens: Tokens, text: &str) -> Result<Vec<Window>, Error> {
        let own = self.embedder(tokens)?;
        if let Some(windows) = own.cached(text)? {
            return Ok(windows);
        }
        match self.known_otherwise(tokens, text)? {
            Some(windows) => Ok(windows),
            None => own.windows(text),
        }
    }

    /// Gives the cache of `tokens` what other caches know, and answers which of `texts` are still missing.
    pub(crate) fn missing<'a>(
        &self,
        tokens: Tokens,
        texts: &[&'a str],
    ) -> Result<Vec<&'a str>, Error> {
        let own = self.embedder(tokens)?;
        let mut missing = Vec::new();
        for text in texts {
            if own.cached(text)?.is_some() {
                continue;
            }
            match self.known_otherwise(tokens, text)? {
                Some(windows) => own.keep(text, &windows)?,
                None => missing.push(*text),
            }
        }
        Ok(missing)
    }

    /// The vectors under another cut, where they are the same: the first window of the product is the
    /// first 256 tokens, and a text that is shorter than a cut is not cut by it.
    fn known_otherwise(&self, tokens: Tokens, text: &str) -> Result<Option<Vec<Window>>, Error> {
        let first = |other: Tokens| -> Result<Option<Window>, Error> {
            let windows = self.embedder(other)?.cached(text)?;
            Ok(windows.and_then(|windows| windows.into_iter().next()))
        };
        let is_shorter = |window: &Window, len: u32| window.token_count < len - SPECIAL_TOKENS;
        let known = match tokens {
            Tokens::Windows => first(Tokens::First256)?.filter(|it| is_shorter(it, 256)),
            Tokens::First256 => first(Tokens::Windows)?,
            Tokens::First128 => {
                let longer = first(Tokens::Windows)?;
                let longer = longer.map_or_else(|| first(Tokens::First256), |it| Ok(Some(it)))?;
                longer.filter(|it| is_shorter(it, 128))
            }
        };
        Ok(known.map(|window| vec![window]))
    }
}
