use super::Stride;

#[test]
fn a_limit_takes_so_many_questions_evenly_spread() {
    for (n_all, limit, expected) in [
        (10, None, 10),
        (10, Some(4), 4),
        (500, Some(7), 7),
        (3, Some(9), 3),
        (3, Some(0), 0),
    ] {
        let stride = Stride::new(n_all, limit);
        let taken: Vec<usize> = (0..n_all).filter(|it| stride.takes(*it)).collect();
        assert_eq!(taken.len(), expected, "{n_all} {limit:?}");
        let gaps = taken.windows(2).map(|pair| pair[1] - pair[0]);
        let gaps: std::collections::BTreeSet<usize> = gaps.collect();
        assert!(gaps.len() <= 2, "{taken:?}");
    }
}
