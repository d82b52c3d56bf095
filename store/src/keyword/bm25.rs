//! The formula. Source: Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25
//! and Beyond", with the idf that is never negative.

/// Term saturation; the usual value.
const K1: f64 = 1.2;
/// Length normalisation; the usual value.
const B: f64 = 0.75;

/// How much a term says: ln((N - df + 0.5) / (df + 0.5) + 1), for `df` of `n_texts` texts.
pub(crate) fn idf(n_texts: u64, df: u64) -> f64 {
    let (n_texts, df) = (float(n_texts), float(df));
    ((n_texts - df + 0.5) / (df + 0.5)).ln_1p()
}

/// A term's part of a text's score.
///
/// `tf`: how often it is there; `len_tokens`: the text's length; `len_mean`: that of all texts. Texts
/// of symbols alone have no length: they all count as average.
pub(crate) fn term_score(idf: f64, tf: u32, len_tokens: u32, len_mean: f64) -> f64 {
    let tf = f64::from(tf);
    let len_ratio = if len_mean > 0.0 {
        f64::from(len_tokens) / len_mean
    } else {
        1.0
    };
    idf * tf * (K1 + 1.0) / (tf + K1 * (1.0 - B + B * len_ratio))
}

/// The greatest part of any text's score that a term can have, however often it is there.
pub(crate) fn term_score_max(idf: f64) -> f64 {
    idf * (K1 + 1.0)
}

/// The average length of `n_texts` texts of `n_tokens` tokens in all.
pub(crate) fn len_mean(n_tokens: u64, n_texts: u64) -> f64 {
    float(n_tokens) / float(n_texts.max(1))
}

#[expect(clippy::cast_precision_loss, reason = "exact below 2^53")]
fn float(count: u64) -> f64 {
    count as f64
}
