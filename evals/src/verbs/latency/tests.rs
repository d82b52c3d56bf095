use std::sync::Arc;
use std::time::Duration;

use palimpsest_embed::{Embedder, Window};
use palimpsest_memory::Settings;

use super::filling::Filled;
use super::measure;
use super::query_embedder::QueryEmbedder;

/// Takes its time, as a model does.
#[derive(Debug)]
struct Busy;

const BUSY: Duration = Duration::from_micros(300);

impl Embedder for Busy {
    fn model_id(&self) -> [u8; 32] {
        [3; 32]
    }

    fn embedding_len(&self) -> usize {
        4
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<Window>>, palimpsest_embed::Error> {
        let started = std::time::Instant::now();
        while started.elapsed() < BUSY {
            std::hint::spin_loop();
        }
        let window = Window {
            token_start: 0,
            token_count: 1,
            embedding: vec![0.5; 4],
        };
        Ok(vec![vec![window]; texts.len()])
    }
}

#[test]
fn the_time_inside_the_model_is_told_apart_from_the_rest() {
    let embedder = Arc::new(QueryEmbedder::new(Arc::new(Busy), 1));
    let mut filled = Filled::begin(&Settings::default(), Arc::clone(&embedder), 1).unwrap();
    for n_memories in [60, 120] {
        filled.fill_to(n_memories).unwrap();
        let found = measure(&filled, &embedder, 5).unwrap();
        assert_eq!(found.n_memories, n_memories);
        let busy_us = BUSY.as_secs_f64() * 1e6;
        assert!(found.embed.p50 >= busy_us, "{found:?}");
        assert!(found.whole.p50 >= busy_us && found.less_embedding.p50 < found.whole.p50);
        assert!(found.words.p50 > 0.0 && found.meaning.p50 > 0.0);
    }
}
