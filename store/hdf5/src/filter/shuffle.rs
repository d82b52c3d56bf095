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
        match width {
            2 => join::<2>(&bytes, &mut decoded, n_elements),
            4 => join::<4>(&bytes, &mut decoded, n_elements),
            8 => join::<8>(&bytes, &mut decoded, n_elements),
            _ => {
                let planes = bytes.chunks_exact(n_elements.max(1)).take(width);
                for (place, plane) in planes.enumerate() {
                    let to = decoded.iter_mut().skip(place).step_by(width);
                    to.zip(plane).for_each(|(to, from)| *to = *from);
                }
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
        match width {
            2 => split::<2>(bytes, &mut encoded, n_elements),
            4 => split::<4>(bytes, &mut encoded, n_elements),
            8 => split::<8>(bytes, &mut encoded, n_elements),
            _ => {
                let planes = encoded.chunks_exact_mut(n_elements.max(1)).take(width);
                for (place, plane) in planes.enumerate() {
                    let from = bytes.iter().skip(place).step_by(width);
                    plane
                        .iter_mut()
                        .zip(from)
                        .for_each(|(to, from)| *to = *from);
                }
            }
        }
        copy_rest(bytes, &mut encoded, n_elements.saturating_mul(width));
        Some(encoded)
    }
}

/// Sorts the bytes of elements of a width that the compiler knows, for its vector instructions.
fn split<const WIDTH: usize>(bytes: &[u8], planes: &mut [u8], n_elements: usize) {
    let (elements, _) = bytes.as_chunks::<WIDTH>();
    let planes = planes.chunks_exact_mut(n_elements.max(1)).take(WIDTH);
    for (place, plane) in planes.enumerate() {
        for (to, element) in plane.iter_mut().zip(elements) {
            *to = element.get(place).copied().unwrap_or_default();
        }
    }
}

/// The other direction of [`split`].
fn join<const WIDTH: usize>(planes: &[u8], bytes: &mut [u8], n_elements: usize) {
    let (elements, _) = bytes.as_chunks_mut::<WIDTH>();
    let planes = planes.chunks_exact(n_elements.max(1)).take(WIDTH);
    for (place, plane) in planes.enumerate() {
        for (element, from) in elements.iter_mut().zip(plane) {
            if let Some(to) = element.get_mut(place) {
                *to = *from;
            }
        }
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
