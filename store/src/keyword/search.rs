//! The best memories for a query, document at a time. Knows rows, not records.
//!
//! The statistics are counted anew for each search, over what it can see: so no scope shows in
//! another's scores, and an old snapshot scores as it did when it was new.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::KeywordQuery;
use super::bm25::{idf, len_mean, term_score, term_score_max};
use super::query::QueryWord;
use super::term_index::{Posting, TermIndex};
use crate::snapshot::{KeywordHit, TermShare};
use crate::view::{Census, Column, Cursor, RowIdx, RowMeta, ScopeCode};
use crate::{MemoryId, Seq};

/// What a search can see.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Searched<'a> {
    pub(crate) terms: &'a TermIndex,
    pub(crate) rows: &'a Column<RowMeta>,
    pub(crate) seq: Seq,
    /// Sorted; `None` is every scope.
    pub(crate) scopes: Option<&'a [ScopeCode]>,
    /// How many texts and tokens that is.
    pub(crate) census: Census,
}

impl Searched<'_> {
    fn sees(&self, row: &RowMeta) -> bool {
        row.lifespan.visible_at(self.seq)
            && self
                .scopes
                .is_none_or(|scopes| scopes.binary_search(&row.scope).is_ok())
    }
}

/// A word of the query, and the rows that hold it in any of its terms.
#[derive(Debug)]
struct TermList {
    word: String,
    postings: Vec<Posting>,
    /// The first posting that is not behind us.
    next: usize,
    /// Idf, as often as the query says the term.
    weight: f64,
    score_max: f64,
}

impl TermList {
    fn score(&self, posting: Posting, row: &RowMeta, len_mean: f64) -> f64 {
        term_score(self.weight, posting.tf, row.len_tokens, len_mean)
    }

    fn current(&self) -> Option<Posting> {
        self.postings.get(self.next).copied()
    }

    /// The posting of `row`, which is not behind the last one that was asked for.
    fn seek(&mut self, row: RowIdx) -> Option<Posting> {
        let mut step = 1;
        while self
            .postings
            .get(self.next + step)
            .is_some_and(|posting| posting.row < row)
        {
            self.next += step;
            step *= 2;
        }
        let end = self.postings.len().min(self.next + step + 1);
        let ahead = &self.postings[self.next.min(end)..end];
        self.next += ahead.partition_point(|posting| posting.row < row);
        self.current().filter(|posting| posting.row == row)
    }
}

/// A row with its score; the greater one is the worse.
#[derive(Debug, Clone, Copy)]
struct Scored {
    score: f64,
    id: MemoryId,
    row: RowIdx,
}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        let better = other.score.total_cmp(&self.score);
        better.then(self.id.cmp(&other.id))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Scored {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Scored {}

/// The `k` best rows for `query` among those that `accepts` lets pass, best first, ties by id.
///
/// `accepts` is asked only about rows that would be among the best so far.
pub(crate) fn search(
    searched: Searched<'_>,
    query: KeywordQuery<'_>,
    k: usize,
    accepts: impl FnMut(RowIdx) -> bool,
) -> Vec<KeywordHit> {
    if k == 0 {
        return Vec::new();
    }
    let all = term_lists(searched, query.words(searched.terms));
    let weight_of_all = all.iter().map(|list| list.weight).sum();
    let held = all.into_iter().filter(|list| !list.postings.is_empty());
    let mut lists: Vec<TermList> = held.collect();
    let best = best_rows(searched, &mut lists, k, accepts);
    let explain = |scored: Scored| explain(searched, &lists, weight_of_all, scored);
    best.into_iter().map(explain).collect()
}

/// The visible postings of each word of the query.
fn term_lists(searched: Searched<'_>, words: Vec<QueryWord>) -> Vec<TermList> {
    let postings_of = |word: &QueryWord| -> Vec<&Column<Posting>> {
        let terms = word.terms.iter();
        terms
            .filter_map(|term| searched.terms.postings(term))
            .collect()
    };
    let found: Vec<_> = words
        .into_iter()
        .map(|word| (postings_of(&word), word))
        .collect();
    let all = found.iter().flat_map(|(of_terms, _)| of_terms);
    let seen_rows = SeenRows::new(searched, all.map(|postings| postings.len()).sum());
    let lists = found.into_iter().map(|(of_terms, word)| {
        let postings = merged(of_terms.into_iter().map(|postings| seen_rows.of(postings)));
        let weight = word.n_repeats * idf(searched.census.n_texts, postings.len() as u64);
        TermList {
            word: word.word,
            postings,
            next: 0,
            weight,
            score_max: term_score_max(weight),
        }
    });
    lists.collect()
}

/// The postings of several terms as those of one: the frequencies in a row add up.
fn merged(lists: impl Iterator<Item = Vec<Posting>>) -> Vec<Posting> {
    let merge = |mut left: Vec<Posting>, right: Vec<Posting>| {
        left.extend(right);
        left.sort_by_key(|posting| posting.row);
        left.dedup_by(|later, kept| {
            let is_same = later.row == kept.row;
            if is_same {
                kept.tf = kept.tf.saturating_add(later.tf);
            }
            is_same
        });
        left
    };
    lists.reduce(merge).unwrap_or_default()
}

/// Which rows the search can see: looked up one by one, or, where there is much to look up, all
/// found out beforehand, a bit each.
#[derive(Debug)]
struct SeenRows<'a> {
    searched: Searched<'a>,
    bits: Option<Vec<u64>>,
}

