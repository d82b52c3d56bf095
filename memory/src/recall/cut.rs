//! How many of the ranked memories the caller gets. Knows only sizes.

use crate::tokens::estimate_tokens;

/// What of the ranked texts is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Which, by rank from 0.
    pub(crate) shown: Vec<usize>,
    /// How many of the best `limit` the token budget left out.
    pub(crate) n_over_budget: usize,
    /// What the best `limit` texts cost together.
    pub(crate) n_tokens: usize,
}

/// The best `limit` texts, less those that do not fit into what is left of `max_tokens`.
///
/// A text is whole or not there: none is cut. One that does not fit leaves room for the next ones,
/// so a single huge memory does not empty an answer; but nothing beyond `limit` moves up.
pub(crate) fn cut<'a>(
    ranked: impl IntoIterator<Item = &'a str>,
    limit: usize,
    max_tokens: usize,
) -> Cut {
    let mut cut = Cut {
        shown: Vec::new(),
        n_over_budget: 0,
        n_tokens: 0,
    };
    let mut n_tokens_left = max_tokens;
    for (rank, text) in ranked.into_iter().take(limit).enumerate() {
        let n_tokens = estimate_tokens(text);
        cut.n_tokens = cut.n_tokens.saturating_add(n_tokens);
        match n_tokens_left.checked_sub(n_tokens) {
            Some(left) => {
                n_tokens_left = left;
                cut.shown.push(rank);
            }
            None => cut.n_over_budget += 1,
        }
    }
    cut
}

#[cfg(test)]
mod tests;
