//! Which elements of a grid are meant, and copying them between grids.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use crate::dataspace::product;
use crate::error::{Error, Result};

/// A regular selection: along each dimension `count` places from `start` on, `stride` apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hyperslab {
    /// The first place.
    pub start: Vec<u64>,
    /// How many places.
    pub count: Vec<u64>,
    /// How far apart; at least 1.
    pub stride: Vec<u64>,
}

impl Hyperslab {
    /// Everything of a grid.
    pub fn all(shape: &[u64]) -> Self {
        Self::block(&vec![0; shape.len()], shape)
    }

    /// A block without gaps.
    pub fn block(start: &[u64], count: &[u64]) -> Self {
        Self {
            start: start.to_vec(),
            count: count.to_vec(),
            stride: vec![1; start.len()],
        }
    }

    /// The rows from `first` on of a grid: all of every other dimension.
    pub fn rows(shape: &[u64], first: u64, n_rows: u64) -> Self {
        let mut slab = Self::all(shape);
        if let (Some(start), Some(count)) = (slab.start.first_mut(), slab.count.first_mut()) {
            (*start, *count) = (first, n_rows);
        }
        slab
    }

    /// How many elements are meant.
    ///
    /// # Errors
    ///
    /// [`Error::Request`] where the selection does not lie within `shape`.
    pub fn n_elements_in(&self, shape: &[u64]) -> Result<u64> {
        let refuse = |what, rule, found| Err(Error::Request { what, rule, found });
        let rank = shape.len();
        if [self.start.len(), self.count.len(), self.stride.len()] != [rank; 3] {
            let rule = "of the dataset's rank";
            return refuse("the rank of a selection", rule, self.start.len() as u64);
        }
        for (((start, count), stride), len) in self
            .start
            .iter()
            .zip(&self.count)
            .zip(&self.stride)
            .zip(shape)
        {
            if *stride == 0 {
                return refuse("a stride", "at least 1", 0);
            }
            let steps = count.saturating_sub(1).checked_mul(*stride);
            let last = steps.and_then(|steps| steps.checked_add(*start));
            let within = if *count == 0 {
                start <= len
            } else {
                last.is_some_and(|last| last < *len)
            };
            if !within {
                return refuse(
                    "the end of a selection",
                    "within the dataset",
                    last.unwrap_or(u64::MAX),
                );
            }
        }
        let too_many = Error::Request {
            what: "a selection",
            rule: "countable",
            found: u64::MAX,
        };
        product(&self.count).ok_or(too_many)
    }
}

/// Where a selection lies in a buffer that holds a grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) shape: Vec<u64>,
    pub(crate) start: Vec<u64>,
    pub(crate) stride: Vec<u64>,
}

/// One dimension of a copy, in elements.
#[derive(Debug, Clone, Copy)]
struct Loop {
    count: u64,
    from_step: u64,
    to_step: u64,
}

/// Where a copy begins, how far a run goes without a gap, and the loops around it, outermost first.
struct Plan {
    from: u64,
    to: u64,
    run: u64,
    loops: Vec<Loop>,
}

impl Plan {
    /// None where the numbers overflow, which none within a buffer does.
    fn new(from: &Region, to: &Region, count: &[u64]) -> Option<Self> {
        let mut plan = Self {
            from: 0,
            to: 0,
            run: 1,
            loops: Vec::new(),
        };
        let (mut from_len, mut to_len) = (1_u64, 1_u64);
        for dim in (0..count.len()).rev() {
            let n = *count.get(dim)?;
            let from_step = from_len.checked_mul(*from.stride.get(dim)?)?;
            let to_step = to_len.checked_mul(*to.stride.get(dim)?)?;
            plan.from = from
                .start
                .get(dim)?
                .checked_mul(from_len)?
                .checked_add(plan.from)?;
            plan.to = to
                .start
                .get(dim)?
                .checked_mul(to_len)?
                .checked_add(plan.to)?;
            // As long as neither side has a gap, the run goes on.
            if plan.loops.is_empty() && from_step == plan.run && to_step == plan.run {
                plan.run = plan.run.checked_mul(n)?;
            } else if n != 1 {
                plan.loops.push(Loop {
                    count: n,
                    from_step,
                    to_step,
                });
            }
            from_len = from_len.checked_mul(*from.shape.get(dim)?)?;
            to_len = to_len.checked_mul(*to.shape.get(dim)?)?;
        }
        plan.loops.reverse();
        Some(plan)
    }
}

