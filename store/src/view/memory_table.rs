//! Every version of every memory, and where to find it: by id, text, topic, time, entity and word.
//! Knows nothing of vectors and relations.

use std::cmp::Reverse;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use super::{Column, Ordered, ScopeCode, ScopeTable};
use crate::keyword::{Analysis, NewTexts, Purpose, TermIndex};
use crate::text::normalise_text;
use crate::{EntityId, Lifespan, MemoryId, MemoryRecord, Seq, Timestamp, Version};

/// A version's number in this process, by birth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RowIdx(u32);

impl RowIdx {
    const MIN: Self = Self(0);

    pub(crate) const fn idx(self) -> usize {
        self.0 as usize
    }
}

/// What searches ask of a version most often, side by side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowMeta {
    pub(crate) id: MemoryId,
    pub(crate) lifespan: Lifespan,
    pub(crate) scope: ScopeCode,
    pub(crate) len_tokens: u32,
    /// Whether what it says was true from or up to some moment only.
    pub(crate) is_bounded: bool,
}

/// A place in time: of a scope, latest first, then greater ids first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TimeKey {
    pub(crate) scope: ScopeCode,
    pub(crate) when: Reverse<Timestamp>,
    pub(crate) id: Reverse<MemoryId>,
    pub(crate) row: RowIdx,
}

impl TimeKey {
    /// Before every version of `scope` that is not later than `when`.
    pub(crate) const fn first(scope: ScopeCode, when: Timestamp) -> Self {
        Self {
            scope,
            when: Reverse(when),
            id: Reverse(MemoryId(u64::MAX)),
            row: RowIdx::MIN,
        }
    }
}

/// All versions.
#[derive(Debug, Clone, Default)]
pub(crate) struct MemoryTable {
    rows: Column<RowMeta>,
    records: Column<Arc<MemoryRecord>>,
    /// Why a version was retired, where a reason was given.
    reasons: Ordered<RowIdx, Arc<str>>,
    by_id: Ordered<(MemoryId, Reverse<RowIdx>), ()>,
    /// By the hash of scope and normalised text.
    by_text: Ordered<(u64, RowIdx), ()>,
    /// By the hash of scope and normalised topic.
    by_topic: Ordered<(u64, RowIdx), ()>,
    by_time: Ordered<TimeKey, ()>,
    by_entity: Ordered<(EntityId, MemoryId, RowIdx), ()>,
    by_term: TermIndex,
    /// Every source that a memory ever had, by its first word.
    by_source: Ordered<(Arc<str>, Arc<str>), ()>,
}

impl MemoryTable {
    pub(crate) const fn rows(&self) -> &Column<RowMeta> {
        &self.rows
    }

    pub(crate) const fn terms(&self) -> &TermIndex {
        &self.by_term
    }

    pub(crate) const fn by_time(&self) -> &Ordered<TimeKey, ()> {
        &self.by_time
    }

    /// Every version, in order of birth: when it lived, what it says, why it was retired.
    pub(crate) fn versions(
        &self,
    ) -> impl Iterator<Item = (Lifespan, &Arc<MemoryRecord>, Option<&Arc<str>>)> {
        let rows = (0..)
            .map(RowIdx)
            .zip(self.rows.iter().zip(self.records.iter()));
        rows.map(|(row, (meta, record))| (meta.lifespan, record, self.reasons.get(&row)))
    }

    pub(crate) fn row(&self, row: RowIdx) -> &RowMeta {
        let found = self.rows.get(row.idx());
        found.expect("row numbers are only given to rows of this table")
    }

    pub(crate) fn record(&self, row: RowIdx) -> &Arc<MemoryRecord> {
        let found = self.records.get(row.idx());
        found.expect("row numbers are only given to rows of this table")
    }

