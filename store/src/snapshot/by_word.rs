//! Finding memories by their words.

use super::matcher::Matcher;
use super::{KeywordHit, Snapshot};
use crate::Filter;
use crate::keyword::{KeywordQuery, Searched, search};

impl Snapshot {
    /// The `k` best memories by BM25, best first, ties by id.
    ///
    /// The statistics are those of the visible memories in the scopes that the filter names; its
    /// other conditions only choose among them.
    pub fn keyword_search(
        &self,
        query: KeywordQuery<'_>,
        filter: &Filter,
        k: usize,
    ) -> Vec<KeywordHit> {
        let tables = self.tables();
        let matcher = Matcher::new(tables, self.seq, filter);
        let searched = Searched {
            terms: tables.memories.terms(),
            rows: tables.memories.rows(),
            seq: self.seq,
            scopes: matcher.scopes(),
            census: tables.scopes.census(matcher.scopes(), self.seq),
        };
        search(searched, query, k, |row| matcher.accepts(row))
    }
}
