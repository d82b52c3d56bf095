//! Real text with real embeddings, all of it through MCP: one LoCoMo conversation (Maharana et al.,
//! ACL 2024) is remembered turn by turn, its questions are asked, and what comes back is compared
//! with plain BM25 on the same turns.
//!
//! Contract: any-hit, categories 1 to 4, whole conversation as the haystack, each turn with its
//! speaker's name before it (for both sides), no tuning. A retrieval
//! hit is not a right answer to the question.

mod bm25;
mod conversation;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use palimpsest_tests::{Era, Home, Server, found, model_or_skip, skipped};
use serde_json::{Value, json};

use bm25::Bm25;
use conversation::{Conversation, Question, Turn};

const TEST: &str = "hybrid_recall_through_mcp_beats_plain_bm25";

const NO_DATA: &str = "../shared/data/locomo10.json.gz is not here";

/// Some hundred turns through the model, on a machine that does other things too.
const EMBEDDING_MAX: Duration = Duration::from_secs(540);

/// Items of one call, as many as it takes.
const N_ITEMS_MAX: usize = 50;

/// The ranks up to which a hit counts.
const RANKS: [usize; 3] = [1, 5, 10];

/// How many of the questions had a turn of their evidence within each of [`RANKS`].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct AnyHit {
    n_questions: usize,
    n_hits: [usize; RANKS.len()],
}

impl AnyHit {
    /// Counts one question; `ranked` holds the turns of each place, best first.
    fn count(&mut self, question: &Question, ranked: &[BTreeSet<String>]) {
        let is_hit = |turns: &BTreeSet<String>| !turns.is_disjoint(&question.evidence);
        let first = ranked.iter().position(is_hit);
        self.n_questions += 1;
        for (n_hits, rank_max) in self.n_hits.iter_mut().zip(RANKS) {
            *n_hits += usize::from(first.is_some_and(|rank| rank < rank_max));
        }
    }

    fn shares(&self) -> [String; RANKS.len()] {
        let real = |count| f64::from(u32::try_from(count).expect("some hundred questions"));
        self.n_hits
            .map(|n_hits| format!("{:.3}", real(n_hits) / real(self.n_questions)))
    }

    fn row(&self, name: &str) -> String {
        format!("| {name:<24} | {} |", self.shares().join(" | "))
    }
}

/// Remembers every turn, and answers which turns each memory holds: equal texts are one memory.
fn remember_all(server: &mut Server, turns: &[Turn]) -> BTreeMap<String, BTreeSet<String>> {
    let mut turns_by_id: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for part in turns.chunks(N_ITEMS_MAX) {
        let items: Vec<Value> = part
            .iter()
            .map(|turn| {
                json!({
                    "text": turn.said(),
                    "source": turn.speaker,
                    "valid_from": turn.said_at,
                    "kind": "event",
                })
            })
            .collect();
        let answer = server.call("remember", &json!({"items": items}));
        let kept = answer.value()["items"]
            .as_array()
            .expect("an answer for each item")
            .clone();
        assert_eq!(kept.len(), part.len());
        for (turn, item) in part.iter().zip(&kept) {
            // What the gate does not keep cannot be found, and counts against us.
            if let Some(id) = item["id"].as_str() {
                turns_by_id
                    .entry(id.to_owned())
                    .or_default()
                    .insert(turn.name.clone());
            }
        }
    }
    turns_by_id
}

fn ask(server: &mut Server, question: &str, mode: &str) -> Vec<String> {
    let limit = RANKS[RANKS.len() - 1];
    let answer = server.call(
        "recall",
        &json!({"query": question, "mode": mode, "limit": limit, "max_tokens": 10_000}),
    );
    assert_eq!(answer.warnings(), [""; 0], "{}", answer.text());
    found(answer.value())
        .into_iter()
        .map(|hit| hit.id)
        .collect()
}

/// Plain BM25 over `texts`, one a turn.
fn count_plain_bm25(counted: &mut AnyHit, conversation: &Conversation, texts: &[String]) {
    let turns = &conversation.turns;
    let bm25 = Bm25::new(texts.iter().map(String::as_str));
    for question in &conversation.questions {
        let ranked = bm25.rank(&question.text);
        let names = ranked
            .iter()
            .map(|turn_idx| BTreeSet::from([turns[*turn_idx].name.clone()]));
        counted.count(question, &names.collect::<Vec<_>>());
    }
}

/// What ours is compared with is BM25 and nothing weaker: over the whole data set it gives the figures
/// of a script in another language that was written apart from it.
#[test]
fn plain_bm25_gives_the_known_figures() {
    let Some(conversations) = Conversation::all() else {
        return skipped("plain_bm25_gives_the_known_figures", NO_DATA);
    };
    let mut plain = AnyHit::default();
    for conversation in &conversations {
        let texts: Vec<String> = conversation
            .turns
            .iter()
            .map(|it| it.text.clone())
            .collect();
        count_plain_bm25(&mut plain, conversation, &texts);
    }
    assert_eq!(plain.n_questions, 1_535);
    assert_eq!(plain.shares(), ["0.248", "0.459", "0.536"]);
}

#[test]
fn hybrid_recall_through_mcp_beats_plain_bm25() {
    let Some(conversations) = Conversation::all() else {
        return skipped(TEST, NO_DATA);
    };
    let conversation = &conversations[0];
    let Some(model) = model_or_skip(TEST) else {
        return;
    };
    let home = Home::new();
    let mut server = home.server().model(&model).open(Era::Stateless);
    let turns_by_id = remember_all(&mut server, &conversation.turns);
    server.wait_until_embedded(EMBEDDING_MAX);

    let mut plain = AnyHit::default();
    let texts: Vec<String> = conversation.turns.iter().map(Turn::said).collect();
    count_plain_bm25(&mut plain, conversation, &texts);
    let mut ours: BTreeMap<&str, AnyHit> = BTreeMap::new();
    for question in &conversation.questions {
        for mode in ["hybrid", "keyword", "semantic"] {
            let ids = ask(&mut server, &question.text, mode);
            let ranked: Vec<_> = ids.iter().map(|id| turns_by_id[id].clone()).collect();
            ours.entry(mode).or_default().count(question, &ranked);
        }
    }

    println!(
        "LoCoMo {}, {} turns ({} kept as memories), {} questions of categories 1-4, any-hit:\n",
        conversation.name,
        conversation.turns.len(),
        turns_by_id.len(),
        plain.n_questions,
    );
    println!("| through MCP              | @1    | @5    | @10   |");
    println!("| ------------------------ | ----- | ----- | ----- |");
    println!("{}", plain.row("plain BM25 (not ours)"));
    for mode in ["keyword", "semantic", "hybrid"] {
        println!("{}", ours[mode].row(&format!("recall, {mode}")));
    }
    for (place, rank) in RANKS.iter().enumerate() {
        let (hybrid, plain) = (ours["hybrid"].n_hits[place], plain.n_hits[place]);
        assert!(
            hybrid > plain,
            "hybrid is not above plain BM25 at {rank}: {hybrid} <= {plain}"
        );
    }
}
