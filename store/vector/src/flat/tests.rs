//! The index against a plain list.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// Small whole numbers: their products and sums are exact in f32, in whatever order.
fn vector(dim: usize) -> impl Strategy<Value = Arc<[f32]>> {
    let numbers = vec((-4..=4_i8).prop_map(f32::from), dim);
    let not_zero = numbers.prop_filter("not zero", |v| v.iter().any(|x| *x != 0.0));
    not_zero.prop_map(Arc::from)
}

#[derive(Debug, Clone)]
struct Added {
    owner: u64,
    windows: Vec<Arc<[f32]>>,
    /// The number of commits it lives; 0 is for ever.
    life: u64,
}

fn added(dim: usize) -> impl Strategy<Value = Added> {
    let windows = prop_oneof![8 => vec(vector(dim), 1..4), 1 => vec(vector(dim), 60..140)];
    (windows, 0..20_u64).prop_map(|(windows, life)| Added {
        owner: 0,
        windows,
        life,
    })
}

/// Adds one owner a commit, from 1 on; the numbers of the owners count down.
fn build(dim: usize, all: &mut [Added]) -> FlatIndex {
    let mut index = FlatIndex::new(dim).unwrap();
    let n_added = all.len() as u64;
    let mut ranges = Vec::new();
    for (born, added) in (1..).zip(all.iter_mut()) {
        added.owner = n_added - born;
        let range = index.push(added.owner, born, added.windows.iter().cloned());
        ranges.push(range.unwrap());
    }
    for ((born, added), range) in (1..).zip(&*all).zip(ranges) {
        if added.life > 0 {
            index.end(range, born + added.life);
        }
    }
    index
}

fn search_twin(
    all: &[Added],
    queries: &[Arc<[f32]>],
    seq: u64,
    k: usize,
    accepts: impl Fn(u64) -> bool,
) -> Vec<Hit> {
    let mut best = BTreeMap::new();
    for (born, added) in (1..).zip(all) {
        let died = if added.life == 0 {
            u64::MAX
        } else {
            born + added.life
        };
        if born > seq || seq >= died || !accepts(added.owner) {
            continue;
        }
        for (window, vector) in (0..).zip(&added.windows) {
            for query in queries {
                let similarity: f32 = vector.iter().zip(&**query).map(|(a, b)| a * b).sum();
                let owner = added.owner;
                let hit = best.entry(owner).or_insert((similarity, window));
                if similarity > hit.0 {
                    *hit = (similarity, window);
                }
            }
        }
    }
    let mut hits: Vec<_> = best
        .into_iter()
        .map(|(owner, (similarity, window))| Hit {
            owner,
            window,
            similarity,
        })
        .collect();
    hits.sort_by(|a, b| {
        b.similarity
            .total_cmp(&a.similarity)
            .then(a.owner.cmp(&b.owner))
    });
    hits.truncate(k);
    hits
}

fn slices(queries: &[Arc<[f32]>]) -> Vec<&[f32]> {
    queries.iter().map(|query| &**query).collect()
}

proptest! {
    #[test]
    fn a_search_finds_what_a_plain_list_finds(
        mut all in vec(added(5), 0..120), queries in vec(vector(5), 1..3), at in 0..140_u64,
        k in prop_oneof![0..8_usize, Just(usize::MAX)], modulus in 1..4_u64,
    ) {
        let index = build(5, &mut all);
        let accepts = |owner: u64| owner.is_multiple_of(modulus);
        let hits = index.search(&slices(&queries), at, k, accepts).unwrap();
        prop_assert_eq!(hits, search_twin(&all, &queries, at, k, accepts));
    }

    #[test]
    fn a_clone_never_changes(mut all in vec(added(3), 1..90), more in vec(added(3), 1..90)) {
        let before = build(3, &mut all);
        let mut after = before.clone();
        for added in more {
            let range = after.push(1_000, 1, added.windows).unwrap();
            after.end(range, 2);
        }
        after.end(RowRange { first: 0, n_rows: before.n_rows() }, 1);
        let query: Arc<[f32]> = Arc::from([1.0, 2.0, 3.0]);
        let hits = before.search(&[&query], 30, 1_000, |_| true).unwrap();
        prop_assert_eq!(hits, search_twin(&all, &[query], 30, 1_000, |_| true));
    }

    #[test]
    fn vectors_come_back_as_they_were_given(mut all in vec(added(4), 1..90)) {
        let index = build(4, &mut all);
        let mut first = 0;
        for added in &all {
            let range = RowRange { first, n_rows: added.windows.len() };
            first += range.n_rows;
            let given: Vec<&[f32]> = added.windows.iter().map(|window| &**window).collect();
            prop_assert_eq!(index.vectors(range).collect::<Vec<_>>(), given);
            let query = Arc::clone(&added.windows[0]);
            let alone = [added.clone()].map(|added| Added { life: 0, ..added });
            let twin = search_twin(&alone, std::slice::from_ref(&query), 1, 1, |_| true);
            prop_assert_eq!(index.search_in([range], &[&query], 3).unwrap(), twin);
        }
    }
}

/// So many rows that the scan is shared between threads.
#[test]
fn a_shared_scan_finds_what_a_plain_list_finds() {
    let dim = 64;
    let n_owners = 2 * SHARED_LEN_PRODUCTS_MIN / dim / 3;
    let number = |seed: usize| f32::from(u8::try_from(seed % 7).unwrap()) - 3.5;
    let mut all: Vec<_> = (0..n_owners)
        .map(|owner| Added {
            owner: 0,
            windows: (0..3)
                .map(|window| {
                    (0..dim)
                        .map(|idx| number((owner + window) * (idx + 3)))
                        .collect()
                })
                .collect(),
            life: u64::from(owner % 3 == 0),
        })
        .collect();
    let index = build(dim, &mut all);
    let queries = [Arc::clone(&all[5].windows[1])];
    let seq = n_owners as u64;
    let hits = index.search(&slices(&queries), seq, 50, |owner| owner != 7);
    assert_eq!(
        hits.unwrap(),
        search_twin(&all, &queries, seq, 50, |owner| owner != 7)
    );
}

#[test]
fn what_cannot_be_compared_is_refused_and_nothing_is_added() {
    let mut index = FlatIndex::new(2).unwrap();
    let wrong_dim = Error::WrongDim {
        expected: 2,
        found: 3,
    };
    let cases: [(&[f32], Error); 5] = [
        (&[1.0, f32::NAN], Error::NotFinite { component: 1 }),
        (&[f32::INFINITY, 0.0], Error::NotFinite { component: 0 }),
        (&[f32::NEG_INFINITY, 0.0], Error::NotFinite { component: 0 }),
        (&[1.0, 2.0, 3.0], wrong_dim),
        (&[0.0, -0.0], Error::Zero),
    ];
    for (vector, error) in cases {
        let pushed = index.push(1, 1, [Arc::from([1.0, 1.0]), Arc::from(vector)]);
        assert_eq!(pushed, Err(error));
        assert_eq!(index.search(&[vector], 1, 5, |_| true), Err(error));
        assert_eq!(index.n_rows(), 0);
    }
    let bad_dim = |dim| Error::BadDim {
        dim,
        dim_max: crate::DIM_MAX,
    };
    assert_eq!(FlatIndex::new(0).unwrap_err(), bad_dim(0));
    assert_eq!(FlatIndex::new(4_097).unwrap_err(), bad_dim(4_097));
}
