//! The slow obvious twin of a view and its snapshots: plain lists, and a scan for every question.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::keyword::{Analysis, Purpose, idf, is_stop_word, stem, term_score};
use crate::operation::check_windows;
use crate::text::{fold_name, normalise_text};
use crate::view::Commit;
use crate::{
    Change, Edge, Entity, EntityId, Filter, KeywordHit, KeywordQuery, Lifespan, MemoryId,
    MemoryRecord, ModelId, Relation, Seq, TermShare, Timestamp, VectorHit, Version, WindowVector,
};

/// A value with its lifespan.
#[derive(Debug, Clone)]
struct Ended<T> {
    value: T,
    lifespan: Lifespan,
    /// Of memories: the reason given when it was retired.
    reason: Option<Arc<str>>,
}

impl<T> Ended<T> {
    fn new(value: T, born: Seq) -> Self {
        Self {
            value,
            lifespan: Lifespan {
                born,
                died: Seq::NEVER,
            },
            reason: None,
        }
    }

    fn lives(&self) -> bool {
        self.lifespan.died == Seq::NEVER
    }
}

/// The vectors of a memory under a model.
#[derive(Debug, Clone)]
struct Embedded {
    memory: MemoryId,
    model: ModelId,
    windows: Vec<WindowVector>,
}

/// Every version of everything.
#[derive(Debug, Clone)]
pub(crate) struct Rows {
    pub(super) commits: Vec<(Seq, Timestamp)>,
    versions: Vec<Ended<Arc<MemoryRecord>>>,
    embedded: Vec<Ended<Embedded>>,
    entities: Vec<Ended<Arc<Entity>>>,
    relations: Vec<Ended<Arc<Relation>>>,
    pub(super) next_memory: MemoryId,
    pub(super) next_entity: EntityId,
}

impl Default for Rows {
    fn default() -> Self {
        Self {
            commits: Vec::new(),
            versions: Vec::new(),
            embedded: Vec::new(),
            entities: Vec::new(),
            relations: Vec::new(),
            next_memory: MemoryId(1),
            next_entity: EntityId(1),
        }
    }
}

impl Rows {
    pub(super) fn n_versions(&self) -> u64 {
        self.versions.len() as u64
    }

    pub(crate) fn apply_all(&mut self, commits: &[Commit]) {
        for commit in commits {
            self.apply(commit.clone());
        }
    }

    fn apply(&mut self, commit: Commit) {
        let last = self.commits.last().map_or(Seq::ZERO, |last| last.0);
        if commit.seq <= last {
            return;
        }
        self.commits.push((commit.seq, commit.at));
        for change in commit.operation.changes {
            match change {
                Change::Put(memory) => self.put(memory, commit.seq),
                Change::Retire { id, reason } => self.retire(id, reason, commit.seq),
                Change::Embed {
                    memory,
                    model,
                    windows,
                } => self.embed(
                    Embedded {
                        memory,
                        model,
                        windows,
                    },
                    commit.seq,
                ),
                Change::PutEntity(entity) => self.put_entity(entity, commit.seq),
                Change::PutRelation(relation) => self.put_relation(relation, commit.seq),
            }
        }
    }

    fn put(&mut self, memory: Arc<MemoryRecord>, seq: Seq) {
        let before = self
            .versions
            .iter_mut()
            .rfind(|row| row.value.id == memory.id);
        if let Some(before) = before {
            if before.lives() {
                before.lifespan.died = seq;
            }
            if before.value.text != memory.text {
                for row in &mut self.embedded {
                    if row.value.memory == memory.id && row.lives() {
                        row.lifespan.died = seq;
                    }
                }
            }
        }
        self.next_memory = self
            .next_memory
            .max(MemoryId(memory.id.0.saturating_add(1)));
        self.versions.push(Ended::new(memory, seq));
    }

    fn retire(&mut self, id: MemoryId, reason: Option<Arc<str>>, seq: Seq) {
        let living = self.versions.iter_mut().rfind(|row| row.value.id == id);
        if let Some(row) = living.filter(|row| row.lives()) {
            row.lifespan.died = seq;
            row.reason = reason;
        }
    }

    fn embed(&mut self, new: Embedded, seq: Seq) {
        let known = self
            .versions
            .iter()
            .any(|row| row.value.id == new.memory && row.lives());
        let repeated = self.embedded.iter().any(|row| {
            row.value.memory == new.memory && row.value.model == new.model && row.lives()
        });
        let dim = self.embedded.iter().find_map(|row| {
            (row.value.model == new.model).then(|| row.value.windows[0].embedding.len())
        });
        let fits = check_windows(&new.windows).is_ok()
            && dim.is_none_or(|dim| dim == new.windows[0].embedding.len());
        if known && !repeated && fits {
            self.embedded.push(Ended::new(new, seq));
        }
    }

