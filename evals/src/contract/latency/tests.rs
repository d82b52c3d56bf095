use std::time::Duration;

use super::Latency;

#[test]
fn a_percentile_is_the_least_time_that_so_many_are_not_above() {
    let times: Vec<Duration> = (1..=200).rev().map(Duration::from_micros).collect();
    let latency = Latency::of(&times).expect("there are times");
    let found = [latency.p50, latency.p95, latency.p99, latency.mean];
    for (found, expected) in found.into_iter().zip([100.0, 190.0, 198.0, 100.5]) {
        assert!((found - expected).abs() < 1e-6, "{latency:?}");
    }
    assert_eq!(Latency::of(&[]), None);
}
