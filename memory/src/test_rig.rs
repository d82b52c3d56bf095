//! What the tests of this room share: a clock that is set by hand, an embedder whose vectors are words,
//! and a memory on a file system in memory.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use palimpsest_embed::{Embedder, MiniLm, Window};
use palimpsest_store::{MemoryId, RamBackend, Timestamp};

use crate::model::ModelSource;
use crate::{
    Clock, Error, Forget, Forgotten, Item, Memory, ModelState, Options, Recall, Recalled, Remember,
    Remembered, RememberedItem, Settings,
};

/// Longer than any test takes; nothing waits for it to pass.
pub(crate) const LONG: Duration = Duration::from_secs(60);
pub(crate) const SCOPE: &str = "home";

/// A clock that moves only when it is told to.
#[derive(Debug)]
pub(crate) struct HandClock(AtomicI64);

impl HandClock {
    pub(crate) fn set(&self, micros: i64) {
        self.0.store(micros, Ordering::SeqCst);
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }
}

/// An embedder whose vector of a window is its words, hashed into 64 dimensions, of unit length.
/// A window is eight words. A text with the word `unembeddable` fails.
#[derive(Debug, Default)]
pub(crate) struct WordEmbedder;

const EMBEDDING_LEN: usize = 64;
const WINDOW_WORDS: usize = 8;

impl Embedder for WordEmbedder {
    fn model_id(&self) -> [u8; 32] {
        [7; 32]
    }

    fn embedding_len(&self) -> usize {
        EMBEDDING_LEN
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<Window>>, palimpsest_embed::Error> {
        texts.iter().map(|text| embed(text)).collect()
    }
}

fn embed(text: &str) -> Result<Vec<Window>, palimpsest_embed::Error> {
    // Where words are written without spaces, each character is one.
    let spaced = |it: char| {
        if it >= '\u{2e80}' {
            format!(" {it} ")
        } else {
            it.to_string()
        }
    };
    let folded: String = text.to_lowercase().chars().map(spaced).collect();
    let words: Vec<&str> = folded
        .split(|it: char| !it.is_alphanumeric())
        .filter(|it| !it.is_empty())
        .collect();
    if words.contains(&"unembeddable") {
        return Err(model_error());
    }
    let windows = if words.is_empty() {
        vec![&words[..]]
    } else {
        words.chunks(WINDOW_WORDS).collect()
    };
    Ok((0..)
        .step_by(WINDOW_WORDS)
        .zip(windows)
        .map(|(token_start, words)| window(token_start, words))
        .collect())
}

/// What a model says that cannot be used; it names the folder `no-model`.
fn model_error() -> palimpsest_embed::Error {
    MiniLm::load(Path::new("/no-model")).expect_err("there is no such folder")
}

fn window(token_start: u32, words: &[&str]) -> Window {
    let mut embedding = vec![0.0_f32; EMBEDDING_LEN];
    embedding[0] = 0.01;
    for word in words {
        // FNV-1a.
        let hash = word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let dimension = usize::try_from(hash % (EMBEDDING_LEN as u64 - 1)).expect("it is below 64");
        embedding[1 + dimension] += 1.0;
    }
    let len = embedding.iter().map(|it| it * it).sum::<f32>().sqrt();
    for value in &mut embedding {
        *value /= len;
    }
    Window {
        token_start,
        token_count: u32::try_from(words.len()).expect("a window has eight words"),
        embedding,
    }
}

/// A model that appears, loads and fails when a test says so.
#[derive(Debug)]
pub(crate) struct HandModel {
    is_there: AtomicBool,
    may_load: Mutex<Option<Result<(), ()>>>,
    allowed: Condvar,
}

impl HandModel {
    pub(crate) fn missing() -> Arc<Self> {
        Self::new(false, None)
    }

    /// There, but it does not finish loading before [`Self::finish_loading`].
    pub(crate) fn loading() -> Arc<Self> {
        Self::new(true, None)
    }

    pub(crate) fn ready() -> Arc<Self> {
        Self::new(true, Some(Ok(())))
    }

    pub(crate) fn damaged() -> Arc<Self> {
        Self::new(true, Some(Err(())))
    }

    fn new(is_there: bool, may_load: Option<Result<(), ()>>) -> Arc<Self> {
        let (is_there, may_load) = (AtomicBool::new(is_there), Mutex::new(may_load));
        Arc::new(Self {
            is_there,
            may_load,
            allowed: Condvar::new(),
        })
    }

    /// A model that was missing is there, and loads.
    pub(crate) fn appear(&self) {
        self.finish_loading();
        self.is_there.store(true, Ordering::SeqCst);
    }

