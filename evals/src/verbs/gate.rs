//! `gate`: how long a decision takes beside a naive one, and whether it turns away what says something.

mod naive;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use palimpsest_memory::{Role, Strategy, Turn, saved_when_empty, trivial};
use serde::{Deserialize, Serialize};

use crate::contract::Latency;
use crate::error::Error;
use crate::printer;
use crate::record::{Provenance, write_json};
use crate::table::Table;

/// Sentences that must be kept, by language.
const MEANINGFUL: &str = include_str!("../../../configs/gate/meaningful.toml");

/// The seed's cases: what its table of the decision gate times.
const CASES: [(&str, &str); 4] = [
    ("trivial skip", "ok"),
    ("short phrase skip", "sounds good, thanks"),
    (
        "non-trivial pass",
        "The deployment of the billing service moved to Thursday, because the database migration needs a review \
         by the platform team first.",
    ),
    ("ratio check", "ok ok ok ok ok ok Lisbon"),
];

/// The seed's cases of its strategies, the decision alone: name, strategy and what a user says.
const STRATEGY_CASES: [(&str, Strategy, &str); 3] = [
    (
        "every exchange, substantive",
        Strategy::EveryExchange,
        CASES[2].1,
    ),
    (
        "every exchange, trivial",
        Strategy::EveryExchange,
        CASES[0].1,
    ),
    (
        "semantic shift, empty store",
        Strategy::SemanticShift,
        CASES[2].1,
    ),
];

const RULES: [&str; 4] = [
    "A decision is timed in batches of 1,000 calls, 300 batches; a time is that of one call. Ours and the naive twin \
     take turns, in one run.",
    "A strategy's decision is timed alone: the gate, the grammar of corrections, the comparison with an empty store. \
     Nothing is embedded or stored.",
    "The naive twin turns away what is shorter than 10 characters, or has only words of a short list.",
    "A false skip is a sentence of configs/gate/meaningful.toml (300, in 8 languages) that is turned away.",
];
const N_CALLS: u32 = 1_000;
const N_BATCHES: usize = 300;

/// The arguments of `gate`.
#[derive(Debug, Clone, Args)]
pub(crate) struct GateArguments {
    /// The folder for the record
    #[arg(long, value_name = "FOLDER", default_value = "target/evals")]
    out: PathBuf,
}

