//! Versions of memories out of their columns, each checked to be one.

use std::sync::Arc;

use palimpsest_hdf5::Hdf5File;

use super::columns::{Columns, part, read_from, to_idx};
use super::dictionary::Dictionaries;
use super::problem::{FileProblem, Result};
use super::rows::MemoryRow;
use super::schema::{ALWAYS, Dictionary, NO_ID, NOT_YET};
use crate::{EntityId, Lifespan, MemoryId, MemoryRecord, Timestamp};

/// The columns of versions, from a row on.
pub(super) struct NewRows {
    from: u64,
    ids: Vec<u64>,
    superseded_by: Vec<u64>,
    created_at: Vec<i64>,
    valid_from: Vec<i64>,
    valid_to: Vec<i64>,
    importances: Vec<f32>,
    scopes: Vec<u32>,
    kinds: Vec<u32>,
    sources: Vec<u32>,
    topics: Vec<u32>,
    reasons: Vec<u32>,
    tags: List<u32>,
    entities: List<u64>,
    texts: Vec<Arc<str>>,
}

/// Lists that stand one behind the other.
struct List<T> {
    /// Where the items begin.
    from: u64,
    items: Vec<T>,
    /// Where the items of each row end.
    ends: Vec<u64>,
}

impl NewRows {
    pub(super) fn read(file: &Hdf5File, columns: &Columns<'_>, from: u64) -> Result<Self> {
        Ok(Self {
            from,
            ids: columns.read("id", from)?,
            superseded_by: columns.read("superseded_by", from)?,
            created_at: columns.read("created_at", from)?,
            valid_from: columns.read("valid_from", from)?,
            valid_to: columns.read("valid_to", from)?,
            importances: columns.read("importance", from)?,
            scopes: columns.read("scope", from)?,
            kinds: columns.read("kind", from)?,
            sources: columns.read("source", from)?,
            topics: columns.read("topic", from)?,
            reasons: columns.read("reason", from)?,
            tags: List::read(file, columns, "tag", from)?,
            entities: List::read(file, columns, "entity", from)?,
            texts: columns
                .read_texts("text", from)?
                .into_iter()
                .map(Into::into)
                .collect(),
        })
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The version in `row` of the file.
    pub(super) fn row(
        &self,
        dictionaries: &Dictionaries,
        row: u64,
        lifespan: Lifespan,
    ) -> Result<MemoryRow> {
        let idx = to_idx(row.saturating_sub(self.from));
        // The columns are of one length, which was checked when they were read.
        let name =
            |kind, codes: &[u32], column: &str| dictionaries.string(kind, codes[idx], column, row);
        let name_or_none = |kind, codes: &[u32], column: &str| {
            dictionaries.string_or_none(kind, codes[idx], column, row)
        };
        let importance = self.importances[idx];
        if !(0.0..=1.0).contains(&importance) {
            return Err(FileProblem::row(
                "/memory/importance",
                row,
                "0 to 1",
                importance,
            ));
        }
        let tags = self.tags.of(idx, "/memory/tag_end", row)?.iter();
        let tags = tags.map(|code| dictionaries.string(Dictionary::Tag, *code, "/memory/tag", row));
        let entities = self.entities.of(idx, "/memory/entity_end", row)?.iter();
        let superseded_by = Some(self.superseded_by[idx]).filter(|id| *id != NO_ID);
        let record = MemoryRecord {
            id: memory_id(self.ids[idx], "/memory/id", row)?,
            text: Arc::clone(&self.texts[idx]),
            scope: name(Dictionary::Scope, &self.scopes, "/memory/scope")?,
            kind: name(Dictionary::Kind, &self.kinds, "/memory/kind")?,
            topic: name_or_none(Dictionary::Topic, &self.topics, "/memory/topic")?,
            source: name_or_none(Dictionary::Source, &self.sources, "/memory/source")?,
            tags: tags.collect::<Result<_>>()?,
            entities: entities.map(|id| EntityId(*id)).collect(),
            importance,
            created_at: Timestamp(self.created_at[idx]),
            valid_from: Some(self.valid_from[idx])
                .filter(|at| *at != ALWAYS)
                .map(Timestamp),
            valid_to: Some(self.valid_to[idx])
                .filter(|at| *at != NOT_YET)
                .map(Timestamp),
            superseded_by: superseded_by
                .map(|id| memory_id(id, "/memory/superseded_by", row))
                .transpose()?,
        };
        Ok(MemoryRow {
            record: Arc::new(record),
            lifespan,
            reason: name_or_none(Dictionary::Reason, &self.reasons, "/memory/reason")?,
        })
    }
}

impl<T: palimpsest_hdf5::Element> List<T> {
    fn read(file: &Hdf5File, columns: &Columns<'_>, name: &str, from: u64) -> Result<Self> {
        let end_column = format!("{name}_end");
        let before = from.saturating_sub(1);
        let mut ends: Vec<u64> = columns.read(&end_column, before)?;
        let start = if from == 0 || ends.is_empty() {
            0
        } else {
            ends.remove(0)
        };
        Ok(Self {
            from: start,
            items: read_from(file, &format!("/memory/{name}"), start)?,
            ends,
        })
    }

    /// The items of the row `idx`.
    fn of(&self, idx: usize, column: &str, row: u64) -> Result<&[T]> {
        let start = match idx.checked_sub(1) {
            Some(before) => self.ends[before],
            None => self.from,
        };
        let end = self.ends[idx];
        part(&self.items, self.from, (start, end)).ok_or_else(|| {
            FileProblem::row(
                column,
                row,
                "not before the row before it, within the list",
                end,
            )
        })
    }
}

/// An identifier as one is given.
pub(super) fn memory_id(id: u64, column: &str, row: u64) -> Result<MemoryId> {
    if id == 0 || id == u64::MAX {
        return Err(FileProblem::row(column, row, "1 to 2^64 - 2", id));
    }
    Ok(MemoryId(id))
}
