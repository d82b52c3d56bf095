//! Fusion by tables, and against a slow obvious twin.

use std::collections::HashMap;

use palimpsest_store::{KeywordHit, MemoryId, VectorHit};
use proptest::prelude::*;

use super::{Candidates, Fused, fuse};
use crate::Fusion;

const DEFAULT: Fusion = Fusion::MinMax {
    vector_weight: 0.4,
    keyword_weight: 0.6,
};

fn vector(hits: &[(u64, f32)]) -> Vec<VectorHit> {
    let hit = |&(id, similarity)| VectorHit {
        id: MemoryId(id),
        window: 0,
        similarity,
    };
    hits.iter().map(hit).collect()
}

fn keyword(hits: &[(u64, f64)]) -> Vec<KeywordHit> {
    let hit = |&(id, score)| KeywordHit {
        id: MemoryId(id),
        score,
        terms: Vec::new(),
        coverage: 0.5,
    };
    hits.iter().map(hit).collect()
}

fn check(fusion: Fusion, candidates: Candidates, expected: &[(u64, f64)]) {
    let fused = fuse(fusion, candidates);
    let found: Vec<_> = fused
        .iter()
        .map(|it| (it.id.0, (it.score * 1e6).round() / 1e6))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn each_list_is_scaled_by_its_least_and_greatest_score() {
    let candidates = Candidates {
        vector: Some(vector(&[(1, 0.9), (2, 0.7), (3, 0.5)])),
        keyword: Some(keyword(&[(3, 8.0), (1, 5.0), (4, 2.0)])),
    };
    check(
        DEFAULT,
        candidates,
        &[(1, 0.7), (3, 0.6), (2, 0.2), (4, 0.0)],
    );
}

#[test]
fn a_list_without_spread_still_counts() {
    let one = |similarity| Candidates {
        vector: Some(vector(&[(7, similarity)])),
        keyword: Some(keyword(&[(7, 0.3)])),
    };
    check(DEFAULT, one(0.5), &[(7, 0.8)]);
    check(DEFAULT, one(-0.5), &[(7, 0.6)]);
    let alike = Candidates {
        vector: Some(vector(&[])),
        keyword: Some(keyword(&[(1, 2.0), (2, 2.0)])),
    };
    check(DEFAULT, alike, &[(1, 0.6), (2, 0.6)]);
}

#[test]
fn a_list_alone_carries_the_whole_score() {
    let words = Candidates {
        vector: None,
        keyword: Some(keyword(&[(2, 4.0), (1, 1.0)])),
    };
    check(DEFAULT, words, &[(2, 1.0), (1, 0.0)]);
    let meaning = Candidates {
        vector: Some(vector(&[(2, 0.5)])),
        keyword: None,
    };
    check(DEFAULT, meaning, &[(2, 0.5)]);
    check(DEFAULT, Candidates::default(), &[]);
}

#[test]
fn weights_count_by_their_ratio() {
    let candidates = || Candidates {
        vector: Some(vector(&[(1, 0.9), (2, 0.1)])),
        keyword: Some(keyword(&[(2, 1.0)])),
    };
    let fusion = |vector_weight, keyword_weight| Fusion::MinMax {
        vector_weight,
        keyword_weight,
    };
    check(fusion(0.4, 0.6), candidates(), &[(2, 0.6), (1, 0.4)]);
    check(fusion(2.0, 3.0), candidates(), &[(2, 0.6), (1, 0.4)]);
    check(fusion(1.0, 0.0), candidates(), &[(1, 1.0), (2, 0.0)]);
}

#[test]
fn ranks_alone_count_under_reciprocal_rank_fusion() {
    let candidates = Candidates {
        vector: Some(vector(&[(1, 0.9), (2, 0.1)])),
        keyword: Some(keyword(&[(2, 100.0), (3, 1.0)])),
    };
    check(
        Fusion::Rrf { k: 60.0 },
        candidates,
        &[(2, 0.032_522), (1, 0.016_393), (3, 0.016_129)],
    );
}

#[test]
fn ties_are_broken_by_id() {
    let candidates = Candidates {
        vector: None,
        keyword: Some(keyword(&[(9, 1.0), (3, 1.0), (5, 1.0)])),
    };
    check(DEFAULT, candidates, &[(3, 1.0), (5, 1.0), (9, 1.0)]);
}

/// The same by the definition, with no thought of order or speed.
fn twin(
    weights: (f64, f64),
    vector: &HashMap<u64, f32>,
    keyword: &HashMap<u64, f64>,
) -> HashMap<u64, f64> {
    let scale = |score: f64, all: Vec<f64>, alike: f64| {
        let least = all.iter().copied().fold(f64::MAX, f64::min);
        let greatest = all.iter().copied().fold(f64::MIN, f64::max);
        if greatest > least {
            (score - least) / (greatest - least)
        } else {
            alike
        }
    };
    let mut scores = HashMap::new();
    for id in vector.keys().chain(keyword.keys()) {
        let similarities = || vector.values().map(|it| f64::from(*it)).collect();
        let vector = vector.get(id).map(|own| {
            let own = f64::from(*own);
            scale(own, similarities(), own.clamp(0.0, 1.0))
        });
        let keyword = keyword
            .get(id)
            .map(|own| scale(*own, keyword.values().copied().collect(), 1.0));
        let score = weights.0 * vector.unwrap_or(0.0) + weights.1 * keyword.unwrap_or(0.0);
        scores.insert(*id, score);
    }
    scores
}

proptest! {
    #[test]
    fn fusion_equals_its_naive_twin(
        vectors in prop::collection::hash_map(1..40u64, -1.0..1.0f32, 0..20),
        keywords in prop::collection::hash_map(1..40u64, 0.01..30.0f64, 0..20),
        weight in 0.0..=1.0f64,
    ) {
        let mut by_meaning: Vec<_> = vectors.iter().map(|(id, it)| (*id, *it)).collect();
        by_meaning.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        let mut by_words: Vec<_> = keywords.iter().map(|(id, it)| (*id, *it)).collect();
        by_words.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        let candidates = Candidates { vector: Some(vector(&by_meaning)), keyword: Some(keyword(&by_words)) };
        let fusion = Fusion::MinMax { vector_weight: weight, keyword_weight: 1.0 - weight };
        let fused = fuse(fusion, candidates);
        let expected = twin((weight, 1.0 - weight), &vectors, &keywords);
        prop_assert_eq!(fused.len(), expected.len());
        for found in &fused {
            prop_assert!((found.score - expected[&found.id.0]).abs() < 1e-9);
            prop_assert!((-1e-12..=1.0 + 1e-12).contains(&found.score));
            prop_assert!((found.score - shares(found)).abs() < 1e-12);
        }
        let in_order = |pair: &[Fused]| {
            pair[0].score > pair[1].score || (pair[0].score >= pair[1].score && pair[0].id < pair[1].id)
        };
        prop_assert!(fused.windows(2).all(in_order));
    }
}

fn shares(fused: &Fused) -> f64 {
    let vector = fused.why.vector.map(|it| it.share);
    let keyword = fused.why.keyword.as_ref().map(|it| it.share);
    vector.unwrap_or(0.0) + keyword.unwrap_or(0.0)
}
