//! What speaks for a memory beside its own words and meaning. Knows no index.
//!
//! **Source**: the question names who said it ("What did Ann paint?"), or speaks of oneself, and the user said it.
//!
//! **Context**: what was remembered just before and after fits the question. An answer follows its
//! question, and often repeats none of its words. A long neighbour counts for less: it fits much, and
//! what it says stands in itself.
//!
//! **Importance**: as its owner gave it. It lifts or lowers what fits, and lifts nothing that does not.
//!
//! The measurements behind the weights: `docs/decisions/0004-what-recall-ranks-by.md`.

use std::collections::BTreeMap;
use std::sync::Arc;

use palimpsest_store::{MemoryId, MemoryRecord, Snapshot};

use super::Why;
use super::asked::Asked;
use super::fuse::Fused;
use crate::Ranking;

/// The memory before counts with the whole weight of the context; the one after and the one before that with these parts.
const PART_OF_NEXT: f64 = 2.0 / 3.0;
const PART_OF_SECOND_BEFORE: f64 = 1.0 / 3.0;
/// Words of a neighbour at which it counts for 1/e.
const NEIGHBOUR_WORDS: f64 = 60.0;
/// So many of the best bring their neighbours into question.
const N_WITH_NEIGHBOURS: usize = 50;

/// Adds what the source and the context say to `fused`, best first, ties by id.
///
/// `brings_neighbours`: whether a memory may come into question for its neighbours alone.
pub(crate) fn rank(
    snapshot: &Snapshot,
    asked: &Asked,
    ranking: &Ranking,
    sources: &[Arc<str>],
    fused: Vec<Fused>,
    brings_neighbours: bool,
) -> Vec<Fused> {
    let own: BTreeMap<MemoryId, f64> = fused.iter().map(|it| (it.id, it.score)).collect();
    let mut found = fused;
    if ranking.context_weight > 0.0 && brings_neighbours {
        found.extend(brought_in(snapshot, asked, &found, &own));
    }
    for it in &mut found {
        let Some(memory) = snapshot.memory(it.id) else {
            continue;
        };
        let is_of_source = memory
            .source
            .as_ref()
            .is_some_and(|it| sources.contains(it));
        it.why.source =
            (is_of_source && ranking.source_weight > 0.0).then_some(ranking.source_weight);
        if ranking.context_weight > 0.0 {
            let context = ranking.context_weight * context(snapshot, &memory, &own);
            it.why.context = (context > 0.0).then_some(context);
        }
        it.score += it.why.source.unwrap_or_default() + it.why.context.unwrap_or_default();
        let tendency = 2.0 * f64::from(memory.importance) - 1.0;
        let importance = ranking.importance_weight * tendency * it.score;
        it.why.importance = (importance != 0.0).then_some(importance);
        it.score += importance;
    }
    scaled_to_one(&mut found);
    found.sort_by(|left, right| {
        let by_score = right.score.total_cmp(&left.score);
        by_score.then(left.id.cmp(&right.id))
    });
    found
}

/// The neighbours of the best that are not in question yet.
fn brought_in(
    snapshot: &Snapshot,
    asked: &Asked,
    found: &[Fused],
    own: &BTreeMap<MemoryId, f64>,
) -> Vec<Fused> {
    let mut brought: BTreeMap<MemoryId, Fused> = BTreeMap::new();
    for it in found.iter().take(N_WITH_NEIGHBOURS) {
        let Some(memory) = snapshot.memory(it.id) else {
            continue;
        };
        let before = snapshot.remembered_before(&memory, 1);
        let after = snapshot.remembered_after(&memory, 2);
        for neighbour in before.into_iter().chain(after) {
            let is_wanted = asked.filter.accepts(&neighbour) && asked.shows(&neighbour);
            if is_wanted && !own.contains_key(&neighbour.id) {
                brought.entry(neighbour.id).or_insert_with(|| Fused {
                    id: neighbour.id,
                    score: 0.0,
                    why: Why::default(),
                });
            }
        }
    }
    brought.into_values().collect()
}

/// What the neighbours' own scores come to, 0 to 2.
fn context(snapshot: &Snapshot, memory: &MemoryRecord, own: &BTreeMap<MemoryId, f64>) -> f64 {
    let parts = [
        (
            snapshot.remembered_before(memory, 2),
            [1.0, PART_OF_SECOND_BEFORE],
        ),
        (snapshot.remembered_after(memory, 1), [PART_OF_NEXT, 0.0]),
    ];
    let neighbours = parts
        .iter()
        .flat_map(|(near, parts)| near.iter().zip(parts));
    neighbours
        .filter_map(|(neighbour, part)| {
            let score = own.get(&neighbour.id)?;
            Some(part * score * weight_by_length(&neighbour.text))
        })
        .sum()
}

#[expect(clippy::cast_precision_loss, reason = "a text has at most 2^20 words")]
fn weight_by_length(text: &str) -> f64 {
    let n_words = text.split_whitespace().count();
    (-(n_words as f64) / NEIGHBOUR_WORDS).exp()
}

/// Where the greatest score is above 1, all are divided by it, and their shares.
fn scaled_to_one(found: &mut [Fused]) {
    let greatest = found.iter().map(|it| it.score).fold(0.0, f64::max);
    if greatest <= 1.0 {
        return;
    }
    for it in found {
        it.score /= greatest;
        let why = &mut it.why;
        let vector = why.vector.as_mut().map(|it| &mut it.share);
        let keyword = why.keyword.as_mut().map(|it| &mut it.share);
        let others = [
            why.source.as_mut(),
            why.context.as_mut(),
            why.importance.as_mut(),
        ];
        for share in [vector, keyword].into_iter().chain(others).flatten() {
            *share /= greatest;
        }
    }
}

#[cfg(test)]
mod tests;
