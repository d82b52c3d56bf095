//! Why a request was refused, by what the caller can do about it.

use palimpsest_store::MemoryId;

/// What went wrong. Nothing of the request was kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// `remember` without an item.
    #[error("there is nothing to remember: give a text, or at least one item")]
    NoItems,
    /// Too many items at once.
    #[error("{n_items} items are too many for one call: give at most {n_items_max}")]
    TooManyItems {
        /// How many were given.
        n_items: usize,
        /// How many are taken.
        n_items_max: usize,
    },
    /// A text is too long.
    #[error(
        "the text of item {item} has {len_bytes} bytes: give at most {len_bytes_max}, or split it"
    )]
    TextTooLong {
        /// Which item, from 0.
        item: usize,
        /// Its length.
        len_bytes: usize,
        /// The limit.
        len_bytes_max: usize,
    },
    /// A value of an item is out of its range.
    #[error("{argument} of item {item} is {found}: {expected}")]
    ItemOutOfRange {
        /// Which item, from 0.
        item: usize,
        /// The argument's name, as the caller gave it.
        argument: &'static str,
        /// What was given.
        found: String,
        /// What is taken.
        expected: &'static str,
    },
    /// A memory that the request names is not there, or not in this scope.
    #[error("memory {id} does not exist in scope {scope:?}")]
    UnknownMemory {
        /// The identifier that was given.
        id: MemoryId,
        /// The scope that was searched.
        scope: String,
    },
    /// A memory that the request names belongs to another scope.
    #[error("memory {id} is in scope {found:?} and not in {scope:?}: give scope {found:?}")]
    OtherScope {
        /// The identifier that was given.
        id: MemoryId,
        /// The scope that was searched.
        scope: String,
        /// The scope of the memory.
        found: String,
    },
    /// An entity that the request names is not there.
    #[error(
        "no memory in {} names {name:?}; {}",
        searched(scopes),
        nearest_names(nearest)
    )]
    UnknownEntity {
        /// The name that was given.
        name: String,
        /// The scopes that were searched; empty means every scope.
        scopes: Vec<String>,
        /// The names there that are most like it, best first.
        nearest: Vec<String>,
    },
    /// An argument is out of its range.
    #[error("{argument} is {found}: {expected}")]
    OutOfRange {
        /// The argument's name, as the caller gave it.
        argument: &'static str,
        /// What was given.
        found: String,
        /// What is taken.
        expected: &'static str,
    },
    /// `recall` with neither a query nor a filter.
    #[error("give a query, or at least one filter (ids, kind, tags, since, until)")]
    NothingToSearchFor,
    /// `forget` without an identifier.
    #[error("give the ids of the memories to forget; recall finds them")]
    NothingToForget,
    /// The store refused.
    #[error(transparent)]
    Store(#[from] palimpsest_store::Error),
}

fn searched(scopes: &[String]) -> String {
    let quoted: Vec<_> = scopes.iter().map(|scope| format!("{scope:?}")).collect();
    match quoted.as_slice() {
        [] => "any scope".to_owned(),
        [scope] => format!("scope {scope}"),
        _ => format!("scopes {}", quoted.join(", ")),
    }
}

fn nearest_names(nearest: &[String]) -> String {
    let quoted: Vec<_> = nearest.iter().map(|name| format!("{name:?}")).collect();
    match quoted.as_slice() {
        [] => "give an entity that a memory names".to_owned(),
        _ => format!("did you mean {}?", quoted.join(" or ")),
    }
}
