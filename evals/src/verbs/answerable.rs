//! `answerable`: does the memory tell when it does not know? Questions are asked of the conversation that
//! answers them, and of another one.

mod interview;
mod signal;

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::flags::VectorFlags;
use super::show::show_contract;
use crate::dataset::{DataFile, Haystack, LongMemEval, read_locomo};
use crate::error::Error;
use crate::half::Half;
use crate::printer;
use crate::record::{Provenance, write_json};
use crate::table::Table;
use interview::Interview;
use signal::Signal;

const RULES: [&str; 5] = [
    "Each question is asked of the memory of its own conversation, which answers it, and of the next one's, which \
     does not. LongMemEval's abstention questions are asked of their own alone, which does not answer them.",
    "The signal is the confidence that comes with a recall by default settings, 0 to 1; from 0.3 on the memory is \
     taken to know.",
    "Precision and recall are those of \"it does not know\". AUC is the chance that a question which is answered has \
     the greater confidence than one which is not; ties count half.",
    "The signal was fitted on LoCoMo's tuned half, and on nothing of LongMemEval.",
    "A retrieval is no answer: a conversation may fail to answer, and another may answer by chance.",
];
const THRESHOLD: f64 = 0.3;

/// The arguments of `answerable`.
#[derive(Debug, Clone, Args)]
pub(crate) struct AnswerableArguments {
    /// LoCoMo, .json or .json.gz
    #[arg(long, value_name = "FILE")]
    locomo: Option<PathBuf>,
    /// A LongMemEval file, .json or .json.gz
    #[arg(long, value_name = "FILE")]
    longmemeval: Option<PathBuf>,
    #[command(flatten)]
    vectors: VectorFlags,
    /// The folder for the record
    #[arg(long, value_name = "FOLDER", default_value = "target/evals")]
    out: PathBuf,
}

/// Of what a question was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum AskedOf {
    /// The conversation that answers it.
    Own,
    /// Another one.
    Other,
    /// Its own, which does not answer it.
    Abstention,
}

/// One question, and how sure the memory was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Asked {
    pub(crate) set: String,
    pub(crate) id: String,
    pub(crate) of: AskedOf,
    pub(crate) confidence: f64,
}

/// What a run found.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct AnswerableRecord {
    verb: String,
    contract: Vec<String>,
    provenance: Provenance,
    asked: Vec<Asked>,
}

/// Runs the evaluation.
pub(crate) fn answerable(arguments: &AnswerableArguments) -> Result<(), Error> {
    if arguments.locomo.is_none() && arguments.longmemeval.is_none() {
        let what = "name a data set: --locomo FILE, --longmemeval FILE, or both";
        return Err(Error::Arguments(what));
    }
    let contract = RULES.map(str::to_owned).to_vec();
    show_contract(&contract)?;
    let vectors = arguments.vectors.model_vectors()?;
    let mut asked = Vec::new();
    if let Some(path) = &arguments.locomo {
        let (haystacks, _) = read_locomo(&DataFile::new(path))?;
        let n_turns = haystacks.iter().map(Haystack::n_turns).sum();
        let mut interview = Interview::new("LoCoMo", n_turns, &vectors)?;
        for haystack in haystacks {
            interview.visit(haystack)?;
        }
        asked.extend(interview.finish()?);
    }
    if let Some(path) = &arguments.longmemeval {
        let dataset = LongMemEval::new(DataFile::new(path));
        let n_turns = dataset.survey()?.n_turns;
        let mut interview = Interview::new("LongMemEval", n_turns, &vectors)?;
        dataset.for_each(|haystack| {
            interview.visit(haystack)?;
            Ok(ControlFlow::Continue(()))
        })?;
        asked.extend(interview.finish()?);
    }
    show(&asked)?;
    let record = AnswerableRecord {
        verb: "answerable".to_owned(),
        contract,
        provenance: Provenance::of_this_run(),
        asked,
    };
    let path = write_json(&arguments.out, "answerable", &record.provenance, &record)?;
    printer::line(&format!("\nRecord: {}", path.display()))
}

fn show(asked: &[Asked]) -> Result<(), Error> {
    printer::heading("Does the memory tell when it does not know?")?;
    let mut table = Table::new(["", "n", "AUC", "precision", "recall", "of abstentions"]);
    let mut sets: Vec<&str> = asked.iter().map(|it| it.set.as_str()).collect();
    sets.dedup();
    for set in sets {
        for half in [Half::Tuned, Half::HeldOut, Half::All] {
            let signal = Signal::of(asked, |it| it.set == set && half.holds(&it.id));
            let percent = |share: f64| {
                // None of a set without such questions.
                if share.is_nan() {
                    String::new()
                } else {
                    format!("{:.1}", share * 100.0)
                }
            };
            table.push([
                format!("{set}, {}", half.name()),
                signal.n_asked().to_string(),
                format!("{:.3}", signal.auc()),
                percent(signal.precision(THRESHOLD)),
                percent(signal.recall(THRESHOLD)),
                percent(signal.recall_of_abstentions(THRESHOLD)),
            ]);
        }
    }
    printer::table(&table)?;
    printer::heading("Calibration: the confidence, and the share that is answered")?;
    let mut table = Table::new(["confidence", "n", "mean", "answered"]);
    for bin in Signal::of(asked, |it| it.of != AskedOf::Abstention).bins() {
        table.push([
            format!("{:.1} to {:.1}", bin.from, bin.to),
            bin.n_asked.to_string(),
            format!("{:.2}", bin.mean),
            format!("{:.2}", bin.answered),
        ]);
    }
    printer::table(&table)
}
