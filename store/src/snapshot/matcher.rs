//! A filter, made ready to be asked about many memories. Knows rows and records, and no order.

use std::collections::BTreeSet;

use crate::view::{NewestFirst, RowIdx, ScopeCode, Tables};
use crate::{Filter, MemoryId, Seq, Timestamp};

/// A filter against the state of one snapshot.
#[derive(Debug)]
pub(super) struct Matcher<'a> {
    tables: &'a Tables,
    seq: Seq,
    /// The filter without the identifiers, of which there may be many.
    filter: Filter,
    ids: BTreeSet<MemoryId>,
    /// Sorted; `None` is every scope.
    scopes: Option<Vec<ScopeCode>>,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(tables: &'a Tables, seq: Seq, filter: &Filter) -> Self {
        let scopes = (!filter.scopes.is_empty()).then(|| {
            let known = filter.scopes.iter();
            let codes: BTreeSet<_> = known.filter_map(|name| tables.scopes.code(name)).collect();
            codes.into_iter().collect()
        });
        let mut rest = filter.clone();
        let ids = std::mem::take(&mut rest.ids).into_iter().collect();
        Self {
            tables,
            seq,
            filter: rest,
            ids,
            scopes,
        }
    }

    pub(super) fn scopes(&self) -> Option<&[ScopeCode]> {
        self.scopes.as_deref()
    }

    /// Whether the filter lets a visible row pass.
    pub(super) fn accepts(&self, row: RowIdx) -> bool {
        let record = self.tables.memories.record(row);
        (self.ids.is_empty() || self.ids.contains(&record.id)) && self.filter.accepts(record)
    }

    /// The row of a memory, if it is visible and passes.
    pub(super) fn accepted(&self, id: MemoryId) -> Option<RowIdx> {
        let row = self.tables.memories.visible(id, self.seq)?;
        self.accepts(row).then_some(row)
    }

    /// Whether nothing but the scope is asked.
    pub(super) fn is_scope_alone(&self) -> bool {
        let scope_alone = Filter {
            scopes: self.filter.scopes.clone(),
            ..Filter::default()
        };
        self.ids.is_empty() && self.filter == scope_alone
    }

    /// The moment, where nothing but the scope and a moment is asked.
    pub(super) fn moment_alone(&self) -> Option<Timestamp> {
        let at = self.filter.valid_at?;
        let moment_alone = Filter {
            scopes: self.filter.scopes.clone(),
            valid_at: Some(at),
            ..Filter::default()
        };
        (self.ids.is_empty() && self.filter == moment_alone).then_some(at)
    }

    /// No fewer than the visible rows that pass, known without looking at any.
    pub(super) fn n_accepted_max(&self) -> usize {
        let census = self.tables.scopes.census(self.scopes(), self.seq);
        let n_in_scope = usize::try_from(census.n_texts).unwrap_or(usize::MAX);
        if self.ids.is_empty() {
            n_in_scope
        } else {
            self.ids.len().min(n_in_scope)
        }
    }

    /// The visible rows that pass, latest first, ties by greater id: through the identifiers where
    /// there are some, else through the time index of each scope.
    pub(super) fn newest_first(&self) -> Box<dyn Iterator<Item = RowIdx> + '_> {
        if !self.ids.is_empty() {
            let mut rows: Vec<_> = self
                .ids
                .iter()
                .filter_map(|id| self.accepted(*id))
                .collect();
            rows.sort_by_cached_key(|row| {
                let record = self.tables.memories.record(*row);
                std::cmp::Reverse((record.when(), record.id))
            });
            return Box::new(rows.into_iter());
        }
        let scopes: Vec<ScopeCode> = match &self.scopes {
            Some(scopes) => scopes.clone(),
            None => self.tables.scopes.codes().collect(),
        };
        let Filter { since, until, .. } = self.filter;
        let rows = NewestFirst::new(&self.tables.memories, self.seq, scopes, since, until);
        Box::new(rows.filter(|row| self.accepts(*row)))
    }
}
