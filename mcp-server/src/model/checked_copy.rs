//! Copies a file of the model and checks every byte on the way. Bounded by the published length.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use palimpsest_memory::ModelFile;
use sha2::{Digest, Sha256};

use super::Progress;
use super::error::{Found, SourceError};

const BUFFER_LEN_BYTES: usize = 1 << 16;

/// Reads `file` from `reader` into a new file of `folder`, synced.
///
/// # Errors
/// [`SourceError::Length`] or [`SourceError::Hash`] where it is another file; [`SourceError::Io`].
pub(super) fn stage(
    reader: &mut dyn Read,
    folder: &Path,
    file: &ModelFile,
    progress: Progress,
) -> Result<(), SourceError> {
    let path = folder.join(file.name);
    let write_error = |source| SourceError::Io {
        action: "write",
        path: path.clone(),
        source,
    };
    let mut staged = File::create(&path).map_err(write_error)?;
    let bar = progress.start_file(file.name, file.len_bytes);
    copy_checked(reader, &mut staged, file, &path, &mut |n| bar.advance(n))?;
    staged.sync_all().map_err(write_error)
}

/// Checks that `folder` holds `files`, byte for byte.
///
/// # Errors
/// Names the first that is missing or differs.
pub(super) fn verify(folder: &Path, files: &[ModelFile]) -> Result<(), SourceError> {
    for file in files {
        let path = folder.join(file.name);
        let mut reader = open(&path)?;
        copy_checked(&mut reader, &mut io::sink(), file, &path, &mut |_| ())?;
    }
    Ok(())
}

/// Opens a file for reading; one that is not there is [`SourceError::Missing`].
pub(super) fn open(path: &Path) -> Result<File, SourceError> {
    File::open(path).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => SourceError::Missing {
            path: path.to_owned(),
        },
        _ => SourceError::Io {
            action: "read",
            path: path.to_owned(),
            source,
        },
    })
}

fn copy_checked(
    reader: &mut dyn Read,
    writer: &mut dyn Write,
    file: &ModelFile,
    path: &Path,
    on_bytes: &mut dyn FnMut(u64),
) -> Result<(), SourceError> {
    let io_error = |action| {
        move |source| SourceError::Io {
            action,
            path: path.to_owned(),
            source,
        }
    };
    let mut hasher = Sha256::new();
    let mut n_read_bytes: u64 = 0;
    let mut buffer = vec![0; BUFFER_LEN_BYTES];
    loop {
        let n = match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(io_error("read")(error)),
        };
        let bytes = buffer
            .get(..n)
            .expect("a reader fills no more than the buffer");
        n_read_bytes = n_read_bytes.saturating_add(n as u64);
        if n_read_bytes > file.len_bytes {
            return Err(SourceError::Length {
                file: file.name,
                expected_bytes: file.len_bytes,
                found_bytes: Found::MoreThan(file.len_bytes),
            });
        }
        hasher.update(bytes);
        writer.write_all(bytes).map_err(io_error("write"))?;
        on_bytes(n as u64);
    }
    if n_read_bytes != file.len_bytes {
        return Err(SourceError::Length {
            file: file.name,
            expected_bytes: file.len_bytes,
            found_bytes: Found::Exactly(n_read_bytes),
        });
    }
    let found = hexadecimal(&hasher.finalize());
    if found != file.sha256 {
        return Err(SourceError::Hash {
            file: file.name,
            expected: file.sha256,
            found,
        });
    }
    Ok(())
}

/// `bytes` in lower-case hexadecimal.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        write!(text, "{byte:02x}").expect("a String takes everything");
    }
    text
}
