//! One frame of the log and its bytes. Its payload is anyone's.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use super::layout::{
    FRAME_CRC_LEN, FRAME_GENERATION_AT, FRAME_OVERHEAD, PAYLOAD_AT, PAYLOAD_LEN_AT, SEQ_AT, TIME_AT,
};
use crate::error::Damage;
use crate::{Seq, Timestamp};

/// The checksum so far: of all frames of a generation up to here.
///
/// Each frame's checksum goes on from the one before, so a frame is whole only behind the very
/// frame that it was planned on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chain(u32);

impl Chain {
    /// Before the first frame of a generation.
    pub(crate) fn start(generation: u64, base_seq: Seq) -> Self {
        let seed = crc32c::crc32c(&generation.to_le_bytes());
        Self(crc32c::crc32c_append(seed, &base_seq.0.to_le_bytes()))
    }

    fn then(self, bytes: &[u8]) -> Self {
        Self(crc32c::crc32c_append(self.0, bytes))
    }
}

/// A frame that was read and is whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Where it begins in the file.
    pub(crate) offset_bytes: u64,
    /// The commit's number.
    pub(crate) seq: Seq,
    /// The commit's time.
    pub(crate) at: Timestamp,
    /// What was committed.
    pub(crate) payload: Vec<u8>,
}

/// What a frame with such a payload takes.
pub(crate) fn frame_len_bytes(payload_len: usize) -> u64 {
    FRAME_OVERHEAD.saturating_add(payload_len as u64)
}

/// Adds a frame to `bytes`; the chain after it.
///
/// The payload must fit a frame: see [`super::FRAME_LEN_BYTES_MAX`].
pub(crate) fn append_frame(
    bytes: &mut Vec<u8>,
    chain: Chain,
    generation: u64,
    (seq, at): (Seq, Timestamp),
    payload: &[u8],
) -> Chain {
    let start = bytes.len();
    let payload_len = u32::try_from(payload.len()).expect("a frame is at most 64 MiB");
    bytes.extend_from_slice(&payload_len.to_le_bytes());
    bytes.extend_from_slice(&generation.to_le_bytes());
    bytes.extend_from_slice(&seq.0.to_le_bytes());
    bytes.extend_from_slice(&at.0.to_le_bytes());
    bytes.extend_from_slice(payload);
    let chain = chain.then(bytes.get(start..).unwrap_or_default());
    bytes.extend_from_slice(&chain.0.to_le_bytes());
    chain
}

/// The head of a frame.
pub(super) struct Head {
    pub(super) payload_len: u32,
    pub(super) generation: u64,
    pub(super) seq: Seq,
    pub(super) at: Timestamp,
}

impl Head {
    pub(super) const LEN: usize = PAYLOAD_AT;

    /// From the first bytes of a frame; `None` where they are fewer than a head takes.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        Some(Self {
            payload_len: u32::from_le_bytes(take(bytes, PAYLOAD_LEN_AT)?),
            generation: u64::from_le_bytes(take(bytes, FRAME_GENERATION_AT)?),
            seq: Seq(u64::from_le_bytes(take(bytes, SEQ_AT)?)),
            at: Timestamp(i64::from_le_bytes(take(bytes, TIME_AT)?)),
        })
    }

    /// The whole frame.
    pub(super) fn frame_len(&self) -> u64 {
        FRAME_OVERHEAD.saturating_add(u64::from(self.payload_len))
    }
}

/// Checks a frame's checksum, which must go on from `chain`; its payload, and the chain after it.
pub(super) fn check_frame(bytes: &[u8], chain: Chain) -> Result<(&[u8], Chain), Damage> {
    let (summed, crc) = bytes
        .split_last_chunk::<FRAME_CRC_LEN>()
        .ok_or(Damage::BadLength)?;
    let chain = chain.then(summed);
    if chain.0 != u32::from_le_bytes(*crc) {
        return Err(Damage::BadChecksum);
    }
    Ok((summed.get(Head::LEN..).ok_or(Damage::BadLength)?, chain))
}

fn take<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}
