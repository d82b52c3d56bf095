//! Finding memories by their words: the tokens of a text, and BM25 over them.

mod analyser;

pub(crate) use analyser::tokens;

/// Term saturation; the usual BM25 value, Robertson and Zaragoza 2009.
pub(crate) const K1: f64 = 1.2;
/// Length normalisation; the usual BM25 value, Robertson and Zaragoza 2009.
pub(crate) const B: f64 = 0.75;

/// How much a term says: ln((N - df + 0.5) / (df + 0.5) + 1) for `df` of `n_texts` texts.
pub(crate) fn idf(n_texts: f64, df: f64) -> f64 {
    ((n_texts - df + 0.5) / (df + 0.5)).ln_1p()
}

/// A term's part of a text's score: `tf` times in a text of `len` tokens.
pub(crate) fn term_score(idf: f64, tf: f64, len: f64, len_mean: f64) -> f64 {
    idf * tf * (K1 + 1.0) / (tf + K1 * (1.0 - B + B * len / len_mean))
}