    /// How many versions in `scopes` (sorted; `None` is every one) are visible at `seq` and hold at `at`. Goes
    /// through the rows, which lie side by side, and looks at those records alone that do not always hold.
    pub(crate) fn n_valid(&self, scopes: Option<&[ScopeCode]>, seq: Seq, at: Timestamp) -> usize {
        let rows = self.rows.iter().zip(self.records.iter());
        let valid = rows.filter(|(row, record)| {
            row.lifespan.visible_at(seq)
                && scopes.is_none_or(|scopes| scopes.binary_search(&row.scope).is_ok())
                && (!row.is_bounded || record.valid_at(at))
        });
        valid.count()
    }

    /// The version of `id` that is visible at `seq`.
    pub(crate) fn visible(&self, id: MemoryId, seq: Seq) -> Option<RowIdx> {
        self.rows_of(id)
            .find(|row| self.row(*row).lifespan.visible_at(seq))
    }

    /// The version of `id` that lives.
    pub(crate) fn living(&self, id: MemoryId) -> Option<RowIdx> {
        let newest = self.rows_of(id).next()?;
        (self.row(newest).lifespan.died == Seq::NEVER).then_some(newest)
    }

    /// What the newest version of `id` says, whether it lives or not.
    pub(crate) fn last_text(&self, id: MemoryId) -> Option<&str> {
        let newest = self.rows_of(id).next()?;
        Some(&self.record(newest).text)
    }

    /// Every version of `id` that was visible at `seq` or before, newest first.
    pub(crate) fn history(&self, id: MemoryId, seq: Seq) -> impl Iterator<Item = Version> {
        self.rows_of(id).filter_map(move |row| {
            let Lifespan { born, died } = self.row(row).lifespan;
            let ended = died <= seq;
            (born <= seq && born < died).then(|| Version {
                memory: Arc::clone(self.record(row)),
                lifespan: Lifespan {
                    born,
                    died: if ended { died } else { Seq::NEVER },
                },
                retired_because: self.reasons.get(&row).filter(|_| ended).cloned(),
            })
        })
    }

    /// The versions visible at `seq`, of any memory with an id from `from` on, by id.
    pub(crate) fn visible_by_id(&self, from: MemoryId, seq: Seq) -> impl Iterator<Item = RowIdx> {
        let entries = self.by_id.range_from(&(from, Reverse(RowIdx(u32::MAX))));
        entries
            .map(|((_, Reverse(row)), ())| *row)
            .filter(move |row| self.row(*row).lifespan.visible_at(seq))
    }

    /// The versions of `scope` with the same normalised text, whenever they lived.
    pub(crate) fn with_text(&self, scope: &str, text: &str) -> impl Iterator<Item = RowIdx> {
        let normal = normalise_text(text);
        rows_of_hash(&self.by_text, hash(scope, &normal))
            .filter(move |row| normalise_text(&self.record(*row).text) == normal)
    }

    /// The versions of `scope` with the same normalised topic, whenever they lived.
    pub(crate) fn with_topic(&self, scope: &str, topic: &str) -> impl Iterator<Item = RowIdx> {
        let normal = normalise_text(topic);
        rows_of_hash(&self.by_topic, hash(scope, &normal)).filter(move |row| {
            let topic = self.record(*row).topic.as_deref();
            topic
                .map(normalise_text)
                .is_some_and(|topic| topic == normal)
        })
    }

    /// The versions that speak of `entity`, whenever they lived, by the memory's id.
    pub(crate) fn mentions(&self, entity: EntityId) -> impl Iterator<Item = RowIdx> {
        let entries = self
            .by_entity
            .range_from(&(entity, MemoryId(0), RowIdx::MIN));
        entries
            .map(|(key, ())| *key)
            .take_while(move |(of, ..)| *of == entity)
            .map(|(.., row)| row)
    }

