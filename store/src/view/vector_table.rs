//! The vectors of memories, each model's apart. Knows no text; a memory's lifespan is not its own.

use std::cmp::Reverse;
use std::sync::Arc;

use palimpsest_vector::{FlatIndex, RowRange};

use super::{Column, Ordered};
use crate::operation::check_windows;
use crate::{Lifespan, MemoryId, ModelId, Seq, WindowVector};

/// The vectors of one text of a memory.
#[derive(Debug, Clone)]
struct EmbeddedRow {
    memory: MemoryId,
    /// It ends when the memory's text changes, not when the memory is retired.
    lifespan: Lifespan,
    range: RowRange,
    /// The first token of each window.
    token_starts: Arc<[u32]>,
}

/// All vectors of one model.
#[derive(Debug, Clone)]
pub(crate) struct ModelVectors {
    index: FlatIndex,
    rows: Column<EmbeddedRow>,
    /// Newest first.
    by_memory: Ordered<(MemoryId, Reverse<usize>), ()>,
}

/// All vectors.
#[derive(Debug, Clone, Default)]
pub(crate) struct VectorTable {
    models: Ordered<ModelId, Arc<ModelVectors>>,
}

impl VectorTable {
    pub(crate) fn model(&self, model: ModelId) -> Option<&ModelVectors> {
        self.models.get(&model).map(|vectors| &**vectors)
    }

    /// Every model that has vectors, by id.
    pub(crate) fn models(&self) -> impl Iterator<Item = (ModelId, &ModelVectors)> {
        let models = self.models.range_from(&ModelId([0; 32]));
        models.map(|(model, vectors)| (*model, &**vectors))
    }

    /// Adds the vectors of a memory, unless it has some of the model, or they do not fit.
    pub(crate) fn embed(
        &mut self,
        memory: MemoryId,
        model: ModelId,
        windows: Vec<WindowVector>,
        seq: Seq,
    ) {
        if check_windows(&windows).is_err() {
            return;
        }
        if self.models.get(&model).is_none() {
            let index = FlatIndex::new(windows[0].embedding.len());
            let vectors = ModelVectors {
                index: index.expect("the windows were just checked"),
                rows: Column::default(),
                by_memory: Ordered::default(),
            };
            self.models.insert(model, Arc::new(vectors));
        }
        let vectors = self.models.find_mut(|other| other.cmp(&model));
        let vectors = Arc::make_mut(vectors.expect("it was just found or added"));
        if !vectors.lives(memory) {
            vectors.push(memory, windows, seq);
        }
    }

    /// The vectors of `memory`, of every model, are of another text from `seq` on.
    pub(crate) fn end(&mut self, memory: MemoryId, seq: Seq) {
        let first = self.models.range_from(&ModelId([0; 32]));
        let models: Vec<ModelId> = first
            .filter(|(_, vectors)| vectors.lives(memory))
            .map(|(model, _)| *model)
            .collect();
        for model in models {
            if let Some(vectors) = self.models.find_mut(|other| other.cmp(&model)) {
                Arc::make_mut(vectors).end(memory, seq);
            }
        }
    }
}

impl ModelVectors {
    pub(crate) const fn index(&self) -> &FlatIndex {
        &self.index
    }

    /// Where the vectors of `memory` that count at `seq` are in the index.
    pub(crate) fn range(&self, memory: MemoryId, seq: Seq) -> Option<RowRange> {
        self.visible(memory, seq).map(|row| row.range)
    }

    /// The vectors of `memory` that count at `seq`.
    pub(crate) fn windows(&self, memory: MemoryId, seq: Seq) -> Vec<WindowVector> {
        let Some(row) = self.visible(memory, seq) else {
            return Vec::new();
        };
        let vectors = self.index.vectors(row.range);
        let windows = row.token_starts.iter().zip(vectors);
        windows
            .map(|(token_start, vector)| WindowVector {
                token_start: *token_start,
                embedding: vector.into(),
            })
            .collect()
    }

    /// The vectors' bytes, and the numbers' beside them.
    pub(crate) fn len_bytes(&self) -> u64 {
        const ROW: usize = 24;
        let n_windows: usize = self.rows.iter().map(|row| row.token_starts.len()).sum();
        let len_bytes = self.index.dim() * size_of::<f32>() + ROW;
        n_windows.saturating_mul(len_bytes) as u64
    }

    /// Whose texts got vectors after `since`, and with which commit, in that order; those that no snapshot shows
    /// are left out.
    pub(crate) fn texts_from(&self, since: Seq) -> impl Iterator<Item = (MemoryId, Seq)> {
        let first = self.rows.partition_point(|row| row.lifespan.born <= since);
        let later = self.rows.iter_from(first);
        let seen = later.filter(|row| row.lifespan.born < row.lifespan.died);
        seen.map(|row| (row.memory, row.lifespan.born))
    }

    fn visible(&self, memory: MemoryId, seq: Seq) -> Option<&EmbeddedRow> {
        let mut rows = self.rows_of(memory).map(|(_, row)| row);
        rows.find(|row| row.lifespan.visible_at(seq))
    }

    fn lives(&self, memory: MemoryId) -> bool {
        let newest = self.rows_of(memory).next();
        newest.is_some_and(|(_, row)| row.lifespan.died == Seq::NEVER)
    }

    /// Everything that `memory` ever had, newest first.
    fn rows_of(&self, memory: MemoryId) -> impl Iterator<Item = (usize, &EmbeddedRow)> {
        let entries = self.by_memory.range_from(&(memory, Reverse(usize::MAX)));
        entries
            .map(|(key, ())| *key)
            .take_while(move |(of, _)| *of == memory)
            .filter_map(|(_, Reverse(row_idx))| Some((row_idx, self.rows.get(row_idx)?)))
    }

    fn push(&mut self, memory: MemoryId, windows: Vec<WindowVector>, seq: Seq) {
        let token_starts = windows.iter().map(|window| window.token_start).collect();
        let vectors = windows.into_iter().map(|window| window.embedding);
        // Vectors of another length than the model's are no vectors of that model.
        let Ok(range) = self.index.push(memory.0, seq.0, vectors) else {
            return;
        };
        self.by_memory
            .insert((memory, Reverse(self.rows.len())), ());
        self.rows.push(EmbeddedRow {
            memory,
            lifespan: Lifespan {
                born: seq,
                died: Seq::NEVER,
            },
            range,
            token_starts,
        });
    }

    fn end(&mut self, memory: MemoryId, seq: Seq) {
        let newest = self.rows_of(memory).next();
        if let Some((row_idx, range)) = newest.map(|(row_idx, row)| (row_idx, row.range)) {
            self.rows.get_mut(row_idx).lifespan.died = seq;
            self.index.end(range, seq.0);
        }
    }
}
