//! `longmemeval`: each question in its own haystack.

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::flags::{Mode, ProductFlags, RunFlags, VectorFlags};
use super::show::{show_contract, show_record};
use super::sweep::Sweep;
use crate::contract::{FusionMethod, Level, Words};
use crate::dataset::{DataFile, LongMemEval, Survey};
use crate::embeddings::Tokens;
use crate::error::Error;
use crate::evaluation::{Evaluation, Hybrid, Plain, Retrieval, Variant, VectorList};
use crate::printer;
use crate::progress::Progress;
use crate::record::{Dataset, Head, Record};

/// What the product is compared with: the weights that the seed recommends.
const PLAIN_HYBRID: Hybrid = Hybrid {
    tokens: Tokens::First256,
    fusion: FusionMethod::Weighted,
    vector_weight: 0.4,
    list: VectorList::Full,
};

/// The arguments of `longmemeval`.
#[derive(Debug, Clone, Args)]
pub(crate) struct LongMemEvalArguments {
    /// The data set, .json or .json.gz
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// By what is searched; several are separated by commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "bm25")]
    mode: Vec<Mode>,
    /// Go through every weight, fusion and length of the sweep
    #[arg(long)]
    sweep: bool,
    /// Another sweep than configs/sweeps/longmemeval.toml
    #[arg(long, value_name = "FILE")]
    sweep_file: Option<PathBuf>,
    /// How much of a text a vector is of; several are separated by commas [default: 256; of a sweep: all]
    #[arg(long, value_enum, value_delimiter = ',')]
    tokens: Vec<Tokens>,
    /// How the hybrid's lists become one
    #[arg(long, value_enum, default_value = "weighted")]
    fusion: FusionMethod,
    /// The vector list's weight in the hybrid, 0 to 1
    #[arg(long, default_value_t = 0.7)]
    vector_weight: f64,
    /// Fuse only the nearest 80 of the vector list
    #[arg(long)]
    nearest_80: bool,
    /// Cut words to their stems
    #[arg(long)]
    stems: bool,
    /// Ask only so many questions, evenly strided
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
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
pub(crate) fn longmemeval(arguments: &LongMemEvalArguments) -> Result<(), Error> {
    arguments.product.check_used(&arguments.mode)?;
    let dataset = LongMemEval::new(DataFile::new(&arguments.file));
    let survey = dataset.survey()?;
    let contract = contract(&survey);
    show_contract(&contract)?;
    let variants = arguments.variants(&survey)?;
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
    let progress = Progress::start("turns", survey.n_turns * evaluation.n_steps_per_turn());
    let stride = Stride::new(survey.n_questions, arguments.limit);
    let mut question_idx = 0;
    dataset.for_each(|haystack| {
        if stride.takes(question_idx) {
            evaluation.visit(&haystack, &progress)?;
        } else {
            progress.skip(haystack.n_turns() * evaluation.n_steps_per_turn());
        }
        question_idx += 1;
        Ok(ControlFlow::Continue(()))
    })?;
    drop(progress);
    let head = Head {
        verb: "longmemeval".to_owned(),
        contract,
        dataset: described(&dataset, &survey),
        half: arguments.run.half,
        configuration: arguments.configuration(),
        seed: arguments.run.seed,
    };
    let record = Record::new(head, evaluation.finish());
    show_record(&record)?;
    let path = record.write(&arguments.run.out)?;
    printer::line(&format!("Record: {}", path.display()))
}

/// The rules, in sentences.
fn contract(survey: &Survey) -> Vec<String> {
    let mut contract: Vec<String> = [
        "LongMemEval retrieval: one document a turn, its content verbatim, every role, no prefix, empty turns kept; \
         the query is the question alone; statistics over the question's own haystack.",
        "A turn hit is a returned turn with has_answer. Ranks count to 10; MRR is 1/rank, 0 beyond 10. Abstention \
         questions stay in; a question without such a turn is a miss.",
        "BM25: k1 1.2, b 0.75, idf = ln((N - df + 0.5) / (df + 0.5) + 1); lower-cased, split on what is not \
         alphanumeric; repeated query words count each time.",
        "Weighted fusion: each list scaled to 0..1 by its least and greatest score, weighted sum over the union, 0 \
         where missing. RRF: 1 / (60 + rank). Ties: by position.",
        "The product: every turn remembered with its role as source and its session as tag, at the session's time; \
         then recall with the question, 10 hits, a budget of 100,000 tokens.",
        "A retrieval hit is not a right answer to the question.",
    ]
    .map(str::to_owned)
    .to_vec();
    let Survey {
        n_questions,
        n_sessions,
        n_turns,
        n_without_turn,
        ..
    } = survey;
    contract.push(format!(
        "The file: {n_questions} questions ({n_without_turn} without a turn that answers), {n_sessions} sessions, \
         {n_turns} turns; {}.",
        survey.label()
    ));
    if survey.is_degenerate_by_session() {
        let why = "Session-level figures are degenerate where every session is evidence, and are not reported.";
        contract.push(why.to_owned());
    }
    contract
}

fn described(dataset: &LongMemEval, survey: &Survey) -> Dataset {
    let name = dataset.path().file_name().unwrap_or_default();
    Dataset {
        name: name.to_string_lossy().into_owned(),
        sha256: survey.sha256.clone(),
        label: survey.label(),
        n_sessions: survey.n_sessions,
        n_turns: survey.n_turns,
    }
}

impl LongMemEvalArguments {
    fn variants(&self, survey: &Survey) -> Result<Vec<Variant>, Error> {
        let levels: &[Level] = if survey.is_degenerate_by_session() {
            &[Level::Turn]
        } else {
            &[Level::Turn, Level::Session]
        };
        let mut plains = Vec::new();
        let mut variants = Vec::new();
        if self.sweep {
            let sweep = Sweep::read(self.sweep_file.as_deref())?;
            plains.extend(sweep.only(&self.tokens).plains());
        }
        for mode in self.mode.iter().filter(|_| !self.sweep) {
            match mode {
                Mode::Bm25 => plains.push(self.plain(Retrieval::Bm25)),
                Mode::Vector => plains.extend(self.vectors_of_each_length()),
                Mode::Hybrid => plains.extend(self.hybrids_of_each_length()?),
                Mode::Product => {
                    plains.push(Plain::contract(Retrieval::Hybrid(PLAIN_HYBRID)));
                    variants.extend(self.product.variants(levels)?);
                }
            }
        }
        let plains = plains
            .into_iter()
            .map(|plain| Variant::plain(plain, levels));
        Ok(plains.chain(variants).collect())
    }

