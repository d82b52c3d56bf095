//! BM25 as the measurement contract writes it, in `f64`.

use std::collections::BTreeMap;

use super::{ContractWords, Scored};

/// Term saturation; usual BM25 value, Robertson and Zaragoza 2009.
const K1: f64 = 1.2;
/// Length normalisation; usual BM25 value, Robertson and Zaragoza 2009.
const B: f64 = 0.75;

/// Documents by the words that they have.
#[derive(Debug)]
pub(crate) struct Bm25 {
    /// For each word the documents that have it, by position, and how often.
    postings: BTreeMap<String, Vec<(usize, f64)>>,
    /// Words of each document.
    lens: Vec<f64>,
    len_mean: f64,
}

impl Bm25 {
    /// Indexes `documents`, in the order of their positions. Empty ones count too.
    pub(crate) fn new(documents: impl IntoIterator<Item = ContractWords>) -> Self {
        let mut postings: BTreeMap<String, Vec<(usize, f64)>> = BTreeMap::new();
        let mut lens = Vec::new();
        for (position, document) in documents.into_iter().enumerate() {
            let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
            for word in document.iter() {
                *counts.entry(word).or_default() += 1.0;
            }
            for (word, n_times) in counts {
                match postings.get_mut(word) {
                    Some(posting) => posting.push((position, n_times)),
                    None => {
                        postings.insert(word.to_owned(), vec![(position, n_times)]);
                    }
                }
            }
            lens.push(real(document.len()));
        }
        let len_mean = lens.iter().sum::<f64>() / real(lens.len().max(1));
        Self {
            postings,
            lens,
            len_mean,
        }
    }

    /// The documents that have a word of `query`, by position. A word that the query repeats counts
    /// each time.
    ///
    /// score = sum over the query's words of idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len / mean)),
    /// idf = ln((N - df + 0.5) / (df + 0.5) + 1).
    pub(crate) fn search(&self, query: &ContractWords) -> Vec<Scored> {
        let n_all = real(self.lens.len());
        let mut scores = vec![0.0; self.lens.len()];
        for word in query.iter() {
            let Some(posting) = self.postings.get(word) else {
                continue;
            };
            let n_with = real(posting.len());
            let idf = ((n_all - n_with + 0.5) / (n_with + 0.5) + 1.0).ln();
            for (position, n_times) in posting {
                let norm = K1 * (1.0 - B + B * self.lens[*position] / self.len_mean);
                scores[*position] += idf * n_times * (K1 + 1.0) / (n_times + norm);
            }
        }
        let scores = scores.into_iter().enumerate();
        scores
            .map(|(position, score)| Scored { position, score })
            .filter(|scored| scored.score > 0.0)
            .collect()
    }
}

/// A count as a number.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts of words are far below 2^52"
)]
fn real(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests;
