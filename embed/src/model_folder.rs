//! A model's folder: which files it holds and whether they are the right ones.
//!
//! It knows nothing of what the files mean.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::Error;

/// A file of a model, as it was published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelFile {
    /// Its name in the folder.
    pub name: &'static str,
    /// Its length.
    pub len_bytes: u64,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: &'static str,
}

/// The files of all-MiniLM-L6-v2 that [`MiniLm`](crate::MiniLm) reads.
pub const MINILM_FILES: [ModelFile; 3] = [
    ModelFile {
        name: WEIGHTS_NAME,
        len_bytes: 90_868_376,
        sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    },
    ModelFile {
        name: TOKENIZER_NAME,
        len_bytes: 466_247,
        sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    },
    ModelFile {
        name: CONFIG_NAME,
        len_bytes: 612,
        sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    },
];

pub(crate) const WEIGHTS_NAME: &str = "model.safetensors";
pub(crate) const TOKENIZER_NAME: &str = "tokenizer.json";
pub(crate) const CONFIG_NAME: &str = "config.json";

/// How much of a file is hashed at once.
const READ_LEN_BYTES: usize = 1 << 20;

/// Checks that `folder` holds [`MINILM_FILES`], byte for byte.
///
/// Reads the 91 MB through; lengths first, since they cost nothing.
///
/// # Errors
///
/// Names the first file that is missing ([`Error::Missing`]), has another length
/// ([`Error::WrongLength`]) or other bytes ([`Error::WrongDigest`]), or cannot be read.
pub fn verify_folder(folder: &Path) -> Result<(), Error> {
    verify_files(folder, &MINILM_FILES)
}

fn verify_files(folder: &Path, files: &[ModelFile]) -> Result<(), Error> {
    for expected in files {
        let path = folder.join(expected.name);
        let (_, found) = open_file(&path)?;
        if found != expected.len_bytes {
            return Err(Error::WrongLength {
                path,
                expected: expected.len_bytes,
                found,
            });
        }
    }
    for expected in files {
        let path = folder.join(expected.name);
        let (mut file, _) = open_file(&path)?;
        let digest = sha256_of(&mut file).map_err(|source| Error::Io {
            action: "read",
            path: path.clone(),
            source,
        })?;
        let found = hex(&digest);
        if found != expected.sha256 {
            return Err(Error::WrongDigest {
                path,
                expected: expected.sha256,
                found,
            });
        }
    }
    Ok(())
}

/// Opens a regular file, and tells its length.
///
/// # Errors
///
/// [`Error::Missing`], [`Error::NotAFile`] (so that no pipe is waited for), [`Error::Io`].
pub(crate) fn open_file(path: &Path) -> Result<(File, u64), Error> {
    let io_error = |action, source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => Error::Missing {
            path: path.to_owned(),
        },
        _ => Error::Io {
            action,
            path: path.to_owned(),
            source,
        },
    };
    let metadata = std::fs::metadata(path).map_err(|source| io_error("look at", source))?;
    if !metadata.is_file() {
        return Err(Error::NotAFile {
            path: path.to_owned(),
        });
    }
    let file = File::open(path).map_err(|source| io_error("open", source))?;
    Ok((file, metadata.len()))
}

/// Reads a file of at most `len_max` bytes whole.
///
/// # Errors
///
/// As [`open_file`], and [`Error::TooLong`].
pub(crate) fn read_file(path: &Path, len_max: u64) -> Result<Vec<u8>, Error> {
    let (file, len_bytes) = open_file(path)?;
    if len_bytes > len_max {
        return Err(Error::TooLong {
            path: path.to_owned(),
            found: len_bytes,
            max: len_max,
        });
    }
    let mut bytes = Vec::new();
    // The limit holds also where the file grows meanwhile.
    file.take(len_max)
        .read_to_end(&mut bytes)
        .map_err(|source| Error::Io {
            action: "read",
            path: path.to_owned(),
            source,
        })?;
    Ok(bytes)
}

fn sha256_of(file: &mut File) -> io::Result<[u8; 32]> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; READ_LEN_BYTES];
    loop {
        let n_read = match file.read(&mut buffer) {
            Ok(0) => return Ok(hasher.finalize().into()),
            Ok(n_read) => n_read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        hasher.update(buffer.get(..n_read).unwrap_or_default());
    }
}

/// `bytes` in lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;

    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            write!(text, "{byte:02x}").expect("a String takes every write");
            text
        })
}

#[cfg(test)]
mod tests;
