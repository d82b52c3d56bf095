//! Filter 3: Fletcher's checksum behind the chunk.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::borrow::Cow;

use super::{Codec, Decoded};
use crate::checksum::fletcher32;

#[derive(Debug)]
pub(super) struct Fletcher32;

impl Codec for Fletcher32 {
    fn number(&self) -> u16 {
        3
    }

    fn decode(&self, _: &[u32], bytes: Cow<'_, [u8]>, _: usize) -> Decoded {
        let Some((data, stored)) = bytes.split_last_chunk::<4>() else {
            return Err("too short for a checksum");
        };
        let found = fletcher32(data);
        let stored = u32::from_le_bytes(*stored);
        // Versions of the C library before 1.6.3 swapped the bytes of each half.
        let swapped = (found & 0x00ff_00ff) << 8 | (found & 0xff00_ff00) >> 8;
        if stored != found && stored != swapped {
            return Err("the checksum is another");
        }
        let len = data.len();
        let mut bytes = bytes.into_owned();
        bytes.truncate(len);
        Ok(bytes)
    }

    fn encode(&self, _: &[u32], bytes: &[u8]) -> Option<Vec<u8>> {
        Some([bytes, &fletcher32(bytes).to_le_bytes()].concat())
    }
}
