//! Who said what: the sources that a text names. Knows no ranking.

use std::ops::Range;
use std::sync::Arc;

use super::Snapshot;
use super::matcher::Matcher;
use crate::Filter;
use crate::keyword::{Analysis, Purpose, source_term, words_at};

/// A source that a text names in full.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedSource {
    /// As the memories have it.
    pub source: Arc<str>,
    /// Where the text names it, in bytes, with what is written to it (`Ann's`).
    pub at: Range<usize>,
}

impl Snapshot {
    /// The sources of visible memories, in the scopes of `filter`, that `text` names word for word; in the
    /// order of the text, then by source.
    pub fn sources_named(&self, text: &str, filter: &Filter) -> Vec<NamedSource> {
        let matcher = Matcher::new(self.tables(), self.seq, filter);
        let words = words_at(text);
        let mut named = Vec::new();
        for (idx, (_, word)) in words.iter().enumerate() {
            for source in self.tables().memories.sources_from(word) {
                let analysis = Analysis::new(source, Purpose::Query);
                let tokens = analysis.words();
                let spoken = words.get(idx..idx + tokens.len()).unwrap_or_default();
                let is_spoken = !tokens.is_empty()
                    && spoken.iter().map(|(_, word)| &**word).eq(tokens)
                    && self.is_source(source, word, &matcher);
                if let (true, Some((first, _)), Some((last, _))) =
                    (is_spoken, spoken.first(), spoken.last())
                {
                    named.push(NamedSource {
                        source: Arc::clone(source),
                        at: first.start..last.end,
                    });
                }
            }
        }
        named
    }

    /// Whether a visible memory in the searched scopes has this source, whose first word is `word`.
    fn is_source(&self, source: &str, word: &str, matcher: &Matcher<'_>) -> bool {
        let memories = &self.tables().memories;
        let postings = memories.terms().postings(&source_term(word));
        postings.is_some_and(|postings| {
            postings.iter().any(|posting| {
                let meta = memories.row(posting.row);
                meta.lifespan.visible_at(self.seq)
                    && matcher.scopes().is_none_or(|it| it.contains(&meta.scope))
                    && memories.record(posting.row).source.as_deref() == Some(source)
            })
        })
    }
}
