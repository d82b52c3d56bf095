//! `model.safetensors`: the weights, mapped, checked and handed to candle.
//!
//! It knows the names and shapes of a BERT model's tensors, and nothing of texts.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]
#![expect(unsafe_code, reason = "mapping a file; the one place of this room")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use candle_core::safetensors::SliceSafetensors;
use candle_core::{DType, Device, Tensor};
use memmap2::Mmap;

use crate::Error;
use crate::config::BertConfig;
use crate::model_folder::{WEIGHTS_NAME, open_file};

/// The file of a model's weights, mapped.
///
/// It is mapped while the model loads and its identity is computed, a fraction of a second, and
/// no longer: the tensors are copies.
#[derive(Debug)]
pub(crate) struct WeightsFile {
    path: PathBuf,
    map: Mmap,
}

/// The tensors of a BERT encoder, by name, each of the shape that the configuration describes.
#[derive(Debug)]
pub(crate) struct Tensors(HashMap<String, Tensor>);

impl Tensors {
    /// The tensor of that name; candle's own error where there is none.
    pub(crate) fn get(&self, name: &str) -> candle_core::Result<Tensor> {
        let missing = || candle_core::Error::CannotFindTensor {
            path: name.to_owned(),
        };
        self.0.get(name).cloned().ok_or_else(missing)
    }
}

impl WeightsFile {
    /// Maps `model.safetensors`, without reading it.
    ///
    /// # Errors
    ///
    /// [`Error::Missing`], [`Error::NotAFile`], [`Error::Io`].
    pub(crate) fn map(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(WEIGHTS_NAME);
        let (file, _) = open_file(&path)?;
        // SAFETY: the map is only read, as bytes and as f32, for which every bit pattern is a
        // value. What nobody can guarantee is that no other process changes the file meanwhile:
        // overwritten in place, it would give a mixture of weights (or a header that is refused);
        // cut short, it would end this process by SIGBUS. So nothing of ours writes it in place
        // (`model fetch` renames a checked file over it, which leaves this map its old bytes), and
        // the map is dropped as soon as the weights are copied and hashed. Who overwrites a model
        // by hand must not do so in the moment in which a process starts.
        let map = unsafe { Mmap::map(&file) }.map_err(|source| Error::Io {
            action: "map",
            path: path.clone(),
            source,
        })?;
        Ok(Self { path, map })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Copies the tensors that `config` describes to `device`.
    ///
    /// # Errors
    ///
    /// [`Error::Weights`] where the file is not whole; [`Error::TensorMissing`],
    /// [`Error::TensorType`] and [`Error::TensorShape`] where it is another model's.
    pub(crate) fn tensors(&self, config: &BertConfig, device: &Device) -> Result<Tensors, Error> {
        let file = SliceSafetensors::new(&self.map).map_err(|source| Error::Weights {
            path: self.path.clone(),
            len_bytes: self.map.len(),
            source: Box::new(source),
        })?;
        let mut tensors = HashMap::new();
        for (name, shape) in tensor_shapes(config) {
            let tensor = self.checked_tensor(&file, &name, &shape, device)?;
            tensors.insert(name, tensor);
        }
        Ok(Tensors(tensors))
    }

    fn checked_tensor(
        &self,
        file: &SliceSafetensors<'_>,
        name: &str,
        shape: &[usize],
        device: &Device,
    ) -> Result<Tensor, Error> {
        let Ok(view) = file.get(name) else {
            return Err(Error::TensorMissing {
                path: self.path.clone(),
                tensor: name.to_owned(),
            });
        };
        if DType::try_from(view.dtype()).ok() != Some(DType::F32) {
            return Err(Error::TensorType {
                path: self.path.clone(),
                tensor: name.to_owned(),
                found: view.dtype().to_string(),
            });
        }
        if view.shape() != shape {
            return Err(Error::TensorShape {
                path: self.path.clone(),
                tensor: name.to_owned(),
                expected: shape.to_owned(),
                found: view.shape().to_owned(),
            });
        }
        Ok(Tensor::from_raw_buffer(
            view.data(),
            DType::F32,
            shape,
            device,
        )?)
    }
}

/// The tensors of a BERT encoder, by the names they were trained under, and their shapes.
///
/// The pooler and the position ids, which the file holds too, are not used. Lazy, so that a
/// configuration with absurdly many layers ends at the first one that the file lacks.
fn tensor_shapes(config: &BertConfig) -> impl Iterator<Item = (String, Vec<usize>)> {
    let hidden = config.hidden_size;
    let intermediate = config.intermediate_size;
    let embeddings = [
        (
            "embeddings.word_embeddings.weight",
            vec![config.vocab_size, hidden],
        ),
        (
            "embeddings.position_embeddings.weight",
            vec![config.max_position_embeddings, hidden],
        ),
        (
            "embeddings.token_type_embeddings.weight",
            vec![config.type_vocab_size, hidden],
        ),
        ("embeddings.LayerNorm.weight", vec![hidden]),
        ("embeddings.LayerNorm.bias", vec![hidden]),
    ];
    let layers = (0..config.num_hidden_layers).flat_map(move |layer_idx| {
        [
            ("attention.self.query", hidden, Some(hidden)),
            ("attention.self.key", hidden, Some(hidden)),
            ("attention.self.value", hidden, Some(hidden)),
            ("attention.output.dense", hidden, Some(hidden)),
            ("attention.output.LayerNorm", hidden, None),
            ("intermediate.dense", intermediate, Some(hidden)),
            ("output.dense", hidden, Some(intermediate)),
            ("output.LayerNorm", hidden, None),
        ]
        .into_iter()
        .flat_map(move |(part, n_out, n_in)| {
            let name = format!("encoder.layer.{layer_idx}.{part}");
            let weight_shape = [n_out].into_iter().chain(n_in).collect();
            [
                (format!("{name}.weight"), weight_shape),
                (format!("{name}.bias"), vec![n_out]),
            ]
        })
    });
    embeddings
        .map(|(name, shape)| (name.to_owned(), shape))
        .into_iter()
        .chain(layers)
}
