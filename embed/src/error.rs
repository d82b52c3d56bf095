//! Why a text could not be embedded, by what the caller can do about it.

use std::io;
use std::path::PathBuf;

/// What went wrong.
///
/// Every variant that a model's folder can cause names the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The folder does not hold the file. Get the model.
    #[error("{} is missing (`palimpsest model fetch` gets the model)", path.display())]
    Missing {
        /// The file that is not there.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("{action} {}", path.display())]
    Io {
        /// What was tried, such as `open`.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The name stands for a folder, a pipe or a device.
    #[error("{} is not a regular file", path.display())]
    NotAFile {
        /// What stands there.
        path: PathBuf,
    },
    /// The file is longer than any that this room reads.
    #[error("{} has {found} bytes, more than the {max} that are read", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// Its length in bytes.
        found: u64,
        /// The longest that is read, in bytes.
        max: u64,
    },
    /// The file is not the published one: fetch it again.
    #[error("{} has {found} bytes where the published file has {expected}", path.display())]
    WrongLength {
        /// The file.
        path: PathBuf,
        /// The length of the published file in bytes.
        expected: u64,
        /// Its length in bytes.
        found: u64,
    },
    /// The file is not the published one: fetch it again.
    #[error("{} has SHA-256 {found} where the published file has {expected}", path.display())]
    WrongDigest {
        /// The file.
        path: PathBuf,
        /// The published file's SHA-256, in hexadecimal.
        expected: &'static str,
        /// The file's SHA-256, in hexadecimal.
        found: String,
    },
    /// The configuration is not JSON, or lacks a setting of a BERT model.
    #[error("{} is not a model's configuration", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// Where and why.
        #[source]
        source: serde_json::Error,
    },
    /// A setting has a value for which there is no model here.
    #[error("{}: {setting} is {found}, but {expected} is needed", path.display())]
    Setting {
        /// The file.
        path: PathBuf,
        /// The setting's name in the file.
        setting: &'static str,
        /// Its value there.
        found: String,
        /// What would do.
        expected: &'static str,
    },
    /// The weights are truncated, or not safetensors at all.
    #[error("{} ({len_bytes} bytes) is not a whole safetensors file", path.display())]
    Weights {
        /// The file.
        path: PathBuf,
        /// Its length.
        len_bytes: usize,
        /// Where and why; boxed, so that no answer carries room for it.
        #[source]
        source: Box<candle_core::Error>,
    },
    /// The weights lack a tensor of the model that the configuration describes.
    #[error("{} lacks tensor {tensor}", path.display())]
    TensorMissing {
        /// The file.
        path: PathBuf,
        /// The tensor.
        tensor: String,
    },
    /// A tensor does not have the shape that the configuration describes.
    #[error("{}: tensor {tensor} has shape {found:?} where the configuration says {expected:?}", path.display())]
    TensorShape {
        /// The file.
        path: PathBuf,
        /// The tensor.
        tensor: String,
        /// Its shape by the configuration.
        expected: Vec<usize>,
        /// Its shape.
        found: Vec<usize>,
    },
    /// A tensor is not of 32-bit floats.
    #[error("{}: tensor {tensor} holds {found} where f32 is needed", path.display())]
    TensorType {
        /// The file.
        path: PathBuf,
        /// The tensor.
        tensor: String,
        /// The type of its elements, as safetensors names it.
        found: String,
    },
    /// The weights are not numbers, or so large that a vector of theirs is not.
    #[error("{} gives vectors that are not finite, or zero", path.display())]
    NotFinite {
        /// The weights' file.
        path: PathBuf,
    },
    /// The tokenizer is not one of a BERT model, or damaged.
    #[error("{} is not a tokenizer of a BERT model", path.display())]
    Tokenizer {
        /// The file.
        path: PathBuf,
        /// Where and why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The tokenizer has no such token.
    #[error("{} has no token {token}", path.display())]
    TokenMissing {
        /// The file.
        path: PathBuf,
        /// The token.
        token: &'static str,
    },
    /// The tokenizer belongs to another model: its tokens are not the weights'.
    #[error("{} has {found} tokens where the model has {expected}", path.display())]
    Vocabulary {
        /// The tokenizer's file.
        path: PathBuf,
        /// The model's tokens.
        expected: usize,
        /// The tokenizer's.
        found: usize,
    },
    /// The asked number of tokens does not fit between what a window needs and what the model can.
    #[error("a window of {asked} tokens is not within {min}..={max}")]
    WindowTokens {
        /// What was asked for.
        asked: usize,
        /// The least that can be had.
        min: usize,
        /// The most that this model can take.
        max: usize,
    },
    /// The system gives no threads.
    #[error("start the embedding threads")]
    Threads(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The tensor library failed, which a checked folder should not make it do.
    #[error("run the model")]
    Model(#[from] candle_core::Error),
}
