//! `pool`: all distinct sessions as one store, in which each question must find its own.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::flags::{Mode, ProductFlags, RunFlags, VectorFlags};
use super::show::{show_contract, show_record};
use crate::contract::{FusionMethod, Level, Words};
use crate::dataset::{DataFile, LongMemEval, read_pool};
use crate::embeddings::Tokens;
use crate::error::Error;
use crate::evaluation::{Document, Evaluation, Hybrid, Plain, Retrieval, Variant, VectorList};
use crate::printer;
use crate::progress::Progress;
use crate::record::{Dataset, Head, Record};

const LEVELS: [Level; 1] = [Level::DistinctSession];

/// What the product is compared with, over stems.
const PLAIN_HYBRID: Hybrid = Hybrid {
    tokens: Tokens::First256,
    fusion: FusionMethod::Weighted,
    vector_weight: 0.5,
    list: VectorList::Full,
};

/// The arguments of `pool`.
#[derive(Debug, Clone, Args)]
pub(crate) struct PoolArguments {
    /// A LongMemEval file, .json or .json.gz
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// By what is searched; several are separated by commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "bm25")]
    mode: Vec<Mode>,
    /// The folder of reference vectors, in place of the model
    #[arg(long, value_name = "FOLDER")]
    reference: Option<PathBuf>,
    #[command(flatten)]
    vectors: VectorFlags,
    #[command(flatten)]
    product: ProductFlags,
    #[command(flatten)]
    run: RunFlags,
}

/// Runs the evaluation.
pub(crate) fn pool(arguments: &PoolArguments) -> Result<(), Error> {
    arguments.product.check_used(&arguments.mode)?;
    let dataset = LongMemEval::new(DataFile::new(&arguments.file));
    let (haystack, sha256) = read_pool(&dataset)?;
    let (n_sessions, n_turns) = (haystack.sessions.len(), haystack.n_turns());
    let contract = contract(n_sessions, n_turns, haystack.questions.len());
    show_contract(&contract)?;
    let variants = arguments.variants()?;
    let needs_vectors = variants
        .iter()
        .any(|variant| variant.method.embedded().is_some());
    let vectors = if needs_vectors {
        Some(
            arguments
                .vectors
                .vectors(arguments.reference.as_ref(), &dataset)?,
        )
    } else {
        None
    };
    let mut evaluation = Evaluation::new(variants, vectors.as_ref(), arguments.run.half);
    let progress = Progress::start("turns", n_turns * evaluation.n_steps_per_turn());
    evaluation.visit(&haystack, &progress)?;
    drop(progress);
    let name = arguments.file.file_name().unwrap_or_default();
    let head = Head {
        verb: "pool".to_owned(),
        contract,
        dataset: Dataset {
            name: name.to_string_lossy().into_owned(),
            sha256,
            label: "all distinct sessions as one store".to_owned(),
            n_sessions,
            n_turns,
        },
        half: arguments.run.half,
        configuration: json!({
            "mode": arguments.mode,
            "vectors": if arguments.reference.is_some() { "reference" } else { "model" },
        }),
        seed: arguments.run.seed,
    };
    let record = Record::new(head, evaluation.finish());
    show_record(&record)?;
    let path = record.write(&arguments.run.out)?;
    printer::line(&format!("Record: {}", path.display()))
}

/// The rules, in sentences.
fn contract(n_sessions: usize, n_turns: usize, n_questions: usize) -> Vec<String> {
    [
        format!(
            "Pool: the {n_sessions} distinct sessions of the file ({n_turns} turns; sessions of equal content are one, \
             with the earliest date) are one store; each of the {n_questions} answerable questions must find a session \
             of its own."
        ),
        "Any-hit by session, each session counted once where its best turn stands; ranks count to 10.".to_owned(),
        "Plain retrieval as for LongMemEval; stems by the English Snowball algorithm.".to_owned(),
        "The product: every turn remembered with its role as source and its session as tag, sessions in the order of \
         their dates; recall with the question and its date (as_of), 100 hits, a budget of 100,000 tokens."
            .to_owned(),
        "A retrieval hit is not a right answer to the question.".to_owned(),
    ]
    .to_vec()
}

impl PoolArguments {
    fn variants(&self) -> Result<Vec<Variant>, Error> {
        let mut plains = Vec::new();
        let mut variants = Vec::new();
        let stemmed = |retrieval| Plain {
            words: Words::Stemmed,
            ..Plain::contract(retrieval)
        };
        for mode in &self.mode {
            match mode {
                Mode::Bm25 => {
                    plains.push(Plain {
                        document: Document::Session,
                        ..Plain::contract(Retrieval::Bm25)
                    });
                    plains.push(Plain::contract(Retrieval::Bm25));
                    plains.push(stemmed(Retrieval::Bm25));
                }
                Mode::Vector => plains.push(Plain::contract(Retrieval::Vector {
                    tokens: PLAIN_HYBRID.tokens,
                })),
                Mode::Hybrid => {
                    plains.push(Plain::contract(Retrieval::Hybrid(PLAIN_HYBRID)));
                    plains.push(stemmed(Retrieval::Hybrid(PLAIN_HYBRID)));
                }
                Mode::Product => {
                    plains.push(stemmed(Retrieval::Hybrid(PLAIN_HYBRID)));
                    variants.extend(self.product.variants(&LEVELS)?);
                }
            }
        }
        plains.dedup();
        let plains = plains
            .into_iter()
            .map(|plain| Variant::plain(plain, &LEVELS));
        Ok(plains.chain(variants).collect())
    }
}
