use super::Tally;

#[test]
fn rates_and_mrr_are_means_over_all_questions() {
    let tally = Tally::of([
        Some(1),
        Some(2),
        Some(5),
        Some(6),
        Some(10),
        Some(11),
        None,
        None,
    ]);
    assert_eq!(tally.n_questions, 8);
    let n_hits = tally.hit_rates.map(|rate| format!("{:.3}", rate * 8.0));
    assert_eq!(n_hits, ["1.000", "3.000", "5.000"]);
    let mrr = (1.0 + 0.5 + 0.2 + 1.0 / 6.0 + 0.1) / 8.0;
    assert!((tally.mrr - mrr).abs() < 1e-12, "{tally:?}");
}

#[test]
fn no_question_gives_no_hit_and_no_nan() {
    assert_eq!(Tally::of([]).mrr.to_bits(), 0.0_f64.to_bits());
}