impl<'a> SeenRows<'a> {
    fn new(searched: Searched<'a>, n_lookups: usize) -> Self {
        // Going through the rows in order is several times quicker a row than looking them up.
        let bits = (n_lookups > searched.rows.len() / 4).then(|| {
            let mut bits = vec![0; searched.rows.len().div_ceil(64)];
            for (row_idx, row) in searched.rows.iter().enumerate() {
                bits[row_idx / 64] |= u64::from(searched.sees(row)) << (row_idx % 64);
            }
            bits
        });
        Self { searched, bits }
    }

    fn of(&self, postings: &Column<Posting>) -> Vec<Posting> {
        let mut rows = Cursor::new(self.searched.rows);
        let seen = postings.iter().filter(|posting| {
            let row_idx = posting.row.idx();
            match &self.bits {
                Some(bits) => bits[row_idx / 64] >> (row_idx % 64) & 1 == 1,
                None => rows.get(row_idx).is_some_and(|row| self.searched.sees(row)),
            }
        });
        seen.copied().collect()
    }
}

/// Goes through the rows that hold a term, in order, and keeps the `k` best.
///
/// Terms that all together could not lift a row among the best so far are only looked up for rows
/// that hold another one ("max score"; Turtle and Flood 1995).
fn best_rows(
    searched: Searched<'_>,
    lists: &mut [TermList],
    k: usize,
    mut accepts: impl FnMut(RowIdx) -> bool,
) -> Vec<Scored> {
    let len_mean = len_mean(searched.census.n_tokens, searched.census.n_texts);
    let mut rows = Cursor::new(searched.rows);
    let mut weakest = Weakest::new(lists);
    let mut best: BinaryHeap<Scored> = BinaryHeap::new();
    let first = |(idx, list): (usize, &TermList)| Some(Reverse((list.current()?.row, idx)));
    let mut ahead: BinaryHeap<_> = lists.iter().enumerate().filter_map(first).collect();
    let mut found: Vec<(usize, Posting)> = Vec::new();
    while let Some(Reverse((row_idx, _))) = ahead.peek().copied() {
        found.clear();
        while let Some(Reverse((_, idx))) = ahead.peek().copied().filter(|at| at.0.0 == row_idx) {
            ahead.pop();
            if weakest.is_weak[idx] {
                continue;
            }
            let list = &mut lists[idx];
            found.extend(list.current().map(|posting| (idx, posting)));
            list.next += 1;
            ahead.extend(list.current().map(|posting| Reverse((posting.row, idx))));
        }
        let Some(row) = rows.get(row_idx.idx()).filter(|_| !found.is_empty()) else {
            continue;
        };
        let score_of =
            |(idx, posting): &(usize, Posting)| lists[*idx].score(*posting, row, len_mean);
        let threshold = best
            .peek()
            .filter(|_| best.len() == k)
            .map(|worst| worst.score);
        let strong: f64 = found.iter().map(score_of).sum();
        if threshold.is_some_and(|threshold| weakest.cannot_lift(strong, threshold)) {
            continue;
        }
        for idx in weakest.weak() {
            found.extend(lists[idx].seek(row_idx).map(|posting| (idx, posting)));
        }
        found.sort_unstable_by_key(|(idx, _)| *idx);
        let scored = Scored {
            score: found
                .iter()
                .map(|(idx, posting)| lists[*idx].score(*posting, row, len_mean))
                .sum(),
            id: row.id,
            row: row_idx,
        };
        let wanted = best.len() < k || best.peek().is_some_and(|worst| scored < *worst);
        if wanted && accepts(row_idx) {
            best.push(scored);
            if best.len() > k {
                best.pop();
            }
            if let Some(worst) = best.peek().filter(|_| best.len() == k) {
                weakest.raise(worst.score);
            }
        }
    }
    best.into_sorted_vec()
}