    fn put_entity(&mut self, entity: Arc<Entity>, seq: Seq) {
        let before = self
            .entities
            .iter_mut()
            .rfind(|row| row.value.id == entity.id);
        if let Some(before) = before {
            before.lifespan.died = seq;
        }
        self.next_entity = self
            .next_entity
            .max(EntityId(entity.id.0.saturating_add(1)));
        self.entities.push(Ended::new(entity, seq));
    }

    fn put_relation(&mut self, relation: Arc<Relation>, seq: Seq) {
        let before = self.relations.iter_mut().rfind(|row| {
            let known = &row.value;
            (known.from, &known.relation, known.to, known.memory)
                == (
                    relation.from,
                    &relation.relation,
                    relation.to,
                    relation.memory,
                )
        });
        if let Some(before) = before {
            before.lifespan.died = seq;
        }
        self.relations.push(Ended::new(relation, seq));
    }
}

/// The twin of a snapshot.
#[derive(Debug)]
pub(super) struct SnapshotTwin<'a> {
    pub(super) rows: &'a Rows,
    pub(super) seq: Seq,
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "small numbers"
)]
impl SnapshotTwin<'_> {
    pub(super) fn memory(&self, id: MemoryId) -> Option<Arc<MemoryRecord>> {
        self.visible().find(|memory| memory.id == id).cloned()
    }

    pub(super) fn history(&self, id: MemoryId) -> Vec<Version> {
        let rows = self.rows.versions.iter().rev();
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

    pub(super) fn find_texts(&self, scope: &str, text: &str) -> Vec<Arc<MemoryRecord>> {
        let text = normalise_text(text);
        let same = |memory: &&Arc<MemoryRecord>| normalise_text(&memory.text) == text;
        let mut memories: Vec<_> = self.current(scope).filter(same).cloned().collect();
        memories.sort_by_key(|memory| memory.id);
        memories
    }

    pub(super) fn find_topic(&self, scope: &str, topic: &str) -> Option<Arc<MemoryRecord>> {
        let topic = normalise_text(topic);
        self.current(scope)
            .filter(|memory| {
                let own = memory.topic.as_deref().map(normalise_text);
                own.is_some_and(|own| own == topic)
            })
            .max_by_key(|memory| memory.id)
            .cloned()
    }

    pub(super) fn list(&self, filter: &Filter, limit: usize) -> Vec<Arc<MemoryRecord>> {
        let accepted = self.visible().filter(|memory| filter.accepts(memory));
        let mut memories: Vec<_> = accepted.cloned().collect();
        memories.sort_by_key(|memory| std::cmp::Reverse((memory.when(), memory.id)));
        memories.truncate(limit);
        memories
    }

    pub(super) fn count(&self, filter: &Filter) -> usize {
        self.visible()
            .filter(|memory| filter.accepts(memory))
            .count()
    }

    pub(super) fn keyword_search(
        &self,
        query: KeywordQuery<'_>,
        filter: &Filter,
        k: usize,
    ) -> Vec<KeywordHit> {
        let in_scope = Filter {
            scopes: filter.scopes.clone(),
            ..Filter::default()
        };
        let searched = self.visible().filter(|memory| in_scope.accepts(memory));
        let texts: Vec<_> = searched
            .map(|memory| (memory, Analysis::new(&memory.text, Purpose::Index)))
            .collect();
        let n_texts = texts.len() as u64;
        let len_sum: f64 = texts
            .iter()
            .map(|(_, text)| f64::from(text.len_tokens()))
            .sum();
        let len_mean = len_sum / n_texts as f64;
        let words = asked_words(query);
        let tf_of = |word: &[String], (memory, text): &(&Arc<MemoryRecord>, Analysis)| {
            let in_text = text.tokens().filter(|token| {
                let is_form = |word: &String| query.stems && form(word) == form(token);
                word.iter().any(|word| word == token || is_form(word))
            });
            let source = memory.source.as_deref().filter(|_| query.sources);
            let source = Analysis::new(source.unwrap_or_default(), Purpose::Index);
            let in_source = source
                .tokens()
                .filter(|token| word.iter().any(|it| it == token));
            (in_text.count() + in_source.count()) as u32
        };
        let weight_of = |word: &Vec<String>| {
            let mut distinct = word.clone();
            distinct.dedup();
            let df = texts.iter().filter(|text| tf_of(&distinct, text) > 0);
            word.len() as f64 * idf(n_texts, df.count() as u64)
        };
        let weights: Vec<f64> = words.iter().map(weight_of).collect();
        let mut hits: Vec<_> = texts
            .iter()
            .filter(|(memory, _)| filter.accepts(memory))
            .filter_map(|text| {
                let share = |(word, weight): (&Vec<String>, &f64)| {
                    let tf = tf_of(word, text);
                    let score = term_score(*weight, tf, text.1.len_tokens(), len_mean);
                    (tf > 0).then(|| TermShare {
                        term: word[0].clone(),
                        score,
                    })
                };
                let shares: Vec<_> = words.iter().zip(&weights).filter_map(share).collect();
                let held = words.iter().zip(&weights);
                let held = held.filter(|(word, _)| tf_of(word, text) > 0);
                let weight_of_held: f64 = held.map(|(_, weight)| weight).sum();
                (!shares.is_empty()).then(|| KeywordHit {
                    id: text.0.id,
                    score: shares.iter().map(|share| share.score).sum(),
                    terms: shares,
                    coverage: weight_of_held / weights.iter().sum::<f64>(),
                })
            })
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.id.cmp(&b.id)));
        hits.truncate(k);
        hits
    }

    pub(super) fn vector_search(
        &self,
        model: ModelId,
        queries: &[&[f32]],
        filter: &Filter,
        k: usize,
    ) -> Vec<VectorHit> {
        let mut hits = Vec::new();
        for (memory, embedded) in self.embedded(model) {
            let mut best: Option<VectorHit> = None;
            for (window, vector) in (0..).zip(&embedded.windows) {
                for query in queries {
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
        hits
    }

    pub(super) fn vectors(&self, model: ModelId, id: MemoryId) -> Vec<WindowVector> {
        self.embedded(model)
            .find(|(memory, _)| memory.id == id)
            .map(|(_, embedded)| embedded.windows.clone())
            .unwrap_or_default()
    }

    pub(super) fn unembedded(&self, model: ModelId, limit: usize) -> Vec<Arc<MemoryRecord>> {
        let has = |id| self.embedded(model).any(|(memory, _)| memory.id == id);
        let mut without: Vec<_> = self.visible().filter(|memory| !has(memory.id)).collect();
        without.sort_by_key(|memory| memory.id);
        without.into_iter().take(limit).cloned().collect()
    }

    pub(super) fn entity(&self, id: EntityId) -> Option<Arc<Entity>> {
        self.visible_entities()
            .find(|entity| entity.id == id)
            .cloned()
    }

    pub(super) fn find_entity(&self, scope: &str, name: &str) -> Option<Arc<Entity>> {
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

    pub(super) fn entities(&self, scope: &str, limit: usize) -> Vec<Arc<Entity>> {
        let of_scope = self.visible_entities().filter(|e| *e.scope == *scope);
        let mut entities: Vec<_> = of_scope.cloned().collect();
        entities.sort_by_cached_key(|entity| (fold_name(&entity.name), entity.id));
        entities.truncate(limit);
        entities
    }

    pub(super) fn edges(&self, entity: EntityId) -> Vec<Edge> {
        let mut edges = BTreeMap::new();
        for row in &self.rows.relations {
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

    pub(super) fn mentions(&self, entity: EntityId) -> Vec<Arc<MemoryRecord>> {
        let speaks = |memory: &&Arc<MemoryRecord>| memory.entities.contains(&entity);
        let mut memories: Vec<_> = self.visible().filter(speaks).cloned().collect();
        memories.sort_by_key(|memory| memory.id);
        memories
    }

    fn visible(&self) -> impl Iterator<Item = &Arc<MemoryRecord>> {
        let rows = self.rows.versions.iter();
        rows.filter(|row| row.lifespan.visible_at(self.seq))
            .map(|row| &row.value)
    }

    fn current(&self, scope: &str) -> impl Iterator<Item = &Arc<MemoryRecord>> {
        self.visible()
            .filter(move |memory| *memory.scope == *scope && memory.superseded_by.is_none())
    }

    fn visible_entities(&self) -> impl Iterator<Item = &Arc<Entity>> {
        let rows = self.rows.entities.iter();
        rows.filter(|row| row.lifespan.visible_at(self.seq))
            .map(|row| &row.value)
    }

    fn embedded(&self, model: ModelId) -> impl Iterator<Item = (&Arc<MemoryRecord>, &Embedded)> {
        let rows = self.rows.embedded.iter();
        rows.filter(move |row| row.value.model == model && row.lifespan.visible_at(self.seq))
            .filter_map(|row| {
                let memory = self
                    .visible()
                    .find(|memory| memory.id == row.value.memory)?;
                Some((memory, &row.value))
            })
    }
}

/// The words of a query, each with all that the query says of it.
fn asked_words(query: KeywordQuery<'_>) -> Vec<Vec<String>> {
    let asked = Analysis::new(query.text, Purpose::Query);
    let is_content = |token: &&str| !query.skips_stop_words || !is_stop_word(token);
    let mut tokens: Vec<&str> = asked.tokens().filter(is_content).collect();
    if tokens.is_empty() {
        tokens = asked.tokens().collect();
    }
    let mut words: Vec<Vec<String>> = Vec::new();
    for token in tokens {
        let is_same = |word: &String| {
            if query.stems {
                form(word) == form(token)
            } else {
                word == token
            }
        };
        match words.iter_mut().find(|word| is_same(&word[0])) {
            Some(word) => word.push(token.to_owned()),
            None => words.push(vec![token.to_owned()]),
        }
    }
    words
}

fn form(token: &str) -> String {
    stem(token).map_or_else(|| token.to_owned(), std::borrow::Cow::into_owned)
}
