//! Vectors on disk, by the hash of their text: one file a model, only ever appended to.
//!
//! A file is a line of text and then records. A record is its length and CRC-32C (both u32, little
//! endian), then the SHA-256 of the text, and for each window its first token and its tokens (u32) and
//! its vector (f32). A record that is not whole ends the file: what a kill tore is embedded again.
//! Knows no model and no text.

#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use palimpsest_embed::Window;

use crate::error::Error;

/// SHA-256 of a text.
pub(super) type Key = [u8; 32];

const MAGIC: &[u8] = b"palimpsest-evals vectors 1\n";
/// Length and checksum.
const HEAD_LEN_BYTES: usize = 8;
/// Two numbers before each vector.
const WINDOW_HEAD_LEN_BYTES: usize = 8;
/// The windows of a text of 1 MiB, and some.
const BODY_LEN_BYTES_MAX: usize = 64 << 20;

/// The cache of one model. Several processes may use one file at the same time.
#[derive(Debug)]
pub(super) struct VectorCache {
    path: PathBuf,
    dim: usize,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    file: File,
    /// Where the record of a text begins.
    offsets: HashMap<Key, u64>,
}

impl VectorCache {
    /// Opens or makes the file `path`, of vectors of `dim` numbers.
    pub(super) fn open(path: &Path, dim: usize) -> Result<Self, Error> {
        let io = |source| Error::io("open", path)(source);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(Error::io("make the folder", folder))?;
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(io)?;
        file.lock().map_err(Error::io("lock", path))?;
        let offsets = read_offsets(&mut file, path);
        let unlocked = file.unlock().map_err(Error::io("unlock", path));
        let offsets = offsets.and_then(|offsets| unlocked.map(|()| offsets))?;
        Ok(Self {
            path: path.to_owned(),
            dim,
            inner: Mutex::new(Inner { file, offsets }),
        })
    }

    /// Whether there is a record of this text. It may turn out to be damaged when it is read.
    pub(super) fn holds(&self, key: &Key) -> bool {
        self.inner().offsets.contains_key(key)
    }

    /// The windows of a text, if they are here and whole.
    pub(super) fn get(&self, key: &Key) -> Result<Option<Vec<Window>>, Error> {
        let mut inner = self.inner();
        let Some(offset_bytes) = inner.offsets.get(key).copied() else {
            return Ok(None);
        };
        let io = |source| Error::io("read", &self.path)(source);
        inner.file.seek(SeekFrom::Start(offset_bytes)).map_err(io)?;
        let body = read_body(&mut inner.file).map_err(io)?;
        let windows = body.and_then(|body| decode(&body, key, self.dim));
        if windows.is_none() {
            inner.offsets.remove(key);
        }
        Ok(windows)
    }

    /// Keeps the windows of a text.
    pub(super) fn put(&self, key: &Key, windows: &[Window]) -> Result<(), Error> {
        let record = encode(key, windows);
        let mut inner = self.inner();
        let io = |source| Error::io("write", &self.path)(source);
        inner.file.lock().map_err(Error::io("lock", &self.path))?;
        let written = append(&mut inner.file, &record).map_err(io);
        let unlocked = inner.file.unlock();
        inner.offsets.insert(*key, written?);
        unlocked.map_err(Error::io("unlock", &self.path))
    }

