use proptest::prelude::*;

use super::super::Scored;
use super::{FusionMethod, fuse};

fn list(scores: &[(usize, f64)]) -> Vec<Scored> {
    let scores = scores.iter();
    scores
        .map(|(position, score)| Scored {
            position: *position,
            score: *score,
        })
        .collect()
}

fn check(method: FusionMethod, vector_weight: f64, expected: &[(usize, f64)]) {
    let vector = list(&[(0, 0.2), (1, 0.8), (2, 0.5)]);
    let keyword = list(&[(3, 4.0), (1, 2.0)]);
    let fused = fuse(method, vector_weight, &vector, &keyword);
    let positions: Vec<usize> = fused.iter().map(|it| it.position).collect();
    let wanted: Vec<usize> = expected.iter().map(|(position, _)| *position).collect();
    assert_eq!(positions, wanted);
    for (found, (_, score)) in fused.iter().zip(expected) {
        assert!((found.score - score).abs() < 1e-12, "{found:?}: {score}");
    }
}

#[test]
fn each_list_is_scaled_and_what_it_lacks_counts_nothing() {
    check(
        FusionMethod::Weighted,
        0.4,
        &[(3, 0.6), (1, 0.4), (2, 0.2), (0, 0.0)],
    );
}

#[test]
fn reciprocal_ranks_count_from_one() {
    let first_and_second = 0.5 / 61.0 + 0.5 / 62.0;
    let expected = [
        (1, first_and_second),
        (3, 0.5 / 61.0),
        (2, 0.5 / 62.0),
        (0, 0.5 / 63.0),
    ];
    check(FusionMethod::Rrf, 0.5, &expected);
}

#[test]
fn equal_scores_are_all_the_best_and_ties_go_by_position() {
    let fused = fuse(
        FusionMethod::Weighted,
        1.0,
        &list(&[(7, 3.0), (4, 3.0)]),
        &[],
    );
    assert_eq!(fused, list(&[(4, 1.0), (7, 1.0)]));
}

proptest! {
    #[test]
    fn a_list_with_all_the_weight_decides_alone(
        vector in proptest::collection::vec(-1.0..1.0_f64, 1..9),
        keyword in proptest::collection::vec(0.1..9.0_f64, 1..9),
    ) {
        let placed = |scores: &[f64]| list(&scores.iter().copied().enumerate().collect::<Vec<_>>());
        let (vector, keyword) = (placed(&vector), placed(&keyword));
        for method in [FusionMethod::Weighted, FusionMethod::Rrf] {
            let fused = fuse(method, 0.0, &vector, &keyword);
            let best = super::ranked(keyword.clone());
            // The least of the list may tie with what is not in it.
            for (found, expected) in fused.iter().zip(&best[..best.len() - 1]) {
                prop_assert_eq!(found.position, expected.position);
            }
        }
    }
}
