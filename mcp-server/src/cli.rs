//! The command line: its commands, and how each ends. Knows nothing of how a memory works.

mod call;
mod failure;
mod flags;
mod forget;
mod graph;
mod ingest;
mod list;
mod model;
mod printer;
mod recall;
mod remember;
mod serve;
mod session;
mod show;
mod status;
pub(crate) mod structure;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub(crate) use failure::Failure;
pub(crate) use graph::print_edge;
pub(crate) use printer::Printer;
pub(crate) use recall::print_hit;

/// How a command ended, where it ended as it should.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// All of it was done.
    Well,
    /// The answer says what was not done.
    Partly,
}

/// Long-term memory for LLM agents: remembers, recalls, forgets and relates, on this machine alone.
#[derive(Debug, Parser)]
#[command(name = "palimpsest", version, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 done; 1 not done, or not all of it; 2 wrong command line or settings."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the memory over MCP, on standard input and output
    Serve(serve::ServeArguments),
    /// Keep a text
    Remember(remember::RememberArguments),
    /// Read a transcript, and save of it what a strategy says
    Ingest(ingest::IngestArguments),
    /// Find memories by meaning and words
    Recall(recall::RecallArguments),
    /// Retire memories; their past stays readable
    Forget(forget::ForgetArguments),
    /// Show how people, places and things relate
    Graph(graph::GraphArguments),
    /// List the latest memories
    List(list::ListArguments),
    /// Show a memory and its history
    Show(show::ShowArguments),
    /// Show where everything is, what it holds, and the settings in force
    Status(status::StatusArguments),
    /// Get the embedding model
    Model {
        #[command(subcommand)]
        command: model::ModelCommand,
    },
    /// Run a short conversation through a real server, and show what comes back
    Demo(model::ModelFlags),
}

/// Runs the command that this process was started with.
pub(crate) fn run() -> ExitCode {
    // Wrong arguments end here, with 2.
    let arguments = Arguments::parse();
    let mut printer = Printer::on_stdout();
    let ended = run_command(arguments.command, &mut printer).and_then(|ended| {
        printer.flush()?;
        Ok(ended)
    });
    match ended {
        Ok(Ended::Well) => ExitCode::SUCCESS,
        Ok(Ended::Partly) => ExitCode::from(1),
        // The reader has read enough.
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            Printer::complain(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run_command(command: Command, printer: &mut Printer) -> Result<Ended, Failure> {
    match command {
        Command::Serve(arguments) => serve::run(arguments),
        Command::Remember(arguments) => remember::run(arguments, printer),
        Command::Ingest(arguments) => ingest::run(arguments, printer),
        Command::Recall(arguments) => recall::run(arguments, printer),
        Command::Forget(arguments) => forget::run(arguments, printer),
        Command::Graph(arguments) => graph::run(arguments, printer),
        Command::List(arguments) => list::run(arguments, printer),
        Command::Show(arguments) => show::run(arguments, printer),
        Command::Status(arguments) => status::run(arguments, printer),
        Command::Model { command } => model::run(command, printer),
        Command::Demo(flags) => model::run_demo(flags, printer),
    }
}

/// Tells an answer's warnings beside the answer.
fn note_warnings(answer: &serde_json::Value) {
    let warnings = structure::list(answer, "warnings").iter();
    for warning in warnings.filter_map(serde_json::Value::as_str) {
        Printer::note(warning);
    }
}

#[cfg(test)]
mod tests;
