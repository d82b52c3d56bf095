//! Two lists of candidates become one. Knows only identifiers and scores.
//!
//! Weighted min-max: each list is scaled to 0..1 by its least and its greatest score, and a memory's
//! score is the weighted sum, 0 for a list that it is missing from. A list without spread (one
//! candidate, or all alike) has nothing to scale by: there a cosine counts as it is, and a keyword
//! match counts whole. A list that was asked alone carries the whole score.
//!
//! Reciprocal rank fusion: the sum of 1 / (k + rank) over the lists that a memory is in.
//! Source: Cormack, Clarke and Büttcher 2009.

use std::collections::BTreeMap;

use palimpsest_store::{KeywordHit, MemoryId, VectorHit};

use super::{KeywordShare, VectorShare, Why};
use crate::Fusion;

/// What the indexes found. A list that was not asked for is `None` and has no weight.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Candidates {
    /// By meaning, nearest first.
    pub(crate) vector: Option<Vec<VectorHit>>,
    /// By words, best first.
    pub(crate) keyword: Option<Vec<KeywordHit>>,
}

/// One memory with its score and where that comes from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fused {
    pub(crate) id: MemoryId,
    pub(crate) score: f64,
    pub(crate) why: Why,
}

/// The union of the lists, best first, ties by id. The shares of each score add up to it.
pub(crate) fn fuse(fusion: Fusion, candidates: Candidates) -> Vec<Fused> {
    let (vector_shares, keyword_shares) = shares(fusion, &candidates);
    let mut found: BTreeMap<MemoryId, Why> = BTreeMap::new();
    let vector = candidates.vector.unwrap_or_default().into_iter();
    for (rank, (hit, share)) in (1..).zip(vector.zip(vector_shares)) {
        let similarity = f64::from(hit.similarity);
        let share = VectorShare {
            similarity,
            window: hit.window,
            rank,
            share,
        };
        found.entry(hit.id).or_default().vector = Some(share);
    }
    let keyword = candidates.keyword.unwrap_or_default().into_iter();
    for (rank, (hit, share)) in (1..).zip(keyword.zip(keyword_shares)) {
        let share = KeywordShare {
            score: hit.score,
            terms: hit.terms,
            coverage: hit.coverage,
            rank,
            share,
        };
        found.entry(hit.id).or_default().keyword = Some(share);
    }
    let scored = found.into_iter().map(|(id, why)| {
        let vector = why.vector.map_or(0.0, |vector| vector.share);
        let keyword = why.keyword.as_ref().map_or(0.0, |keyword| keyword.share);
        Fused {
            id,
            score: vector + keyword,
            why,
        }
    });
    let mut fused: Vec<Fused> = scored.collect();
    fused.sort_by(|left, right| {
        right
            .score
            .total_cmp(&left.score)
            .then(left.id.cmp(&right.id))
    });
    fused
}

/// What each entry of the two lists gives to its memory's score, in the order of the lists.
fn shares(fusion: Fusion, candidates: &Candidates) -> (Vec<f64>, Vec<f64>) {
    let vector = candidates.vector.as_deref().unwrap_or_default();
    let keyword = candidates.keyword.as_deref().unwrap_or_default();
    match fusion {
        Fusion::MinMax {
            vector_weight,
            keyword_weight,
        } => {
            let is_fused = candidates.vector.is_some() && candidates.keyword.is_some();
            let whole = vector_weight + keyword_weight;
            let part = |weight: f64| if is_fused { weight / whole } else { 1.0 };
            let similarities = vector.iter().map(|hit| f64::from(hit.similarity));
            let scores = keyword.iter().map(|hit| hit.score);
            (
                scaled(similarities, part(vector_weight), |cosine| {
                    cosine.clamp(0.0, 1.0)
                }),
                scaled(scores, part(keyword_weight), |_| 1.0),
            )
        }
        Fusion::Rrf { k } => (
            reciprocal_ranks(vector.len(), k),
            reciprocal_ranks(keyword.len(), k),
        ),
    }
}

/// Min-max scaling, weighted; `alike` scales a list without spread.
fn scaled(
    scores: impl Iterator<Item = f64> + Clone,
    weight: f64,
    alike: impl Fn(f64) -> f64,
) -> Vec<f64> {
    let least = scores.clone().fold(f64::INFINITY, f64::min);
    let greatest = scores.clone().fold(f64::NEG_INFINITY, f64::max);
    let spread = greatest - least;
    let scale = |score| {
        if spread > 0.0 {
            (score - least) / spread
        } else {
            alike(score)
        }
    };
    scores.map(|score| weight * scale(score)).collect()
}

#[expect(clippy::cast_precision_loss, reason = "ranks are far below 2^52")]
fn reciprocal_ranks(n_hits: usize, k: f64) -> Vec<f64> {
    (1..=n_hits).map(|rank| 1.0 / (k + rank as f64)).collect()
}

#[cfg(test)]
mod tests;
