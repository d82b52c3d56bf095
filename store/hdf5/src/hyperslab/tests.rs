#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "a test fails by panicking"
)]
use super::*;
use proptest::prelude::*;

/// Every selected place, one by one: the slow twin.
fn places(slab: &Hyperslab, shape: &[u64]) -> Vec<u64> {
    let mut places = vec![0];
    for (dim, len) in shape.iter().enumerate() {
        let along = |k| slab.start[dim] + k * slab.stride[dim];
        places = places
            .iter()
            .flat_map(|place| (0..slab.count[dim]).map(move |k| place * len + along(k)))
            .collect();
    }
    places
}

type Dim = (u64, u64, u64, u64, u64);

fn any_dim() -> impl Strategy<Value = Dim> {
    // start, count, stride, room behind, chunk length
    (0..4_u64, 1..5_u64, 1..4_u64, 0..3_u64, 1..5_u64)
}

fn selection(dims: &[Dim]) -> (Vec<u64>, Hyperslab, Vec<u64>) {
    let shape = dims
        .iter()
        .map(|(s, c, t, room, _)| s + (c - 1) * t + 1 + room)
        .collect();
    let slab = Hyperslab {
        start: dims.iter().map(|dim| dim.0).collect(),
        count: dims.iter().map(|dim| dim.1).collect(),
        stride: dims.iter().map(|dim| dim.2).collect(),
    };
    (shape, slab, dims.iter().map(|dim| dim.4).collect())
}

proptest! {
    #[test]
    fn a_copy_takes_what_is_selected(dims in prop::collection::vec(any_dim(), 1..4)) {
        let (shape, slab, _) = selection(&dims);
        let n = usize::try_from(product(&shape).unwrap()).unwrap();
        let from: Vec<u8> = (0..n * 2).map(|n| (n % 253) as u8).collect();
        let mut to = vec![0; usize::try_from(slab.n_elements_in(&shape).unwrap()).unwrap() * 2];
        let region = Region { shape: shape.clone(), start: slab.start.clone(), stride: slab.stride.clone() };
        let all = Hyperslab::all(&slab.count);
        let packed = Region { shape: slab.count.clone(), start: all.start, stride: all.stride };
        copy((&from, &region), (&mut to, &packed), &slab.count, 2);
        let expected: Vec<u8> = places(&slab, &shape)
            .into_iter()
            .flat_map(|place| from[place as usize * 2..][..2].to_vec())
            .collect();
        prop_assert_eq!(to, expected);
    }

    #[test]
    fn chunks_share_a_selection_without_gap_or_overlap(dims in prop::collection::vec(any_dim(), 1..4)) {
        let (shape, slab, chunk_shape) = selection(&dims);
        let n = slab.n_elements_in(&shape).unwrap();
        let mut seen = vec![0_u8; n as usize];
        let mut values = vec![0_u64; n as usize];
        for_each_chunk(&slab, &chunk_shape, &mut |part| {
            for_each_run(&part.in_chunk, &part.in_slab, &part.count, &mut |from, to, run| {
                for k in 0..run {
                    seen[(to + k) as usize] += 1;
                    let mut rest = from + k;
                    let mut inside = vec![0; chunk_shape.len()];
                    for dim in (0..chunk_shape.len()).rev() {
                        inside[dim] = rest % chunk_shape[dim];
                        rest /= chunk_shape[dim];
                    }
                    values[(to + k) as usize] = (0..shape.len()).fold(0, |place, dim| {
                        place * shape[dim] + part.coordinates[dim] * chunk_shape[dim] + inside[dim]
                    });
                }
                Ok(())
            })
        }).unwrap();
        prop_assert!(seen.iter().all(|count| *count == 1));
        prop_assert_eq!(values, places(&slab, &shape));
    }
}

#[test]
fn a_selection_outside_is_refused() {
    for slab in [
        Hyperslab::block(&[3], &[2]),
        Hyperslab::block(&[u64::MAX], &[2]),
        Hyperslab::block(&[0, 0], &[1, 1]),
    ] {
        assert!(slab.n_elements_in(&[4]).is_err());
    }
}

proptest! {
    #[test]
    fn a_chunk_has_the_same_part_whichever_way_it_is_found(
        dims in prop::collection::vec((0..20_u64, 1..9_u64, 1..7_u64, 1..6_u64), 1..4)
    ) {
        let slab = Hyperslab {
            start: dims.iter().map(|dim| dim.0).collect(),
            count: dims.iter().map(|dim| dim.1).collect(),
            stride: dims.iter().map(|dim| dim.2).collect(),
        };
        let chunk: Vec<_> = dims.iter().map(|dim| dim.3).collect();
        let mut parts = Vec::new();
        for_each_chunk(&slab, &chunk, &mut |part| {
            parts.push(part);
            Ok(())
        })
        .unwrap();
        prop_assert!(n_chunks(&slab, &chunk) >= parts.len() as u64);
        let counts: Vec<_> = dims.iter().map(|dim| (dim.0 + dim.1 * dim.2) / dim.3 + 2).collect();
        let mut found = Vec::new();
        for mut number in 0..counts.iter().product::<u64>() {
            let mut coordinates = vec![0; counts.len()];
            for (coordinate, count) in coordinates.iter_mut().zip(&counts).rev() {
                (*coordinate, number) = (number % count, number / count);
            }
            found.extend(part_of(&slab, &chunk, &coordinates));
        }
        prop_assert_eq!(found, parts);
    }
}
