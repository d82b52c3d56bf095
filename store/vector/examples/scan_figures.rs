//! What a scan costs, beside a plain loop: `cargo run --profile ci -p palimpsest-vector --example scan_figures`.
#![expect(clippy::print_stdout, reason = "it prints what it measured")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use palimpsest_vector::{FlatIndex, Kernel};

const DIM: usize = 384;
const N_SAMPLES: usize = 31;

/// As anyone would write it: one sum, in order.
fn dot_plain(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

/// The least of several runs of each, taken in turn: what it costs where nobody else is at work.
fn compare(mut one: impl FnMut() -> f32, mut other: impl FnMut() -> f32) -> (Duration, Duration) {
    let time = |what: &mut dyn FnMut() -> f32| {
        let start = Instant::now();
        assert!(
            std::hint::black_box(what()).is_finite(),
            "a sum of products"
        );
        start.elapsed()
    };
    let (mut ones, mut others): (Vec<_>, Vec<_>) = (0..N_SAMPLES)
        .map(|_| (time(&mut one), time(&mut other)))
        .unzip();
    ones.sort();
    others.sort();
    (ones[0], others[0])
}

fn main() -> Result<(), palimpsest_vector::Error> {
    let mut seed = 0x9E37_79B9_u32;
    let mut number = || {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        f32::from(u8::try_from(seed >> 24).unwrap_or(0)) / 255.0 - 0.5
    };
    println!("{:?}", Kernel::detect());
    for n_rows in [1_000, 3_000, 10_000, 30_000, 100_000] {
        let mut index = FlatIndex::new(DIM)?;
        let mut rows: Vec<f32> = Vec::with_capacity(n_rows * DIM);
        for owner in 0..n_rows {
            let row: Arc<[f32]> = (0..DIM).map(|_| number()).collect();
            rows.extend_from_slice(&row);
            index.push(owner as u64, 1, [row])?;
        }
        let query: Vec<f32> = (0..DIM).map(|_| number()).collect();
        let plain = || {
            rows.chunks_exact(DIM)
                .map(|row| dot_plain(&query, row))
                .fold(0.0, f32::max)
        };
        let kernel = Kernel::detect();
        let one_thread = || {
            rows.chunks_exact(DIM)
                .map(|row| kernel.dot(&query, row))
                .fold(0.0, f32::max)
        };
        let search = || match index.search(&[&query], 1, 10, |_| true) {
            Ok(hits) => hits[0].similarity,
            Err(_) => f32::NAN,
        };
        let (search_time, plain_time) = compare(search, plain);
        let (kernel_time, plain_time_again) = compare(one_thread, plain);
        println!(
            "{n_rows} x {DIM}: search {search_time:.1?}, plain loop {plain_time:.1?}, ratio {:.2}; \
             kernel alone on one thread {kernel_time:.1?}, plain loop {plain_time_again:.1?}, ratio {:.2}",
            plain_time.as_secs_f64() / search_time.as_secs_f64(),
            plain_time_again.as_secs_f64() / kernel_time.as_secs_f64(),
        );
    }
    Ok(())
}
