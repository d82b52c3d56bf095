//! all-MiniLM-L6-v2 by candle.
//!
//! Puts the folder's parts together; what each of them is, the other files know.

use std::fmt::{self, Debug};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::bert::BertEncoder;
use crate::config::BertConfig;
use crate::identity::Identity;
use crate::pooling::mean_at_unit_length;
use crate::weights::WeightsFile;
use crate::windowing::SPECIAL_TOKENS;
use crate::word_pieces::WordPieces;
use crate::{Embedder, Error, Window, Windowing, device};

/// How a [`MiniLm`] works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MiniLmOptions {
    /// What becomes of long texts. Part of the model's identity.
    pub windowing: Windowing,
    /// The threads that compute; all callers share them.
    pub n_threads: NonZeroUsize,
}

impl MiniLmOptions {
    /// What a memory is embedded with: [`Windowing::Overlapping`], and half of the cores (at least
    /// one), so that whoever runs the agent keeps the others.
    pub fn standard() -> Self {
        let n_cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let n_threads = NonZeroUsize::new(n_cores / 2).unwrap_or(NonZeroUsize::MIN);
        Self {
            windowing: Windowing::Overlapping,
            n_threads,
        }
    }
}

/// The model, loaded: 6 layers, 384 wide, masked mean pooling, unit length.
///
/// Takes other BERT models of its kind too (the folder says the sizes), always with mean pooling.
///
/// **One window at a time.** A window never shares a product with another, so a text's vectors are
/// the same bits alone and in any batch, nothing is padded, and memory stays that of one window of
/// 256 tokens whatever is asked for. It is also what candle does fastest on a processor: 200 texts
/// of median 64 tokens took its own encoder 12.2 s so, 16.1 s in batches of 8 and 24.6 s in sorted
/// batches of 32 (Zen 3, one core).
///
/// **Threads.** Products, softmax and layer norm run on a pool of
/// [`n_threads`](MiniLmOptions::n_threads), entered anew for each window: a query waits for at most
/// the windows in progress, not for the rest of a long call beside it. Candle's element-wise
/// operations on 65,536 numbers or more (windows of over 42 tokens) use a pool of candle's own,
/// of one thread a physical core, which only the environment (`CANDLE_NUM_THREADS`) sets.
pub struct MiniLm {
    word_pieces: WordPieces,
    encoder: BertEncoder,
    embedding_len: usize,
    windowing: Windowing,
    threads: ThreadPool,
    identity: Identity,
    weights_path: PathBuf,
}

impl MiniLm {
    /// Loads the model from a folder with `model.safetensors`, `tokenizer.json` and `config.json`,
    /// to work as [`MiniLmOptions::standard`] says.
    ///
    /// # Errors
    ///
    /// Names the file that is missing or damaged.
    pub fn load(folder: &Path) -> Result<Self, Error> {
        Self::load_with(folder, MiniLmOptions::standard())
    }

    /// Loads the model from such a folder, to work as `options` say.
    ///
    /// The empty text is embedded once, so that weights which are no numbers show here.
    ///
    /// # Errors
    ///
    /// Names the file that is missing or damaged; [`Error::WindowTokens`] where the model cannot
    /// take such windows.
    pub fn load_with(folder: &Path, options: MiniLmOptions) -> Result<Self, Error> {
        let MiniLmOptions {
            windowing,
            n_threads,
        } = options;
        let config = BertConfig::read(folder)?;
        check_window(windowing, config.max_position_embeddings)?;
        let weights = WeightsFile::map(folder)?;
        let weights_path = weights.path().to_owned();
        let (tokenizer_path, tokenizer) = WordPieces::read(folder)?;
        let device = device::pick();
        // The two slow parts, side by side.
        let (word_pieces, encoder) = std::thread::scope(|scope| {
            let word_pieces = std::thread::Builder::new()
                .name("embed-tokenizer".to_owned())
                .spawn_scoped(scope, || {
                    WordPieces::parse(tokenizer_path.clone(), &tokenizer, config.vocab_size)
                });
            let encoder = weights
                .tensors(&config, &device)
                .and_then(|tensors| Ok(BertEncoder::new(&tensors, &config, device)?));
            let word_pieces = match word_pieces {
                // The library is not ours: should it panic on a damaged file, that is an error.
                Ok(thread) => thread.join().unwrap_or_else(|_| {
                    let path = tokenizer_path.clone();
                    Err(Error::Tokenizer {
                        path,
                        source: "the tokenizer library panicked".into(),
                    })
                }),
                Err(source) => Err(Error::Threads(source.into())),
            };
            (word_pieces, encoder)
        });
        let threads = ThreadPoolBuilder::new()
            .num_threads(n_threads.get())
            .thread_name(|thread_idx| format!("embed-{thread_idx}"))
            .build()
            .map_err(|source| Error::Threads(source.into()))?;
        let minilm = Self {
            word_pieces: word_pieces?,
            encoder: encoder?,
            embedding_len: config.hidden_size,
            windowing,
            threads,
            identity: Identity::begin(weights, tokenizer, &config, windowing),
            weights_path,
        };
        minilm.embed_window(&[])?;
        Ok(minilm)
    }

    fn embed_text(&self, text: &str) -> Result<Vec<Window>, Error> {
        let tokens = self.word_pieces.tokens(text)?;
        self.windowing
            .windows(tokens.len())
            .map(|range| {
                let (token_start, token_count) = (count(range.start), count(range.len()));
                let content = tokens.get(range).expect("windows lie within the text");
                let embedding = self.embed_window(content)?;
                Ok(Window {
                    token_start,
                    token_count,
                    embedding,
                })
            })
            .collect()
    }

    /// The unit vector of one window's tokens, given without `[CLS]` and `[SEP]`.
    fn embed_window(&self, content: &[u32]) -> Result<Vec<f32>, Error> {
        let tokens = self.word_pieces.enclosed(content)?;
        let token_vectors = self
            .threads
            .install(|| self.encoder.token_vectors(&tokens))?;
        mean_at_unit_length(&token_vectors, self.embedding_len).ok_or_else(|| Error::NotFinite {
            path: self.weights_path.clone(),
        })
    }
}

impl Embedder for MiniLm {
    fn model_id(&self) -> [u8; 32] {
        self.identity.sha256()
    }

    fn embedding_len(&self) -> usize {
        self.embedding_len
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<Window>>, Error> {
        texts.iter().map(|text| self.embed_text(text)).collect()
    }
}

impl Debug for MiniLm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("MiniLm")
            .field("weights", &self.weights_path)
            .field("embedding_len", &self.embedding_len)
            .field("windowing", &self.windowing)
            .field("n_threads", &self.threads.current_num_threads())
            .field("device", &self.encoder.device().location())
            .finish_non_exhaustive()
    }
}

/// A count of tokens: a text of over four billion is refused long before.
fn count(n_tokens: usize) -> u32 {
    u32::try_from(n_tokens).unwrap_or(u32::MAX)
}

fn check_window(windowing: Windowing, positions: usize) -> Result<(), Error> {
    let asked = windowing.tokens_max();
    let min = SPECIAL_TOKENS + 1;
    if (min..=positions).contains(&asked) {
        return Ok(());
    }
    Err(Error::WindowTokens {
        asked,
        min,
        max: positions,
    })
}