    /// A panic while the lock was held leaves at worst a torn record, which reading detects.
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes `record` behind the end; answers where it begins.
fn append(file: &mut File, record: &[u8]) -> io::Result<u64> {
    let offset_bytes = file.seek(SeekFrom::End(0))?;
    file.write_all(record)?;
    Ok(offset_bytes)
}

/// Where each whole record begins. Cuts what follows the last of them, and begins a new file.
fn read_offsets(file: &mut File, path: &Path) -> Result<HashMap<Key, u64>, Error> {
    let io = |source| Error::io("read", path)(source);
    let mut reader = BufReader::with_capacity(1 << 20, &mut *file);
    let mut magic = Vec::new();
    let magic_len_bytes = MAGIC.len() as u64;
    let first = Read::by_ref(&mut reader).take(magic_len_bytes);
    BufReader::new(first).read_to_end(&mut magic).map_err(io)?;
    if magic != MAGIC {
        if !MAGIC.starts_with(&magic) {
            return Err(Error::Vectors {
                path: path.to_owned(),
                structure: "cache of vectors",
                offset_bytes: 0,
                expected:
                    "the first line of a cache of ours; remove the file, or name another folder"
                        .to_owned(),
                found: format!("{:?}", String::from_utf8_lossy(&magic)),
            });
        }
        drop(reader);
        file.set_len(0).map_err(io)?;
        append(file, MAGIC).map_err(io)?;
        return Ok(HashMap::new());
    }
    let mut offsets = HashMap::new();
    let mut offset_bytes = magic_len_bytes;
    while let Some(body) = read_body(&mut reader).map_err(io)? {
        let Some(key) = body.first_chunk::<32>() else {
            break;
        };
        offsets.insert(*key, offset_bytes);
        let len_bytes = body.len().saturating_add(HEAD_LEN_BYTES) as u64;
        offset_bytes = offset_bytes.saturating_add(len_bytes);
    }
    drop(reader);
    file.set_len(offset_bytes).map_err(io)?;
    Ok(offsets)
}

/// The next record's body, where it is whole.
fn read_body(reader: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0; HEAD_LEN_BYTES];
    if !is_filled(reader, &mut head)? {
        return Ok(None);
    }
    let mut numbers = u32s(&head);
    let (Some(len_bytes), Some(crc)) = (numbers.next(), numbers.next()) else {
        return Ok(None);
    };
    let len_bytes = usize::try_from(len_bytes).unwrap_or(usize::MAX);
    if len_bytes > BODY_LEN_BYTES_MAX {
        return Ok(None);
    }
    let mut body = vec![0; len_bytes];
    let is_whole = is_filled(reader, &mut body)? && crc32c::crc32c(&body) == crc;
    Ok(is_whole.then_some(body))
}

/// Whether there was enough to fill `buffer`.
fn is_filled(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match reader.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

fn encode(key: &Key, windows: &[Window]) -> Vec<u8> {
    let mut body = key.to_vec();
    for window in windows {
        body.extend(window.token_start.to_le_bytes());
        body.extend(window.token_count.to_le_bytes());
        body.extend(
            window
                .embedding
                .iter()
                .flat_map(|number| number.to_le_bytes()),
        );
    }
    let len_bytes = u32::try_from(body.len()).expect("a text has at most some thousand windows");
    let mut record = len_bytes.to_le_bytes().to_vec();
    record.extend(crc32c::crc32c(&body).to_le_bytes());
    record.extend(body);
    record
}

/// The windows in a record's body, where it is that of `key` and of vectors of `dim` numbers.
fn decode(body: &[u8], key: &Key, dim: usize) -> Option<Vec<Window>> {
    let windows = body.strip_prefix(key)?;
    let len_bytes = dim.checked_mul(4)?.checked_add(WINDOW_HEAD_LEN_BYTES)?;
    if windows.is_empty() || windows.len().checked_rem(len_bytes) != Some(0) {
        return None;
    }
    let decode = |window: &[u8]| {
        let (head, vector) = window.split_at_checked(WINDOW_HEAD_LEN_BYTES)?;
        let mut numbers = u32s(head);
        Some(Window {
            token_start: numbers.next()?,
            token_count: numbers.next()?,
            embedding: u32s(vector).map(f32::from_bits).collect(),
        })
    };
    windows.chunks_exact(len_bytes).map(decode).collect()
}

fn u32s(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    let words = bytes.as_chunks::<4>().0.iter();
    words.map(|word| u32::from_le_bytes(*word))
}

#[cfg(test)]
mod tests;
