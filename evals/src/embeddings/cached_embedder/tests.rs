use std::cell::Cell;
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

/// Computes on a pool, as the model does, and fails where one call runs inside another.
#[derive(Debug)]
struct Pooled(rayon::ThreadPool);

thread_local! {
    static IS_EMBEDDING: Cell<bool> = const { Cell::new(false) };
}

impl Embedder for Pooled {
    fn model_id(&self) -> [u8; 32] {
        [8; 32]
    }

    fn embedding_len(&self) -> usize {
        2
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<Window>>, palimpsest_embed::Error> {
        let is_inside = IS_EMBEDDING.replace(true);
        assert!(
            !is_inside,
            "a text is embedded inside another one's embedding"
        );
        let embedded = self.0.install(|| Counting::default().embed(texts));
        IS_EMBEDDING.set(false);
        embedded
    }
}

/// The stack of a thread was full after some thousand texts: while it waited for the model's pool, it took
/// up the next text, and the next, one inside the other.
#[test]
fn no_thread_embeds_a_text_inside_another() {
    let folder = tempfile::tempdir().unwrap();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .unwrap();
    let cached = CachedEmbedder::open(Arc::new(Pooled(pool)), folder.path()).unwrap();
    let texts: Vec<String> = (0..500).map(|number| number.to_string()).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    cached.prepare(&texts, &Progress::hidden()).unwrap();
    for text in texts {
        assert!(cached.cached(text).unwrap().is_some(), "{text}");
    }
}
