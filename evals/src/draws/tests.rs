use super::Draws;

/// The first numbers for seed 1234567, as the authors' program gives them.
#[test]
fn the_draws_are_those_of_the_publication() {
    let mut draws = Draws::new(1_234_567);
    let first = [draws.next(), draws.next(), draws.next()];
    assert_eq!(
        first,
        [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423
        ]
    );
}

#[test]
fn numbers_are_spread_over_their_range() {
    let mut draws = Draws::new(1);
    let mut counts = [0_usize; 7];
    for _ in 0..7_000 {
        counts[draws.below(7)] += 1;
    }
    assert!(
        counts.iter().all(|count| (850..1_150).contains(count)),
        "{counts:?}"
    );
    let reals: Vec<f32> = (0..1_000).map(|_| draws.real()).collect();
    assert!(reals.iter().all(|real| (-1.0..=1.0).contains(real)));
    assert!(reals.iter().any(|real| *real < -0.9) && reals.iter().any(|real| *real > 0.9));
}