/// What a run found.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct GateRecord {
    verb: String,
    contract: Vec<String>,
    provenance: Provenance,
    cases: Vec<GateCase>,
    #[serde(default)]
    strategies: Vec<StrategyCase>,
    n_sentences: BTreeMap<String, usize>,
    false_skips: Vec<String>,
    false_skips_of_the_twin: usize,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct StrategyCase {
    name: String,
    text: String,
    is_saved: bool,
    ours: Latency,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct GateCase {
    name: String,
    text: String,
    is_kept: bool,
    ours: Latency,
    twin: Latency,
}

/// Runs the evaluation.
pub(crate) fn gate(arguments: &GateArguments) -> Result<(), Error> {
    printer::heading("Contract")?;
    for rule in RULES {
        printer::line(&format!("- {rule}"))?;
    }
    let cases: Vec<GateCase> = CASES
        .iter()
        .filter_map(|(name, text)| time_case(name, text))
        .collect();
    let sentences = sentences()?;
    let all = || sentences.values().flatten();
    let skipped = all().filter(|text| trivial(text).is_some());
    let false_skips: Vec<String> = skipped.cloned().collect();
    let twin_skips = all().filter(|text| naive::is_trivial(text)).count();
    let strategies: Vec<StrategyCase> = STRATEGY_CASES
        .iter()
        .filter_map(|(name, strategy, text)| time_strategy(name, *strategy, text))
        .collect();
    show(&cases, all().count(), &false_skips, twin_skips)?;
    show_strategies(&strategies)?;
    let record = GateRecord {
        verb: "gate".to_owned(),
        contract: RULES.map(str::to_owned).to_vec(),
        provenance: Provenance::of_this_run(),
        cases,
        strategies,
        n_sentences: sentences
            .iter()
            .map(|(name, list)| (name.clone(), list.len()))
            .collect(),
        false_skips,
        false_skips_of_the_twin: twin_skips,
    };
    let path = write_json(&arguments.out, "gate", &record.provenance, &record)?;
    printer::line(&format!("\nRecord: {}", path.display()))
}

/// The sentences that must be kept, by language.
fn sentences() -> Result<BTreeMap<String, Vec<String>>, Error> {
    toml::from_str(MEANINGFUL).map_err(|error| Error::Setting {
        name: "configs/gate/meaningful.toml".to_owned(),
        value: "read".to_owned(),
        reason: error.to_string(),
    })
}

fn time_case(name: &str, text: &str) -> Option<GateCase> {
    let (mut ours, mut twin) = (Vec::new(), Vec::new());
    for _ in 0..N_BATCHES {
        ours.push(time_of_one(|| trivial(black_box(text)).is_some()));
        twin.push(time_of_one(|| naive::is_trivial(black_box(text))));
    }
    Some(GateCase {
        name: name.to_owned(),
        text: text.to_owned(),
        is_kept: trivial(text).is_none(),
        ours: Latency::of(&ours)?,
        twin: Latency::of(&twin)?,
    })
}

fn time_strategy(name: &str, strategy: Strategy, text: &str) -> Option<StrategyCase> {
    let turn = Turn {
        role: Role::User,
        text: text.to_owned(),
    };
    let decide = || saved_when_empty(strategy, black_box(&turn));
    let times: Vec<Duration> = (0..N_BATCHES).map(|_| time_of_one(decide)).collect();
    Some(StrategyCase {
        name: name.to_owned(),
        text: text.to_owned(),
        is_saved: decide(),
        ours: Latency::of(&times)?,
    })
}

/// The time of [`N_CALLS`] calls; a thousandth of it is that of one, so its microseconds are nanoseconds.
fn time_of_one(decide: impl Fn() -> bool) -> Duration {
    let started = Instant::now();
    for _ in 0..N_CALLS {
        black_box(decide());
    }
    started.elapsed()
}

fn show(
    cases: &[GateCase],
    n_sentences: usize,
    false_skips: &[String],
    twin_skips: usize,
) -> Result<(), Error> {
    printer::heading("Time of one decision in nanoseconds")?;
    let mut table = Table::new(["case", "decision", "p50", "p99", "twin p50", "twin p99"]);
    for case in cases {
        let decision = if case.is_kept { "kept" } else { "turned away" };
        let numbers = [case.ours.p50, case.ours.p99, case.twin.p50, case.twin.p99];
        let cells = numbers.map(|number| format!("{number:.0}"));
        table.push(
            [case.name.clone(), decision.to_owned()]
                .into_iter()
                .chain(cells),
        );
    }
    printer::table(&table)?;
    printer::heading("False skips")?;
    printer::line(&format!(
        "{} of {n_sentences}; the naive twin {twin_skips}.",
        false_skips.len()
    ))?;
    for text in false_skips {
        printer::line(&format!("  {text}"))?;
    }
    Ok(())
}

fn show_strategies(cases: &[StrategyCase]) -> Result<(), Error> {
    printer::heading("Time of one decision of a strategy in nanoseconds")?;
    let mut table = Table::new(["case", "decision", "p50", "p99"]);
    for case in cases {
        let decision = if case.is_saved { "saved" } else { "skipped" };
        let numbers = [case.ours.p50, case.ours.p99];
        let cells = numbers.map(|number| format!("{number:.0}"));
        table.push(
            [case.name.clone(), decision.to_owned()]
                .into_iter()
                .chain(cells),
        );
    }
    printer::table(&table)
}

#[cfg(test)]
mod tests;
