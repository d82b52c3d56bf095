use super::*;

/// The rule as a person would follow it: move on until the end is reached.
fn windows_by_walking(n_tokens: usize) -> Vec<Range<usize>> {
    let mut windows = Vec::new();
    let mut start = 0;
    loop {
        let end = n_tokens.min(start + 254);
        windows.push(start..end);
        if end == n_tokens {
            return windows;
        }
        start += 190;
    }
}

#[test]
fn windows_follow_the_rule_that_a_person_would_follow() {
    for n_tokens in 0..=3000 {
        let windows: Vec<_> = Windowing::Overlapping.windows(n_tokens).collect();
        assert_eq!(windows, windows_by_walking(n_tokens), "{n_tokens} tokens");
    }
}

#[test]
fn windows_cover_every_token_overlap_by_64_and_none_lies_inside_another() {
    for n_tokens in 0..=3000 {
        let windows: Vec<_> = Windowing::Overlapping.windows(n_tokens).collect();
        let mut covered = vec![false; n_tokens];
        for window in &windows {
            assert!(window.len() <= 254, "{n_tokens} tokens: {window:?}");
            covered[window.clone()].fill(true);
        }
        assert!(
            covered.iter().all(|&is_covered| is_covered),
            "{n_tokens} tokens: {windows:?}"
        );
        assert_eq!(windows.first().map(|window| window.start), Some(0));
        assert_eq!(windows.last().map(|window| window.end), Some(n_tokens));
        for pair in windows.windows(2) {
            assert_eq!(pair[1].start, pair[0].start + 190);
            assert_eq!(
                pair[0].end - pair[1].start,
                64,
                "{n_tokens} tokens: {pair:?}"
            );
            assert!(pair[0].end < pair[1].end, "{n_tokens} tokens: {pair:?}");
        }
    }
}

#[test]
fn a_cut_text_is_one_window_from_its_start() {
    for (tokens_max, n_tokens, expect) in [
        (128, 0, 0..0),
        (128, 126, 0..126),
        (128, 127, 0..126),
        (128, 3000, 0..126),
        (256, 255, 0..254),
    ] {
        let windows: Vec<_> = Windowing::Cut { tokens_max }.windows(n_tokens).collect();
        assert_eq!(windows, [expect], "{n_tokens} tokens cut at {tokens_max}");
    }
}