    pub(crate) fn finish_loading(&self) {
        *self.may_load.lock().unwrap_or_else(PoisonError::into_inner) = Some(Ok(()));
        self.allowed.notify_all();
    }
}

impl ModelSource for HandModel {
    fn is_there(&self) -> bool {
        self.is_there.load(Ordering::SeqCst)
    }

    fn load(&self) -> Result<Arc<dyn Embedder>, palimpsest_embed::Error> {
        let may_load = self.may_load.lock().expect("no test panics here");
        let may_load = self
            .allowed
            .wait_while(may_load, |it| it.is_none())
            .expect("as above");
        match *may_load {
            Some(Ok(())) => Ok(Arc::new(WordEmbedder)),
            _ => Err(model_error()),
        }
    }
}

/// A memory in memory, and what it stands on.
#[derive(Debug)]
pub(crate) struct Rig {
    pub(crate) memory: Memory,
    pub(crate) clock: Arc<HandClock>,
    pub(crate) disk: RamBackend,
}

impl Rig {
    /// A new memory; its clock stands at 1,000.
    pub(crate) fn new(model: Arc<HandModel>) -> Self {
        Self::with(model, Settings::default())
    }

    pub(crate) fn with(model: Arc<HandModel>, settings: Settings) -> Self {
        Self::on(RamBackend::new(), model, settings, 1_000)
    }

    fn on(disk: RamBackend, model: Arc<HandModel>, settings: Settings, micros: i64) -> Self {
        let clock = Arc::new(HandClock(AtomicI64::new(micros)));
        let options = Options {
            path: "/home/memory.h5".into(),
            model: None,
            lock_wait: LONG,
            settings,
        };
        let backend = Arc::new(disk.clone());
        let memory = Memory::open_with(backend, model, options, Arc::clone(&clock) as _)
            .expect("the disk is sound");
        Self {
            memory,
            clock,
            disk,
        }
    }

    /// By keywords alone.
    pub(crate) fn without_model() -> Self {
        Self::new(HandModel::missing())
    }

    /// With the model loaded.
    pub(crate) fn with_model() -> Self {
        let rig = Self::new(HandModel::ready());
        rig.memory.settle(LONG).expect("the store is sound");
        assert!(matches!(rig.memory.model_state(), ModelState::Ready { .. }));
        rig
    }

    /// The same memory opened by another process.
    pub(crate) fn another_process(&self, model: Arc<HandModel>) -> Self {
        Self::on(
            self.disk.another_process(),
            model,
            Settings::default(),
            self.clock.now().0,
        )
    }

    pub(crate) fn remember(&self, items: Vec<Item>) -> Result<Remembered, Error> {
        self.memory.remember(Remember::explicit(SCOPE, items))
    }

    /// Keeps one item.
    pub(crate) fn keep(&self, item: Item) -> RememberedItem {
        self.remember(vec![item])
            .expect("the item is in range")
            .items
            .remove(0)
    }

    /// Keeps one item; its id.
    pub(crate) fn id(&self, item: Item) -> u64 {
        self.keep(item).id.expect("the item is kept").0
    }

    #[expect(
        clippy::needless_pass_by_value,
        reason = "tests make their questions in place"
    )]
    pub(crate) fn recall(&self, recall: Recall) -> Recalled {
        self.memory
            .recall(&recall)
            .expect("the question is in range")
    }

    /// The ids of the hits, best first.
    pub(crate) fn found(&self, recall: Recall) -> Vec<u64> {
        self.recall(recall)
            .hits
            .iter()
            .map(|hit| hit.memory.id.0)
            .collect()
    }

    pub(crate) fn forget(&self, ids: &[u64]) -> Forgotten {
        let ids = ids.iter().map(|id| MemoryId(*id)).collect();
        let forget = Forget {
            ids,
            scopes: vec![SCOPE.to_owned()],
            reason: None,
        };
        self.memory.forget(forget).expect("there are ids")
    }

    /// The texts of the current memories of the scope.
    pub(crate) fn texts(&self) -> BTreeSet<String> {
        let memories = self
            .memory
            .list(Some(SCOPE), usize::MAX)
            .expect("the store is sound");
        let current = memories
            .iter()
            .filter(|memory| memory.superseded_by.is_none());
        current.map(|memory| memory.text.to_string()).collect()
    }
}

/// An item with a text.
pub(crate) fn text(text: &str) -> Item {
    Item {
        text: text.to_owned(),
        ..Item::default()
    }
}

/// A question of words.
pub(crate) fn query(query: &str) -> Recall {
    Recall {
        query: Some(query.to_owned()),
        scopes: vec![SCOPE.to_owned()],
        ..Recall::default()
    }
}

/// `base` with a change.
pub(crate) fn with<T>(mut base: T, change: impl FnOnce(&mut T)) -> T {
    change(&mut base);
    base
}
