//! How a text that is too long for the model is cut. It knows of token counts, not of tokens.

use std::ops::Range;

/// `[CLS]` before and `[SEP]` behind every window.
pub(crate) const SPECIAL_TOKENS: usize = 2;

/// The tokens of one window, `[CLS]` and `[SEP]` included: the length that all-MiniLM-L6-v2 was
/// published with (its `sentence_bert_config.json`).
pub(crate) const WINDOW_TOKENS: usize = 256;

/// How much later the next window starts: three quarters of a window's content, so that two
/// neighbours share 64 tokens and a sentence at a border is whole in one of them.
pub(crate) const WINDOW_STEP_TOKENS: usize = 190;

/// What becomes of a text that is longer than the model reads at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Windowing {
    /// Windows of 254 tokens and `[CLS]` and `[SEP]`, each starting 190 tokens after the one
    /// before, until one reaches the end. What the memory is embedded with.
    Overlapping,
    /// One window: the first `tokens_max` tokens, `[CLS]` and `[SEP]` included, and the rest is
    /// lost. For comparing with figures that were published so; 3 to the model's positions.
    Cut {
        /// The window's tokens, `[CLS]` and `[SEP]` included.
        tokens_max: usize,
    },
}

impl Windowing {
    /// The tokens of the longest window, `[CLS]` and `[SEP]` included.
    pub(crate) fn tokens_max(self) -> usize {
        match self {
            Self::Overlapping => WINDOW_TOKENS,
            Self::Cut { tokens_max } => tokens_max,
        }
    }

    /// The windows of a text of `n_tokens` tokens (counted without `[CLS]` and `[SEP]`), in order.
    ///
    /// At least one, empty for an empty text; none lies wholly inside another. Overlapping windows
    /// cover every token, and the last one ends with the text.
    pub(crate) fn windows(self, n_tokens: usize) -> impl Iterator<Item = Range<usize>> {
        let content = self.tokens_max().saturating_sub(SPECIAL_TOKENS);
        let n_windows = match self {
            Self::Cut { .. } => 1,
            // Each window after the first moves the covered end by one step.
            Self::Overlapping => {
                1 + n_tokens
                    .saturating_sub(content)
                    .div_ceil(WINDOW_STEP_TOKENS)
            }
        };
        (0..n_windows).map(move |window_idx| {
            let start = window_idx.saturating_mul(WINDOW_STEP_TOKENS);
            start..n_tokens.min(start.saturating_add(content))
        })
    }
}

#[cfg(test)]
mod tests;
