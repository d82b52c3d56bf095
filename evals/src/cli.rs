//! The command line: one verb an evaluation.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::error::Error;
use crate::{printer, verbs};

/// Evaluations of Palimpsest that anyone can repeat.
///
/// Every run prints its contract first, and writes one JSON record. A retrieval hit is not a right answer to the
/// question.
#[derive(Debug, Parser)]
#[command(name = "palimpsest-evals", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// LongMemEval: each question in its own haystack, turn by turn
    Longmemeval(verbs::LongMemEvalArguments),
    /// All distinct sessions of a LongMemEval file as one store
    Pool(verbs::PoolArguments),
    /// LoCoMo: ten long conversations, turn by turn
    Locomo(verbs::LocomoArguments),
    /// Whether the memory tells when it does not know
    Answerable(verbs::AnswerableArguments),
    /// The gate: time of a decision, and false skips
    Gate(verbs::GateArguments),
    /// A recall from end to end among 1,000 to 100,000 memories
    Latency(verbs::LatencyArguments),
    /// Get a data set
    Fetch(verbs::FetchArguments),
    /// Write a made-up file of LongMemEval's schema, to measure on
    Generate(verbs::GenerateArguments),
    /// One HTML page of records
    Report(verbs::ReportArguments),
    /// What changed between two records, and how sure it is
    Compare(verbs::CompareArguments),
}

/// Runs the verb that this process was started with.
pub fn run() -> ExitCode {
    // Wrong arguments end here, with 2.
    let arguments = Arguments::parse();
    match run_verb(&arguments.verb) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            printer::complain(&error.chain());
            ExitCode::FAILURE
        }
    }
}

fn run_verb(verb: &Verb) -> Result<(), Error> {
    match verb {
        Verb::Longmemeval(arguments) => verbs::longmemeval(arguments),
        Verb::Pool(arguments) => verbs::pool(arguments),
        Verb::Locomo(arguments) => verbs::locomo(arguments),
        Verb::Answerable(arguments) => verbs::answerable(arguments),
        Verb::Gate(arguments) => verbs::gate(arguments),
        Verb::Latency(arguments) => verbs::latency(arguments),
        Verb::Fetch(arguments) => verbs::fetch(arguments),
        Verb::Generate(arguments) => verbs::generate(arguments),
        Verb::Report(arguments) => verbs::report(arguments),
        Verb::Compare(arguments) => verbs::compare(arguments),
    }
}

#[cfg(test)]
mod tests;
