//! `report`: one HTML page of records.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::error::Error;
use crate::printer;
use crate::record::Record;
use crate::report::page;

/// The verbs whose records hold ranks.
const RECALL: [&str; 3] = ["locomo-", "longmemeval-", "pool-"];

/// The arguments of `report`.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReportArguments {
    /// Records, in the order of the page [default: all of recall in target/evals]
    #[arg(value_name = "RECORD")]
    records: Vec<PathBuf>,
    /// The page to write
    #[arg(long, value_name = "FILE", default_value = "target/evals/report.html")]
    to: PathBuf,
}

/// Writes the page.
pub(crate) fn report(arguments: &ReportArguments) -> Result<(), Error> {
    let paths = if arguments.records.is_empty() {
        records_in(Path::new("target/evals"))?
    } else {
        arguments.records.clone()
    };
    let records: Result<Vec<Record>, Error> = paths.iter().map(|path| Record::read(path)).collect();
    fs::write(&arguments.to, page(&records?)).map_err(Error::io("write", &arguments.to))?;
    printer::line(&arguments.to.display().to_string())
}

/// The records of recall in `folder`, by name.
fn records_in(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(folder).map_err(Error::io("read", folder))?;
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let is_record = |path: &PathBuf| {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        path.extension().is_some_and(|end| end == "json")
            && RECALL.iter().any(|verb| name.starts_with(verb))
    };
    let mut records: Vec<PathBuf> = paths.filter(is_record).collect();
    records.sort();
    Ok(records)
}
