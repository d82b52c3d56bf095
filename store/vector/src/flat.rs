//! The exact index: a scan over every visible row. Knows owners as numbers, and commits as numbers.

use std::sync::Arc;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::block::{BLOCK_LEN_ROWS, Block, Row};
use crate::nearest::Nearest;
use crate::{Error, Hit, Kernel, check_vector, visible_at};

/// Blocks of a full group: what one task of a scan takes.
const GROUP_LEN_BLOCKS: usize = 64;
const GROUP_LEN_ROWS: usize = GROUP_LEN_BLOCKS * BLOCK_LEN_ROWS;

/// From how many multiplications on a scan is shared out: about 0.3 ms of one core, where waking
/// others costs some 20 us.
const SHARED_LEN_PRODUCTS_MIN: usize = 1 << 22;

/// Vectors of one length, each with an owner and a lifespan. Cheap to clone; a clone never changes.
#[derive(Debug, Clone)]
pub struct FlatIndex {
    dim: usize,
    n_rows: usize,
    groups: Vec<Arc<Vec<Arc<Block>>>>,
}

/// Rows that were added together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowRange {
    first: usize,
    n_rows: usize,
}

impl FlatIndex {
    /// No rows yet, of vectors of `dim` numbers.
    ///
    /// # Errors
    /// [`Error::BadDim`] where `dim` is 0 or more than [`crate::DIM_MAX`].
    pub fn new(dim: usize) -> Result<Self, Error> {
        if dim == 0 || dim > crate::DIM_MAX {
            return Err(Error::BadDim {
                dim,
                dim_max: crate::DIM_MAX,
            });
        }
        Ok(Self {
            dim,
            n_rows: 0,
            groups: Vec::new(),
        })
    }

    /// The length of its vectors.
    pub const fn dim(&self) -> usize {
        self.dim
    }

    /// Rows, ended ones included.
    pub const fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Adds the vectors of `owner`, numbered from 0, visible from commit `born` on.
    ///
    /// # Errors
    /// As [`check_vector`]; then no vector was added.
    pub fn push(
        &mut self,
        owner: u64,
        born: u64,
        vectors: impl IntoIterator<Item = Arc<[f32]>>,
    ) -> Result<RowRange, Error> {
        let vectors: Vec<_> = vectors.into_iter().collect();
        vectors.iter().try_for_each(|v| check_vector(v, self.dim))?;
        let range = RowRange {
            first: self.n_rows,
            n_rows: vectors.len(),
        };
        for (window, vector) in (0..).zip(vectors) {
            let row = Row {
                owner,
                window,
                born,
                died: u64::MAX,
            };
            self.open_block().push(row, vector);
            self.n_rows += 1;
        }
        Ok(range)
    }

    /// Ends rows: from commit `died` on they are not visible.
    pub fn end(&mut self, range: RowRange, died: u64) {
        for row_idx in range.first..range.first + range.n_rows {
            let group = Arc::make_mut(&mut self.groups[row_idx / GROUP_LEN_ROWS]);
            let block = &mut group[row_idx % GROUP_LEN_ROWS / BLOCK_LEN_ROWS];
            Arc::make_mut(block).end(row_idx % BLOCK_LEN_ROWS, died);
        }
    }

    /// The vectors of rows that were added together, in order.
    pub fn vectors(&self, range: RowRange) -> impl Iterator<Item = &[f32]> {
        let rows = range.first..range.first + range.n_rows;
        rows.map(|row_idx| self.row(row_idx).1)
    }

    /// The `k` owners with the greatest product of any of their rows visible at commit `seq` and any
    /// of `queries`, greatest first, ties by lesser owner.
    ///
    /// `accepts` is asked only about owners that would be among the best so far, perhaps from several
    /// threads at once.
    ///
    /// # Errors
    /// As [`check_vector`], of `queries`.
    pub fn search(
        &self,
        queries: &[&[f32]],
        seq: u64,
        k: usize,
        accepts: impl Fn(u64) -> bool + Sync,
    ) -> Result<Vec<Hit>, Error> {
        queries.iter().try_for_each(|q| check_vector(q, self.dim))?;
        if k == 0 || queries.is_empty() {
            return Ok(Vec::new());
        }
        let scan = |group: &Arc<Vec<Arc<Block>>>| self.scan(group, queries, seq, k, &accepts);
        let n_products = self.n_rows * self.dim * queries.len();
        let parts: Vec<Nearest> = if n_products < SHARED_LEN_PRODUCTS_MIN {
            self.groups.iter().map(scan).collect()
        } else {
            self.groups.par_iter().map(scan).collect()
        };
        Ok(Nearest::merge(k, parts).into_hits())
    }

