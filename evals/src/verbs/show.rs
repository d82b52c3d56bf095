//! The tables that the verbs of recall print.

use std::collections::BTreeSet;

use crate::bootstrap::{Interval, N_RESAMPLES};
use crate::contract::{CUTOFFS, Level, Tally, reciprocal_rank};
use crate::error::Error;
use crate::evaluation::VariantOutcome;
use crate::half::Half;
use crate::printer;
use crate::record::Record;
use crate::table::Table;

/// Prints the contract, and what is asked of what.
pub(super) fn show_contract(contract: &[String]) -> Result<(), Error> {
    printer::heading("Contract")?;
    for sentence in contract {
        printer::line(&format!("- {sentence}"))?;
    }
    Ok(())
}

/// Prints every table of a record.
pub(super) fn show_record(record: &Record) -> Result<(), Error> {
    let levels: BTreeSet<Level> = record
        .outcomes
        .iter()
        .map(|outcome| outcome.level)
        .collect();
    for level in levels {
        let n_questions = record.questions.len();
        printer::heading(&format!("Hits by {}, n = {n_questions}", level.name()))?;
        printer::table(&overall(record, level))?;
    }
    show_by_group(record)?;
    show_halves(record)?;
    show_latency(record)?;
    show_against_others(record)
}

fn at_level(record: &Record, level: Level) -> impl Iterator<Item = &VariantOutcome> {
    record
        .outcomes
        .iter()
        .filter(move |outcome| outcome.level == level)
}

fn overall(record: &Record, level: Level) -> Table {
    let mut table = Table::new(["", "Hit@1", "Hit@5", "Hit@10", "MRR"]);
    for outcome in at_level(record, level) {
        table.push(row(&outcome.name, outcome.tally()));
    }
    table
}

fn row(name: &str, tally: Tally) -> Vec<String> {
    let rates = tally.hit_rates.map(|rate| format!("{:.1}", rate * 100.0));
    let mrr = format!("{:.4}", tally.mrr);
    std::iter::once(name.to_owned())
        .chain(rates)
        .chain([mrr])
        .collect()
}

/// Each variant by group; a sweep has too many, and shows none.
fn show_by_group(record: &Record) -> Result<(), Error> {
    const N_VARIANTS_MAX: usize = 8;
    if record.outcomes.len() > N_VARIANTS_MAX {
        return Ok(());
    }
    let groups: BTreeSet<&str> = record
        .questions
        .iter()
        .map(|it| it.group.as_str())
        .collect();
    for outcome in &record.outcomes {
        let level = outcome.level.name();
        printer::heading(&format!("{}: by type, {level}", outcome.name))?;
        let mut table = Table::new(["", "Hit@1", "Hit@5", "Hit@10", "MRR", "n"]);
        for group in &groups {
            let tally = outcome.tally_where(&record.questions, |it| it.group == *group);
            let n_questions = tally.n_questions.to_string();
            table.push(row(group, tally).into_iter().chain([n_questions]));
        }
        printer::table(&table)?;
    }
    Ok(())
}

/// Where the product ran on all questions, both halves apart.
fn show_halves(record: &Record) -> Result<(), Error> {
    let has_product = record.outcomes.iter().any(VariantOutcome::is_product);
    if record.half != Half::All || !has_product {
        return Ok(());
    }
    for half in [Half::Tuned, Half::HeldOut] {
        let is_wanted = |id: &str| half.holds(id);
        let n_questions = record
            .questions
            .iter()
            .filter(|it| is_wanted(&it.id))
            .count();
        printer::heading(&format!("The {} half, n = {n_questions}", half.name()))?;
        let mut table = Table::new(["", "Hit@1", "Hit@5", "Hit@10", "MRR"]);
        for outcome in &record.outcomes {
            let tally = outcome.tally_where(&record.questions, |it| is_wanted(&it.id));
            let name = format!("{}, {}", outcome.name, outcome.level.name());
            table.push(row(&name, tally));
        }
        printer::table(&table)?;
    }
    Ok(())
}

fn show_latency(record: &Record) -> Result<(), Error> {
    printer::heading("Time of one question in microseconds, its vector given")?;
    let mut table = Table::new(["", "mean", "p50", "p95", "p99"]);
    let mut shown = BTreeSet::new();
    for outcome in &record.outcomes {
        if let Some(latency) = outcome
            .latency
            .filter(|_| shown.insert(outcome.name.clone()))
        {
            let numbers = [latency.mean, latency.p50, latency.p95, latency.p99];
            let cells = numbers.map(|number| format!("{number:.0}"));
            table.push(std::iter::once(outcome.name.clone()).chain(cells));
        }
    }
    printer::table(&table)
}