/// Copies a selection of `count` elements of `element_bytes` each. Whatever does not lie within the
/// buffers is left out.
pub(crate) fn copy(
    from: (&[u8], &Region),
    to: (&mut [u8], &Region),
    count: &[u64],
    element_bytes: u64,
) {
    if count.contains(&0) {
        return;
    }
    let (from, to, from_region, to_region) = (from.0, to.0, from.1, to.1);
    for_each_run(
        from_region,
        to_region,
        count,
        &mut |from_place, to_place, run| {
            let range = |place: u64| {
                let start = usize::try_from(place.checked_mul(element_bytes)?).ok()?;
                let len = usize::try_from(run.checked_mul(element_bytes)?).ok()?;
                Some(start..start.checked_add(len)?)
            };
            let from = range(from_place).and_then(|range| from.get(range));
            let to = range(to_place).and_then(|range| to.get_mut(range));
            if let (Some(from), Some(to)) = (from, to) {
                to.copy_from_slice(from);
            }
            Ok(())
        },
    )
    .unwrap_or_default();
}

/// Visits the runs of a copy: where each begins in either grid, and how many elements it has.
pub(crate) fn for_each_run(
    from: &Region,
    to: &Region,
    count: &[u64],
    visit: &mut dyn FnMut(u64, u64, u64) -> Result<()>,
) -> Result<()> {
    match Plan::new(from, to, count) {
        Some(plan) => walk(plan.from, plan.to, plan.run, &plan.loops, visit),
        None => Ok(()),
    }
}

fn walk(
    from: u64,
    to: u64,
    run: u64,
    loops: &[Loop],
    visit: &mut dyn FnMut(u64, u64, u64) -> Result<()>,
) -> Result<()> {
    let Some((outer, inner)) = loops.split_first() else {
        return visit(from, to, run);
    };
    for step in 0..outer.count {
        let from = step.wrapping_mul(outer.from_step).wrapping_add(from);
        let to = step.wrapping_mul(outer.to_step).wrapping_add(to);
        walk(from, to, run, inner, visit)?;
    }
    Ok(())
}

/// The part of a selection that lies in one chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChunkPart {
    /// Which chunk, by its coordinates.
    pub(crate) coordinates: Vec<u64>,
    /// Where in the chunk.
    pub(crate) in_chunk: Region,
    /// Where in the selection.
    pub(crate) in_slab: Region,
    pub(crate) count: Vec<u64>,
}

/// One dimension's share of a chunk: its coordinate, the first selected place, how many.
type Share = (u64, u64, u64);

/// Visits the chunks that a selection touches, in C order.
pub(crate) fn for_each_chunk(
    slab: &Hyperslab,
    chunk_shape: &[u64],
    visit: &mut dyn FnMut(ChunkPart) -> Result<()>,
) -> Result<()> {
    let shares: Vec<Vec<Share>> = (0..chunk_shape.len())
        .map(|dim| shares(slab, chunk_shape, dim).unwrap_or_default())
        .collect();
    if shares.is_empty() || shares.iter().any(Vec::is_empty) {
        return Ok(());
    }
    let mut chosen = vec![0_usize; shares.len()];
    loop {
        let part: Vec<Share> = shares
            .iter()
            .zip(&chosen)
            .map(|(shares, place)| shares.get(*place).copied().unwrap_or_default())
            .collect();
        visit(chunk_part(slab, chunk_shape, &part))?;
        let mut dim = shares.len();
        loop {
            let Some(below) = dim.checked_sub(1) else {
                return Ok(());
            };
            dim = below;
            let (Some(place), Some(shares)) = (chosen.get_mut(dim), shares.get(dim)) else {
                return Ok(());
            };
            *place = place.saturating_add(1);
            if *place < shares.len() {
                break;
            }
            *place = 0;
        }
    }
}