    fn lengths(&self) -> Vec<Tokens> {
        if self.tokens.is_empty() {
            vec![Tokens::First256]
        } else {
            self.tokens.clone()
        }
    }

    fn vectors_of_each_length(&self) -> Vec<Plain> {
        let lengths = self.lengths().into_iter();
        lengths
            .map(|tokens| self.plain(Retrieval::Vector { tokens }))
            .collect()
    }

    fn hybrids_of_each_length(&self) -> Result<Vec<Plain>, Error> {
        if !(0.0..=1.0).contains(&self.vector_weight) {
            return Err(Error::Arguments("--vector-weight is a number from 0 to 1"));
        }
        let list = if self.nearest_80 {
            VectorList::Nearest80
        } else {
            VectorList::Full
        };
        let hybrid = |tokens| Hybrid {
            tokens,
            fusion: self.fusion,
            vector_weight: self.vector_weight,
            list,
        };
        let lengths = self.lengths().into_iter();
        Ok(lengths
            .map(|tokens| self.plain(Retrieval::Hybrid(hybrid(tokens))))
            .collect())
    }

    fn plain(&self, retrieval: Retrieval) -> Plain {
        Plain {
            words: if self.stems {
                Words::Stemmed
            } else {
                Words::Plain
            },
            ..Plain::contract(retrieval)
        }
    }

    fn configuration(&self) -> serde_json::Value {
        json!({
            "mode": self.mode,
            "sweep": self.sweep,
            "limit": self.limit,
            "vectors": if self.reference.is_some() { "reference" } else { "model" },
        })
    }
}

/// Which of many questions are asked: so many, evenly spread.
#[derive(Debug, Clone, Copy)]
struct Stride {
    n_all: usize,
    n_taken: usize,
}

impl Stride {
    fn new(n_all: usize, limit: Option<usize>) -> Self {
        let n_taken = limit.unwrap_or(n_all).min(n_all);
        Self { n_all, n_taken }
    }

    /// Whether the multiples of `n_all / n_taken`, rounded down, hold this one.
    fn takes(self, question_idx: usize) -> bool {
        let n_before = |idx: usize| (idx * self.n_taken).div_ceil(self.n_all.max(1));
        n_before(question_idx + 1) > n_before(question_idx)
    }
}

#[cfg(test)]
mod tests;
