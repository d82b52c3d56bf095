//! Writing the log while the commit lock is held. Keeps the order of syncs and header slots.

use palimpsest_hdf5::File;

use super::header::Header;
use super::layout::{FRAMES_OFFSET, SLOT_OFFSETS};
use super::log_file::LogFile;
use super::slot::Slot;
use crate::Error;
use crate::lock::CommitLock;

/// How much is copied at once.
const CHUNK_LEN: usize = 1 << 20;

/// The log, with its commit lock held until this is dropped.
#[derive(Debug)]
pub(crate) struct Hold<'a> {
    lock: CommitLock<'a>,
    /// Whether the log was synced since this hold last wrote a slot. Without that a slot must not
    /// be written: a loss of power could take both.
    is_synced: bool,
}

impl<'a> Hold<'a> {
    pub(crate) fn new(lock: CommitLock<'a>) -> Self {
        Self {
            lock,
            is_synced: false,
        }
    }

    /// The log that is held.
    pub(crate) fn log(&self) -> &'a LogFile {
        self.lock.log()
    }

    fn file(&self) -> &'a dyn File {
        &*self.log().file
    }

    fn write(&self, bytes: &[u8], offset_bytes: u64) -> Result<(), Error> {
        let written = self.file().write_at(bytes, offset_bytes);
        written.map_err(|source| self.log().refused("write", source))
    }

    /// Makes a log of a file that was never begun: its first slot, and nothing behind.
    pub(crate) fn begin(&mut self, slot: &Slot) -> Result<(), Error> {
        let mut bytes = vec![0; usize::try_from(FRAMES_OFFSET).expect("8 KiB")];
        let encoded = slot.encode();
        bytes[..encoded.len()].copy_from_slice(&encoded);
        self.write(&bytes, 0)?;
        self.sync()
    }

    /// Writes frames at the durable end.
    pub(crate) fn append(&mut self, frames: &[u8], durable_end: u64) -> Result<(), Error> {
        self.write(frames, durable_end)
    }

    /// Makes durable what was written.
    pub(crate) fn sync(&mut self) -> Result<(), Error> {
        self.file()
            .sync_data()
            .map_err(|source| self.log().refused("sync", source))?;
        self.is_synced = true;
        Ok(())
    }

    /// Writes `slot` over the slot that does not rule; the header after that.
    pub(crate) fn write_slot(
        &mut self,
        header: &Header,
        ruling_idx: usize,
        slot: &Slot,
    ) -> Result<Header, Error> {
        assert!(
            self.is_synced,
            "a slot is written only after a sync under the same lock"
        );
        self.is_synced = false;
        let idx = 1 - ruling_idx;
        self.write(&slot.encode(), SLOT_OFFSETS[idx])?;
        Ok(header.with(idx, slot))
    }

    /// Writes the ruling slot again, unchanged and in place, so that the next sync covers it.
    pub(crate) fn write_slot_again(&mut self, header: &Header, idx: usize) -> Result<(), Error> {
        self.write(header.slot_bytes(idx), SLOT_OFFSETS[idx])
    }

    /// Writes bytes of the file again, unchanged and in place, so that the next sync covers them.
    pub(crate) fn write_again(&mut self, from: u64, end: u64) -> Result<(), Error> {
        let mut offset_bytes = from;
        while offset_bytes < end {
            let left = usize::try_from(end - offset_bytes).unwrap_or(usize::MAX);
            let mut chunk = vec![0; left.min(CHUNK_LEN)];
            let read = self.file().read_at(&mut chunk, offset_bytes);
            let n_read = read.map_err(|source| self.log().refused("read", source))?;
            if n_read == 0 {
                return Err(self
                    .log()
                    .refused("read", std::io::ErrorKind::UnexpectedEof.into()));
            }
            self.write(&chunk[..n_read], offset_bytes)?;
            offset_bytes += n_read as u64;
        }
        Ok(())
    }

    /// Cuts what is behind `end`.
    pub(crate) fn cut(&mut self, end: u64) -> Result<(), Error> {
        self.file()
            .set_len(end)
            .map_err(|source| self.log().refused("cut", source))
    }
}
