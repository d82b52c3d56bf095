use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use palimpsest_embed::{Embedder, Window};

use super::CachedEmbedder;
use crate::progress::Progress;

/// Counts what it is asked; a text's vector is of its length.
#[derive(Debug, Default)]
struct Counting {
    n_asked: AtomicUsize,
}

impl Embedder for Counting {
    fn model_id(&self) -> [u8; 32] {
        [7; 32]
    }

    fn embedding_len(&self) -> usize {
        2
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<Window>>, palimpsest_embed::Error> {
        self.n_asked.fetch_add(texts.len(), Ordering::SeqCst);
        let window = |text: &&str| {
            let token_count = u16::try_from(text.len()).unwrap();
            let embedding = vec![1.0, -f32::from(token_count)];
            vec![Window {
                token_start: 0,
                token_count: u32::from(token_count),
                embedding,
            }]
        };
        Ok(texts.iter().map(window).collect())
    }
}

#[test]
fn the_model_is_asked_once_for_each_text_in_this_run_and_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let model = Arc::new(Counting::default());
    let texts = ["a", "", "abc", "a"];
    for run in 0..2 {
        let cached = CachedEmbedder::open(Arc::clone(&model) as _, folder.path()).unwrap();
        cached.prepare(&["a", "abc"], &Progress::hidden()).unwrap();
        assert_eq!(
            cached.embed(&texts).unwrap(),
            Counting::default().embed(&texts).unwrap()
        );
        assert_eq!(model.n_asked.load(Ordering::SeqCst), 3, "run {run}");
        assert_eq!(cached.model_id(), model.model_id());
    }
}
