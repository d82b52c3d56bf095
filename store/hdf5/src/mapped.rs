//! A file mapped into memory, read only. The only unsafe code of the crate; it knows no structure.
#![expect(
    unsafe_code,
    reason = "mapping a file is unsafe: another process could change it"
)]

use std::fs::File;
use std::io;

/// A read-only map of a whole file.
#[derive(Debug)]
pub(crate) struct Mapping(memmap2::Mmap);

impl Mapping {
    /// Maps `file`.
    pub(crate) fn of(file: &File) -> io::Result<Self> {
        // SAFETY: the caller of `Hdf5File::open_mapped` is told that nobody may cut the file or
        // write over it while it is open; our own transactions never write over a byte that a
        // published superblock reaches, and cut only behind the last one.
        unsafe { memmap2::Mmap::map(file) }.map(Self)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}
