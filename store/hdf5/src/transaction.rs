//! Changes to a file that is there, published all at once by its superblock.
//!
//! No byte that a published superblock leads to is ever written over: what changes goes to new
//! space, and the superblock, 48 bytes in one sector, is rewritten last. A crash leaves the
//! previous state, and a reader that has the file open keeps its own. See `store/FORMAT.md` for the
//! argument case by case.

use std::error::Error as StdError;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use crate::backend::File;
use crate::cursor::Sizes;
use crate::device_sink::DeviceSink;
use crate::editor::{Editor, Target};
use crate::error::{Error, Result};
use crate::source::{Bytes, Source};
use crate::superblock::{self, Superblock, SuperblockImage};

/// Changes to a file that is there. Everything of [`Editor`] can be done with it.
///
/// The caller holds whatever lock keeps other writers away, from before it opens the transaction
/// until after its last publication.
#[derive(Debug)]
pub struct Transaction {
    editor: Editor<'static>,
    published_end: u64,
}

/// What a publication did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Publication {
    /// The superblock that leads to the new state.
    pub image: SuperblockImage,
    /// How many bytes of the file are in use or dead: what lies behind is sparse.
    pub end_bytes: u64,
    /// How many bytes were written since the publication before, the superblock included.
    pub written_bytes: u64,
    /// How many bytes of the file nothing leads to any more since the publication before, gaps
    /// in front of aligned chunks and the room left in collections of texts included. Only texts of
    /// rows that were replaced, or whose dataset was unlinked, are not counted.
    pub dead_bytes: u64,
}

impl Transaction {
    /// Makes an empty HDF5 file of `device`, which is empty, and publishes it.
    ///
    /// `ahead_bytes` is how far the file is extended beyond what is in use: more than any
    /// publication grows it, so that a reader who took the file's size before it is not refused.
    ///
    /// # Errors
    ///
    /// [`Error::Io`].
    pub fn create(device: Arc<dyn File>, ahead_bytes: u64) -> Result<Self> {
        let end = superblock::WRITTEN_LEN as u64;
        let mut transaction = Self::on(device, end, ahead_bytes, None)?;
        transaction.publish(|_| Ok::<_, std::convert::Infallible>(()))?;
        Ok(transaction)
    }

    /// Opens `device` at its published state.
    ///
    /// # Errors
    ///
    /// [`Error::Io`], [`Error::NotSupported`] where the file is not of a form that is written here
    /// (superblock 2 or 3 at its beginning, without an extension), [`Error::Corrupt`] and its like.
    pub fn open(device: Arc<dyn File>, ahead_bytes: u64) -> Result<Self> {
        let len = measure(&device)?;
        let source = Source::new(Bytes::Device(Box::new(Arc::clone(&device))), len);
        let superblock = Superblock::find(&source)?;
        if superblock.version < 2 {
            let version = superblock.version;
            return Err(Error::not_supported_number(
                "changing a file of superblock version",
                version,
            ));
        }
        let plain = superblock.base_bytes == 0
            && superblock.sizes == Sizes::WRITTEN
            && superblock.extension.is_none();
        if !plain {
            return Err(Error::not_supported(
                "changing a file with a user block, a superblock extension, or addresses that are not 8 bytes",
            ));
        }
        Self::on(device, superblock.end, ahead_bytes, Some(superblock.root))
    }

    fn on(device: Arc<dyn File>, end: u64, ahead_bytes: u64, root: Option<u64>) -> Result<Self> {
        let len = measure(&device)?;
        let bytes = Bytes::Device(Box::new(Arc::clone(&device)));
        let source = Arc::new(Source::new(bytes, len));
        let mut sink = DeviceSink::new(device, Arc::clone(&source), end, len, ahead_bytes);
        sink.extend_ahead()?;
        let target = Target::Device(sink);
        let editor = match root {
            Some(root) => Editor::of_file(target, source, root)?,
            None => Editor::of_new_file(target, source),
        };
        Ok(Self {
            editor,
            published_end: end,
        })
    }

    /// Writes what waits in memory of changed chunks, without publishing it: for the first part of
    /// a checkpoint, while others still commit. Chunks that are not complete are written again
    /// when they change.
    ///
    /// # Errors
    ///
    /// [`Error::Io`], after which the transaction is unusable.
    pub fn write_ahead(&mut self) -> Result<()> {
        self.editor.write_chunks_ahead()?;
        self.sink()?.settle()
    }

    /// Publishes everything so far: writes it, syncs the file, hands the new superblock's bytes to
    /// `before`, writes them, and syncs again.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] or [`Error::Refused`], after which the transaction is unusable. Only after a
    /// failed last sync may the new state be found; else it is the old one.
    pub fn publish<E>(
        &mut self,
        before: impl FnOnce(&SuperblockImage) -> std::result::Result<(), E>,
    ) -> Result<Publication>
    where
        E: Into<Box<dyn StdError + Send + Sync>>,
    {
        let root = self.editor.write_all()?;
        let sink = self.sink()?;
        sink.settle()?;
        let end = sink.end();
        let image = Superblock::image(root, end);
        sink.sync()?;
        if let Err(error) = before(&image) {
            // What is gathered here counts as written, and nothing leads to it.
            sink.poison();
            return Err(Error::Refused(error.into()));
        }
        sink.write_superblock(&image)?;
        sink.sync()?;
        sink.extend_ahead()?;
        let written_bytes = sink.take_written_bytes();
        let gap_bytes = sink.take_gap_bytes();
        let dead_bytes = std::mem::take(&mut self.editor.dead_bytes).saturating_add(gap_bytes);
        self.published_end = end;
        Ok(Publication {
            image,
            end_bytes: end,
            written_bytes,
            dead_bytes,
        })
    }

    /// Cuts off what the file was extended by. What was not published is given up.
    ///
    /// # Errors
    ///
    /// [`Error::Io`].
    pub fn close(mut self) -> Result<()> {
        let end = self.published_end;
        self.sink()?.trim(end)
    }

    fn sink(&mut self) -> Result<&mut DeviceSink> {
        match &mut self.editor.target {
            Target::Device(sink) => Ok(sink),
            Target::Pieces(_) => Err(Error::Poisoned),
        }
    }
}

fn measure(device: &Arc<dyn File>) -> Result<u64> {
    device.len_bytes().map_err(|source| Error::Io {
        action: "measure",
        offset_bytes: 0,
        source,
    })
}

impl Deref for Transaction {
    type Target = Editor<'static>;

    fn deref(&self) -> &Self::Target {
        &self.editor
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.editor
    }
}

#[cfg(test)]
mod tests;
