//! Filter 2: the bytes of all elements, sorted by their place in the element.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::borrow::Cow;

use super::{Codec, Decoded};

#[derive(Debug)]
pub(super) struct Shuffle;

impl Codec for Shuffle {
    fn number(&self) -> u16 {
        2
    }

    fn decode(&self, parameters: &[u32], bytes: Cow<'_, [u8]>, _: usize) -> Decoded {
        let Some(width) = width(parameters, &bytes) else {
            return Ok(bytes.into_owned());
        };
        let mut decoded = vec![0; bytes.len()];
        let n_elements = bytes.len().checked_div(width).unwrap_or(0);
        let planes = bytes.chunks_exact(n_elements.max(1)).take(width);
        for (place, plane) in planes.enumerate() {
            let to = decoded.iter_mut().skip(place).step_by(width);
            for (to, from) in to.zip(plane) {
                *to = *from;
            }
        }
        copy_rest(&bytes, &mut decoded, n_elements.saturating_mul(width));
        Ok(decoded)
    }

    fn encode(&self, parameters: &[u32], bytes: &[u8]) -> Option<Vec<u8>> {
        let Some(width) = width(parameters, bytes) else {
            return Some(bytes.to_vec());
        };
        let mut encoded = vec![0; bytes.len()];
        let n_elements = bytes.len().checked_div(width).unwrap_or(0);
        let planes = encoded.chunks_exact_mut(n_elements.max(1)).take(width);
        for (place, plane) in planes.enumerate() {
            let from = bytes.iter().skip(place).step_by(width);
            for (to, from) in plane.iter_mut().zip(from) {
                *to = *from;
            }
        }
        copy_rest(bytes, &mut encoded, n_elements.saturating_mul(width));
        Some(encoded)
    }
}

/// The element's width, where there is anything to shuffle.
fn width(parameters: &[u32], bytes: &[u8]) -> Option<usize> {
    let width = usize::try_from(*parameters.first()?).ok()?;
    (width > 1 && bytes.len() >= width).then_some(width)
}

/// What is no whole element stays as it is, at the end.
fn copy_rest(from: &[u8], to: &mut [u8], whole: usize) {
    if let (Some(from), Some(to)) = (from.get(whole..), to.get_mut(whole..)) {
        to.copy_from_slice(from);
    }
}
