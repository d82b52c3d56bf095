//! Why an item became what it became, in a sentence.

use std::fmt;

use palimpsest_store::MemoryId;

use crate::gate::Trivial;

/// The facts behind a decision.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reason {
    /// The gate turned it away.
    Trivial(Trivial),
    /// The same text was there.
    Merged {
        into: MemoryId,
        /// Whether the memory took something over.
        is_new: bool,
        superseded: Vec<MemoryId>,
        /// Named to be replaced, but superseded by another memory before.
        passed_over: Vec<MemoryId>,
    },
    /// A new memory.
    New {
        superseded: Vec<MemoryId>,
        passed_over: Vec<MemoryId>,
        /// The memory of the same topic that holds now, where this one was over before.
        past_of: Option<MemoryId>,
        /// Whether the same text was there for another time or topic.
        has_same_text: bool,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trivial(trivial) => write!(f, "not kept: {trivial}"),
            Self::Merged {
                into,
                is_new,
                superseded,
                passed_over,
            } => {
                let added = if *is_new {
                    "it took over what was new"
                } else {
                    "nothing was new"
                };
                write!(f, "the same text is memory {into}, and {added}")?;
                if !superseded.is_empty() {
                    write!(f, "; it took the place of {}", Ids(superseded))?;
                }
                write_passed_over(f, passed_over)
            }
            Self::New {
                superseded,
                passed_over,
                past_of,
                has_same_text,
            } => {
                match (superseded.as_slice(), past_of) {
                    (_, Some(now)) => write!(
                        f,
                        "kept as the past of its topic: it was over before memory {now}, which still holds"
                    )?,
                    ([], None) if *has_same_text => write!(
                        f,
                        "kept as a new memory: the same text is there, but for another time or topic"
                    )?,
                    ([], None) => write!(f, "kept as a new memory")?,
                    (ids, None) => write!(
                        f,
                        "kept as a new memory that takes the place of {}",
                        Ids(ids)
                    )?,
                }
                write_passed_over(f, passed_over)
            }
        }
    }
}

fn write_passed_over(f: &mut fmt::Formatter<'_>, ids: &[MemoryId]) -> fmt::Result {
    match ids {
        [] => Ok(()),
        ids => write!(f, "; {} had been superseded before and stayed so", Ids(ids)),
    }
}

struct Ids<'a>(&'a [MemoryId]);

impl fmt::Display for Ids<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = if self.0.len() == 1 {
            "memory"
        } else {
            "memories"
        };
        let ids: Vec<_> = self.0.iter().map(ToString::to_string).collect();
        write!(f, "{noun} {}", ids.join(", "))
    }
}
