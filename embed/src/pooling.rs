//! From one vector a token to one vector a text. It knows nothing of tensors or models.

/// The mean of `token_vectors` (row-major `[n_tokens, embedding_len]`), at unit length.
///
/// There is no padding here, so the mask of "masked mean pooling" is all ones. Summed in `f64`,
/// so that the order and the number of tokens add no error of their own. `None` where the result
/// is not finite or has no direction, which only weights that are not numbers bring about.
///
/// Source: Reimers and Gurevych 2019, section 3 (mean pooling).
pub(crate) fn mean_at_unit_length(token_vectors: &[f32], embedding_len: usize) -> Option<Vec<f32>> {
    // The division by the number of tokens would cancel in the normalisation.
    let mut sum = vec![0.0_f64; embedding_len];
    for token_vector in token_vectors.chunks_exact(embedding_len) {
        for (total, &value) in sum.iter_mut().zip(token_vector) {
            *total += f64::from(value);
        }
    }
    let norm = sum.iter().map(|value| value * value).sum::<f64>().sqrt();
    if !norm.is_normal() {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "rounding to f32 is what is wanted"
    )]
    let embedding = sum.iter().map(|value| (value / norm) as f32).collect();
    Some(embedding)
}

#[cfg(test)]
mod tests;
