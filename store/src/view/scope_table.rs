//! The scopes, and how much each held at any commit. Knows no memory.

use std::sync::Arc;

use super::{Column, Ordered};
use crate::Seq;

/// A scope's number in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ScopeCode(u32);

/// How many memories are visible, and how long their texts are together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Census {
    pub(crate) n_texts: u64,
    pub(crate) n_tokens: u64,
}

/// The censuses of a scope, by the commits that changed them.
type Censuses = Column<(Seq, Census)>;

/// Every scope that was ever written to.
#[derive(Debug, Clone, Default)]
pub(crate) struct ScopeTable {
    codes: Ordered<Arc<str>, ScopeCode>,
    by_code: Column<Censuses>,
    all: Censuses,
}

impl ScopeTable {
    /// The number of `scope`, if anything was ever kept there.
    pub(crate) fn code(&self, scope: &str) -> Option<ScopeCode> {
        self.codes.find(|other| (**other).cmp(scope)).copied()
    }

    /// The number of `scope`, a new one if need be.
    pub(crate) fn code_or_new(&mut self, scope: &Arc<str>) -> ScopeCode {
        if let Some(code) = self.code(scope) {
            return code;
        }
        let n_scopes = u32::try_from(self.by_code.len());
        let code = ScopeCode(n_scopes.expect("4,294,967,296 scopes do not fit into memory"));
        self.by_code.push(Censuses::default());
        self.codes.insert(Arc::clone(scope), code);
        code
    }

    /// Every scope's name, sorted.
    pub(crate) fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.codes.range_from(&"".into()).map(|(name, _)| name)
    }

    /// Every scope's number, in order.
    pub(crate) fn codes(&self) -> impl Iterator<Item = ScopeCode> {
        (0..).map(ScopeCode).take(self.by_code.len())
    }

    /// A text begins to be visible at `seq`.
    pub(crate) fn add(&mut self, scope: ScopeCode, seq: Seq, len_tokens: u32) {
        self.change(scope, seq, |census| {
            census.n_texts = census.n_texts.saturating_add(1);
            census.n_tokens = census.n_tokens.saturating_add(u64::from(len_tokens));
        });
    }

    /// A text ceases to be visible at `seq`.
    pub(crate) fn remove(&mut self, scope: ScopeCode, seq: Seq, len_tokens: u32) {
        self.change(scope, seq, |census| {
            census.n_texts = census.n_texts.saturating_sub(1);
            census.n_tokens = census.n_tokens.saturating_sub(u64::from(len_tokens));
        });
    }

    /// What the scopes (`None`: all) hold together at `seq`.
    pub(crate) fn census(&self, scopes: Option<&[ScopeCode]>, seq: Seq) -> Census {
        let Some(scopes) = scopes else {
            return at(&self.all, seq);
        };
        let mut sum = Census::default();
        for scope in scopes {
            let censuses = self.by_code.get(scope.0 as usize);
            let census = censuses
                .map(|censuses| at(censuses, seq))
                .unwrap_or_default();
            sum.n_texts = sum.n_texts.saturating_add(census.n_texts);
            sum.n_tokens = sum.n_tokens.saturating_add(census.n_tokens);
        }
        sum
    }

    fn change(&mut self, scope: ScopeCode, seq: Seq, change: impl Fn(&mut Census)) {
        let of_scope = self.by_code.get_mut(scope.0 as usize);
        for censuses in [of_scope, &mut self.all] {
            let (last_seq, mut census) = censuses.last().copied().unwrap_or_default();
            change(&mut census);
            if last_seq == seq {
                censuses.get_mut(censuses.len() - 1).1 = census;
            } else {
                censuses.push((seq, census));
            }
        }
    }
}

fn at(censuses: &Censuses, seq: Seq) -> Census {
    let n_until = censuses.partition_point(|(changed, _)| *changed <= seq);
    let last = n_until.checked_sub(1).and_then(|last| censuses.get(last));
    last.map(|(_, census)| *census).unwrap_or_default()
}