/// The product against each plain variant beside it and against itself with a term the other way round,
/// on the questions that were asked and on the half of them that nothing was chosen by.
fn show_against_others(record: &Record) -> Result<(), Error> {
    let levels: BTreeSet<Level> = record.outcomes.iter().map(|it| it.level).collect();
    for level in levels {
        let Some(product) = at_level(record, level).find(|it| it.is_product()) else {
            continue;
        };
        let others = at_level(record, level).filter(|other| other.name != product.name);
        let (turned, plains): (Vec<_>, Vec<_>) = others.partition(|other| other.is_product());
        for plain in plains {
            for half in halves(record) {
                printer::heading(&format!(
                    "{} less {}, {}",
                    product.name,
                    plain.name,
                    half.name()
                ))?;
                printer::line(&format!(
                    "{N_RESAMPLES} paired bootstrap resamples, seed {}.",
                    record.seed
                ))?;
                let (ours, theirs) = (within(record, product, half), within(record, plain, half));
                printer::table(&differences(&ours, &theirs, record.seed))?;
            }
        }
        if !turned.is_empty() {
            printer::heading(
                "What each term is worth: MRR of the product less MRR of each, in points",
            )?;
            printer::table(&worth(record, product, &turned))?;
        }
    }
    Ok(())
}

/// All that was asked, and the held-out half of that.
fn halves(record: &Record) -> Vec<Half> {
    match record.half {
        Half::All => vec![Half::All, Half::HeldOut],
        half => vec![half],
    }
}

/// An outcome on a half of its questions.
fn within(record: &Record, outcome: &VariantOutcome, half: Half) -> VariantOutcome {
    let questions = record.questions.iter().zip(&outcome.ranks);
    let of_half = questions.filter(|(question, _)| half.holds(&question.id));
    VariantOutcome {
        ranks: of_half.map(|(_, rank)| *rank).collect(),
        ..outcome.clone()
    }
}

/// For each changed product by how much the product is above it, in points of MRR with its interval.
fn worth(record: &Record, product: &VariantOutcome, turned: &[&VariantOutcome]) -> Table {
    let halves = match record.half {
        Half::All => vec![Half::Tuned, Half::HeldOut],
        half => vec![half],
    };
    let columns = halves.iter().map(|half| half.name().to_owned());
    let mut table = Table::new(std::iter::once(String::new()).chain(columns));
    for other in turned {
        let cells = halves.iter().map(|half| {
            let (ours, theirs) = (within(record, product, *half), within(record, other, *half));
            let [ours, theirs] = [ours, theirs].map(|it| it.reciprocal_ranks());
            let interval = Interval::paired(&ours, &theirs, record.seed, N_RESAMPLES);
            interval.map_or_else(String::new, |it| {
                let [middle, low, high] = [it.difference, it.low, it.high].map(|it| it * 100.0);
                format!("{middle:+.1} [{low:+.1}, {high:+.1}]")
            })
        });
        table.push(std::iter::once(other.name.clone()).chain(cells));
    }
    table
}

/// Differences of two outcomes on the same questions, each with its interval.
pub(super) fn differences(ours: &VariantOutcome, theirs: &VariantOutcome, seed: u64) -> Table {
    let mut table = Table::new(["", "difference", "95 % from", "to", "above 0"]);
    let hit = |cutoff: usize| {
        move |rank: Option<usize>| f64::from(u8::from(rank.is_some_and(|rank| rank <= cutoff)))
    };
    let mut push = |name: String, value: &dyn Fn(Option<usize>) -> f64, scale: f64| {
        let values = |outcome: &VariantOutcome| -> Vec<f64> {
            outcome.ranks.iter().map(|rank| value(*rank)).collect()
        };
        let interval = Interval::paired(&values(ours), &values(theirs), seed, N_RESAMPLES);
        if let Some(interval) = interval {
            let cell =
                |number: f64| format!("{:+.*}", if scale > 1.0 { 1 } else { 4 }, number * scale);
            let numbers = [interval.difference, interval.low, interval.high].map(cell);
            let verdict = if interval.is_above_zero() {
                "yes"
            } else {
                "no"
            };
            table.push(
                std::iter::once(name)
                    .chain(numbers)
                    .chain([verdict.to_owned()]),
            );
        }
    };
    for cutoff in CUTOFFS {
        push(format!("Hit@{cutoff}, points"), &hit(cutoff), 100.0);
    }
    push("MRR".to_owned(), &reciprocal_rank, 1.0);
    table
}
