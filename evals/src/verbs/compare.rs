//! `compare`: two records of the same questions; differences, with how sure they are.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;

use super::show::differences;
use crate::error::Error;
use crate::evaluation::VariantOutcome;
use crate::printer;
use crate::record::Record;

/// The arguments of `compare`.
#[derive(Debug, Clone, Args)]
pub(crate) struct CompareArguments {
    /// The record before
    #[arg(value_name = "BEFORE")]
    before: PathBuf,
    /// The record after
    #[arg(value_name = "AFTER")]
    after: PathBuf,
    /// Of the bootstrap's draws
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Prints what changed.
pub(crate) fn compare(arguments: &CompareArguments) -> Result<(), Error> {
    let before = Record::read(&arguments.before)?;
    let after = Record::read(&arguments.after)?;
    if before.dataset.sha256 != after.dataset.sha256 || before.verb != after.verb {
        return Err(Error::Arguments(
            "the records are of different data sets or verbs: there is nothing to compare",
        ));
    }
    let pairs = paired(&before, &after);
    if pairs.is_empty() {
        return Err(Error::Arguments(
            "the records have no variant and no question in common",
        ));
    }
    let name = |record: &Record| {
        let commit = record.provenance.commit.as_deref().unwrap_or("unknown");
        format!(
            "{} of {commit}, {}",
            record.verb, record.provenance.ended_at
        )
    };
    printer::line(&format!("Before: {}", name(&before)))?;
    printer::line(&format!("After:  {}", name(&after)))?;
    for (before, after) in pairs {
        let n_questions = after.ranks.len();
        let level = after.level.name();
        printer::heading(&format!(
            "{} less {}, {level}, n = {n_questions}",
            after.name, before.name
        ))?;
        printer::table(&differences(&after, &before, arguments.seed))?;
    }
    Ok(())
}

/// The variants that both records have (by level and name, the product by level alone), cut to the
/// questions that both asked.
fn paired(before: &Record, after: &Record) -> Vec<(VariantOutcome, VariantOutcome)> {
    let positions = |record: &Record| -> BTreeMap<String, usize> {
        let questions = record.questions.iter().enumerate();
        questions
            .map(|(position, question)| (question.id.clone(), position))
            .collect()
    };
    let (of_before, of_after) = (positions(before), positions(after));
    let common: Vec<(usize, usize)> = of_before
        .iter()
        .filter_map(|(id, position)| Some((*position, *of_after.get(id)?)))
        .collect();
    let mut pairs = Vec::new();
    for earlier in &before.outcomes {
        let is_same = |later: &&VariantOutcome| {
            let is_product = later.is_product() && earlier.is_product();
            later.level == earlier.level && (is_product || later.name == earlier.name)
        };
        if let Some(later) = after.outcomes.iter().find(is_same)
            && !common.is_empty()
        {
            let cut = |outcome: &VariantOutcome, positions: Vec<usize>| VariantOutcome {
                ranks: positions
                    .into_iter()
                    .map(|position| outcome.ranks.get(position).copied().flatten())
                    .collect(),
                ..outcome.clone()
            };
            let earlier = cut(
                earlier,
                common.iter().map(|(position, _)| *position).collect(),
            );
            let later = cut(
                later,
                common.iter().map(|(_, position)| *position).collect(),
            );
            pairs.push((earlier, later));
        }
    }
    pairs
}

#[cfg(test)]
mod tests;
