//! Lists of what was found, best first.

/// A document, by position in the haystack, and its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scored {
    pub(crate) position: usize,
    pub(crate) score: f64,
}

/// One place of a ranking: the turns that it returns, by position in the haystack. A whole session, or
/// one memory that several equal turns became, is one place with several.
pub(crate) type Place = Vec<usize>;

/// Sorts by score, greatest first; ties by position, least first.
pub(crate) fn ranked(mut list: Vec<Scored>) -> Vec<Scored> {
    list.sort_by(|left, right| {
        let by_score = right.score.total_cmp(&left.score);
        by_score.then(left.position.cmp(&right.position))
    });
    list
}
