//! The encoder of a BERT model on candle: tokens in, a vector for each out.
//!
//! It knows nothing of files or texts. One window at a time, so there is neither a batch dimension
//! nor a mask.
//!
//! Source: Devlin et al. 2019; the names of the tensors are those of its published weights.

use candle_core::{D, Device, Result, Tensor};
use candle_nn::{LayerNorm, Linear, Module, ops::softmax};

use crate::config::BertConfig;
use crate::weights::Tensors;

/// The weights, in the order in which a window passes them.
pub(crate) struct BertEncoder {
    /// `[vocab_size, hidden_size]`
    words: Tensor,
    /// `[max_position_embeddings, hidden_size]`, with the first token type's vector added: all
    /// tokens of a window are of that type.
    positions: Tensor,
    norm: LayerNorm,
    layers: Vec<Layer>,
    device: Device,
}

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    attended_norm: LayerNorm,
    inner: Linear,
    outer: Linear,
    outer_norm: LayerNorm,
    n_heads: usize,
}

impl BertEncoder {
    /// Takes the tensors that `config` describes.
    ///
    /// # Errors
    ///
    /// Where candle fails, which with checked tensors it does not.
    pub(crate) fn new(tensors: &Tensors, config: &BertConfig, device: Device) -> Result<Self> {
        let first_type = tensors
            .get("embeddings.token_type_embeddings.weight")?
            .narrow(0, 0, 1)?;
        let positions = tensors.get("embeddings.position_embeddings.weight")?;
        Ok(Self {
            words: tensors.get("embeddings.word_embeddings.weight")?,
            positions: positions.broadcast_add(&first_type)?,
            norm: layer_norm(tensors, "embeddings.LayerNorm", config)?,
            layers: (0..config.num_hidden_layers)
                .map(|layer_idx| Layer::new(tensors, &format!("encoder.layer.{layer_idx}"), config))
                .collect::<Result<_>>()?,
            device,
        })
    }

    /// Where it runs.
    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// The last layer's vectors of a window's tokens, `[CLS]` and `[SEP]` included: row-major
    /// `[n_tokens, hidden_size]`.
    ///
    /// # Errors
    ///
    /// Where a token or the number of tokens is beyond the model's, or candle fails.
    pub(crate) fn token_vectors(&self, tokens: &[u32]) -> Result<Vec<f32>> {
        let positions = self.positions.narrow(0, 0, tokens.len())?; // [n_tokens, hidden_size]
        let tokens = Tensor::new(tokens, &self.device)?; // [n_tokens]
        let words = self.words.index_select(&tokens, 0)?; // [n_tokens, hidden_size]
        let mut hidden = self.norm.forward(&(words + positions)?)?; // [n_tokens, hidden_size]
        for layer in &self.layers {
            hidden = layer.forward(&hidden)?;
        }
        hidden.flatten_all()?.to_vec1()
    }
}

impl Layer {
    fn new(tensors: &Tensors, layer: &str, config: &BertConfig) -> Result<Self> {
        let linear = |part| linear(tensors, &format!("{layer}.{part}"));
        let layer_norm = |part| layer_norm(tensors, &format!("{layer}.{part}"), config);
        Ok(Self {
            query: linear("attention.self.query")?,
            key: linear("attention.self.key")?,
            value: linear("attention.self.value")?,
            attended: linear("attention.output.dense")?,
            attended_norm: layer_norm("attention.output.LayerNorm")?,
            inner: linear("intermediate.dense")?,
            outer: linear("output.dense")?,
            outer_norm: layer_norm("output.LayerNorm")?,
            n_heads: config.num_attention_heads,
        })
    }

    /// Shape: `[n_tokens, hidden_size]` in and out.
    fn forward(&self, hidden: &Tensor) -> Result<Tensor> {
        let attended = self.attended.forward(&self.attention(hidden)?)?;
        let hidden = self.attended_norm.forward(&(hidden + attended)?)?;
        let inner = self.inner.forward(&hidden)?.gelu_erf()?; // [n_tokens, intermediate_size]
        let outer = self.outer.forward(&inner)?;
        self.outer_norm.forward(&(hidden + outer)?)
    }

    /// softmax(Q Kᵀ / √`head_len`) V for each head. Shape: `[n_tokens, hidden_size]` in and out.
    fn attention(&self, hidden: &Tensor) -> Result<Tensor> {
        let (n_tokens, hidden_len) = hidden.dims2()?;
        let head_len = hidden_len / self.n_heads;
        let by_head = |part: &Linear| {
            // [n_heads, n_tokens, head_len]
            let rows = part
                .forward(hidden)?
                .reshape((n_tokens, self.n_heads, head_len))?;
            rows.transpose(0, 1)?.contiguous()
        };
        #[expect(clippy::cast_precision_loss, reason = "a head is a few dozen long")]
        let scale = 1.0 / (head_len as f64).sqrt();
        let query = (by_head(&self.query)? * scale)?;
        let scores = query.matmul(&by_head(&self.key)?.t()?)?; // [n_heads, n_tokens, n_tokens]
        let context = softmax(&scores, D::Minus1)?.matmul(&by_head(&self.value)?)?;
        context
            .transpose(0, 1)?
            .contiguous()?
            .reshape((n_tokens, hidden_len))
    }
}

fn linear(tensors: &Tensors, name: &str) -> Result<Linear> {
    let weight = tensors.get(&format!("{name}.weight"))?;
    let bias = tensors.get(&format!("{name}.bias"))?;
    Ok(Linear::new(weight, Some(bias)))
}

fn layer_norm(tensors: &Tensors, name: &str, config: &BertConfig) -> Result<LayerNorm> {
    let weight = tensors.get(&format!("{name}.weight"))?;
    let bias = tensors.get(&format!("{name}.bias"))?;
    Ok(LayerNorm::new(weight, bias, config.layer_norm_eps))
}
