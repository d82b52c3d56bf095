use super::Interval;

const SEED: u64 = 7;

fn check(ours: &[f64], theirs: &[f64]) -> Interval {
    let interval = Interval::paired(ours, theirs, SEED, 10_000).expect("there is something");
    let again = Interval::paired(ours, theirs, SEED, 10_000);
    assert_eq!(
        Some(interval),
        again,
        "the same seed gives the same interval"
    );
    assert!(interval.low <= interval.difference && interval.difference <= interval.high);
    interval
}

/// Hits of 400 questions: ours has `n_ours` that theirs has not, and the other way round.
fn hits(n_ours: usize, n_theirs: usize) -> (Vec<f64>, Vec<f64>) {
    let hit = |range: std::ops::Range<usize>| {
        (0..400)
            .map(|it| f64::from(u8::from(range.contains(&it))))
            .collect()
    };
    (hit(0..n_ours), hit(n_ours..n_ours + n_theirs))
}

#[test]
fn the_interval_is_that_of_the_normal_approximation() {
    let (ours, theirs) = hits(60, 40);
    let interval = check(&ours, &theirs);
    // The standard error of the mean difference: sqrt((100 - 20^2 / 400) / 400^2), 1.96 of it a side.
    let expected = 1.96 * (99.0_f64).sqrt() / 400.0;
    assert!((interval.difference - 0.05).abs() < 1e-12);
    assert!(
        (interval.high - 0.05 - expected).abs() < 0.004,
        "{interval:?} {expected}"
    );
    assert!(
        (0.05 - interval.low - expected).abs() < 0.004,
        "{interval:?} {expected}"
    );
}

#[test]
fn a_clear_difference_is_above_zero_and_none_is_not() {
    let (ours, theirs) = hits(60, 20);
    assert!(check(&ours, &theirs).is_above_zero());
    assert!(!check(&theirs, &ours).is_above_zero());
    let (ours, theirs) = hits(30, 30);
    assert!(!check(&ours, &theirs).is_above_zero());
}

#[test]
fn the_pairs_matter_and_not_only_the_means() {
    // Every question 0.01 better: no doubt, however much the questions differ among themselves.
    let theirs: Vec<f64> = (0..100).map(f64::from).collect();
    let ours: Vec<f64> = theirs.iter().map(|it| it + 0.01).collect();
    let interval = check(&ours, &theirs);
    assert!(interval.high - interval.low < 1e-9 && interval.is_above_zero());
}

#[test]
fn there_is_no_interval_of_nothing() {
    assert_eq!(Interval::paired(&[], &[], SEED, 10), None);
}