/// The terms that could not, all together, lift a row among the best so far.
#[derive(Debug)]
struct Weakest {
    /// Every list, by the greatest score that it can give, and the sum up to and with it.
    by_score_max: Vec<(usize, f64)>,
    n_weak: usize,
    is_weak: Vec<bool>,
}

/// Sums of scores in two orders may differ by so much, relatively; far more than rounding does.
const ROUNDING_MAX: f64 = 1e-9;

impl Weakest {
    fn new(lists: &[TermList]) -> Self {
        let mut by_score_max: Vec<_> = lists
            .iter()
            .map(|list| list.score_max)
            .enumerate()
            .collect();
        by_score_max.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        let mut sum = 0.0;
        for (_, score_max) in &mut by_score_max {
            sum += *score_max;
            *score_max = sum;
        }
        Self {
            is_weak: vec![false; by_score_max.len()],
            by_score_max,
            n_weak: 0,
        }
    }

    /// Rows must now score at least `threshold`.
    fn raise(&mut self, threshold: f64) {
        while let Some((idx, sum_max)) = self.by_score_max.get(self.n_weak) {
            if sum_max * (1.0 + ROUNDING_MAX) >= threshold {
                return;
            }
            self.is_weak[*idx] = true;
            self.n_weak += 1;
        }
    }

    fn weak(&self) -> impl Iterator<Item = usize> {
        self.by_score_max[..self.n_weak].iter().map(|(idx, _)| *idx)
    }

    /// Whether no row that the other terms give `strong` can reach `threshold`.
    fn cannot_lift(&self, strong: f64, threshold: f64) -> bool {
        let weak_max = self
            .n_weak
            .checked_sub(1)
            .map_or(0.0, |last| self.by_score_max[last].1);
        (strong + weak_max) * (1.0 + ROUNDING_MAX) < threshold
    }
}

/// Takes a score apart into what each term gave. `weight_of_all`: of every word of the query.
fn explain(
    searched: Searched<'_>,
    lists: &[TermList],
    weight_of_all: f64,
    scored: Scored,
) -> KeywordHit {
    let len_mean = len_mean(searched.census.n_tokens, searched.census.n_texts);
    let row = searched.rows.get(scored.row.idx());
    let mut weight_of_held = 0.0;
    let mut share = |list: &TermList| {
        let at = list
            .postings
            .binary_search_by_key(&scored.row, |posting| posting.row);
        let posting = list.postings[at.ok()?];
        weight_of_held += list.weight;
        Some(TermShare {
            term: list.word.clone(),
            score: list.score(posting, row?, len_mean),
        })
    };
    let terms = lists.iter().filter_map(&mut share).collect();
    KeywordHit {
        id: scored.id,
        score: scored.score,
        terms,
        coverage: weight_of_held / weight_of_all,
    }
}
