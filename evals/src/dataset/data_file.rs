//! A data set's file: plain or compressed by gzip, and what its bytes hash to.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};

use crate::error::Error;

/// How the bytes of a gzip file begin (RFC 1952).
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const BUFFER_LEN_BYTES: usize = 1 << 18;

/// A file that is read from front to back, and never held whole.
#[derive(Debug, Clone)]
pub(crate) struct DataFile {
    path: PathBuf,
}

impl DataFile {
    pub(crate) fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Hands a reader of the unpacked bytes to `read`; answers what that answers, and the SHA-256 of
    /// everything that the file holds, in hexadecimal.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&mut dyn Read) -> Result<T, Error>,
    ) -> Result<(T, String), Error> {
        let io = |source| Error::io("read", &self.path)(source);
        let mut file = File::open(&self.path).map_err(Error::io("open", &self.path))?;
        let mut magic = Vec::new();
        let first = Read::by_ref(&mut file).take(2);
        BufReader::new(first).read_to_end(&mut magic).map_err(io)?;
        let whole = io::Cursor::new(magic.clone()).chain(file);
        let whole = BufReader::with_capacity(BUFFER_LEN_BYTES, whole);
        let unpacked: Box<dyn Read> = if magic == GZIP_MAGIC {
            Box::new(MultiGzDecoder::new(whole))
        } else {
            Box::new(whole)
        };
        let mut hashed = Hashed {
            inner: unpacked,
            sha256: Sha256::new(),
        };
        let answer = read(&mut BufReader::with_capacity(BUFFER_LEN_BYTES, &mut hashed))?;
        // What the reader had no need to look at is part of the file too.
        io::copy(&mut hashed, &mut io::sink()).map_err(io)?;
        Ok((answer, hex(&hashed.sha256.finalize())))
    }
}

/// Hashes what passes through.
struct Hashed<R> {
    inner: R,
    sha256: Sha256,
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.inner.read(buffer)?;
        self.sha256
            .update(buffer.get(..n_bytes).unwrap_or_default());
        Ok(n_bytes)
    }
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes everything");
        text
    })
}

#[cfg(test)]
mod tests;
