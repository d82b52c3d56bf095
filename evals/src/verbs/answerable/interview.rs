//! Questions that are asked of their own conversation and of the next one. Holds two conversations at a time,
//! however many the data set has.

use std::sync::Arc;

use palimpsest_memory::Settings;

use super::{Asked, AskedOf};
use crate::dataset::{Haystack, Question};
use crate::embeddings::{CachedEmbedder, TextVectors, Tokens};
use crate::error::Error;
use crate::product::{HaystackMemory, SpeakerIn};
use crate::progress::Progress;

/// How the end of an abstention question's id reads.
const ABSTENTION: &str = "_abs";

/// The questions of one data set.
pub(super) struct Interview<'vectors> {
    set: &'static str,
    vectors: &'vectors TextVectors,
    embedder: Arc<CachedEmbedder>,
    progress: Progress,
    /// The first conversation: it is asked the last one's questions.
    first: Option<HaystackMemory>,
    n_visited: usize,
    previous: Vec<Question>,
    asked: Vec<Asked>,
}

impl<'vectors> Interview<'vectors> {
    /// Of a data set of so many turns.
    pub(super) fn new(
        set: &'static str,
        n_turns: usize,
        vectors: &'vectors TextVectors,
    ) -> Result<Self, Error> {
        Ok(Self {
            set,
            vectors,
            embedder: vectors.product_embedder()?,
            progress: Progress::start("turns", n_turns),
            first: None,
            n_visited: 0,
            previous: Vec::new(),
            asked: Vec::new(),
        })
    }

    /// Asks the next conversation its own questions, and those of the one before.
    pub(super) fn visit(&mut self, haystack: Haystack) -> Result<(), Error> {
        let turns: Vec<&str> = haystack.turns().map(|(_, turn)| &*turn.text).collect();
        self.vectors
            .prepare(Tokens::Windows, &turns, &self.progress)?;
        let memory = HaystackMemory::remember(
            &haystack,
            SpeakerIn::Source,
            Arc::clone(&self.embedder) as _,
        )?;
        for question in &haystack.questions {
            let of = if question.id.ends_with(ABSTENTION) {
                AskedOf::Abstention
            } else {
                AskedOf::Own
            };
            self.asked.push(ask(self.set, &memory, question, of)?);
        }
        for question in &self.previous {
            self.asked
                .push(ask(self.set, &memory, question, AskedOf::Other)?);
        }
        self.previous = haystack.questions;
        self.n_visited += 1;
        if self.n_visited == 1 {
            self.first = Some(memory);
        }
        Ok(())
    }

    /// Asks the first conversation the last one's questions; all that were asked.
    pub(super) fn finish(mut self) -> Result<Vec<Asked>, Error> {
        let Some(first) = self.first.filter(|_| self.n_visited > 1) else {
            let what =
                "give a data set of at least two conversations: each is asked another's questions";
            return Err(Error::Arguments(what));
        };
        for question in &self.previous {
            self.asked
                .push(ask(self.set, &first, question, AskedOf::Other)?);
        }
        Ok(self.asked)
    }
}

fn ask(
    set: &str,
    memory: &HaystackMemory,
    question: &Question,
    of: AskedOf,
) -> Result<Asked, Error> {
    Ok(Asked {
        set: set.to_owned(),
        id: question.id.clone(),
        of,
        confidence: memory.confidence(&Settings::default(), question)?,
    })
}
