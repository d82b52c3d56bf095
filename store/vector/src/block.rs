//! A few dozen rows side by side. Knows no search.

use std::sync::Arc;

/// Rows of a full block: enough that a scan runs through memory, few enough that one more row
/// costs little.
pub(crate) const BLOCK_LEN_ROWS: usize = 64;

/// What a row is, beside its vector.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub(crate) owner: u64,
    pub(crate) window: u32,
    pub(crate) born: u64,
    pub(crate) died: u64,
}

/// The vectors of a block.
#[derive(Debug, Clone)]
enum Vectors {
    /// Still growing: each vector alone, so that another snapshot's copy costs no floats.
    Open(Vec<Arc<[f32]>>),
    /// Full: \[[`BLOCK_LEN_ROWS`], dim\].
    Full(Arc<Vec<f32>>),
}

/// Rows that were added one after another. Cloning copies no vector.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    rows: Vec<Row>,
    vectors: Vectors,
}

impl Block {
    pub(crate) fn new() -> Self {
        Self {
            rows: Vec::with_capacity(1),
            vectors: Vectors::Open(Vec::new()),
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.rows.len() == BLOCK_LEN_ROWS
    }

    /// Adds a row to a block that is not full.
    pub(crate) fn push(&mut self, row: Row, vector: Arc<[f32]>) {
        let Vectors::Open(vectors) = &mut self.vectors else {
            unreachable!("a full block takes no row");
        };
        self.rows.push(row);
        vectors.push(vector);
        if self.rows.len() == BLOCK_LEN_ROWS {
            self.vectors = Vectors::Full(Arc::new(vectors.concat()));
        }
    }

    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub(crate) fn end(&mut self, row_idx: usize, died: u64) {
        self.rows[row_idx].died = died;
    }

    pub(crate) fn vector(&self, row_idx: usize, dim: usize) -> &[f32] {
        match &self.vectors {
            Vectors::Open(vectors) => &vectors[row_idx],
            Vectors::Full(vectors) => &vectors[row_idx * dim..][..dim],
        }
    }

    /// All vectors at once, \[rows, dim\], where they lie side by side.
    pub(crate) fn side_by_side(&self) -> Option<&[f32]> {
        match &self.vectors {
            Vectors::Open(_) => None,
            Vectors::Full(vectors) => Some(vectors),
        }
    }
}
