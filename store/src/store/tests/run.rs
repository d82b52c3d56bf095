//! A run of commits by two processes on a machine that fails, and what must be true of the log
//! that is found after it.

use palimpsest_hdf5::{Fault, FaultyBackend, Unsynced};

use super::{keep, keep_together, open, texts};
use crate::{Error, Planned, Store, Timestamp};

/// What was asked of the stores of one run, and what they answered.
#[derive(Debug, Default)]
pub(super) struct Ran {
    /// Every text, in the order of the attempts.
    attempted: Vec<String>,
    /// Those whose commit was acknowledged.
    acknowledged: Vec<String>,
    /// The longest that anyone read.
    seen: Vec<String>,
}

impl Ran {
    pub(super) fn keep(&mut self, store: &Store, text: &str) {
        self.attempted.push(text.to_owned());
        if keep(store, text).is_ok() {
            self.acknowledged.push(text.to_owned());
        }
    }

    pub(super) fn keep_together(&mut self, store: &Store, all: &[&str]) {
        self.attempted.extend(all.iter().map(ToString::to_string));
        for (text, outcome) in all.iter().zip(keep_together(store, all)) {
            if outcome.is_ok() {
                self.acknowledged.push((*text).to_owned());
            }
        }
    }

    pub(super) fn read(&mut self, store: &Store) {
        if let Ok(read) = texts(store)
            && read.len() > self.seen.len()
        {
            self.seen = read;
        }
    }

    /// Takes the commit lock and commits nothing.
    pub(super) fn touch(&mut self, store: &Store) {
        let nothing = |_: &crate::Tip| Planned {
            operation: None,
            answer: (),
        };
        if store.commit(Timestamp(1), nothing).is_ok() {
            self.read(store);
        }
    }

    /// Takes the log into the memory file.
    pub(super) fn checkpoint(&mut self, store: &Store) {
        if store.checkpoint(Timestamp(1)).is_ok() {
            self.read(store);
        }
    }

    /// What must hold of the texts that are found afterwards.
    pub(super) fn check(&self, found: &[String]) -> Result<(), String> {
        let complain = |what: &str| Err(format!("{what}: found {found:?} after {self:?}"));
        if !is_within(&self.acknowledged, found) {
            return complain("an acknowledged commit is lost or out of order");
        }
        if !is_within(found, &self.attempted) {
            return complain("something was never written, is there twice, or out of order");
        }
        if !found.starts_with(&self.seen) {
            return complain("what was read has vanished");
        }
        Ok(())
    }
}

/// Whether `part` is `whole` with some left out.
fn is_within(part: &[String], whole: &[String]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|text| rest.any(|other| other == text))
}

/// Two processes open a memory, commit in turn, alone and in groups, read, and open it again.
pub(super) fn two_processes(machine: &FaultyBackend) -> Ran {
    let mut ran = Ran::default();
    let Ok(one) = open(machine.clone()) else {
        return after_first(machine, ran);
    };
    ran.keep(&one, "first");
    let Ok(two) = open(machine.another_process()) else {
        return ran;
    };
    ran.keep(&two, "second");
    ran.keep_together(&one, &["third", "fourth"]);
    ran.read(&two);
    ran.keep(&two, "fifth");
    drop(one);
    ran.touch(&two);
    let Ok(three) = open(machine.another_process()) else {
        return ran;
    };
    ran.keep(&three, "sixth");
    ran.read(&two);
    ran
}

/// Two processes commit and take what they committed into the memory file, which the first one makes; each goes on
/// behind the other's checkpoint.
pub(super) fn checkpoints(machine: &FaultyBackend) -> Ran {
    let mut ran = Ran::default();
    let Ok(one) = open(machine.clone()) else {
        return after_first(machine, ran);
    };
    ran.keep(&one, "first");
    ran.checkpoint(&one);
    let Ok(two) = open(machine.another_process()) else {
        return ran;
    };
    ran.keep(&two, "second");
    ran.keep(&one, "third");
    ran.checkpoint(&two);
    ran.keep(&one, "fourth");
    ran.read(&two);
    let closed = one.close(Timestamp(1)).is_ok();
    if closed {
        ran.read(&one);
    }
    ran.keep(&two, "fifth");
    ran.read(&two);
    ran
}

