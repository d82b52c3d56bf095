//! What is saved of what was said. Knows no store, no clock and no model: the plan of a request asks it.

mod candidate;
mod contrast;
mod corrected;
mod correction;
mod exchange;
mod naming;
mod novelty;
mod sentence;
mod stated;
mod turn;

use palimpsest_store::MemoryId;

use crate::gate::trivial;

pub(crate) use corrected::{Corrected, Recent, Saying, corrected};
pub(crate) use correction::{Correction, correction};
pub use exchange::{Exchanges, Speakers};
pub(crate) use novelty::{Known, Likeness, NoveltyFound, dot, novelty};
pub use turn::{Role, Turn};

/// Who decides what is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strategy {
    /// The caller: everything that it names, unless it says nothing.
    #[default]
    Explicit,
    /// Everything that was said, unless it says nothing. What a user corrects is superseded.
    EveryExchange,
    /// As [`Self::EveryExchange`], of which only what is new beside the latest memories of the scope.
    SemanticShift,
}

impl Strategy {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::Explicit, Self::EveryExchange, Self::SemanticShift];

    /// The name that callers use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Explicit => "explicit",
            Self::EveryExchange => "every_exchange",
            Self::SemanticShift => "semantic_shift",
        }
    }

    /// The strategy of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|strategy| strategy.name() == name)
    }
}

/// When what is remembered was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Occasion {
    /// Now: after everything that the memory holds.
    #[default]
    Now,
    /// Before, as a transcript has it, which may have been read already.
    ///
    /// A text with the source, the tags and the beginning of one that the memory holds is that one, though
    /// something has superseded it since; and what was said just before it is what lies before it in the
    /// transcript.
    Transcript {
        /// The memory of what came before in the transcript.
        after: Option<MemoryId>,
    },
}

/// Whether a memory that holds nothing would save `turn`: what a strategy decides by the text alone, and a host
/// can ask before it builds a request.
pub fn saved_when_empty(strategy: Strategy, turn: &Turn) -> bool {
    let says_something = || trivial(&turn.text).is_none();
    let corrects = || turn.role == Role::User && correction(&turn.text).is_some();
    let is_new = || {
        !matches!(
            novelty(&turn.text, None, &[], 1.0),
            NoveltyFound::Known { .. }
        )
    };
    match strategy {
        Strategy::Explicit | Strategy::EveryExchange => says_something(),
        Strategy::SemanticShift => says_something() && (corrects() || is_new()),
    }
}

#[cfg(test)]
mod tests;
