//! Filter 1: zlib streams, by `flate2` over the pure-Rust `zlib-rs`.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::borrow::Cow;
use std::cell::RefCell;

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

use super::{Codec, Decoded};

#[derive(Debug)]
pub(super) struct Deflate;

/// No zlib stream is shorter than a thousandth of what it decodes to (deflate's limit is 1:1032).
const RATIO_MAX: usize = 1040;

thread_local! {
    /// A compressor takes 300 KB, which would have to be cleared for each chunk of some KB.
    static COMPRESS: RefCell<Option<(u32, Compress)>> = const { RefCell::new(None) };
    static DECOMPRESS: RefCell<Decompress> = RefCell::new(Decompress::new(true));
}

impl Codec for Deflate {
    fn number(&self) -> u16 {
        1
    }

    fn decode(&self, _: &[u32], bytes: Cow<'_, [u8]>, limit: usize) -> Decoded {
        // Room for all that a stream of this length can hold, and no more.
        let room = bytes.len().saturating_mul(RATIO_MAX).min(limit);
        let mut decoded = Vec::with_capacity(room);
        let status = DECOMPRESS.with_borrow_mut(|decompress| {
            decompress.reset(true);
            decompress.decompress_vec(&bytes, &mut decoded, FlushDecompress::Finish)
        });
        match status {
            Ok(Status::StreamEnd) => Ok(decoded),
            Ok(_) => Err("the stream is cut short, or longer than the chunk"),
            Err(_) => Err("not a zlib stream"),
        }
    }

    fn encode(&self, parameters: &[u32], bytes: &[u8]) -> Option<Vec<u8>> {
        // A stranger's file may say anything; the greatest level is what it can mean.
        let level = parameters.first().copied().unwrap_or(6).min(9);
        let mut encoded = Vec::with_capacity(bytes.len());
        let status = COMPRESS.with_borrow_mut(|kept| {
            let compress = match kept {
                Some((kept_level, compress)) if *kept_level == level => {
                    compress.reset();
                    compress
                }
                _ => {
                    let compress = Compress::new(Compression::new(level), true);
                    &mut kept.insert((level, compress)).1
                }
            };
            compress.compress_vec(bytes, &mut encoded, FlushCompress::Finish)
        });
        // Where it does not get shorter, it is stored as it is.
        match status {
            Ok(Status::StreamEnd) => Some(encoded),
            _ => None,
        }
    }
}
