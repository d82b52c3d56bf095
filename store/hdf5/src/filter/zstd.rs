//! Filter 32015: Zstandard frames, read by the pure-Rust `ruzstd`. They are not written: see
//! `docs/decisions/0003-read-zstd-write-deflate-and-pcodec.md`.
//!
//! Source: RFC 8878; the HDF Group's list of registered filters.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::borrow::Cow;
use std::io::Read as _;

use ruzstd::decoding::StreamingDecoder;

use super::{Codec, Decoded};

#[derive(Debug)]
pub(super) struct Zstd;

/// Every decoder should take windows of this length (RFC 8878, 3.1.1.1.2); longer ones only for
/// longer chunks.
const WINDOW_BYTES_MIN: u64 = 8 << 20;

impl Codec for Zstd {
    fn number(&self) -> u16 {
        32_015
    }

    fn decode(&self, _: &[u32], bytes: Cow<'_, [u8]>, limit: usize) -> Decoded {
        let window_bytes_max = WINDOW_BYTES_MIN.max(limit as u64);
        let decoder = StreamingDecoder::new_with_max_window_size(&*bytes, window_bytes_max);
        let Ok(mut decoder) = decoder else {
            return Err("not a Zstandard frame, or one with a longer window than its chunk");
        };
        let mut decoded = Vec::new();
        let mut limited = decoder.by_ref().take((limit as u64).saturating_add(1));
        if limited.read_to_end(&mut decoded).is_err() {
            return Err("the Zstandard frame is damaged");
        }
        if decoded.len() > limit {
            return Err("the Zstandard frame is longer than the chunk");
        }
        let frame = decoder.into_frame_decoder();
        let stated = frame.get_checksum_from_data();
        if stated.is_some() && stated != frame.get_calculated_checksum() {
            return Err("the checksum of the Zstandard frame is wrong");
        }
        Ok(decoded)
    }

    fn encode(&self, _: &[u32], _: &[u8]) -> Option<Vec<u8>> {
        None
    }
}
