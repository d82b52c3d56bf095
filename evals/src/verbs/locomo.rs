//! `locomo`: ten long conversations, each a haystack of turns.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::flags::{Mode, ProductFlags, RunFlags, VectorFlags};
use super::show::{show_contract, show_record};
use crate::contract::{FusionMethod, Level, Words};
use crate::dataset::{DataFile, Haystack, read_locomo};
use crate::embeddings::Tokens;
use crate::error::Error;
use crate::evaluation::{Evaluation, Hybrid, Plain, Retrieval, TextForm, Variant, VectorList};
use crate::printer;
use crate::progress::Progress;
use crate::record::{Dataset, Head, Record};

const LEVELS: [Level; 1] = [Level::Turn];

/// What the product is compared with, over stems and with the speaker's name in the text.
const PLAIN_HYBRID: Hybrid = Hybrid {
    tokens: Tokens::First256,
    fusion: FusionMethod::Weighted,
    vector_weight: 0.5,
    list: VectorList::Full,
};

/// The arguments of `locomo`.
#[derive(Debug, Clone, Args)]
pub(crate) struct LocomoArguments {
    /// The data set, .json or .json.gz
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// By what is searched; several are separated by commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "bm25")]
    mode: Vec<Mode>,
    #[command(flatten)]
    vectors: VectorFlags,
    #[command(flatten)]
    product: ProductFlags,
    #[command(flatten)]
    run: RunFlags,
}

/// Runs the evaluation.
pub(crate) fn locomo(arguments: &LocomoArguments) -> Result<(), Error> {
    arguments.product.check_used(&arguments.mode)?;
    let (haystacks, sha256) = read_locomo(&DataFile::new(&arguments.file))?;
    let count = |of: fn(&Haystack) -> usize| haystacks.iter().map(of).sum();
    let n_turns = count(Haystack::n_turns);
    let n_sessions = count(|haystack| haystack.sessions.len());
    let contract = contract(
        haystacks.len(),
        n_turns,
        count(|haystack| haystack.questions.len()),
    );
    show_contract(&contract)?;
    let variants = arguments.variants()?;
    let needs_vectors = variants
        .iter()
        .any(|variant| variant.method.embedded().is_some());
    let vectors = if needs_vectors {
        Some(arguments.vectors.model_vectors()?)
    } else {
        None
    };
    let mut evaluation = Evaluation::new(variants, vectors.as_ref(), arguments.run.half);
    let progress = Progress::start("turns", n_turns * evaluation.n_steps_per_turn());
    for haystack in &haystacks {
        evaluation.visit(haystack, &progress)?;
    }
    drop(progress);
    let name = arguments.file.file_name().unwrap_or_default();
    let head = Head {
        verb: "locomo".to_owned(),
        contract,
        dataset: Dataset {
            name: name.to_string_lossy().into_owned(),
            sha256,
            label: "LoCoMo, categories 1 to 4".to_owned(),
            n_sessions,
            n_turns,
        },
        half: arguments.run.half,
        configuration: json!({ "mode": arguments.mode }),
        seed: arguments.run.seed,
    };
    let record = Record::new(head, evaluation.finish());
    show_record(&record)?;
    let path = record.write(&arguments.run.out)?;
    printer::line(&format!("Record: {}", path.display()))
}

/// The rules, in sentences.
fn contract(n_conversations: usize, n_turns: usize, n_questions: usize) -> Vec<String> {
    [
        format!(
            "LoCoMo: {n_conversations} conversations, {n_turns} turns; {n_questions} questions of the categories 1 to 4 \
             with evidence that was said (ids by the pattern D<session>:<turn>)."
        ),
        "Any-hit by turn, the whole conversation as the haystack; ranks count to 10.".to_owned(),
        "Plain retrieval as for LongMemEval; \"speaker\" puts the speaker's name before what is indexed and embedded; \
         stems by the English Snowball algorithm."
            .to_owned(),
        "The product: every turn remembered with its speaker as source and its session as tag, at the session's time; \
         then recall with the question, 10 hits, a budget of 100,000 tokens."
            .to_owned(),
        "A retrieval hit is not a right answer to the question.".to_owned(),
    ]
    .to_vec()
}

impl LocomoArguments {
    fn variants(&self) -> Result<Vec<Variant>, Error> {
        let mut plains = Vec::new();
        let mut variants = Vec::new();
        let with_speaker = |retrieval| Plain {
            text: TextForm::WithSpeaker,
            ..Plain::contract(retrieval)
        };
        let stemmed = |retrieval| Plain {
            words: Words::Stemmed,
            ..with_speaker(retrieval)
        };
        for mode in &self.mode {
            match mode {
                Mode::Bm25 => {
                    plains.push(Plain::contract(Retrieval::Bm25));
                    plains.push(with_speaker(Retrieval::Bm25));
                    plains.push(stemmed(Retrieval::Bm25));
                }
                Mode::Vector => {
                    let tokens = PLAIN_HYBRID.tokens;
                    plains.push(Plain::contract(Retrieval::Vector { tokens }));
                    plains.push(with_speaker(Retrieval::Vector { tokens }));
                }
                Mode::Hybrid => {
                    plains.push(Plain::contract(Retrieval::Hybrid(PLAIN_HYBRID)));
                    plains.push(with_speaker(Retrieval::Hybrid(PLAIN_HYBRID)));
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
