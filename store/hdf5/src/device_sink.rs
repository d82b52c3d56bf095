//! A file that is there, appended to behind its published end. It knows no structure.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use crate::backend::File;
use crate::error::{Error, Result};
use crate::sink::{METADATA_ALIGNMENT, Sink};
use crate::source::{ReadAt, Source};

/// Pieces shorter than this are gathered.
const PIECE_BYTES_MIN: usize = 64 << 10;
/// What was gathered is written when it is longer than this, or something long comes behind it.
const GATHER_BYTES: usize = 1 << 20;

impl ReadAt for Arc<dyn File> {
    fn read_at(&self, buffer: &mut [u8], offset_bytes: u64) -> io::Result<usize> {
        File::read_at(self.as_ref(), buffer, offset_bytes)
    }
}

/// A file that is there, appended to behind its published end.
#[derive(Debug)]
pub(crate) struct DeviceSink {
    device: Arc<dyn File>,
    source: Arc<Source>,
    end: u64,
    /// What was put and not yet written: the bytes from `end - gathered.len()` on.
    gathered: Vec<u8>,
    /// How long the file is.
    file_bytes: u64,
    /// How far ahead of its end the file is extended.
    ahead_bytes: u64,
    /// How many bytes were written since the last look.
    written_bytes: u64,
    /// How many bytes were put, without the gaps.
    put_bytes: u64,
    /// How many bytes in front of aligned pieces were left free since the last look.
    gap_bytes: u64,
    /// A write or sync failed: nothing is known of what is on the disk.
    poisoned: bool,
}

impl DeviceSink {
    /// Appends to `device` from `end` on.
    pub(crate) fn new(
        device: Arc<dyn File>,
        source: Arc<Source>,
        end: u64,
        file_bytes: u64,
        ahead_bytes: u64,
    ) -> Self {
        Self {
            device,
            source,
            end,
            gathered: Vec::new(),
            file_bytes,
            ahead_bytes,
            written_bytes: 0,
            put_bytes: 0,
            gap_bytes: 0,
            poisoned: false,
        }
    }

    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// How many bytes were written since this was last asked.
    pub(crate) fn take_written_bytes(&mut self) -> u64 {
        std::mem::take(&mut self.written_bytes)
    }

    /// How many bytes in front of aligned pieces were left free since this was last asked.
    pub(crate) fn take_gap_bytes(&mut self) -> u64 {
        std::mem::take(&mut self.gap_bytes)
    }

    fn check(&self) -> Result<()> {
        if self.poisoned {
            Err(Error::Poisoned)
        } else {
            Ok(())
        }
    }

    /// Nothing more is written.
    pub(crate) fn poison(&mut self) {
        self.poisoned = true;
    }

    /// After a failure nothing more is written.
    fn done(
        &mut self,
        action: &'static str,
        offset_bytes: u64,
        result: io::Result<()>,
    ) -> Result<()> {
        result.map_err(|source| {
            self.poisoned = true;
            Error::Io {
                action,
                offset_bytes,
                source,
            }
        })
    }

    /// Extends the file so far that a reader who took its size before this finds the end of the
    /// next publication within it. What is added takes no room.
    pub(crate) fn extend_ahead(&mut self) -> Result<()> {
        self.check()?;
        let wanted = self.end.saturating_add(self.ahead_bytes);
        if self.file_bytes < wanted {
            let result = self.device.set_len(wanted);
            self.done("extend", wanted, result)?;
            self.file_bytes = wanted;
            self.source.grow_to(wanted);
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8], address: u64) -> Result<()> {
        self.check()?;
        // The file is extended before it is written behind its end, for readers' sake.
        if address.saturating_add(bytes.len() as u64) > self.file_bytes {
            self.extend_ahead()?;
        }
        let result = self.device.write_at(bytes, address);
        self.done("write", address, result)?;
        self.written_bytes += bytes.len() as u64;
        Ok(())
    }

    /// Writes what was gathered.
    pub(crate) fn settle(&mut self) -> Result<()> {
        if self.gathered.is_empty() {
            return self.check();
        }
        let gathered = std::mem::take(&mut self.gathered);
        self.write(&gathered, self.end - gathered.len() as u64)
    }

    /// Makes durable what was written.
    pub(crate) fn sync(&mut self) -> Result<()> {
        self.check()?;
        let result = self.device.sync_data();
        self.done("sync", 0, result)
    }

    /// Writes the superblock, the only bytes that are ever written over.
    pub(crate) fn write_superblock(&mut self, image: &[u8]) -> Result<()> {
        self.write(image, 0)
    }

    /// Cuts the file behind its published end.
    pub(crate) fn trim(&mut self, end: u64) -> Result<()> {
        self.check()?;
        let result = self.device.set_len(end);
        self.done("trim", end, result)?;
        self.file_bytes = end;
        Ok(())
    }
}

impl<'a> Sink<'a> for DeviceSink {
    fn next_address(&self) -> u64 {
        self.end.next_multiple_of(METADATA_ALIGNMENT)
    }

    fn put_bytes(&self) -> u64 {
        self.put_bytes
    }

    fn put(&mut self, bytes: Cow<'a, [u8]>, align: u64) -> Result<u64> {
        self.put_copy(&bytes, align)
    }

    fn put_copy(&mut self, bytes: &[u8], align: u64) -> Result<u64> {
        self.check()?;
        let address = self.end.next_multiple_of(align.max(1));
        let gap = usize::try_from(address - self.end).unwrap_or(usize::MAX);
        self.gathered.resize(self.gathered.len() + gap, 0);
        self.gap_bytes += gap as u64;
        self.put_bytes += bytes.len() as u64;
        self.end = address;
        if bytes.len() >= PIECE_BYTES_MIN {
            self.settle()?;
            self.end = address + bytes.len() as u64;
            self.write(bytes, address)?;
        } else {
            self.gathered.extend_from_slice(bytes);
            self.end = address + bytes.len() as u64;
            if self.gathered.len() >= GATHER_BYTES {
                self.settle()?;
            }
        }
        Ok(address)
    }

    fn fill(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        let first_gathered = self.end - self.gathered.len() as u64;
        if address < first_gathered {
            self.settle()?;
            return self.write(bytes, address);
        }
        let start = usize::try_from(address - first_gathered).unwrap_or(usize::MAX);
        let kept = self
            .gathered
            .get_mut(start..)
            .and_then(|rest| rest.get_mut(..bytes.len()));
        kept.expect("only what was put as zeros is filled")
            .copy_from_slice(bytes);
        Ok(())
    }
}
