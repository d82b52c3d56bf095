//! Which model a vector is of. It knows nothing of how a model works.

use std::fmt::{self, Debug};
use std::sync::{Arc, LazyLock};

use sha2::{Digest, Sha256};

use crate::config::BertConfig;
use crate::model_folder::hex;
use crate::weights::WeightsFile;
use crate::windowing::{WINDOW_STEP_TOKENS, WINDOW_TOKENS, Windowing};

type Compute = Box<dyn FnOnce() -> [u8; 32] + Send>;

/// A model's identity: SHA-256 over weights, tokenizer and pooling configuration.
///
/// It is the SHA-256 of [`text`](Identity::text), a few lines that a person can write down and
/// pass through `sha256sum`.
///
/// Hashing 90 MB takes 0.06 s with the processor's SHA instructions and 0.3 s without. Nobody
/// waits for it: it runs beside the loading, on a thread of its own that ends with it, and only
/// who asks before it is done waits for the rest. The alternative, remembering the hash by path,
/// length and time of change, would need a file to remember it in, and believes that what has the
/// same three is the same.
#[derive(Clone)]
pub(crate) struct Identity(Arc<LazyLock<[u8; 32], Compute>>);

impl Identity {
    /// Starts to compute. The map of the weights is let go when that is done.
    pub(crate) fn begin(
        weights: WeightsFile,
        tokenizer: Vec<u8>,
        config: &BertConfig,
        windowing: Windowing,
    ) -> Self {
        let model = model_line(config, windowing);
        let compute: Compute = Box::new(move || {
            let weights = Sha256::digest(weights.bytes());
            let tokenizer = Sha256::digest(&tokenizer);
            Sha256::digest(Self::text(&hex(&weights), &hex(&tokenizer), &model)).into()
        });
        let identity = Self(Arc::new(LazyLock::new(compute)));
        let ahead = identity.clone();
        let spawned = std::thread::Builder::new()
            .name("embed-identity".to_owned())
            .spawn(move || ahead.sha256());
        if let Err(error) = spawned {
            tracing::debug!(%error, "no thread to hash the model; its first user will");
        }
        identity
    }

    /// Waits for the rest where it is not yet done.
    pub(crate) fn sha256(&self) -> [u8; 32] {
        **self.0
    }

    /// What is hashed.
    fn text(weights_sha256: &str, tokenizer_sha256: &str, model: &str) -> String {
        format!(
            "palimpsest-embed 1\nweights {weights_sha256}\ntokenizer {tokenizer_sha256}\n{model}\n"
        )
    }
}

impl Debug for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Identity(..)")
    }
}

/// What bears on a vector and is in neither of the two files: how the numbers are put together
/// (sizes show in the weights already; the heads do not), and which tokens a vector is of.
fn model_line(config: &BertConfig, windowing: Windowing) -> String {
    let windows = match windowing {
        Windowing::Overlapping => {
            format!("windows of {WINDOW_TOKENS} tokens every {WINDOW_STEP_TOKENS}")
        }
        Windowing::Cut { tokens_max } => format!("cut at {tokens_max} tokens"),
    };
    format!(
        "bert heads {} gelu layer_norm_eps {:e} mean pooling unit length {windows}",
        config.num_attention_heads, config.layer_norm_eps
    )
}
