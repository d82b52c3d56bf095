//! Reads frames one after another, and says of the first that is not whole why.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use super::frame::{Chain, Frame, Head, check_frame};
use super::layout::{FRAME_LEN_BYTES_MAX, FRAMES_OFFSET};
use super::log_file::LogFile;
use super::slot::Slot;
use crate::error::Damage;
use crate::{Error, Seq};

/// How much is read at once, where there is more than one frame.
const CHUNK_LEN: u64 = 1 << 20;

/// A place between two frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    /// The generation that is read.
    pub(crate) generation: u64,
    /// Where the next frame begins.
    pub(crate) offset_bytes: u64,
    /// The frame before has this number.
    pub(crate) seq: Seq,
    /// The checksum up to here.
    pub(crate) chain: Chain,
}

impl Position {
    /// Before the first frame of a log.
    pub(crate) fn start(slot: &Slot) -> Self {
        Self {
            generation: slot.generation,
            offset_bytes: FRAMES_OFFSET,
            seq: slot.base_seq,
            chain: Chain::start(slot.generation, slot.base_seq),
        }
    }
}

/// What comes next.
#[derive(Debug)]
pub(crate) enum Next {
    /// A whole frame.
    Frame(Frame),
    /// Nothing: here is where the reader was to stop.
    End,
    /// Bytes that are no whole frame.
    NotWhole(Damage),
}

/// Reads the frames from a position up to an end.
#[derive(Debug)]
pub(crate) struct FrameReader<'a> {
    log: &'a LogFile,
    position: Position,
    end: u64,
    chunk: Vec<u8>,
    /// Where `chunk` stands in the file.
    chunk_offset: u64,
}

impl<'a> FrameReader<'a> {
    pub(crate) fn new(log: &'a LogFile, position: Position, end: u64) -> Self {
        Self {
            log,
            position,
            end,
            chunk: Vec::new(),
            chunk_offset: position.offset_bytes,
        }
    }

    /// After the last whole frame.
    pub(crate) fn position(&self) -> Position {
        self.position
    }

    /// The next frame. After one that is not whole the reader stays where it is.
    pub(crate) fn next(&mut self) -> Result<Next, Error> {
        let start = self.position.offset_bytes;
        let left = self.end.saturating_sub(start);
        if left == 0 {
            return Ok(Next::End);
        }
        let Some(head) = self.bytes(Head::LEN as u64)?.and_then(Head::decode) else {
            return Ok(Next::NotWhole(Damage::TooShort));
        };
        let len = head.frame_len();
        if len > FRAME_LEN_BYTES_MAX {
            return Ok(Next::NotWhole(Damage::BadLength));
        }
        if len > left {
            return Ok(Next::NotWhole(Damage::TooShort));
        }
        if head.generation != self.position.generation || head.seq != self.position.seq.next() {
            return Ok(Next::NotWhole(Damage::OutOfOrder));
        }
        let chain = self.position.chain;
        let Some(bytes) = self.bytes(len)? else {
            return Ok(Next::NotWhole(Damage::TooShort));
        };
        let (payload, chain) = match check_frame(bytes, chain) {
            Ok((payload, chain)) => (payload.to_vec(), chain),
            Err(damage) => return Ok(Next::NotWhole(damage)),
        };
        self.position = Position {
            offset_bytes: start.saturating_add(len),
            seq: head.seq,
            chain,
            ..self.position
        };
        Ok(Next::Frame(Frame {
            offset_bytes: start,
            seq: head.seq,
            at: head.at,
            payload,
        }))
    }

    /// The next `len` bytes; `None` where the file or the end comes first.
    fn bytes(&mut self, len: u64) -> Result<Option<&[u8]>, Error> {
        let start = self.position.offset_bytes;
        let left = self.end.saturating_sub(start);
        if len > left {
            return Ok(None);
        }
        let in_chunk = |chunk_offset: u64| usize::try_from(start.checked_sub(chunk_offset)?).ok();
        let len_wanted = usize::try_from(len).unwrap_or(usize::MAX);
        let has = in_chunk(self.chunk_offset)
            .and_then(|from| self.chunk.get(from..)?.get(..len_wanted))
            .is_some();
        if !has {
            let n_read = left.min(CHUNK_LEN.max(len));
            self.chunk
                .resize(usize::try_from(n_read).unwrap_or(usize::MAX), 0);
            self.chunk_offset = start;
            let read = self.log.file.read_at(&mut self.chunk, start);
            let n_read = read.map_err(|source| self.log.refused("read", source))?;
            self.chunk.truncate(n_read);
        }
        let from = in_chunk(self.chunk_offset).unwrap_or(usize::MAX);
        Ok(self
            .chunk
            .get(from..)
            .and_then(|rest| rest.get(..len_wanted)))
    }
}
