//! Every kernel against a scalar sum in f64.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn dot_twin(a: &[f32], b: &[f32]) -> f64 {
    let products = a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b));
    products.sum()
}

/// What rounding may move a sum of `a` times `b`: each of its n products and additions by 2^-24.
fn tolerance(a: &[f32], b: &[f32]) -> f64 {
    let magnitudes = a
        .iter()
        .zip(b)
        .map(|(a, b)| f64::from(a.abs()) * f64::from(b.abs()));
    #[expect(clippy::cast_precision_loss, reason = "a few thousand at most")]
    let n_roundings = a.len() as f64 + 4.0;
    magnitudes.sum::<f64>() * n_roundings * f64::from(f32::EPSILON) / 2.0 + 1e-30
}

#[track_caller]
fn check(kernel: Kernel, a: &[f32], b: &[f32]) {
    let (dot, twin) = (f64::from(kernel.dot(a, b)), dot_twin(a, b));
    let close = (dot - twin).abs() <= tolerance(a, b);
    assert!(
        close,
        "{kernel:?} of {} numbers: {dot}, not {twin}",
        a.len()
    );
}

fn pair() -> impl Strategy<Value = (Vec<f32>, Vec<f32>, usize)> {
    (0..1100_usize, 0..8_usize).prop_flat_map(|(len, skipped)| {
        let numbers = vec(-10.0..10.0_f32, len + skipped);
        (numbers.clone(), numbers, Just(skipped))
    })
}

proptest! {
    #[test]
    fn a_kernel_agrees_with_its_scalar_twin((a, b, skipped) in pair()) {
        // Skipping some numbers of `a` alone leaves the two unaligned to each other.
        let (a, b) = (&a[skipped..], &b[..b.len() - skipped]);
        check(Kernel::detect(), a, b);
        check(Kernel::portable(), a, b);
    }

    #[test]
    fn a_block_of_rows_gives_what_its_rows_give(rows in vec(vec(-1.0..1.0_f32, 19), 1..70)) {
        let query = rows[0].clone();
        let mut products = vec![0.0; rows.len()];
        Kernel::detect().dots(&query, &rows.concat(), &mut products);
        let one_by_one = rows.iter().map(|row| Kernel::detect().dot(&query, row));
        prop_assert_eq!(products, one_by_one.collect::<Vec<_>>());
    }
}

#[test]
fn every_length_up_to_two_blocks_is_summed_whole() {
    for len in 0..=72_u8 {
        let a: Vec<f32> = (1..=len).map(f32::from).collect();
        let ones = vec![1.0; a.len()];
        let sum = f32::from(u16::from(len) * (u16::from(len) + 1) / 2);
        for kernel in [Kernel::detect(), Kernel::portable()] {
            assert_eq!(
                kernel.dot(&a, &ones).to_bits(),
                sum.to_bits(),
                "{kernel:?} {len}"
            );
        }
    }
}

#[test]
#[should_panic(expected = "vectors of two lengths")]
fn two_lengths_are_a_bug() {
    Kernel::detect().dot(&[1.0], &[1.0, 2.0]);
}
