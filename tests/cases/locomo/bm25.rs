//! BM25 as the measurement contract writes it, in the plainest way: every document is scored for every
//! query. It shares nothing with the program.

use std::collections::BTreeMap;

/// Term saturation; usual BM25 value, Robertson and Zaragoza 2009.
const K1: f64 = 1.2;
/// Length normalisation; usual BM25 value, Robertson and Zaragoza 2009.
const B: f64 = 0.75;

/// Documents as bags of words.
#[derive(Debug)]
pub(crate) struct Bm25 {
    documents: Vec<Document>,
    n_documents_with: BTreeMap<String, usize>,
    len_mean: f64,
}

#[derive(Debug)]
struct Document {
    len_words: usize,
    n_times: BTreeMap<String, usize>,
}

fn tokens(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|it: char| !it.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

fn real(count: usize) -> f64 {
    f64::from(u32::try_from(count).expect("a conversation has fewer words than a u32 counts"))
}

impl Document {
    fn new(text: &str) -> Self {
        let words = tokens(text);
        let mut n_times = BTreeMap::new();
        for word in &words {
            *n_times.entry(word.clone()).or_default() += 1;
        }
        Self {
            len_words: words.len(),
            n_times,
        }
    }
}

impl Bm25 {
    pub(crate) fn new<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let documents: Vec<_> = texts.map(Document::new).collect();
        let mut n_documents_with = BTreeMap::new();
        for word in documents
            .iter()
            .flat_map(|document| document.n_times.keys())
        {
            *n_documents_with.entry(word.clone()).or_default() += 1;
        }
        let len_all: usize = documents.iter().map(|document| document.len_words).sum();
        Self {
            len_mean: real(len_all) / real(documents.len()),
            documents,
            n_documents_with,
        }
    }

    /// Every document that has a word of the query, best first, ties by position.
    pub(crate) fn rank(&self, query: &str) -> Vec<usize> {
        let query = tokens(query);
        let mut scored: Vec<(usize, f64)> = (0..self.documents.len())
            .map(|document_idx| (document_idx, self.score(&query, document_idx)))
            .filter(|(_, score)| *score > 0.0)
            .collect();
        scored.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        scored
            .into_iter()
            .map(|(document_idx, _)| document_idx)
            .collect()
    }

    fn score(&self, query: &[String], document_idx: usize) -> f64 {
        let document = &self.documents[document_idx];
        let norm = K1 * (1.0 - B + B * real(document.len_words) / self.len_mean);
        let share = |word: &String| {
            let n_times = real(document.n_times.get(word).copied().unwrap_or(0));
            let n_with = real(self.n_documents_with.get(word).copied().unwrap_or(0));
            let n_all = real(self.documents.len());
            let rarity = ((n_all - n_with + 0.5) / (n_with + 0.5)).ln_1p();
            rarity * n_times * (K1 + 1.0) / (n_times + norm)
        };
        query.iter().map(share).sum()
    }
}

#[test]
fn rare_words_and_short_documents_come_first() {
    let texts = ["a b c d", "a b", "a a", "c"];
    let bm25 = Bm25::new(texts.into_iter());
    assert_eq!(bm25.rank("b"), [1, 0]);
    assert_eq!(bm25.rank("A"), [2, 1, 0]);
    assert_eq!(bm25.rank("a c!"), [3, 0, 2, 1]);
    assert_eq!(bm25.rank("e"), [0; 0]);
}
