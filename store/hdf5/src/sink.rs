//! Where written bytes go: always behind everything written before. It knows no structure.

use std::borrow::Cow;

use crate::error::Result;

/// Metadata begins at multiples of this.
pub(crate) const METADATA_ALIGNMENT: u64 = 8;

/// Something that bytes are appended to. `'a` is how long bytes that are borrowed live.
pub(crate) trait Sink<'a> {
    /// The address that the next piece put without further alignment gets.
    fn next_address(&self) -> u64;

    /// How many bytes were put by now, without the gaps between them.
    fn put_bytes(&self) -> u64;

    /// Appends `bytes` at the next multiple of `align`; their address.
    fn put(&mut self, bytes: Cow<'a, [u8]>, align: u64) -> Result<u64>;

    /// The same, where the caller keeps the bytes.
    fn put_copy(&mut self, bytes: &[u8], align: u64) -> Result<u64> {
        self.put(Cow::Owned(bytes.to_vec()), align)
    }

    /// Writes over bytes that were put as zeros, to keep their place, since the last publication.
    fn fill(&mut self, address: u64, bytes: &[u8]) -> Result<()>;

    /// Appends a piece of metadata; its address.
    fn append(&mut self, bytes: Vec<u8>) -> Result<u64> {
        self.put(Cow::Owned(bytes), METADATA_ALIGNMENT)
    }
}

/// A whole file in the making, in pieces, so that what is borrowed is never copied.
#[derive(Debug, Default)]
pub(crate) struct PieceSink<'a> {
    /// Each with the address where it begins.
    pieces: Vec<(u64, Cow<'a, [u8]>)>,
    end: u64,
    put_bytes: u64,
}

impl<'a> PieceSink<'a> {
    /// A file that begins with `first_bytes` zeros, for the superblock.
    pub(crate) fn behind(first_bytes: usize) -> Self {
        let first = (0, Cow::Owned(vec![0; first_bytes]));
        Self {
            pieces: vec![first],
            end: first_bytes as u64,
            put_bytes: first_bytes as u64,
        }
    }

    /// All pieces, one behind the other.
    pub(crate) fn into_pieces(self) -> Vec<Cow<'a, [u8]>> {
        self.pieces.into_iter().map(|(_, piece)| piece).collect()
    }

    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// The `len` bytes that were put at `address`, all at once.
    pub(crate) fn read(&self, address: u64, len: u64) -> Cow<'_, [u8]> {
        let behind = self.pieces.partition_point(|(start, _)| *start <= address);
        let found = behind
            .checked_sub(1)
            .and_then(|place| self.pieces.get(place));
        let bytes = found.and_then(|(start, piece)| {
            let from = usize::try_from(address - *start).ok()?;
            piece
                .get(from..)?
                .get(..usize::try_from(len).unwrap_or(usize::MAX))
        });
        Cow::Borrowed(bytes.expect("what was put at once lies in one piece"))
    }

    /// The last piece as one that can be added to.
    fn open_piece(&mut self) -> &mut Vec<u8> {
        if !matches!(self.pieces.last(), Some((_, Cow::Owned(_)))) {
            self.pieces.push((self.end, Cow::Owned(Vec::new())));
        }
        match self.pieces.last_mut() {
            Some((_, Cow::Owned(piece))) => piece,
            _ => unreachable!("an owned piece was just pushed"),
        }
    }
}

/// A borrowed piece at least as long as this is kept as it is; shorter ones are gathered.
const PIECE_BYTES_MIN: usize = 4096;

impl<'a> Sink<'a> for PieceSink<'a> {
    fn next_address(&self) -> u64 {
        self.end.next_multiple_of(METADATA_ALIGNMENT)
    }

    fn put_bytes(&self) -> u64 {
        self.put_bytes
    }

    fn put(&mut self, bytes: Cow<'a, [u8]>, align: u64) -> Result<u64> {
        self.put_bytes += bytes.len() as u64;
        let address = self.end.next_multiple_of(align.max(1));
        let gap = usize::try_from(address - self.end).unwrap_or(usize::MAX);
        if gap > 0 {
            let piece = self.open_piece();
            piece.resize(piece.len() + gap, 0);
        }
        let len = bytes.len() as u64;
        self.end = address;
        if bytes.len() < PIECE_BYTES_MIN {
            self.open_piece().extend_from_slice(&bytes);
        } else {
            self.pieces.push((address, bytes));
        }
        self.end = address + len;
        Ok(address)
    }

    fn fill(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        let behind = self.pieces.partition_point(|(start, _)| *start <= address);
        let found = behind
            .checked_sub(1)
            .and_then(|place| self.pieces.get_mut(place));
        let kept = found.and_then(|(start, piece)| match piece {
            Cow::Owned(piece) => {
                let from = usize::try_from(address - *start).ok()?;
                piece.get_mut(from..from.checked_add(bytes.len())?)
            }
            Cow::Borrowed(_) => None,
        });
        kept.expect("only what was put as zeros of our own is filled")
            .copy_from_slice(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
