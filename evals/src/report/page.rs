//! The page: for each record its contract, tables and plots.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::chart::{BarChart, Line, LineChart};
use super::escape::escaped;
use crate::contract::{FusionMethod, RANK_MAX, Tally};
use crate::evaluation::{Method, Plain, Retrieval, VariantOutcome};
use crate::record::Record;
use crate::table::Table;

/// More variants than this are a sweep: curves, and no plot for each.
const N_VARIANTS_MAX: usize = 8;

const STYLE: &str = "\
body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}\
h1,h2,h3{line-height:1.2}table{border-collapse:collapse;margin:1em 0}th,td{padding:.2em .7em;border-bottom:1px solid #ddd}\
th{text-align:left}td+td{text-align:right;font-variant-numeric:tabular-nums}svg{width:100%;height:auto;margin:1em 0}\
svg text{font:11px system-ui,sans-serif;fill:#222}svg .title{font-size:13px;font-weight:600}svg .end{text-anchor:end}\
svg .middle{text-anchor:middle}svg .small{font-size:9px}svg .grid{stroke:#e4e4e4}svg polyline{fill:none;stroke-width:2}\
.faint{color:#666}";

/// One self-contained page of `records`.
pub(crate) fn page(records: &[Record]) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Palimpsest evaluations</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style></head>\n<body>\n\
         <h1>Palimpsest evaluations</h1>\n"
    );
    for record in records {
        push_record(&mut html, record);
    }
    html.push_str("</body></html>\n");
    html
}

fn push_record(html: &mut String, record: &Record) {
    let provenance = &record.provenance;
    let machine = &provenance.machine;
    push(
        html,
        format_args!(
            "<h2>{}: {}</h2>\n",
            escaped(&record.verb),
            escaped(&record.dataset.label)
        ),
    );
    push(
        html,
        format_args!(
            "<p class=\"faint\">{}, SHA-256 {}; {} questions ({} half); {}; version {}, commit {}; {}, {}, {} cores; seed {}.</p>\n",
            escaped(&record.dataset.name),
            escaped(&record.dataset.sha256),
            record.questions.len(),
            record.half.name(),
            escaped(&provenance.ended_at),
            escaped(&provenance.version),
            escaped(provenance.commit.as_deref().unwrap_or("unknown")),
            escaped(&machine.system),
            escaped(machine.processor.as_deref().unwrap_or("processor unknown")),
            machine.n_cores,
            record.seed,
        ),
    );
    html.push_str("<ul>\n");
    for sentence in &record.contract {
        push(html, format_args!("<li>{}</li>\n", escaped(sentence)));
    }
    html.push_str("</ul>\n");
    push_table(html, &figures(record));
    for chart in sweep_curves(record) {
        html.push_str(&chart.svg());
    }
    if record.outcomes.len() <= N_VARIANTS_MAX {
        html.push_str(&recall_at_each_rank(record).svg());
        html.push_str(&by_type(record).svg());
    }
    html.push_str(&latencies(record).svg());
}

fn figures(record: &Record) -> Table {
    let mut table = Table::new(["variant", "level", "Hit@1", "Hit@5", "Hit@10", "MRR"]);
    for outcome in &record.outcomes {
        let tally = outcome.tally();
        let rates = tally.hit_rates.map(|rate| format!("{:.1}", rate * 100.0));
        let names = [outcome.name.clone(), outcome.level.name().to_owned()];
        table.push(
            names
                .into_iter()
                .chain(rates)
                .chain([format!("{:.4}", tally.mrr)]),
        );
    }
    table
}

