//! One haystack in a memory: every turn remembered, session by session, and recalled from.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use palimpsest_embed::Embedder;
use palimpsest_memory::{
    Clock, Item, Kind, Memory, MemoryId, Options, Recall, Remember, Settings, Timestamp,
};
use tempfile::TempDir;

use super::SpeakerIn;
use super::haystack_clock::HaystackClock;
use crate::contract::Place;
use crate::dataset::{Haystack, Question, Session, Turn};
use crate::error::Error;

/// Items of one call, as many as it takes.
const N_ITEMS_MAX: usize = 50;
/// How long vectors may take. They come from the cache.
const SETTLE_WAIT: Duration = Duration::from_secs(3_600);
const SCOPE: &str = "evaluation";
/// So many tokens of text that the ranking is measured and not the budget.
const TOKENS_MAX: usize = 100_000;

/// A memory that holds a haystack. It lies in a folder of its own, which goes away with it.
#[derive(Debug)]
pub(crate) struct HaystackMemory {
    memory: Memory,
    clock: Arc<HaystackClock>,
    /// Equal texts became one memory.
    turns_of: BTreeMap<MemoryId, Place>,
    ended: Timestamp,
    _folder: TempDir,
}

impl HaystackMemory {
    /// Remembers every turn of `haystack`, each session at its time, the earliest first. What the gate
    /// does not keep cannot be found.
    pub(crate) fn remember(
        haystack: &Haystack,
        speaker_in: SpeakerIn,
        embedder: Arc<dyn Embedder>,
    ) -> Result<Self, Error> {
        let folder =
            tempfile::tempdir().map_err(Error::io("make a folder in", std::env::temp_dir()))?;
        let sessions = by_time(haystack);
        let began = sessions
            .first()
            .map_or(Timestamp(0), |(_, first)| first.began);
        let clock = Arc::new(HaystackClock::at(began));
        let options = Options {
            path: folder.path().join("memory.h5"),
            model: None,
            lock_wait: Duration::from_secs(10),
            settings: Settings::default(),
        };
        let memory =
            Memory::open_with_embedder(options, embedder, Arc::clone(&clock) as Arc<dyn Clock>)?;
        let mut this = Self {
            memory,
            clock,
            turns_of: BTreeMap::new(),
            ended: began,
            _folder: folder,
        };
        for (first_turn_idx, session) in sessions {
            this.remember_session(first_turn_idx, session, speaker_in)?;
        }
        if this.memory.settle(SETTLE_WAIT)? {
            return Ok(this);
        }
        Err(Error::NotSettled {
            n_turns: haystack.n_turns(),
            wait_s: SETTLE_WAIT.as_secs(),
        })
    }

    fn remember_session(
        &mut self,
        first_turn_idx: usize,
        session: &Session,
        speaker_in: SpeakerIn,
    ) -> Result<(), Error> {
        self.clock.set(session.began);
        self.ended = session.began;
        for (part_idx, part) in session.turns.chunks(N_ITEMS_MAX).enumerate() {
            let items = part.iter().map(|turn| item(session, turn, speaker_in));
            let remembered = self
                .memory
                .remember(Remember::explicit(SCOPE, items.collect()))?;
            let first_idx = first_turn_idx + part_idx * N_ITEMS_MAX;
            for (item_idx, item) in remembered.items.into_iter().enumerate() {
                if let Some(id) = item.id {
                    self.turns_of
                        .entry(id)
                        .or_default()
                        .push(first_idx + item_idx);
                }
            }
        }
        Ok(())
    }

    /// How sure a recall of the question's text by `settings` is, 0 to 1.
    pub(crate) fn confidence(
        &self,
        settings: &Settings,
        question: &Question,
    ) -> Result<f64, Error> {
        let recalled = self
            .memory
            .recall_with(settings, &self.request(question, 1))?;
        Ok(recalled.confidence.unwrap_or_default())
    }

    /// The question, at its time.
    fn request(&self, question: &Question, limit: usize) -> Recall {
        self.clock.set(question.asked_at.unwrap_or(self.ended));
        Recall {
            query: Some(question.text.clone()),
            scopes: vec![SCOPE.to_owned()],
            as_of: question.asked_at,
            limit: Some(limit),
            max_tokens: Some(TOKENS_MAX),
            ..Recall::default()
        }
    }

    /// What a recall of the question's text by `settings` returns, best first, and how long it took.
    pub(crate) fn recall(
        &self,
        settings: &Settings,
        question: &Question,
        limit: usize,
    ) -> Result<(Vec<Place>, Duration), Error> {
        let request = self.request(question, limit);
        let started = Instant::now();
        let recalled = self.memory.recall_with(settings, &request)?;
        let took = started.elapsed();
        let hits = recalled.hits.iter();
        let places = hits.filter_map(|hit| self.turns_of.get(&hit.memory.id).cloned());
        Ok((places.collect(), took))
    }
}

/// The sessions by the time at which they began, each with the position of its first turn.
fn by_time(haystack: &Haystack) -> Vec<(usize, &Session)> {
    let mut n_turns = 0;
    let mut sessions: Vec<(usize, &Session)> = Vec::new();
    for session in &haystack.sessions {
        sessions.push((n_turns, session));
        n_turns += session.turns.len();
    }
    sessions.sort_by_key(|(first_turn_idx, session)| (session.began, *first_turn_idx));
    sessions
}

/// A turn as an agent's user would have it kept: what was said, by whom, on which occasion.
fn item(session: &Session, turn: &Turn, speaker_in: SpeakerIn) -> Item {
    let text = match speaker_in {
        SpeakerIn::Source => turn.text.clone(),
        SpeakerIn::Text => turn.said(),
    };
    Item {
        text,
        kind: Kind::Event,
        source: Some(turn.speaker.clone()),
        tags: vec![session.name.clone()],
        ..Item::default()
    }
}

#[cfg(test)]
mod tests;
