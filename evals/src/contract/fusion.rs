//! Two lists become one.

use std::collections::BTreeMap;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::{Scored, ranked};

/// Damping of the first ranks; Cormack, Clarke and Büttcher 2009.
const RRF_K: f64 = 60.0;

/// How two lists become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FusionMethod {
    /// Each list scaled to 0..1 by its least and greatest score, then a weighted sum.
    Weighted,
    /// Reciprocal rank fusion: a weighted sum of 1 / (60 + rank), ranks from 1. With equal weights it
    /// orders as the unweighted sum of the publication does.
    Rrf,
}

/// The union of both lists, best first; what a list does not hold counts 0 there. The keyword list has
/// the weight `1 - vector_weight`.
pub(crate) fn fuse(
    method: FusionMethod,
    vector_weight: f64,
    vector: &[Scored],
    keyword: &[Scored],
) -> Vec<Scored> {
    let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
    for (list, weight) in [(vector, vector_weight), (keyword, 1.0 - vector_weight)] {
        let shares = match method {
            FusionMethod::Weighted => scaled(list),
            FusionMethod::Rrf => reciprocal_ranks(list),
        };
        for share in shares {
            *sums.entry(share.position).or_default() += weight * share.score;
        }
    }
    let sums = sums.into_iter();
    ranked(
        sums.map(|(position, score)| Scored { position, score })
            .collect(),
    )
}

/// Scores from 0 to 1; all 1 where they are equal.
fn scaled(list: &[Scored]) -> Vec<Scored> {
    let scores = || list.iter().map(|scored| scored.score);
    let least = scores().fold(f64::INFINITY, f64::min);
    let greatest = scores().fold(f64::NEG_INFINITY, f64::max);
    let scale = |score: f64| {
        if greatest > least {
            (score - least) / (greatest - least)
        } else {
            1.0
        }
    };
    let list = list.iter();
    list.map(|scored| Scored {
        score: scale(scored.score),
        ..*scored
    })
    .collect()
}

fn reciprocal_ranks(list: &[Scored]) -> Vec<Scored> {
    let mut rank = 0.0;
    let list = ranked(list.to_vec()).into_iter();
    list.map(|scored| {
        rank += 1.0;
        Scored {
            score: 1.0 / (RRF_K + rank),
            ..scored
        }
    })
    .collect()
}

#[cfg(test)]
mod tests;
