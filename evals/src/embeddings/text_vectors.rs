//! Vectors of turns and questions, from wherever they come.

use std::collections::BTreeSet;
use std::sync::Arc;

use palimpsest_embed::Embedder;

use super::{CachedEmbedder, ModelVectors, ReferenceVectors, Tokens};
use crate::error::Error;
use crate::progress::Progress;

/// A vector of unit length.
pub(crate) type UnitVector = Vec<f32>;

/// Where vectors come from.
#[derive(Debug)]
pub(crate) enum TextVectors {
    /// Our own embedder.
    Model(ModelVectors),
    /// Files of another implementation.
    Reference(ReferenceVectors),
}

impl TextVectors {
    /// Makes sure that the vectors of `texts` can be had at once. `progress` advances by each text that
    /// has to be embedded, and skips the others.
    pub(crate) fn prepare(
        &self,
        tokens: Tokens,
        texts: &[&str],
        progress: &Progress,
    ) -> Result<(), Error> {
        let Self::Model(model) = self else {
            return Ok(());
        };
        let distinct: BTreeSet<&str> = texts.iter().copied().collect();
        let distinct: Vec<&str> = distinct.into_iter().collect();
        let missing = model.missing(tokens, &distinct)?;
        progress.skip(texts.len() - missing.len());
        model.embedder(tokens)?.prepare(&missing, progress)
    }

    /// The vectors of a turn: one, or one of each window.
    pub(crate) fn of_turn(&self, tokens: Tokens, text: &str) -> Result<Vec<UnitVector>, Error> {
        match self {
            Self::Model(model) => {
                let windows = model.vectors(tokens, text)?.into_iter();
                Ok(windows.map(|window| window.embedding).collect())
            }
            Self::Reference(reference) => Ok(vec![reference.of_turn(tokens, text)?.to_vec()]),
        }
    }

    /// The vector of a question, cut at 256 tokens.
    pub(crate) fn of_question(&self, text: &str) -> Result<UnitVector, Error> {
        match self {
            Self::Model(model) => {
                let first = model.vectors(Tokens::First256, text)?.into_iter().next();
                Ok(first.expect("every text has a window").embedding)
            }
            Self::Reference(reference) => Ok(reference.of_question(text)?.to_vec()),
        }
    }

    /// The model itself, without a cache.
    pub(crate) fn model(&self, tokens: Tokens) -> Result<Arc<dyn Embedder>, Error> {
        match self {
            Self::Model(model) => Ok(model.embedder(tokens)?.model()),
            Self::Reference(_) => Err(Error::Arguments("reference vectors are no model")),
        }
    }

    /// The embedder that the product works with.
    pub(crate) fn product_embedder(&self) -> Result<Arc<CachedEmbedder>, Error> {
        match self {
            Self::Model(model) => model.embedder(Tokens::Windows),
            Self::Reference(_) => Err(Error::Arguments(
                "the product embeds windows, and the reference vectors have none",
            )),
        }
    }
}
