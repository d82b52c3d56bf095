//! What plain variants search in one haystack.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::plain::{Document, Embedded, Plain, Retrieval, TextForm, VectorList};
use crate::contract::{Bm25, Place, Scored, Words, fuse, ranked};
use crate::dataset::{Haystack, Question, Turn};
use crate::embeddings::{TextVectors, UnitVector};
use crate::error::Error;

/// The length of the list that the seed's index probably gave.
const NEAREST: usize = 80;

/// Keyword indexes and vectors of one haystack, made when they are first needed.
#[derive(Debug)]
pub(super) struct PlainIndex<'h> {
    haystack: &'h Haystack,
    source: Option<&'h TextVectors>,
    keywords: BTreeMap<(Document, TextForm, Words), Bm25>,
    /// For each turn its vectors.
    vectors: BTreeMap<Embedded, Vec<Vec<UnitVector>>>,
    /// The turns of each session.
    sessions: Vec<Place>,
}

impl<'h> PlainIndex<'h> {
    pub(super) fn new(haystack: &'h Haystack, source: Option<&'h TextVectors>) -> Self {
        let mut sessions: Vec<Place> = vec![Vec::new(); haystack.sessions.len()];
        for (turn_idx, session_idx) in haystack.session_of_turn().into_iter().enumerate() {
            sessions[session_idx].push(turn_idx);
        }
        Self {
            haystack,
            source,
            keywords: BTreeMap::new(),
            vectors: BTreeMap::new(),
            sessions,
        }
    }

    /// Makes what `plain` needs.
    pub(super) fn prepare(&mut self, plain: &Plain) -> Result<(), Error> {
        let indexed = plain.indexed();
        if !self.keywords.contains_key(&indexed) {
            let documents = self.documents(plain);
            let words = documents.iter().map(|text| plain.words.of(text));
            self.keywords.insert(indexed, Bm25::new(words));
        }
        if let Some(embedded) = plain.embedded()
            && !self.vectors.contains_key(&embedded)
        {
            let source = self.vector_source()?;
            let turns = self.haystack.turns();
            let vectors = turns.map(|(_, turn)| {
                let text = embedded.text.of(turn);
                source.of_turn(embedded.tokens, &text)
            });
            let vectors: Result<Vec<_>, Error> = vectors.collect();
            self.vectors.insert(embedded, vectors?);
        }
        Ok(())
    }

    /// What `plain` finds, best first, and how long it took; the question's vector was there already.
    pub(super) fn ask(
        &self,
        plain: &Plain,
        question: &Question,
    ) -> Result<(Vec<Place>, Duration), Error> {
        let asked = match plain.embedded() {
            Some(_) => self.vector_source()?.of_question(&question.text)?,
            None => UnitVector::new(),
        };
        let started = Instant::now();
        let keyword = || self.keywords[&plain.indexed()].search(&plain.words.of(&question.text));
        let found = match plain.retrieval {
            Retrieval::Bm25 => ranked(keyword()),
            Retrieval::Vector { .. } => ranked(self.scan(plain, &asked)),
            Retrieval::Hybrid(hybrid) => {
                let mut vector = ranked(self.scan(plain, &asked));
                if hybrid.list == VectorList::Nearest80 {
                    vector.truncate(NEAREST);
                }
                fuse(hybrid.fusion, hybrid.vector_weight, &vector, &keyword())
            }
        };
        let took = started.elapsed();
        let place = |scored: Scored| match plain.document {
            Document::Turn => vec![scored.position],
            Document::Session => self.sessions[scored.position].clone(),
        };
        Ok((found.into_iter().map(place).collect(), took))
    }

    /// The similarity of every turn: that of its best window.
    fn scan(&self, plain: &Plain, asked: &[f32]) -> Vec<Scored> {
        let vectors = plain.embedded().map(|embedded| &self.vectors[&embedded]);
        let turns = vectors.into_iter().flatten().enumerate();
        turns
            .map(|(position, windows)| {
                let similarities = windows.iter().map(|window| dot(window, asked));
                Scored {
                    position,
                    score: similarities.fold(f64::NEG_INFINITY, f64::max),
                }
            })
            .collect()
    }

    fn documents(&self, plain: &Plain) -> Vec<String> {
        let form = |turn: &Turn| plain.text.of(turn);
        match plain.document {
            Document::Turn => self.haystack.turns().map(|(_, turn)| form(turn)).collect(),
            Document::Session => {
                let sessions = self.haystack.sessions.iter();
                let text = |turns: &[Turn]| turns.iter().map(form).collect::<Vec<_>>().join("\n");
                sessions.map(|session| text(&session.turns)).collect()
            }
        }
    }

    fn vector_source(&self) -> Result<&'h TextVectors, Error> {
        let missing = Error::Arguments("this mode needs a model, or reference vectors");
        self.source.ok_or(missing)
    }
}

fn dot(left: &[f32], right: &[f32]) -> f64 {
    let pairs = left.iter().zip(right);
    pairs
        .map(|(left, right)| f64::from(*left) * f64::from(*right))
        .sum()
}
