//! One unchanging state of the store, and the questions that can be asked of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::keyword::{idf, term_score, tokens};
use crate::text::{fold_name, normalise_text};
use crate::view::{Embedded, View};
use crate::{
    Entity, EntityId, Error, Filter, Lifespan, MemoryId, MemoryRecord, ModelId, Relation, Seq,
    Timestamp, Version, WindowVector,
};

/// The store as it was after one commit. Cheap to clone; holds no lock; never changes.
#[derive(Debug, Clone)]
pub struct Snapshot {
    view: View,
    seq: Seq,
}

/// A memory found by its words.
#[derive(Debug, Clone, PartialEq)]
pub struct KeywordHit {
    /// The memory.
    pub id: MemoryId,
    /// BM25 score, above 0.
    pub score: f64,
    /// What each term of the query gave, in the order of the query.
    pub terms: Vec<TermShare>,
}

/// One term's part of a BM25 score.
#[derive(Debug, Clone, PartialEq)]
pub struct TermShare {
    /// The term as the index has it.
    pub term: String,
    /// Its part of the score.
    pub score: f64,
}

/// A memory found by a vector: its best window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VectorHit {
    /// The memory.
    pub id: MemoryId,
    /// Which of its windows was nearest.
    pub window: u32,
    /// Dot product of unit vectors, -1 to 1.
    pub similarity: f32,
}

/// A relation, with the memory that says so.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    /// The relation.
    pub relation: Arc<Relation>,
    /// The visible version of the memory that it comes from.
    pub memory: Arc<MemoryRecord>,
}

