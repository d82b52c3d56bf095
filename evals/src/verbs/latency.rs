//! `latency`: a recall from end to end, its question's vector included, among more and more memories.

mod filling;
mod query_embedder;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use palimpsest_memory::{Memory, Mode, Recall, Settings};
use serde::{Deserialize, Serialize};

use self::filling::Filled;
use self::query_embedder::QueryEmbedder;
use super::flags::{ProductFlags, VectorFlags};
use crate::contract::Latency;
use crate::embeddings::Tokens;
use crate::error::Error;
use crate::printer;
use crate::record::{Provenance, write_json};
use crate::table::Table;

const RULES: [&str; 4] = [
    "Memories are made-up sentences of about 25 words, a third of them common English ones; their vectors are drawn, \
     of unit length. Questions are eight words of a memory among such common words; their vectors are the model's, \
     made anew for each call.",
    "Each question is asked by words and meaning, by words alone, and by meaning alone, one call after the other, on \
     a memory that is otherwise idle; the first questions warm up and are not counted.",
    "\"embed\" is the time inside the model; \"words\" a recall by words; \"meaning\" one by meaning less its embedding; \
     \"rest\" what a recall by both takes beyond these three.",
    "10 hits, the default token budget, the settings that the record names.",
];
const N_WARM_UP: usize = 10;

/// The arguments of `latency`.
#[derive(Debug, Clone, Args)]
pub(crate) struct LatencyArguments {
    /// How many memories, ascending; separated by commas
    #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000")]
    memories: Vec<usize>,
    /// How many questions are asked at each size
    #[arg(long, default_value_t = 200)]
    questions: usize,
    /// Of the words and vectors that are drawn
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder for the record
    #[arg(long, value_name = "FOLDER", default_value = "target/evals")]
    out: PathBuf,
    #[command(flatten)]
    vectors: VectorFlags,
    #[command(flatten)]
    product: ProductFlags,
}

/// What a run found.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct LatencyRecord {
    verb: String,
    contract: Vec<String>,
    provenance: Provenance,
    settings: Settings,
    seed: u64,
    n_questions: usize,
    sizes: Vec<SizeFound>,
}

/// One number of memories.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct SizeFound {
    n_memories: usize,
    /// Remembering and embedding all of them.
    filled_s: f64,
    embed: Latency,
    words: Latency,
    meaning: Latency,
    /// A recall by both, from end to end.
    whole: Latency,
    /// The same less the embedding.
    less_embedding: Latency,
}

/// Runs the evaluation.
pub(crate) fn latency(arguments: &LatencyArguments) -> Result<(), Error> {
    printer::heading("Contract")?;
    for rule in RULES {
        printer::line(&format!("- {rule}"))?;
    }
    let settings = arguments.product.product()?.settings;
    let model = arguments.vectors.model_vectors()?.model(Tokens::Windows)?;
    let embedder = Arc::new(QueryEmbedder::new(model, arguments.seed));
    let mut filled = Filled::begin(&settings, Arc::clone(&embedder), arguments.seed)?;
    let mut sizes = Vec::new();
    for n_memories in &arguments.memories {
        filled.fill_to(*n_memories)?;
        sizes.push(measure(&filled, &embedder, arguments.questions)?);
    }
    show(&sizes)?;
    let record = LatencyRecord {
        verb: "latency".to_owned(),
        contract: RULES.map(str::to_owned).to_vec(),
        provenance: Provenance::of_this_run(),
        settings,
        seed: arguments.seed,
        n_questions: arguments.questions,
        sizes,
    };
    let path = write_json(&arguments.out, "latency", &record.provenance, &record)?;
    printer::line(&format!("\nRecord: {}", path.display()))
}

/// Times of one question.
#[derive(Debug, Default, Clone, Copy)]
struct Asked {
    took: Duration,
    embedding: Duration,
}

fn ask(memory: &Memory, embedder: &QueryEmbedder, query: &str, mode: Mode) -> Result<Asked, Error> {
    let request = Recall {
        query: Some(query.to_owned()),
        mode,
        ..Recall::default()
    };
    embedder.take_spent();
    let started = Instant::now();
    memory.recall(&request)?;
    Ok(Asked {
        took: started.elapsed(),
        embedding: embedder.take_spent(),
    })
}

fn measure(
    filled: &Filled,
    embedder: &QueryEmbedder,
    n_questions: usize,
) -> Result<SizeFound, Error> {
    let mut asked: [Vec<Asked>; 3] = Default::default();
    for (question_idx, query) in filled.queries(n_questions + N_WARM_UP).iter().enumerate() {
        embedder.expect_query(query);
        for (asked, mode) in asked
            .iter_mut()
            .zip([Mode::Hybrid, Mode::Keyword, Mode::Semantic])
        {
            let times = ask(filled.memory(), embedder, query, mode)?;
            if question_idx >= N_WARM_UP {
                asked.push(times);
            }
        }
    }
    let [whole, words, meaning] = asked;
    let of = |asked: &[Asked], time: fn(&Asked) -> Duration| {
        let times: Vec<Duration> = asked.iter().map(time).collect();
        Latency::of(&times).ok_or(Error::Arguments("--questions is at least 1"))
    };
    let less_embedding = |asked: &Asked| asked.took.saturating_sub(asked.embedding);
    Ok(SizeFound {
        n_memories: filled.n_memories(),
        filled_s: filled.took().as_secs_f64(),
        embed: of(&whole, |asked| asked.embedding)?,
        words: of(&words, |asked| asked.took)?,
        meaning: of(&meaning, less_embedding)?,
        whole: of(&whole, |asked| asked.took)?,
        less_embedding: of(&whole, less_embedding)?,
    })
}

fn show(sizes: &[SizeFound]) -> Result<(), Error> {
    printer::heading("A recall from end to end, in milliseconds")?;
    let ms = |us: f64| format!("{:.2}", us / 1_000.0);
    let mut table = Table::new([
        "memories",
        "mean",
        "p50",
        "p95",
        "p99",
        "p50 less embedding",
        "p95 less embedding",
        "filled in s",
    ]);
    for size in sizes {
        let whole = [
            size.whole.mean,
            size.whole.p50,
            size.whole.p95,
            size.whole.p99,
        ];
        let numbers = whole
            .into_iter()
            .chain([size.less_embedding.p50, size.less_embedding.p95]);
        let cells = std::iter::once(size.n_memories.to_string()).chain(numbers.map(ms));
        table.push(cells.chain([format!("{:.1}", size.filled_s)]));
    }
    printer::table(&table)?;
    printer::heading("Share of each stage, by means")?;
    let mut table = Table::new(["memories", "embed", "words", "meaning", "rest"]);
    for size in sizes {
        let [embed, words, meaning] = [size.embed.mean, size.words.mean, size.meaning.mean];
        let rest = size.whole.mean - embed - words - meaning;
        let share = |us: f64| format!("{} ms, {:.0} %", ms(us), us / size.whole.mean * 100.0);
        let shares = [embed, words, meaning, rest].map(share);
        table.push(std::iter::once(size.n_memories.to_string()).chain(shares));
    }
    printer::table(&table)
}

#[cfg(test)]
mod tests;