    /// As [`Self::search`], among the rows of `ranges` alone, whenever they lived; for a few of many.
    ///
    /// # Errors
    /// As [`check_vector`], of `queries`.
    pub fn search_in(
        &self,
        ranges: impl IntoIterator<Item = RowRange>,
        queries: &[&[f32]],
        k: usize,
    ) -> Result<Vec<Hit>, Error> {
        queries.iter().try_for_each(|q| check_vector(q, self.dim))?;
        let kernel = Kernel::detect();
        let mut nearest = Nearest::new(k);
        for range in ranges {
            let rows = range.first..range.first + range.n_rows;
            let hits = rows.flat_map(|row_idx| {
                let (row, vector) = self.row(row_idx);
                queries.iter().map(move |query| Hit {
                    owner: row.owner,
                    window: row.window,
                    similarity: kernel.dot(query, vector),
                })
            });
            if let Some(best) = hits.min_by(Hit::rank) {
                nearest.push(best);
            }
        }
        Ok(nearest.into_hits())
    }

    fn row(&self, row_idx: usize) -> (&Row, &[f32]) {
        let block = &self.groups[row_idx / GROUP_LEN_ROWS];
        let block = &block[row_idx % GROUP_LEN_ROWS / BLOCK_LEN_ROWS];
        let row_idx = row_idx % BLOCK_LEN_ROWS;
        (&block.rows()[row_idx], block.vector(row_idx, self.dim))
    }

    fn open_block(&mut self) -> &mut Block {
        if self.n_rows.is_multiple_of(GROUP_LEN_ROWS) {
            self.groups.push(Arc::new(Vec::new()));
        }
        let group = self.groups.last_mut().expect("one was just there or added");
        let group = Arc::make_mut(group);
        if group.last().is_none_or(|block| block.is_full()) {
            group.push(Arc::new(Block::new()));
        }
        Arc::make_mut(group.last_mut().expect("one was just there or added"))
    }

    /// The best of one group.
    fn scan(
        &self,
        group: &[Arc<Block>],
        queries: &[&[f32]],
        seq: u64,
        k: usize,
        accepts: &impl Fn(u64) -> bool,
    ) -> Nearest {
        let kernel = Kernel::detect();
        let mut nearest = Nearest::new(k);
        let mut best: Option<Hit> = None;
        let mut similarities = [0.0_f32; BLOCK_LEN_ROWS];
        for block in group {
            self.score(kernel, block, queries, &mut similarities);
            for (row, similarity) in block.rows().iter().zip(similarities) {
                if !visible_at(row.born, row.died, seq) {
                    continue;
                }
                let hit = Hit {
                    owner: row.owner,
                    window: row.window,
                    similarity,
                };
                match &mut best {
                    Some(best) if best.owner == hit.owner => {
                        if hit.rank(best).is_lt() {
                            *best = hit;
                        }
                    }
                    _ => {
                        if let Some(done) = best.replace(hit) {
                            offer(&mut nearest, done, accepts);
                        }
                    }
                }
            }
        }
        if let Some(done) = best {
            offer(&mut nearest, done, accepts);
        }
        nearest
    }

    /// The greatest product of each row with any of `queries`.
    fn score(
        &self,
        kernel: Kernel,
        block: &Block,
        queries: &[&[f32]],
        similarities: &mut [f32; BLOCK_LEN_ROWS],
    ) {
        similarities.fill(f32::NEG_INFINITY);
        for query in queries {
            let mut products = [0.0_f32; BLOCK_LEN_ROWS];
            if let Some(rows) = block.side_by_side() {
                kernel.dots(query, rows, &mut products);
            } else {
                for (row_idx, product) in products[..block.rows().len()].iter_mut().enumerate() {
                    *product = kernel.dot(query, block.vector(row_idx, self.dim));
                }
            }
            for (similarity, product) in similarities.iter_mut().zip(products) {
                *similarity = similarity.max(product);
            }
        }
    }
}

fn offer(nearest: &mut Nearest, hit: Hit, accepts: &impl Fn(u64) -> bool) {
    if nearest.wants(&hit) && accepts(hit.owner) {
        nearest.push(hit);
    }
}

#[cfg(test)]
mod tests;
