//! A memory of its own that is filled further and further.

use std::sync::Arc;
use std::time::{Duration, Instant};

use palimpsest_memory::{Item, Memory, Occasion, Options, Remember, Settings, SystemClock};
use tempfile::TempDir;

use super::query_embedder::QueryEmbedder;
use crate::dataset::text;
use crate::draws::Draws;
use crate::error::Error;
use crate::progress::Progress;

const SCOPE: &str = "user";
const N_ITEMS_MAX: usize = 50;
const SETTLE_WAIT: Duration = Duration::from_secs(3_600);
/// Made-up words of a memory; as many common ones as half of them stand between.
const N_WORDS: usize = 16;
const N_QUERY_WORDS: usize = 8;
/// The commonest words of English: what makes an index of words work hard.
const COMMON: [&str; 16] = [
    "the", "of", "and", "to", "a", "in", "is", "that", "it", "was", "for", "on", "are", "with",
    "my", "at",
];

/// A memory in a folder that goes away with it.
#[derive(Debug)]
pub(super) struct Filled {
    memory: Memory,
    texts: Vec<String>,
    draws: Draws,
    took: Duration,
    _folder: TempDir,
}

impl Filled {
    /// An empty one.
    pub(super) fn begin(
        settings: &Settings,
        embedder: Arc<QueryEmbedder>,
        seed: u64,
    ) -> Result<Self, Error> {
        let folder =
            tempfile::tempdir().map_err(Error::io("make a folder in", std::env::temp_dir()))?;
        let options = Options {
            path: folder.path().join("memory.h5"),
            model: None,
            lock_wait: Duration::from_secs(10),
            settings: settings.clone(),
        };
        Ok(Self {
            memory: Memory::open_with_embedder(options, embedder, Arc::new(SystemClock))?,
            texts: Vec::new(),
            draws: Draws::new(seed),
            took: Duration::ZERO,
            _folder: folder,
        })
    }

    /// Remembers sentences until there are `n_memories`, each with its vector.
    pub(super) fn fill_to(&mut self, n_memories: usize) -> Result<(), Error> {
        let started = Instant::now();
        let n_missing = n_memories.saturating_sub(self.texts.len());
        let progress = Progress::start("memories", n_missing);
        while self.texts.len() < n_memories {
            let n_items = (n_memories - self.texts.len()).min(N_ITEMS_MAX);
            let texts: Vec<String> = (0..n_items)
                .map(|_| sentence(N_WORDS, &mut self.draws))
                .collect();
            let items = texts.iter().map(|text| Item {
                text: text.clone(),
                ..Item::default()
            });
            // As a transcript: nothing alike is searched for, which takes longer than all the rest.
            self.memory.remember(Remember {
                occasion: Occasion::Transcript { after: None },
                ..Remember::explicit(SCOPE, items.collect())
            })?;
            self.texts.extend(texts);
            progress.advance(n_items);
        }
        if !self.memory.settle(SETTLE_WAIT)? {
            return Err(Error::NotSettled {
                n_turns: n_memories,
                wait_s: SETTLE_WAIT.as_secs(),
            });
        }
        self.took += started.elapsed();
        Ok(())
    }

    pub(super) fn memory(&self) -> &Memory {
        &self.memory
    }

    pub(super) fn n_memories(&self) -> usize {
        self.texts.len()
    }

    /// How long filling took so far.
    pub(super) fn took(&self) -> Duration {
        self.took
    }

    /// Questions after memories that are there, evenly spread.
    pub(super) fn queries(&self, n_queries: usize) -> Vec<String> {
        let place = |query_idx: usize| query_idx * self.texts.len() / n_queries.max(1);
        let texts = (0..n_queries).filter_map(|query_idx| self.texts.get(place(query_idx)));
        texts
            .map(|text| {
                let words: Vec<&str> = text.split(' ').take(N_QUERY_WORDS).collect();
                format!("what was {} about?", words.join(" "))
            })
            .collect()
    }
}

/// Made-up words, a common one before every second of them.
fn sentence(n_words: usize, draws: &mut Draws) -> String {
    let made_up = text(n_words, draws);
    let words = made_up.split(' ').enumerate().flat_map(|(word_idx, word)| {
        let common = (word_idx % 2 == 0).then(|| COMMON[draws.below(COMMON.len())]);
        common.into_iter().chain([word])
    });
    words.collect::<Vec<_>>().join(" ")
}