/// The first process died while it opened the memory; another one has to cope.
fn after_first(machine: &FaultyBackend, mut ran: Ran) -> Ran {
    if let Ok(two) = open(machine.another_process()) {
        ran.keep(&two, "first");
        ran.read(&two);
    }
    ran
}

/// Every way to lose what was not synced that is tried.
fn losses(n_unsynced: usize) -> Vec<Unsynced> {
    let mut losses = vec![Unsynced::Lost, Unsynced::Kept, Unsynced::LastBlank];
    losses.extend([1, 9, 27, 40, 100, 203].map(Unsynced::LastTorn));
    losses.extend((0..n_unsynced).flat_map(|i| [Unsynced::OnlyKept(i), Unsynced::OnlyLost(i)]));
    losses.extend((0..6).map(Unsynced::Seeded));
    losses
}

/// Loses power now, in every way, and checks what is found.
pub(super) fn check_after_power_loss(machine: &FaultyBackend, ran: &Ran) -> Result<(), String> {
    for unsynced in losses(machine.n_unsynced()) {
        check_once(machine, unsynced, ran).map_err(|why| format!("{unsynced:?}: {why}"))?;
    }
    Ok(())
}

/// Loses power now, in every way, and again at every step of each recovery; checks what is found.
pub(super) fn check_after_two_power_losses(
    machine: &FaultyBackend,
    ran: &Ran,
) -> Result<(), String> {
    for unsynced in losses(machine.n_unsynced()) {
        let n_steps =
            check_once(machine, unsynced, ran).map_err(|why| format!("{unsynced:?}: {why}"))?;
        for step in 1..=n_steps {
            let again = machine.after_power_loss(unsynced);
            again.plan(step, Fault::PowerLoss);
            if open(again.clone()).is_ok() {
                return Err(format!("a dead machine opened the memory at step {step}"));
            }
            let seed = Unsynced::Seeded(step);
            check_once(&again, seed, ran)
                .map_err(|why| format!("{unsynced:?}, then at {step} {seed:?}: {why}"))?;
        }
    }
    Ok(())
}

/// Loses power, opens, reads, loses power, opens, commits; how many steps the first opening took.
fn check_once(machine: &FaultyBackend, unsynced: Unsynced, ran: &Ran) -> Result<u64, String> {
    let words = |error: Error| format!("{error} ({error:?})");
    let after = machine.after_power_loss(unsynced);
    let store = open(after.clone()).map_err(words)?;
    let n_steps_opened = after.n_steps();
    let found = texts(&store).map_err(words)?;
    ran.check(&found)?;
    // What has been read once stays, though power is lost at once.
    let again = open(after.after_power_loss(Unsynced::Lost)).map_err(words)?;
    if texts(&again).map_err(words)? != found {
        return Err(format!(
            "{found:?} was read, and gone after a loss of power"
        ));
    }
    keep(&again, "afterwards").map_err(words)?;
    let mut expected = found;
    expected.push("afterwards".to_owned());
    if texts(&again).map_err(words)? != expected {
        return Err(format!(
            "{expected:?} should follow a commit after the recovery"
        ));
    }
    if !matches!(
        unsynced,
        Unsynced::Lost | Unsynced::Kept | Unsynced::Seeded(0)
    ) {
        return Ok(n_steps_opened);
    }
    again.checkpoint(Timestamp(1)).map_err(words)?;
    if texts(&again).map_err(words)? != expected {
        return Err(format!("{expected:?} should be there after a checkpoint"));
    }
    Ok(n_steps_opened)
}
