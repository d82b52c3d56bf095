//! What speaks for a memory beside its own words and meaning. Knows no index.
//!
//! Added to a score:
//!
//! - **Source**: the question names who said it ("What did Ann paint?"), or speaks of oneself, and the user said it.
//! - **Context**: what was remembered just before and after fits the question. An answer follows its
//!   question, and often repeats none of its words. A long neighbour counts for less: it fits much, and
//!   what it says stands in itself.
//! - **Time**: it is of a time that the question speaks of ("last Friday").
//! - **Entity**: it speaks of an entity that the question names.
//!
//! Multiplied with it, since neither may lift what does not fit:
//!
//! - **Importance**, as its owner gave it.
//! - **Recency**.
//!
//! The measurements behind the weights: `docs/decisions/0004-what-recall-ranks-by.md`.

use std::collections::BTreeMap;

use palimpsest_store::{EntityId, MemoryId, MemoryRecord, Neighbour, Snapshot, Timestamp};

use super::asked::Asked;
use super::fuse::Fused;
use super::spoken_of::SpokenOf;
use super::{RankingTerm, Why};
use crate::Ranking;

/// The memory before counts with the whole weight of the context; the one after and the one before that with these parts.
const PART_OF_NEXT: f64 = 2.0 / 3.0;
const PART_OF_SECOND_BEFORE: f64 = 1.0 / 3.0;
/// Words of a neighbour at which it counts for 1/e.
const NEIGHBOUR_WORDS: f64 = 60.0;
/// So many of the best bring their neighbours into question.
const N_WITH_NEIGHBOURS: usize = 50;
/// So many of the latest memories that speak of a named entity come into question.
const N_OF_ENTITY: usize = 50;
/// After so long the recency is half.
const RECENCY_HALF_LIFE_US: f64 = 30.0 * 86_400_000_000.0;

/// A ranking of what one snapshot holds, for one question.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ranker<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) asked: &'a Asked,
    pub(crate) ranking: &'a Ranking,
    pub(crate) spoken_of: &'a SpokenOf,
}

impl Ranker<'_> {
    /// Adds what the terms say to `fused`; best first, ties by id.
    ///
    /// `brings_others`: whether a memory may come into question for its neighbours or entities alone.
    pub(crate) fn rank(self, fused: Vec<Fused>, brings_others: bool) -> Vec<Fused> {
        let own: BTreeMap<MemoryId, f64> = fused.iter().map(|it| (it.id, it.score)).collect();
        let mut found = fused;
        if brings_others {
            found.extend(self.brought_in(&found, &own));
        }
        for it in &mut found {
            if let Some(memory) = self.snapshot.memory(it.id) {
                self.weigh(it, &memory, &own);
            }
        }
        scaled_to_one(&mut found);
        found.sort_by(|left, right| {
            let by_score = right.score.total_cmp(&left.score);
            by_score.then(left.id.cmp(&right.id))
        });
        found
    }

    /// Adds the share of each term to a score.
    fn weigh(self, it: &mut Fused, memory: &MemoryRecord, own: &BTreeMap<MemoryId, f64>) {
        let Self {
            ranking, spoken_of, ..
        } = self;
        let source = memory.source.as_ref();
        let is_of_source = source.is_some_and(|source| spoken_of.sources.contains(source));
        let context = if ranking.context_weight > 0.0 {
            ranking.context_weight * self.context(it.id, own)
        } else {
            0.0
        };
        let when = memory.when();
        let times = spoken_of.times.iter().map(|period| period.nearness(when));
        let is_of_entity = speaks_of(memory, &spoken_of.entities);
        let added = [
            (
                RankingTerm::Source,
                weight_if(is_of_source, ranking.source_weight),
            ),
            (RankingTerm::Context, context),
            (
                RankingTerm::Time,
                ranking.time_weight * times.fold(0.0, f64::max),
            ),
            (
                RankingTerm::Entity,
                weight_if(is_of_entity, ranking.entity_weight),
            ),
        ];
        it.score += added.iter().map(|(_, share)| share).sum::<f64>();
        let tendency = 2.0 * f64::from(memory.importance) - 1.0;
        let multiplied = [
            (
                RankingTerm::Importance,
                ranking.importance_weight * tendency,
            ),
            (
                RankingTerm::Recency,
                ranking.recency_weight * recency(self.asked.as_of, when),
            ),
        ];
        let multiplied = multiplied.map(|(term, part)| (term, part * it.score));
        it.score += multiplied.iter().map(|(_, share)| share).sum::<f64>();
        let shares = added.into_iter().chain(multiplied);
        it.why.others = shares.filter(|(_, share)| *share != 0.0).collect();
    }

    /// The neighbours of the best, and what speaks of the named entities, where it is not in question yet.
    fn brought_in(self, found: &[Fused], own: &BTreeMap<MemoryId, f64>) -> Vec<Fused> {
        let mut ids = Vec::new();
        if self.ranking.context_weight > 0.0 {
            for it in found.iter().take(N_WITH_NEIGHBOURS) {
                let before = self.snapshot.remembered_before(it.id, 1);
                let near = before.chain(self.snapshot.remembered_after(it.id, 2));
                ids.extend(near.map(|Neighbour { id, .. }| id));
            }
        }
        for entity in &self.spoken_of.entities {
            let mentions = self.snapshot.mentions(*entity).into_iter().rev();
            ids.extend(mentions.take(N_OF_ENTITY).map(|memory| memory.id));
        }
        let is_wanted = |id: &MemoryId| {
            let memory = self.snapshot.memory(*id);
            memory.is_some_and(|it| self.asked.filter.accepts(&it) && self.asked.shows(&it))
        };
        ids.sort_unstable();
        ids.dedup();
        ids.retain(|id| !own.contains_key(id) && is_wanted(id));
        let brought = ids.into_iter().map(|id| Fused {
            id,
            score: 0.0,
            why: Why::default(),
        });
        brought.collect()
    }

    /// What the neighbours' own scores come to, 0 to 2.
    fn context(self, id: MemoryId, own: &BTreeMap<MemoryId, f64>) -> f64 {
        let before = self.snapshot.remembered_before(id, 2);
        let after = self.snapshot.remembered_after(id, 1);
        let before = before.zip([1.0, PART_OF_SECOND_BEFORE]);
        let neighbours = before.chain(after.zip([PART_OF_NEXT]));
        neighbours
            .filter_map(|(neighbour, part)| {
                let score = own.get(&neighbour.id)?;
                let by_length = (-f64::from(neighbour.n_words) / NEIGHBOUR_WORDS).exp();
                Some(part * score * by_length)
            })
            .sum()
    }
}

fn weight_if(holds: bool, weight: f64) -> f64 {
    if holds { weight } else { 0.0 }
}

/// Both lists are sorted and short.
fn speaks_of(memory: &MemoryRecord, entities: &[EntityId]) -> bool {
    entities
        .iter()
        .any(|entity| memory.entities.binary_search(entity).is_ok())
}

/// 1 for now and what lies ahead, falling with age.
#[expect(clippy::cast_precision_loss, reason = "a few microseconds of years")]
fn recency(now: Timestamp, when: Timestamp) -> f64 {
    let age_us = now.0.saturating_sub(when.0).max(0) as f64;
    (-age_us / RECENCY_HALF_LIFE_US).exp2()
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
        let others = why.others.values_mut();
        for share in vector.into_iter().chain(keyword).chain(others) {
            *share /= greatest;
        }
    }
}

#[cfg(test)]
mod tests;
