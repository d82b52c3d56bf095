//! Why an item became what it became, in a sentence.

use std::fmt;

use palimpsest_store::MemoryId;

use crate::gate::Trivial;
use crate::strategy::{Likeness, NoveltyFound};

/// The facts behind a decision.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reason {
    /// The gate turned it away.
    Trivial(Trivial),
    /// It says what a memory says already.
    Known { near: MemoryId, likeness: Likeness },
    /// The transcript was read before.
    ReadBefore {
        as_memory: MemoryId,
        superseded_by: Option<MemoryId>,
    },
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

/// What a strategy adds to the reason.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Remark {
    /// It corrects these.
    Corrects(Vec<MemoryId>),
    /// It corrects something, and what cannot be told.
    CorrectsUnknown,
    /// What was found when it was compared.
    Novelty(NoveltyFound),
}

impl Remark {
    /// What is said of a correction that is about `ids`.
    pub(crate) fn of_corrected(ids: impl Iterator<Item = MemoryId>) -> Self {
        let ids: Vec<MemoryId> = ids.collect();
        if ids.is_empty() {
            Self::CorrectsUnknown
        } else {
            Self::Corrects(ids)
        }
    }
}

impl Reason {
    /// Whether words decided, for want of vectors.
    pub(crate) fn is_by_words(&self) -> bool {
        matches!(
            self,
            Self::Known {
                likeness: Likeness::Words(_),
                ..
            }
        )
    }
}

impl Remark {
    /// Whether words decided, for want of vectors.
    pub(crate) fn is_by_words(&self) -> bool {
        matches!(
            self,
            Self::Novelty(NoveltyFound::New {
                nearest: Likeness::Words(_),
                ..
            })
        )
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Corrects(ids) => write!(f, "the user corrects {}", Ids(ids)),
            Self::CorrectsUnknown => write!(
                f,
                "the user corrects something, but which memory cannot be told, so all stay: give replaces"
            ),
            Self::Novelty(NoveltyFound::FirstOfScope) => {
                write!(f, "there is nothing yet to compare it with")
            }
            Self::Novelty(NoveltyFound::TooLong) => {
                write!(f, "it is too long to compare, so it counts as new")
            }
            Self::Novelty(NoveltyFound::New {
                n_compared,
                nearest,
            }) => write!(
                f,
                "of the latest {n_compared} none says it (nearest: {nearest})"
            ),
            Self::Novelty(NoveltyFound::NewWord { word, near }) => {
                write!(f, "memory {near} is like it, but has no {word:?}")
            }
            Self::Novelty(NoveltyFound::Known { near, likeness }) => {
                write!(f, "memory {near} says it ({likeness})")
            }
        }
    }
}

impl fmt::Display for Likeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cosine(cosine) => write!(f, "cosine {cosine:.2}"),
            Self::Words(share) => write!(f, "{:.0} % of the words", share * 100.0),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trivial(trivial) => write!(f, "not kept: {trivial}"),
            Self::Known { near, likeness } => write!(
                f,
                "not kept: it says nothing new beside memory {near} ({likeness})"
            ),
            Self::ReadBefore {
                as_memory,
                superseded_by: None,
            } => write!(f, "it was read before, as memory {as_memory}"),
            Self::ReadBefore {
                as_memory,
                superseded_by: Some(by),
            } => write!(
                f,
                "it was read before, as memory {as_memory}, which memory {by} has superseded since"
            ),
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