/// How many chunks a selection reaches over, at most.
pub(crate) fn n_chunks(slab: &Hyperslab, chunk_shape: &[u64]) -> u64 {
    let dims = slab.start.iter().zip(&slab.count).zip(&slab.stride);
    dims.zip(chunk_shape)
        .map(|(((start, count), stride), chunk)| {
            let steps = count.saturating_sub(1).saturating_mul(*stride);
            let last = start.saturating_add(steps).checked_div(*chunk);
            let first = start.checked_div(*chunk);
            let between = last.unwrap_or(0).saturating_sub(first.unwrap_or(0));
            between.saturating_add(1).min(*count)
        })
        .fold(1, u64::saturating_mul)
}

/// The part of a selection that lies in the chunk at `coordinates`; none where nothing does.
pub(crate) fn part_of(
    slab: &Hyperslab,
    chunk_shape: &[u64],
    coordinates: &[u64],
) -> Option<ChunkPart> {
    let mut part = Vec::with_capacity(coordinates.len());
    for (dim, coordinate) in coordinates.iter().enumerate() {
        let (start, count) = (*slab.start.get(dim)?, *slab.count.get(dim)?);
        let (stride, chunk) = (*slab.stride.get(dim)?, *chunk_shape.get(dim)?);
        let chunk_start = coordinate.checked_mul(chunk)?;
        let chunk_end = chunk_start.saturating_add(chunk);
        let first = chunk_start.saturating_sub(start).div_ceil(stride.max(1));
        let behind = chunk_end
            .checked_sub(start)?
            .div_ceil(stride.max(1))
            .min(count);
        let n = behind.checked_sub(first).filter(|n| *n > 0)?;
        part.push((*coordinate, first, n));
    }
    Some(chunk_part(slab, chunk_shape, &part))
}

fn shares(slab: &Hyperslab, chunk_shape: &[u64], dim: usize) -> Option<Vec<Share>> {
    let (start, count) = (*slab.start.get(dim)?, *slab.count.get(dim)?);
    let (stride, chunk) = (*slab.stride.get(dim)?, *chunk_shape.get(dim)?);
    let mut shares = Vec::new();
    let mut first = 0_u64;
    while first < count {
        let coordinate = first
            .checked_mul(stride)?
            .checked_add(start)?
            .checked_div(chunk)?;
        // The first place that lies behind the chunk.
        let chunk_end = coordinate.checked_add(1)?.saturating_mul(chunk);
        let behind = chunk_end.checked_sub(start)?.div_ceil(stride).min(count);
        shares.push((coordinate, first, behind.checked_sub(first)?));
        first = behind;
    }
    Some(shares)
}

fn chunk_part(slab: &Hyperslab, chunk_shape: &[u64], part: &[Share]) -> ChunkPart {
    let start_in_chunk = part
        .iter()
        .zip(chunk_shape)
        .zip(slab.start.iter().zip(&slab.stride))
        .map(|(((coordinate, first, _), chunk), (start, stride))| {
            let place = first.wrapping_mul(*stride).wrapping_add(*start);
            place.wrapping_sub(coordinate.wrapping_mul(*chunk))
        });
    ChunkPart {
        coordinates: part.iter().map(|share| share.0).collect(),
        in_chunk: Region {
            shape: chunk_shape.to_vec(),
            start: start_in_chunk.collect(),
            stride: slab.stride.clone(),
        },
        in_slab: Region {
            shape: slab.count.clone(),
            start: part.iter().map(|share| share.1).collect(),
            stride: vec![1; part.len()],
        },
        count: part.iter().map(|share| share.2).collect(),
    }
}

#[cfg(test)]
mod tests;
