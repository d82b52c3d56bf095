//! `forget`: retires memories by id.

use clap::Args;

use super::call::Call;
use super::flags::{OutputFlags, SettingFlags};
use super::session::Session;
use super::structure::{joined, list};
use super::{Ended, Failure, Printer};
use crate::mcp::Tool;

/// The arguments of `forget`.
#[derive(Debug, Args)]
pub(super) struct ForgetArguments {
    /// The memories; recall and list show their ids
    #[arg(required = true, value_name = "ID", value_parser = clap::value_parser!(u64))]
    ids: Vec<u64>,
    /// Why; kept in their history
    #[arg(long)]
    reason: Option<String>,
    #[command(flatten)]
    output: OutputFlags,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Retires the memories, and tells which were there.
pub(super) fn run(arguments: ForgetArguments, printer: &mut Printer) -> Result<Ended, Failure> {
    let ids: Vec<String> = arguments.ids.iter().map(u64::to_string).collect();
    let call = Call::default()
        .with_list("ids", &ids)
        .with("reason", arguments.reason);
    let session = Session::open(arguments.settings.resolve()?)?;
    let answer = session.call(Tool::Forget, call)?;
    if arguments.output.json {
        printer.json(&answer)?;
    } else {
        let outcomes = [
            ("retired", "retired "),
            ("already_retired", "retired before: "),
            ("not_found", "not found: "),
        ];
        for (name, label) in outcomes {
            if !list(&answer, name).is_empty() {
                printer.hanging(label, &joined(&answer, name))?;
            }
        }
        super::note_warnings(&answer);
    }
    let is_whole = list(&answer, "not_found").is_empty();
    Ok(if is_whole { Ended::Well } else { Ended::Partly })
}
