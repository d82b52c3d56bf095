//! A whole new file, laid out in memory and written once.

use std::borrow::Cow;
use std::fs;
use std::io::{self, IoSlice, Write};
use std::ops::{Deref, DerefMut};
use std::path::Path;

use crate::editor::{Editor, Target};
use crate::error::{Error, Result};
use crate::sink::PieceSink;
use crate::superblock::{self, Superblock};

/// A whole new file, laid out in memory and written once.
///
/// Everything of [`Editor`] can be done with it: the two differ only in where the bytes go. Values
/// that are written as borrowed slices are not copied.
#[derive(Debug)]
pub struct FileBuilder<'a>(Editor<'a>);

impl Default for FileBuilder<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> FileBuilder<'a> {
    /// A file with an empty root group.
    pub fn new() -> Self {
        let sink = PieceSink::behind(superblock::WRITTEN_LEN);
        Self(Editor::of_nothing(Target::Pieces(sink)))
    }

    /// The file in pieces, which are to lie one behind the other.
    ///
    /// # Errors
    ///
    /// [`Error::Request`] where something of it is too large for the format.
    pub fn into_pieces(mut self) -> Result<Vec<Cow<'a, [u8]>>> {
        let root = self.0.write_all()?;
        let Target::Pieces(mut sink) = self.0.target else {
            return Err(Error::Poisoned);
        };
        let image = Superblock::image(root, sink.end());
        crate::sink::Sink::fill(&mut sink, 0, &image)?;
        Ok(sink.into_pieces())
    }

    /// The file in one piece.
    ///
    /// # Errors
    ///
    /// As [`Self::into_pieces`].
    pub fn into_bytes(self) -> Result<Vec<u8>> {
        Ok(self.into_pieces()?.concat())
    }

    /// Writes the file to `path`, over whatever is there. It is not synced.
    ///
    /// # Errors
    ///
    /// As [`Self::into_pieces`], and [`Error::Io`].
    pub fn write_to(self, path: &Path) -> Result<()> {
        let pieces = self.into_pieces()?;
        let io = |action| {
            move |source| Error::Io {
                action,
                offset_bytes: 0,
                source,
            }
        };
        let mut file = fs::File::create(path).map_err(io("create"))?;
        for some in pieces.chunks(PIECES_A_WRITE) {
            let mut slices: Vec<_> = some.iter().map(|piece| IoSlice::new(piece)).collect();
            write_all(&mut file, &mut slices).map_err(io("write"))?;
        }
        Ok(())
    }
}

/// How many pieces the operating system is handed at once (`IOV_MAX` is 1024).
const PIECES_A_WRITE: usize = 1024;

/// Writes all of `slices`, one behind the other.
fn write_all(file: &mut fs::File, mut slices: &mut [IoSlice<'_>]) -> io::Result<()> {
    IoSlice::advance_slices(&mut slices, 0);
    while !slices.is_empty() {
        match file.write_vectored(slices) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n_bytes) => IoSlice::advance_slices(&mut slices, n_bytes),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

impl<'a> Deref for FileBuilder<'a> {
    type Target = Editor<'a>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for FileBuilder<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}
