//! A column of texts. Texts of variable length end at a NUL for the C library, and h5py cannot write one: where a
//! text has a NUL, `␀` (U+2400) stands there, and a second column beside the texts says where.

use palimpsest_hdf5::{Dataset, DatasetSpec, Editor, Element as _, Hdf5File, Hyperslab};

use super::problem::{FileProblem, Result};

/// What stands for a NUL.
const NUL_SIGN: &str = "\u{2400}";
/// Texts that are read together.
const SLAB_LEN_ROWS: u64 = 4_096;
const CHUNK_LEN_ROWS: u64 = 256;

/// Where the places of NULs are: pairs of a row and a byte of the stored text.
fn nul_path(path: &str) -> String {
    format!("{path}_nul")
}

/// Adds `texts` to the column at `path`, which has `n_rows` already.
pub(super) fn append(
    editor: &mut Editor<'_>,
    path: &str,
    n_rows: u64,
    texts: &[&str],
) -> palimpsest_hdf5::Result<()> {
    let mut nuls: Vec<u64> = Vec::new();
    let mut escaped = Vec::new();
    for (row, text) in (n_rows..).zip(texts) {
        if text.contains('\0') {
            let mut stored = String::with_capacity(text.len());
            for piece in text.split_inclusive('\0') {
                let Some(before) = piece.strip_suffix('\0') else {
                    stored.push_str(piece);
                    continue;
                };
                stored.push_str(before);
                nuls.extend([row, stored.len() as u64]);
                stored.push_str(NUL_SIGN);
            }
            escaped.push(stored.into());
        } else {
            escaped.push(std::borrow::Cow::Borrowed(*text));
        }
    }
    if !texts.is_empty() {
        editor.append_strings(path, &escaped)?;
    }
    if nuls.is_empty() {
        return Ok(());
    }
    let beside = nul_path(path);
    if editor.shape(&beside).is_err() {
        let spec = DatasetSpec::growing(u64::datatype(), &[0, 2], &[CHUNK_LEN_ROWS, 2]);
        editor.create_dataset(&beside, &spec)?;
    }
    editor.append(&beside, &nuls)
}

/// The texts of the column at `path` from row `from` on.
pub(super) fn read(file: &Hdf5File, path: &str, from: u64) -> Result<Vec<String>> {
    let column = file.dataset(path)?;
    let n_rows = n_rows(&column);
    let mut texts = Vec::new();
    let mut row = from;
    while row < n_rows {
        let n = SLAB_LEN_ROWS.min(n_rows - row);
        texts.extend(column.read_strings(&Hyperslab::block(&[row], &[n]))?);
        row += n;
    }
    let beside = nul_path(path);
    let nuls = match file.dataset(&beside) {
        Ok(nuls) => nuls.read::<u64>()?,
        Err(palimpsest_hdf5::Error::NotFound { .. }) => return Ok(texts),
        Err(error) => return Err(error.into()),
    };
    let pairs: Vec<[u64; 2]> = nuls
        .chunks_exact(2)
        .map(|pair| [pair[0], pair[1]])
        .collect();
    let first = pairs.partition_point(|[row, _]| *row < from);
    for of_row in pairs
        .get(first..)
        .unwrap_or_default()
        .chunk_by(|left, right| left[0] == right[0])
    {
        let row = of_row[0][0];
        let text = usize::try_from(row - from)
            .ok()
            .and_then(|row| texts.get_mut(row));
        let restored = text.as_ref().and_then(|text| restored(text, of_row));
        let (Some(text), Some(restored)) = (text, restored) else {
            let expected = "a row of the texts and bytes of it where U+2400 stands";
            return Err(FileProblem::row(
                &beside,
                first as u64,
                expected,
                format!("{of_row:?}"),
            ));
        };
        *text = restored;
    }
    Ok(texts)
}

/// `text` with a NUL at each place; `None` where none was there.
fn restored(text: &str, places: &[[u64; 2]]) -> Option<String> {
    let mut restored = String::with_capacity(text.len());
    let mut done = 0;
    for [_, at] in places {
        let at = usize::try_from(*at).ok()?;
        restored.push_str(text.get(done..at)?);
        done = at.checked_add(NUL_SIGN.len())?;
        restored.push_str(
            text.get(at..done)
                .filter(|sign| *sign == NUL_SIGN)
                .map(|_| "\0")?,
        );
    }
    restored.push_str(text.get(done..)?);
    Some(restored)
}

/// How many rows a column has.
pub(super) fn n_rows(column: &Dataset) -> u64 {
    column.shape().first().copied().unwrap_or(0)
}
