//! An embedder that asks the model for questions alone, and tells how long that took.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use palimpsest_embed::{Embedder, Window};

use crate::draws::Draws;

/// The model for questions; for everything else vectors that are drawn. Never kept beside the model's
/// own: its identity is another one.
#[derive(Debug)]
pub(super) struct QueryEmbedder {
    model: Arc<dyn Embedder>,
    queries: Mutex<BTreeSet<String>>,
    spent_ns: AtomicU64,
    seed: u64,
}

impl QueryEmbedder {
    pub(super) fn new(model: Arc<dyn Embedder>, seed: u64) -> Self {
        Self {
            model,
            queries: Mutex::default(),
            spent_ns: AtomicU64::new(0),
            seed,
        }
    }

    /// Says that `query` is a question.
    pub(super) fn expect_query(&self, query: &str) {
        let mut queries = self.queries.lock().unwrap_or_else(PoisonError::into_inner);
        queries.insert(query.to_owned());
    }

    /// The time inside the model since this was last asked.
    pub(super) fn take_spent(&self) -> Duration {
        Duration::from_nanos(self.spent_ns.swap(0, Ordering::SeqCst))
    }

    fn is_query(&self, text: &str) -> bool {
        let queries = self.queries.lock().unwrap_or_else(PoisonError::into_inner);
        queries.contains(text)
    }

    fn drawn(&self, text: &str) -> Window {
        let mut draws = Draws::new(self.seed ^ u64::from(crc32c::crc32c(text.as_bytes())));
        let mut embedding: Vec<f32> = (0..self.embedding_len()).map(|_| draws.real()).collect();
        let len = embedding.iter().map(|it| it * it).sum::<f32>().sqrt();
        for it in &mut embedding {
            *it /= len;
        }
        Window {
            token_start: 0,
            token_count: 1,
            embedding,
        }
    }
}

impl Embedder for QueryEmbedder {
    fn model_id(&self) -> [u8; 32] {
        let mut id = self.model.model_id();
        id.reverse();
        id
    }

    fn embedding_len(&self) -> usize {
        self.model.embedding_len()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<Window>>, palimpsest_embed::Error> {
        let mut embedded = Vec::with_capacity(texts.len());
        for text in texts {
            if !self.is_query(text) {
                embedded.push(vec![self.drawn(text)]);
                continue;
            }
            let started = Instant::now();
            embedded.extend(self.model.embed(&[text])?);
            let spent_ns = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
            self.spent_ns.fetch_add(spent_ns, Ordering::SeqCst);
        }
        Ok(embedded)
    }
}
