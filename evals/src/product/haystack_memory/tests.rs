use std::collections::BTreeSet;
use std::sync::Arc;

use palimpsest_embed::{Embedder, Window};
use palimpsest_memory::{Settings, Timestamp};

use super::HaystackMemory;
use crate::dataset::{Haystack, Question, Session, Turn};
use crate::product::SpeakerIn;

/// Every text has the same vector: words alone decide.
#[derive(Debug)]
struct Flat;

impl Embedder for Flat {
    fn model_id(&self) -> [u8; 32] {
        [1; 32]
    }

    fn embedding_len(&self) -> usize {
        2
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<Window>>, palimpsest_embed::Error> {
        let window = Window {
            token_start: 0,
            token_count: 1,
            embedding: vec![0.6, 0.8],
        };
        Ok(texts.iter().map(|_| vec![window.clone()]).collect())
    }
}

fn session(name: &str, began: i64, texts: &[&str]) -> Session {
    let turns = texts.iter().map(|text| Turn {
        speaker: "Ada".to_owned(),
        text: (*text).to_owned(),
    });
    Session {
        name: name.to_owned(),
        began: Timestamp(began),
        turns: turns.collect(),
    }
}

fn question(text: &str) -> Question {
    Question {
        id: "q".to_owned(),
        group: "g".to_owned(),
        text: text.to_owned(),
        asked_at: Some(Timestamp(9_000_000)),
        turns_wanted: BTreeSet::new(),
        sessions_wanted: BTreeSet::new(),
    }
}

#[test]
fn turns_are_found_by_their_place_in_the_haystack_whatever_became_of_them() {
    let many: Vec<String> = (0..60)
        .map(|number| format!("The number of today is {number}."))
        .collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let haystack = Haystack {
        // The later session stands first: it is remembered last.
        sessions: vec![
            session(
                "late",
                2_000_000,
                &["The key hangs behind the blue door.", "ok"],
            ),
            session("early", 1_000_000, &many),
            session("again", 3_000_000, &["The key hangs behind the blue door."]),
        ],
        questions: Vec::new(),
    };
    let memory = HaystackMemory::remember(&haystack, SpeakerIn::Source, Arc::new(Flat)).unwrap();
    let (places, _) = memory
        .recall(
            &Settings::default(),
            &question("Where does the blue key hang?"),
            10,
        )
        .unwrap();
    assert_eq!(
        places[0],
        [0, 62],
        "equal texts are one memory, found at both places"
    );
    let (places, _) = memory
        .recall(&Settings::default(), &question("number 57"), 3)
        .unwrap();
    assert_eq!((places[0].as_slice(), places.len()), (&[59][..], 3));
    let (places, _) = memory
        .recall(&Settings::default(), &question("ok"), 100)
        .unwrap();
    let found: BTreeSet<usize> = places.into_iter().flatten().collect();
    assert!(
        !found.contains(&1),
        "what the gate turned away is not there"
    );
}