fn push_table(html: &mut String, table: &Table) {
    html.push_str("<table><tr>");
    for cell in &table.header {
        push(html, format_args!("<th>{}</th>", escaped(cell)));
    }
    html.push_str("</tr>\n");
    for row in &table.rows {
        html.push_str("<tr>");
        for cell in row {
            push(html, format_args!("<td>{}</td>", escaped(cell)));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</table>\n");
}

/// Hit@5 and MRR over the vector weight, a line for each fusion and length; none where there is no sweep.
fn sweep_curves(record: &Record) -> Vec<LineChart> {
    let curve = |figure: fn(&Tally) -> f64, y_name: &str| {
        let mut lines: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
        for outcome in &record.outcomes {
            if let Method::Plain(Plain {
                retrieval: Retrieval::Hybrid(hybrid),
                ..
            }) = &outcome.method
            {
                let fusion = match hybrid.fusion {
                    FusionMethod::Weighted => "weighted",
                    FusionMethod::Rrf => "RRF",
                };
                let name = format!("{fusion}, {}, {}", hybrid.tokens, outcome.level.name());
                lines
                    .entry(name)
                    .or_default()
                    .push((hybrid.vector_weight, figure(&outcome.tally())));
            }
        }
        lines.retain(|_, points| points.len() > 2);
        for points in lines.values_mut() {
            points.sort_by(|left, right| left.0.total_cmp(&right.0));
        }
        LineChart {
            title: format!("{y_name} by the weight of the vector list"),
            x_name: "vector weight".to_owned(),
            y_name: y_name.to_owned(),
            lines: lines
                .into_iter()
                .map(|(name, points)| Line { name, points })
                .collect(),
        }
    };
    let charts = [
        curve(|tally| tally.hit_rates[0] * 100.0, "Hit@1, %"),
        curve(|tally| tally.hit_rates[1] * 100.0, "Hit@5, %"),
        curve(|tally| tally.mrr, "MRR"),
    ];
    charts
        .into_iter()
        .filter(|chart| !chart.lines.is_empty())
        .collect()
}

/// The share of questions with a hit within each rank.
fn recall_at_each_rank(record: &Record) -> LineChart {
    let real = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    let line = |outcome: &VariantOutcome| {
        let within = |rank_max: usize| {
            let ranks = outcome.ranks.iter().flatten();
            let n_hits = ranks.filter(|rank| **rank <= rank_max).count();
            (
                real(rank_max),
                real(n_hits) / real(outcome.ranks.len().max(1)) * 100.0,
            )
        };
        Line {
            name: outcome.name.clone(),
            points: (1..=RANK_MAX).map(within).collect(),
        }
    };
    LineChart {
        title: "Questions with a hit within the first k".to_owned(),
        x_name: "k".to_owned(),
        y_name: "%".to_owned(),
        lines: record.outcomes.iter().map(line).collect(),
    }
}

/// Hit@5 by type of question.
fn by_type(record: &Record) -> BarChart {
    let groups: BTreeSet<&str> = record
        .questions
        .iter()
        .map(|it| it.group.as_str())
        .collect();
    let heights = |group: &str| {
        let outcomes = record.outcomes.iter();
        let tallies = outcomes.map(|it| it.tally_where(&record.questions, |it| it.group == group));
        tallies.map(|tally| tally.hit_rates[1] * 100.0).collect()
    };
    BarChart {
        title: "Hit@5 by type of question".to_owned(),
        y_name: "%".to_owned(),
        bars: record
            .outcomes
            .iter()
            .map(|outcome| outcome.name.clone())
            .collect(),
        groups: groups
            .into_iter()
            .map(|group| (group.to_owned(), heights(group)))
            .collect(),
    }
}

/// Times of one question, at most the first variants of a sweep.
fn latencies(record: &Record) -> BarChart {
    let outcomes = record.outcomes.iter().take(N_VARIANTS_MAX);
    let groups = outcomes.filter_map(|outcome| {
        let latency = outcome.latency?;
        Some((
            outcome.name.clone(),
            vec![latency.p50, latency.p95, latency.p99],
        ))
    });
    BarChart {
        title: "Time of one question, its vector given".to_owned(),
        y_name: "microseconds".to_owned(),
        bars: ["p50", "p95", "p99"].map(str::to_owned).to_vec(),
        groups: groups.collect(),
    }
}

fn push(html: &mut String, text: std::fmt::Arguments<'_>) {
    html.write_fmt(text).expect("a string takes everything");
}

#[cfg(test)]
mod tests;
