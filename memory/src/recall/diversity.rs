//! Hits that say what a better hit has said step back. Knows no index.
//!
//! Maximal marginal relevance: of what is left, the next is the one with the greatest
//! (1 - d) score - d likeness, where the likeness is the greatest cosine with what was already taken.
//! Source: Carbonell and Goldstein 1998.

use super::fuse::Fused;

/// Reorders the first `limit` of `ranked` (best first) out of its first `n_looked_at`; scores stay. `likeness`
/// gives the cosine of two memories, 0 where it is not known.
pub(crate) fn diversify(
    ranked: &mut [Fused],
    weight: f64,
    limit: usize,
    n_looked_at: usize,
    likeness: impl Fn(&Fused, &Fused) -> f64,
) {
    let end = ranked.len().min(n_looked_at);
    let mut greatest = vec![0.0_f64; end];
    for place in 0..limit.min(end) {
        if let Some(taken) = place.checked_sub(1) {
            for idx in place..end {
                greatest[idx] = greatest[idx].max(likeness(&ranked[taken], &ranked[idx]));
            }
        }
        let worth = |idx: usize| (1.0 - weight) * ranked[idx].score - weight * greatest[idx];
        // The first of equals: the order is by score and id already.
        let best = (place..end).reduce(
            |best, idx| {
                if worth(idx) > worth(best) { idx } else { best }
            },
        );
        if let Some(best) = best {
            ranked[place..=best].rotate_right(1);
            greatest[place..=best].rotate_right(1);
        }
    }
}

#[cfg(test)]
mod tests {
    //! What steps back, and what stays.

    use super::diversify;
    use crate::recall::Why;
    use crate::recall::fuse::Fused;
    use palimpsest_store::MemoryId;

    fn fused(id: u64, score: f64) -> Fused {
        Fused {
            id: MemoryId(id),
            score,
            why: Why::default(),
        }
    }

    /// Memories of the same ten are alike.
    fn likeness(left: &Fused, right: &Fused) -> f64 {
        if left.id.0 / 10 == right.id.0 / 10 {
            1.0
        } else {
            0.0
        }
    }

    fn order(weight: f64, limit: usize, n_looked_at: usize) -> Vec<u64> {
        let mut ranked = [
            (10, 0.9),
            (11, 0.8),
            (12, 0.7),
            (20, 0.6),
            (30, 0.5),
            (21, 0.4),
        ]
        .map(|(id, score)| fused(id, score));
        diversify(&mut ranked, weight, limit, n_looked_at, likeness);
        ranked.iter().map(|it| it.id.0).collect()
    }

    #[test]
    fn what_a_better_hit_has_said_steps_back() {
        assert_eq!(order(0.5, 3, 6), [10, 20, 30, 11, 12, 21]);
        assert_eq!(order(0.5, 6, 6), [10, 20, 30, 11, 12, 21]);
        assert_eq!(order(0.5, 1, 6), [10, 11, 12, 20, 30, 21]);
        assert_eq!(order(0.5, 3, 4), [10, 20, 11, 12, 30, 21]);
    }

    #[test]
    fn without_weight_nothing_moves() {
        assert_eq!(order(0.0, 6, 6), [10, 11, 12, 20, 30, 21]);
    }

    #[test]
    fn little_weight_takes_little() {
        // 20 is worth .9 x .6 = .54; 11 is worth .9 x .8 - .1 = .62.
        assert_eq!(order(0.1, 2, 6), [10, 11, 12, 20, 30, 21]);
    }
}
