//! What became of a transcript's turns, counted. Knows no line and no memory.

use palimpsest_memory::{Decision, RememberedItem, TurnedAwayBy, Warning};
use serde_json::{Value, json};

use super::super::{Failure, Printer};

/// The counts of one run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Lines that hold a turn.
    pub(super) n_turns: u64,
    /// Lines that hold nothing to remember: blank ones, other roles, no text.
    pub(super) n_other_lines: u64,
    /// Lines that cannot be read.
    pub(super) n_bad_lines: u64,
    /// New memories.
    pub(super) n_saved: u64,
    /// What was there already.
    pub(super) n_merged: u64,
    /// What the gate turned away.
    pub(super) n_skipped_by_gate: u64,
    /// What the strategy turned away.
    pub(super) n_skipped_by_strategy: u64,
    /// Memories that were superseded.
    pub(super) n_superseded: u64,
    /// What the memory warned of, each once.
    pub(super) warnings: Vec<Warning>,
}

impl Tally {
    /// Counts one answer's items and warnings.
    pub(super) fn count(&mut self, items: &[RememberedItem], warnings: Vec<Warning>) {
        for item in items {
            match (item.decision, item.turned_away_by) {
                (Decision::Rejected, Some(TurnedAwayBy::Strategy)) => {
                    self.n_skipped_by_strategy += 1;
                }
                (Decision::Rejected, _) => self.n_skipped_by_gate += 1,
                (Decision::Merged, _) => self.n_merged += 1,
                _ => self.n_saved += 1,
            }
            self.n_superseded += item.superseded.len() as u64;
        }
        for warning in warnings {
            // The run waits for the model, and tells in the end what has no vector yet.
            let is_passing = warning == Warning::ModelLoading;
            if !is_passing && !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }

    /// As a structure.
    pub(super) fn tell(&self, scope: &str, is_dry_run: bool) -> Value {
        let warnings: Vec<String> = self.warnings.iter().map(ToString::to_string).collect();
        let mut told = json!({
            "scope": scope,
            "dry_run": is_dry_run,
            "turns": self.n_turns,
            "saved": self.n_saved,
            "merged": self.n_merged,
            "superseded": self.n_superseded,
            "skipped_by_gate": self.n_skipped_by_gate,
            "skipped_by_strategy": self.n_skipped_by_strategy,
            "other_lines": self.n_other_lines,
            "bad_lines": self.n_bad_lines,
        });
        if !warnings.is_empty() {
            told["warnings"] = json!(warnings);
        }
        told
    }

    /// For people.
    pub(super) fn print(
        &self,
        scope: &str,
        is_dry_run: bool,
        printer: &mut Printer,
    ) -> Result<(), Failure> {
        let heading = if is_dry_run {
            format!(
                "{} turns read; nothing was changed. It would be:",
                self.n_turns
            )
        } else {
            format!("{} turns read into scope {scope:?}", self.n_turns)
        };
        printer.heading(&heading)?;
        let counts = [
            (self.n_saved, "saved as new memories"),
            (self.n_merged, "there already"),
            (self.n_superseded, "memories superseded by a correction"),
            (self.n_skipped_by_gate, "skipped: they say nothing"),
            (self.n_skipped_by_strategy, "skipped: they say nothing new"),
            (self.n_other_lines, "lines without a turn"),
            (self.n_bad_lines, "bad lines"),
        ];
        for (n, what) in counts {
            printer.hanging(&format!("{n:>9}  "), what)?;
        }
        Ok(())
    }
}
