//! Filter 1: zlib streams, by `flate2` over the pure-Rust `zlib-rs`.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::borrow::Cow;

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

use super::{Codec, Decoded};

#[derive(Debug)]
pub(super) struct Deflate;

/// No zlib stream is shorter than a thousandth of what it decodes to (deflate's limit is 1:1032).
const RATIO_MAX: usize = 1040;

impl Codec for Deflate {
    fn number(&self) -> u16 {
        1
    }

    fn decode(&self, _: &[u32], bytes: Cow<'_, [u8]>, limit: usize) -> Decoded {
        // Room for all that a stream of this length can hold, and no more.
        let room = bytes.len().saturating_mul(RATIO_MAX).min(limit);
        let mut decoded = Vec::with_capacity(room);
        let mut decompress = Decompress::new(true);
        match decompress.decompress_vec(&bytes, &mut decoded, FlushDecompress::Finish) {
            Ok(Status::StreamEnd) => Ok(decoded),
            Ok(_) => Err("the stream is cut short, or longer than the chunk"),
            Err(_) => Err("not a zlib stream"),
        }
    }

    fn encode(&self, parameters: &[u32], bytes: &[u8]) -> Option<Vec<u8>> {
        let level = parameters.first().copied().unwrap_or(6);
        let mut encoded = Vec::with_capacity(bytes.len());
        let mut compress = Compress::new(Compression::new(level), true);
        // Where it does not get shorter, it is stored as it is.
        match compress.compress_vec(bytes, &mut encoded, FlushCompress::Finish) {
            Ok(Status::StreamEnd) => Some(encoded),
            _ => None,
        }
    }
}
