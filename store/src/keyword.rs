//! Finding memories by their words: the tokens of a text, the index of terms, and BM25 over it.

mod analyser;
mod bm25;
mod content;
mod occurrence;
mod query;
mod script;
mod search;
mod stem;
mod stop_words;
mod term_index;

pub(crate) use analyser::{Analysis, Purpose};
pub use content::content_words;
pub(crate) use occurrence::words_at;
pub use occurrence::{Occurrence, occurrences};
pub use query::KeywordQuery;
pub(crate) use search::{Searched, search};
pub(crate) use term_index::{NewTexts, TermIndex, source_term};

#[cfg(test)]
pub(crate) use bm25::{idf, term_score};
#[cfg(test)]
pub(crate) use stem::stem;
#[cfg(test)]
pub(crate) use stop_words::is_stop_word;