impl Snapshot {
    /// All of `view`.
    pub(crate) fn new(view: View) -> Self {
        let seq = view.seq();
        Self { view, seq }
    }
    /// The last commit that it shows.
    pub fn seq(&self) -> Seq {
        self.seq
    }
    /// The commit time of [`Self::seq`]; 1970 before the first commit.
    pub fn committed_at(&self) -> Timestamp {
        self.view.committed_at(self.seq)
    }
    /// The same store as it was at an earlier commit; later than this snapshot is `None`.
    #[must_use]
    pub fn at(&self, seq: Seq) -> Option<Self> {
        (seq <= self.seq).then(|| Self {
            view: self.view.clone(),
            seq,
        })
    }
    /// The same store as it was at `time`: the last commit at or before it.
    #[must_use]
    pub fn known_at(&self, time: Timestamp) -> Self {
        Self {
            view: self.view.clone(),
            seq: self.view.seq_at(time).min(self.seq),
        }
    }
    /// The visible version of a memory.
    pub fn memory(&self, id: MemoryId) -> Option<Arc<MemoryRecord>> {
        self.visible().find(|memory| memory.id == id).cloned()
    }
    /// Every version of a memory up to this snapshot, newest first.
    ///
    /// A version that the same commit put and ended was never seen, and is left out.
    pub fn history(&self, id: MemoryId) -> Vec<Version> {
        let rows = self.view.rows().versions.iter().rev();
        rows.filter(|row| row.value.id == id && row.lifespan.born <= self.seq)
            .filter(|row| row.lifespan.born < row.lifespan.died)
            .map(|row| {
                let ended = row.lifespan.died <= self.seq;
                Version {
                    memory: Arc::clone(&row.value),
                    lifespan: Lifespan {
                        born: row.lifespan.born,
                        died: if ended { row.lifespan.died } else { Seq::NEVER },
                    },
                    retired_because: row.reason.clone().filter(|_| ended),
                }
            })
            .collect()
    }
    /// The visible memory of a scope with the same normalised text (NFC, white space collapsed)
    /// that nothing supersedes; the least id.
    pub fn find_text(&self, scope: &str, text: &str) -> Option<Arc<MemoryRecord>> {
        self.find_texts(scope, text).into_iter().next()
    }
    /// As [`Self::find_text`], all of them, by id: a text may be kept for several valid times or topics.
    pub fn find_texts(&self, scope: &str, text: &str) -> Vec<Arc<MemoryRecord>> {
        let text = normalise_text(text);
        let same = |memory: &&Arc<MemoryRecord>| normalise_text(&memory.text) == text;
        let mut memories: Vec<_> = self.current(scope).filter(same).cloned().collect();
        memories.sort_by_key(|memory| memory.id);
        memories
    }
    /// The visible memory of a scope and topic that nothing supersedes; of several, the greatest id.
    /// Topics are compared as texts are.
    pub fn find_topic(&self, scope: &str, topic: &str) -> Option<Arc<MemoryRecord>> {
        let topic = normalise_text(topic);
        self.current(scope)
            .filter(|memory| {
                let own = memory.topic.as_deref().map(normalise_text);
                own.is_some_and(|own| own == topic)
            })
            .max_by_key(|memory| memory.id)
            .cloned()
    }
    /// The visible memories that `filter` accepts, latest `when` first, ties by greater id; at most `limit`.
    pub fn list(&self, filter: &Filter, limit: usize) -> Vec<Arc<MemoryRecord>> {
        let accepted = self.visible().filter(|memory| filter.accepts(memory));
        let mut memories: Vec<_> = accepted.cloned().collect();
        memories.sort_by_key(|memory| std::cmp::Reverse((memory.when(), memory.id)));
        memories.truncate(limit);
        memories
    }
    /// How many visible memories `filter` accepts.
    pub fn count(&self, filter: &Filter) -> usize {
        self.visible()
            .filter(|memory| filter.accepts(memory))
            .count()
    }
    /// The `k` best memories by BM25, best first, ties by id. Any text is a query.
    ///
    /// The statistics are those of the visible memories in the scopes that the filter names; its
    /// other conditions only choose among them.
    pub fn keyword_search(&self, query: &str, filter: &Filter, k: usize) -> Vec<KeywordHit> {
        let in_scope = Filter {
            scopes: filter.scopes.clone(),
            ..Filter::default()
        };
        let searched = self.visible().filter(|memory| in_scope.accepts(memory));
        let texts: Vec<_> = searched
            .map(|memory| (memory, tokens(&memory.text)))
            .collect();
        let n_texts = texts.len() as f64;
        let n_tokens: usize = texts.iter().map(|(_, tokens)| tokens.len()).sum();
        let len_mean = n_tokens as f64 / n_texts;
        let terms: Vec<_> = tokens(query)
            .into_iter()
            .map(|term| {
                let df = texts.iter().filter(|(_, tokens)| tokens.contains(&term));
                let idf = idf(n_texts, df.count() as f64);
                (term, idf)
            })
            .collect();
        let mut hits: Vec<_> = texts
            .iter()
            .filter(|(memory, _)| filter.accepts(memory))
            .filter_map(|(memory, tokens)| {
                let share = |(term, idf): &(String, f64)| {
                    let tf = tokens.iter().filter(|token| *token == term).count();
                    let score = term_score(*idf, tf as f64, tokens.len() as f64, len_mean);
                    (tf > 0).then(|| TermShare {
                        term: term.clone(),
                        score,
                    })
                };
                let shares: Vec<_> = terms.iter().filter_map(share).collect();
                (!shares.is_empty()).then(|| KeywordHit {
                    id: memory.id,
                    score: shares.iter().map(|share| share.score).sum(),
                    terms: shares,
                })
            })
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.id.cmp(&b.id)));
        hits.truncate(k);
        hits
    }
    /// The `k` memories with the nearest window to any of `queries` (unit vectors), nearest first, ties by id.
    ///
    /// # Errors
    /// Where a query is not of the model's length, or not finite, or zero. A model without vectors has
    /// no length, and finds nothing.
    pub fn vector_search(
        &self,
        model: ModelId,
        queries: &[&[f32]],
        filter: &Filter,
        k: usize,
    ) -> Result<Vec<VectorHit>, Error> {
        let mut hits = Vec::new();
        for (memory, embedded) in self.embedded(model) {
            let mut best: Option<VectorHit> = None;
            for (window, vector) in (0..).zip(&embedded.windows) {
                for query in queries {
                    palimpsest_vector::check_vector(query, vector.embedding.len())?;
                    let products = query.iter().zip(&*vector.embedding).map(|(a, b)| a * b);
                    let similarity = products.sum();
                    if best.is_none_or(|best| similarity > best.similarity) {
                        best = Some(VectorHit {
                            id: memory.id,
                            window,
                            similarity,
                        });
                    }
                }
            }
            hits.extend(best.filter(|_| filter.accepts(memory)));
        }
        hits.sort_by(|a, b| {
            let nearer = b.similarity.total_cmp(&a.similarity);
            nearer.then(a.id.cmp(&b.id))
        });
        hits.truncate(k);
        Ok(hits)
    }
    /// The vectors of a memory under a model; empty while it has none.
    pub fn vectors(&self, model: ModelId, id: MemoryId) -> Vec<WindowVector> {
        self.embedded(model)
            .find(|(memory, _)| memory.id == id)
            .map(|(_, embedded)| embedded.windows.clone())
            .unwrap_or_default()
    }
    /// Visible memories without vectors of a model, by id; at most `limit`.
    pub fn unembedded(&self, model: ModelId, limit: usize) -> Vec<Arc<MemoryRecord>> {
        let has = |id| self.embedded(model).any(|(memory, _)| memory.id == id);
        let mut without: Vec<_> = self.visible().filter(|memory| !has(memory.id)).collect();
        without.sort_by_key(|memory| memory.id);
        without.into_iter().take(limit).cloned().collect()
    }
    /// An entity.
    pub fn entity(&self, id: EntityId) -> Option<Arc<Entity>> {
        self.visible_entities()
            .find(|entity| entity.id == id)
            .cloned()
    }
    /// The entity of a scope with this name or alias; case-folded, NFC, white space collapsed.
    /// A name counts before an alias, then the least id.
    pub fn find_entity(&self, scope: &str, name: &str) -> Option<Arc<Entity>> {
        let name = fold_name(name);
        let has_name = |entity: &&Arc<Entity>| fold_name(&entity.name) == name;
        let has_alias =
            |entity: &&Arc<Entity>| entity.aliases.iter().any(|alias| fold_name(alias) == name);
        let of_scope = || self.visible_entities().filter(|e| *e.scope == *scope);
        let least = of_scope().filter(has_name).min_by_key(|e| e.id);
        least
            .or_else(|| of_scope().filter(has_alias).min_by_key(|e| e.id))
            .cloned()
    }
    /// The entities of a scope, by folded name, then id.
    pub fn entities(&self, scope: &str, limit: usize) -> Vec<Arc<Entity>> {
        let of_scope = self.visible_entities().filter(|e| *e.scope == *scope);
        let mut entities: Vec<_> = of_scope.cloned().collect();
        entities.sort_by_cached_key(|entity| (fold_name(&entity.name), entity.id));
        entities.truncate(limit);
        entities
    }
    /// The relations from and to an entity whose memory is visible, by from, relation, to, memory.
    pub fn edges(&self, entity: EntityId) -> Vec<Edge> {
        let mut edges = BTreeMap::new();
        for row in &self.view.rows().relations {
            let relation = &row.value;
            let touches = relation.from == entity || relation.to == entity;
            if !touches || !row.lifespan.visible_at(self.seq) {
                continue;
            }
            if let Some(memory) = self.memory(relation.memory) {
                let verb = Arc::clone(&relation.relation);
                let key = (relation.from, verb, relation.to, relation.memory);
                let relation = Arc::clone(relation);
                edges.insert(key, Edge { relation, memory });
            }
        }
        edges.into_values().collect()
    }
    /// The visible memories that speak of an entity, by id.
    pub fn mentions(&self, entity: EntityId) -> Vec<Arc<MemoryRecord>> {
        let speaks = |memory: &&Arc<MemoryRecord>| memory.entities.contains(&entity);
        let mut memories: Vec<_> = self.visible().filter(speaks).cloned().collect();
        memories.sort_by_key(|memory| memory.id);
        memories
    }

    fn visible(&self) -> impl Iterator<Item = &Arc<MemoryRecord>> {
        let rows = self.view.rows().versions.iter();
        rows.filter(|row| row.lifespan.visible_at(self.seq))
            .map(|row| &row.value)
    }

    /// The visible memories of a scope that nothing supersedes.
    fn current(&self, scope: &str) -> impl Iterator<Item = &Arc<MemoryRecord>> {
        self.visible()
            .filter(move |memory| *memory.scope == *scope && memory.superseded_by.is_none())
    }

    fn visible_entities(&self) -> impl Iterator<Item = &Arc<Entity>> {
        let rows = self.view.rows().entities.iter();
        rows.filter(|row| row.lifespan.visible_at(self.seq))
            .map(|row| &row.value)
    }

    /// The visible memories that have vectors of `model`, and those.
    fn embedded(&self, model: ModelId) -> impl Iterator<Item = (&Arc<MemoryRecord>, &Embedded)> {
        let rows = self.view.rows().embedded.iter();
        rows.filter(move |row| row.value.model == model && row.lifespan.visible_at(self.seq))
            .filter_map(|row| {
                let memory = self
                    .visible()
                    .find(|memory| memory.id == row.value.memory)?;
                Some((memory, &row.value))
            })
    }
}
