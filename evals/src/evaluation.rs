//! Variants of retrieval, run over haystacks, and the ranks at which they found the answers.
//!
//! It knows no data set and no file.

mod outcome;
mod plain;
mod plain_index;
mod variant;

pub(crate) use outcome::{Evaluated, QuestionName, VariantOutcome};
pub(crate) use plain::{Document, Embedded, Hybrid, Plain, Retrieval, TextForm, VectorList};
pub(crate) use variant::{Method, Product, Variant};

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use palimpsest_memory::Settings;

use crate::contract::{Latency, RANK_MAX, rank_of_first_hit};
use crate::contract::{Level, Place};
use crate::dataset::{Haystack, Question};
use crate::embeddings::TextVectors;
use crate::error::Error;
use crate::half::Half;
use crate::product::{HaystackMemory, SpeakerIn};
use crate::progress::Progress;

use plain_index::PlainIndex;

/// Recall's greatest limit: enough turns for ten sessions.
const PRODUCT_LIMIT_MAX: usize = 100;

/// Runs variants over one haystack after the other, and keeps the ranks alone.
#[derive(Debug)]
pub(crate) struct Evaluation<'a> {
    variants: Vec<Variant>,
    vectors: Option<&'a TextVectors>,
    half: Half,
    questions: Vec<QuestionName>,
    /// One for each variant.
    found: Vec<Found>,
}

#[derive(Debug, Default, Clone)]
struct Found {
    /// For each level of the variant one rank a question.
    ranks: Vec<Vec<Option<usize>>>,
    times: Vec<Duration>,
}

impl<'a> Evaluation<'a> {
    /// An evaluation of `variants` on one half of the questions. `vectors` may be absent where no
    /// variant needs any.
    pub(crate) fn new(
        variants: Vec<Variant>,
        vectors: Option<&'a TextVectors>,
        half: Half,
    ) -> Self {
        let found = variants.iter().map(|variant| Found {
            ranks: vec![Vec::new(); variant.levels.len()],
            times: Vec::new(),
        });
        Self {
            found: found.collect(),
            variants,
            vectors,
            half,
            questions: Vec::new(),
        }
    }

    /// How many vectors of each turn the variants need, at least 1: the steps that a turn is worth.
    pub(crate) fn n_steps_per_turn(&self) -> usize {
        self.embedded().len().max(1)
    }

    /// Runs every variant over one haystack. `progress` advances by [`Self::n_steps_per_turn`] a turn.
    pub(crate) fn visit(&mut self, haystack: &Haystack, progress: &Progress) -> Result<(), Error> {
        let asked = haystack.questions.iter();
        let asked: Vec<&Question> = asked.filter(|it| self.half.holds(&it.id)).collect();
        if asked.is_empty() {
            progress.skip(haystack.n_turns() * self.n_steps_per_turn());
            return Ok(());
        }
        self.embed(haystack, &asked, progress)?;
        let names = asked.iter().map(|question| QuestionName {
            id: question.id.clone(),
            group: question.group.clone(),
        });
        self.questions.extend(names);
        let session_of_turn = haystack.session_of_turn();
        let mut index = PlainIndex::new(haystack, self.vectors);
        let mut memories = BTreeMap::new();
        for (variant, found) in self.variants.iter().zip(&mut self.found) {
            let mut asker = Asker::new(variant, haystack, &mut index, &mut memories, self.vectors)?;
            for question in &asked {
                let (places, took) = asker.ask(question)?;
                found.times.push(took);
                for (level, ranks) in variant.levels.iter().zip(&mut found.ranks) {
                    ranks.push(rank_of_first_hit(
                        *level,
                        &places,
                        &session_of_turn,
                        question,
                    ));
                }
            }
        }
        Ok(())
    }

    /// Embeds whatever the variants will need, on all cores.
    fn embed(
        &self,
        haystack: &Haystack,
        asked: &[&Question],
        progress: &Progress,
    ) -> Result<(), Error> {
        let embedded = self.embedded();
        let Some(vectors) = self.vectors.filter(|_| !embedded.is_empty()) else {
            progress.advance(haystack.n_turns());
            return Ok(());
        };
        let questions: Vec<&str> = asked
            .iter()
            .map(|question| question.text.as_str())
            .collect();
        // The longest first: what it knows need not be embedded for the others.
        for Embedded { tokens, text } in embedded.into_iter().rev() {
            let texts: Vec<String> = haystack.turns().map(|(_, turn)| text.of(turn)).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            vectors.prepare(tokens, &texts, progress)?;
            vectors.prepare(tokens.of_question(), &questions, &Progress::hidden())?;
        }
        Ok(())
    }

    fn embedded(&self) -> BTreeSet<Embedded> {
        let variants = self.variants.iter();
        variants
            .filter_map(|variant| variant.method.embedded())
            .collect()
    }

    /// The ranks of every variant.
    pub(crate) fn finish(self) -> Evaluated {
        let outcomes = self.variants.into_iter().zip(self.found);
        let outcomes = outcomes.flat_map(|(variant, found)| {
            let latency = Latency::of(&found.times);
            let levels = variant.levels.clone().into_iter().zip(found.ranks);
            levels
                .map(move |(level, ranks)| VariantOutcome {
                    name: variant.name.clone(),
                    level,
                    method: variant.method.clone(),
                    ranks,
                    latency,
                })
                .collect::<Vec<_>>()
        });
        Evaluated {
            outcomes: outcomes.collect(),
            questions: self.questions,
        }
    }
}

/// One variant over one haystack, ready to be asked.
enum Asker<'i, 'h> {
    Plain(&'i PlainIndex<'h>, Plain),
    Product(&'i HaystackMemory, &'i Settings, usize),
}

impl<'i, 'h> Asker<'i, 'h> {
    fn new(
        variant: &'i Variant,
        haystack: &Haystack,
        index: &'i mut PlainIndex<'h>,
        memories: &'i mut BTreeMap<SpeakerIn, HaystackMemory>,
        vectors: Option<&TextVectors>,
    ) -> Result<Self, Error> {
        match &variant.method {
            Method::Plain(plain) => {
                index.prepare(plain)?;
                Ok(Self::Plain(index, *plain))
            }
            Method::Product(product) => {
                let vectors = vectors.ok_or(Error::Arguments("the product needs a model"))?;
                let embedder = vectors.product_embedder()?;
                let Product {
                    settings,
                    speaker_in,
                } = product;
                // What is remembered does not hang on how it is recalled.
                let memory = match memories.entry(*speaker_in) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(place) => {
                        place.insert(HaystackMemory::remember(haystack, *speaker_in, embedder)?)
                    }
                };
                let counts_sessions = variant.levels.contains(&Level::DistinctSession);
                let limit = if counts_sessions {
                    PRODUCT_LIMIT_MAX
                } else {
                    RANK_MAX
                };
                Ok(Self::Product(memory, settings, limit))
            }
        }
    }

    fn ask(&mut self, question: &Question) -> Result<(Vec<Place>, Duration), Error> {
        match self {
            Self::Plain(index, plain) => index.ask(plain, question),
            Self::Product(memory, settings, limit) => memory.recall(settings, question, *limit),
        }
    }
}

#[cfg(test)]
mod tests;