    /// A new version; the living one of the same id ends. Its words are found once
    /// [`Self::take_in`] has had `new_texts`.
    pub(crate) fn put(
        &mut self,
        memory: Arc<MemoryRecord>,
        seq: Seq,
        scopes: &mut ScopeTable,
        new_texts: &mut NewTexts,
    ) {
        if let Some(living) = self.living(memory.id) {
            self.end(living, seq, scopes);
        }
        let n_rows = u32::try_from(self.rows.len());
        let row = RowIdx(n_rows.expect("4,294,967,296 versions do not fit into memory"));
        let scope = scopes.code_or_new(&memory.scope);
        let text = Analysis::new(&memory.text, Purpose::Index);
        self.rows.push(RowMeta {
            id: memory.id,
            lifespan: Lifespan {
                born: seq,
                died: Seq::NEVER,
            },
            scope,
            len_tokens: text.len_tokens(),
            is_bounded: memory.valid_from.or(memory.valid_to).is_some(),
        });
        scopes.add(scope, seq, text.len_tokens());
        new_texts.push(row, &text);
        if let Some(source) = &memory.source {
            let analysis = Analysis::new(source, Purpose::Index);
            new_texts.push_source(row, &analysis);
            if let Some(word) = analysis.words().first() {
                self.add_source(word, source);
            }
        }
        self.by_id.insert((memory.id, Reverse(row)), ());
        let text_hash = hash(&memory.scope, &normalise_text(&memory.text));
        self.by_text.insert((text_hash, row), ());
        if let Some(topic) = &memory.topic {
            let topic_hash = hash(&memory.scope, &normalise_text(topic));
            self.by_topic.insert((topic_hash, row), ());
        }
        let time_key = TimeKey {
            scope,
            when: Reverse(memory.when()),
            id: Reverse(memory.id),
            row,
        };
        self.by_time.insert(time_key, ());
        for entity in &memory.entities {
            self.by_entity.insert((*entity, memory.id, row), ());
        }
        self.records.push(memory);
    }

    fn add_source(&mut self, word: &str, source: &Arc<str>) {
        let key = (Arc::from(word), Arc::clone(source));
        if self.by_source.get(&key).is_none() {
            self.by_source.insert(key, ());
        }
    }

    /// Every source that any version has and that begins with the folded `word`, sorted.
    pub(crate) fn sources_from(&self, word: &str) -> impl Iterator<Item = &Arc<str>> {
        let entries = self.by_source.range_from(&(word.into(), "".into()));
        entries
            .take_while(move |((first, _), ())| **first == *word)
            .map(|((_, source), ())| source)
    }

    /// Makes the words of new versions findable.
    pub(crate) fn take_in(&mut self, new_texts: NewTexts) {
        self.by_term.extend(new_texts);
    }

    /// The living version of `id` ends, if there is one.
    pub(crate) fn retire(
        &mut self,
        id: MemoryId,
        reason: Option<Arc<str>>,
        seq: Seq,
        scopes: &mut ScopeTable,
    ) {
        let Some(living) = self.living(id) else {
            return;
        };
        self.end(living, seq, scopes);
        if let Some(reason) = reason {
            self.reasons.insert(living, reason);
        }
    }

    fn end(&mut self, row: RowIdx, seq: Seq, scopes: &mut ScopeTable) {
        let meta = self.rows.get_mut(row.idx());
        meta.lifespan.died = seq;
        scopes.remove(meta.scope, seq, meta.len_tokens);
    }

    /// Every version of `id`, newest first.
    fn rows_of(&self, id: MemoryId) -> impl Iterator<Item = RowIdx> {
        let entries = self.by_id.range_from(&(id, Reverse(RowIdx(u32::MAX))));
        entries
            .map(|(key, ())| *key)
            .take_while(move |(of, _)| *of == id)
            .map(|(_, Reverse(row))| row)
    }
}

fn rows_of_hash(by_hash: &Ordered<(u64, RowIdx), ()>, hash: u64) -> impl Iterator<Item = RowIdx> {
    let entries = by_hash.range_from(&(hash, RowIdx::MIN));
    entries
        .map(|(key, ())| *key)
        .take_while(move |(of, _)| *of == hash)
        .map(|(_, row)| row)
}

/// Rows of one hash are compared by their texts, so that a chance meeting does no harm.
fn hash(scope: &str, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (scope, text).hash(&mut hasher);
    hasher.finish()
}
