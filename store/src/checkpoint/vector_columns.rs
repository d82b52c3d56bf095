//! Vectors as columns: a row a window, each model's apart. They are only ever added.

use std::collections::BTreeMap;
use std::sync::Arc;

use palimpsest_hdf5::{Editor, Hdf5File, Hyperslab};
use palimpsest_vector::DIM_MAX;

use super::columns::read_from;
use super::memory_row::memory_id;
use super::problem::{FileProblem, Result};
use super::rows::VectorRow;
use super::schema::{create_vectors, vector_group};
use super::text_column::n_rows;
use crate::operation::check_windows;
use crate::view::View;
use crate::{MemoryId, ModelId, Seq, WindowVector};

/// Vectors that are read together.
const SLAB_LEN_ROWS: usize = 4_096;

/// The vectors of `view` that were added after `since`.
pub(super) fn of_view(view: &View, since: Seq) -> BTreeMap<ModelId, Vec<VectorRow>> {
    let mut by_model = BTreeMap::new();
    for (model, vectors) in view.tables().vectors.models() {
        let rows = vectors.texts_from(since).map(|(memory, born)| VectorRow {
            memory,
            born,
            windows: vectors.windows(memory, born),
        });
        by_model.insert(model, rows.collect());
    }
    by_model
}

pub(super) fn write(
    editor: &mut Editor<'_>,
    model: ModelId,
    rows: &[VectorRow],
) -> palimpsest_hdf5::Result<()> {
    let group = vector_group(model);
    let Some(first) = rows.iter().find_map(|row| row.windows.first()) else {
        return Ok(());
    };
    let embedding = format!("{group}/embedding");
    if editor.shape(&embedding).is_err() {
        create_vectors(editor, &group, first.embedding.len() as u64)?;
        editor.set_attribute(&group, "model", model.to_string().as_str())?;
    }
    let (mut memories, mut births) = (Vec::new(), Vec::new());
    let (mut windows, mut token_starts) = (Vec::new(), Vec::new());
    for row in rows {
        for (window_idx, window) in (0_u32..).zip(&row.windows) {
            memories.push(row.memory.0);
            births.push(row.born.0);
            windows.push(window_idx);
            token_starts.push(window.token_start);
        }
        for window in &row.windows {
            editor.append(&embedding, &window.embedding)?;
        }
    }
    editor.append(&format!("{group}/memory_id"), &memories)?;
    editor.append(&format!("{group}/born"), &births)?;
    editor.append(&format!("{group}/window"), &windows)?;
    editor.append(&format!("{group}/token_start"), &token_starts)
}

/// The vectors that were added after `since`, in order.
pub(super) fn read(file: &Hdf5File, since: Seq) -> Result<BTreeMap<ModelId, Vec<VectorRow>>> {
    let mut by_model = BTreeMap::new();
    for link in file.group("/vector")?.links()? {
        let model = model_of(&link.name).ok_or_else(|| {
            FileProblem::row("/vector", 0, "groups named by a model's id", &link.name)
        })?;
        by_model.insert(model, read_model(file, &vector_group(model), since)?);
    }
    Ok(by_model)
}

fn read_model(file: &Hdf5File, group: &str, since: Seq) -> Result<Vec<VectorRow>> {
    let births = read_from::<u64>(file, &format!("{group}/born"), 0)?;
    let first = births.partition_point(|born| *born <= since.0);
    let from = first as u64;
    let memories = read_from::<u64>(file, &format!("{group}/memory_id"), from)?;
    let windows = read_from::<u32>(file, &format!("{group}/window"), from)?;
    let token_starts = read_from::<u32>(file, &format!("{group}/token_start"), from)?;
    let path = format!("{group}/embedding");
    let embeddings = file.dataset(&path)?;
    let n_new = births.len() - first;
    let found = n_rows(&embeddings);
    let is_even = [memories.len(), windows.len(), token_starts.len()] == [n_new; 3];
    if !is_even || found != births.len() as u64 {
        return Err(FileProblem::Lengths {
            dataset: path,
            expected: births.len() as u64,
            found,
        });
    }
    let dim = embeddings.shape().get(1).copied().unwrap_or(0);
    if dim == 0 || dim > DIM_MAX as u64 {
        return Err(FileProblem::row(
            &path,
            0,
            "rows of 1 to 4,096 numbers",
            dim,
        ));
    }
    let mut rows: Vec<VectorRow> = Vec::new();
    let mut slab: Vec<f32> = Vec::new();
    let dim = usize::try_from(dim).unwrap_or(usize::MAX);
    for idx in 0..n_new {
        let row = from + idx as u64;
        let in_slab = idx % SLAB_LEN_ROWS;
        if in_slab == 0 {
            let n = SLAB_LEN_ROWS.min(n_new - idx) as u64;
            slab = embeddings.read_slice(&Hyperslab::rows(embeddings.shape(), row, n))?;
        }
        let window = WindowVector {
            token_start: token_starts[idx],
            embedding: Arc::from(&slab[in_slab * dim..(in_slab + 1) * dim]),
        };
        let memory = memory_id(memories[idx], &path, row)?;
        let born = Seq(births[first + idx]);
        if !push_window(&mut rows, memory, born, windows[idx], window) {
            let column = format!("{group}/window");
            let expected = "the next window of the memory";
            return Err(FileProblem::row(&column, row, expected, windows[idx]));
        }
    }
    for row in &rows {
        check_windows(&row.windows)
            .map_err(|problem| FileProblem::row(&path, row.memory.0, "vectors", problem))?;
    }
    Ok(rows)
}

/// Puts a window behind those of its text; whether it is the next one.
fn push_window(
    rows: &mut Vec<VectorRow>,
    memory: MemoryId,
    born: Seq,
    window_idx: u32,
    window: WindowVector,
) -> bool {
    if window_idx == 0 {
        rows.push(VectorRow {
            memory,
            born,
            windows: vec![window],
        });
        return true;
    }
    let last = rows.last_mut().filter(|last| {
        last.memory == memory && last.born == born && last.windows.len() == window_idx as usize
    });
    match last {
        Some(last) => last.windows.push(window),
        None => return false,
    }
    true
}

/// The model whose id is written so.
fn model_of(name: &str) -> Option<ModelId> {
    let mut id = [0; 32];
    if name.len() != 2 * id.len() || !name.is_ascii() {
        return None;
    }
    for (byte, digits) in id.iter_mut().zip(name.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(ModelId(id))
}
