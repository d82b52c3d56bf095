//! `tokenizer.json`: from a text to the numbers of its word pieces.
//!
//! It knows nothing of windows or weights.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use tokenizers::Tokenizer;

use crate::Error;
use crate::model_folder::{TOKENIZER_NAME, read_file};

/// The published one has 466 kB; one of a large multilingual vocabulary 17 MB.
const TOKENIZER_LEN_MAX_BYTES: u64 = 64 << 20;

/// How much of a text is tokenized at once, up to the next space.
const PART_LEN_BYTES: usize = 16 << 10;

/// The tokenizer of a BERT model, without the truncation and padding that its file asks for.
#[derive(Debug)]
pub(crate) struct WordPieces {
    path: PathBuf,
    tokenizer: Tokenizer,
    n_tokens: usize,
    cls: u32,
    sep: u32,
}

/// The kinds of a tokenizer's parts. Looked at first, since the library knows many kinds, some of
/// which panic on damaged data, and a BERT model has these three only.
#[derive(Deserialize)]
struct Kinds {
    model: Kind,
    normalizer: Kind,
    pre_tokenizer: Kind,
}

#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type")]
    name: String,
}

impl WordPieces {
    /// Makes the tokenizer from the bytes of its file, for a model of `n_tokens` tokens.
    ///
    /// # Errors
    ///
    /// [`Error::Tokenizer`] where the bytes are not a tokenizer, [`Error::Setting`] where it is
    /// not a BERT model's, [`Error::TokenMissing`], and [`Error::Vocabulary`] where it is another
    /// model's.
    pub(crate) fn parse(path: PathBuf, bytes: &[u8], n_tokens: usize) -> Result<Self, Error> {
        let kinds: Kinds = serde_json::from_slice(bytes).map_err(|source| Error::Tokenizer {
            path: path.clone(),
            source: source.into(),
        })?;
        for (setting, kind, expected) in [
            ("model.type", kinds.model, "WordPiece"),
            ("normalizer.type", kinds.normalizer, "BertNormalizer"),
            (
                "pre_tokenizer.type",
                kinds.pre_tokenizer,
                "BertPreTokenizer",
            ),
        ] {
            if kind.name != expected {
                let found = format!("{:?}", kind.name);
                return Err(Error::Setting {
                    path,
                    setting,
                    found,
                    expected,
                });
            }
        }
        let library_error = |source| Error::Tokenizer {
            path: path.clone(),
            source,
        };
        let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(library_error)?;
        // The published file cuts at 128 tokens and fills up to 128.
        tokenizer.with_truncation(None).map_err(library_error)?;
        tokenizer.with_padding(None);
        let found = tokenizer.get_vocab_size(true);
        if found != n_tokens {
            return Err(Error::Vocabulary {
                path,
                expected: n_tokens,
                found,
            });
        }
        let id_of = |token| {
            tokenizer
                .token_to_id(token)
                .ok_or_else(|| Error::TokenMissing {
                    path: path.clone(),
                    token,
                })
        };
        let (cls, sep) = (id_of("[CLS]")?, id_of("[SEP]")?);
        Ok(Self {
            path,
            tokenizer,
            n_tokens,
            cls,
            sep,
        })
    }

    /// The path and the bytes of `tokenizer.json`.
    ///
    /// # Errors
    ///
    /// Those of reading.
    pub(crate) fn read(folder: &Path) -> Result<(PathBuf, Vec<u8>), Error> {
        let path = folder.join(TOKENIZER_NAME);
        let bytes = read_file(&path, TOKENIZER_LEN_MAX_BYTES)?;
        Ok((path, bytes))
    }

    /// The tokens of `text`, without `[CLS]` and `[SEP]`; as many as it has.
    ///
    /// A name of a special token that the text holds (`[SEP]`) becomes that token, as in the
    /// library that the model was trained with.
    ///
    /// # Errors
    ///
    /// [`Error::Tokenizer`] and [`Error::Vocabulary`] where the file is damaged.
    pub(crate) fn tokens(&self, text: &str) -> Result<Vec<u32>, Error> {
        let mut tokens = Vec::new();
        for part in parts(text, PART_LEN_BYTES) {
            let encoding = self.tokenizer.encode_fast(part, false);
            let encoding = encoding.map_err(|source| Error::Tokenizer {
                path: self.path.clone(),
                source,
            })?;
            tokens.extend_from_slice(encoding.get_ids());
        }
        self.check(&tokens)?;
        Ok(tokens)
    }

    /// `content` between `[CLS]` and `[SEP]`.
    ///
    /// # Errors
    ///
    /// [`Error::Vocabulary`] where the file gives those a number that the model does not have.
    pub(crate) fn enclosed(&self, content: &[u32]) -> Result<Vec<u32>, Error> {
        let tokens = [&[self.cls], content, &[self.sep]].concat();
        self.check(&tokens)?;
        Ok(tokens)
    }

    fn check(&self, tokens: &[u32]) -> Result<(), Error> {
        let largest = tokens
            .iter()
            .copied()
            .max()
            .map_or(0, |token| token as usize);
        if largest < self.n_tokens {
            return Ok(());
        }
        Err(Error::Vocabulary {
            path: self.path.clone(),
            expected: self.n_tokens,
            found: largest.saturating_add(1),
        })
    }
}

/// `text` in parts whose tokens, one after the other, are its tokens.
///
/// The library keeps some 300 bytes for each byte of what it is given at once, a third of a
/// gigabyte for a text of the greatest length. No token and no rule of a BERT tokenizer reaches
/// across a space or a line feed, so a part ends before the first of them after `len_bytes` (at
/// least 1). Other white space is not as plain: a vertical tab is removed as a control character,
/// and what it parted grows together.
fn parts(text: &str, len_bytes: usize) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let mut bytes_behind = text.bytes().skip(len_bytes);
        let border = bytes_behind.position(|byte| matches!(byte, b' ' | b'\n'));
        let parted = border.and_then(|after| text.split_at_checked(len_bytes + after));
        let (part, behind) = parted.map_or((text, None), |(part, behind)| (part, Some(behind)));
        rest = behind;
        Some(part)
    })
}

#[cfg(test)]
mod tests;
