//! `forget`: what is asked, and what is answered.

use std::collections::BTreeSet;
use std::sync::Arc;

use palimpsest_store::{
    Change, MemoryId, Operation, Planned, Seq, Snapshot, Store, Timestamp, Tip, Verb,
    normalise_text,
};

use crate::Error;
use crate::remember::{NAME_LEN_BYTES_MAX, checked_scopes, shown};

/// Memories of one call.
const IDS_MAX: usize = 1_000;

/// A request to retire memories. Their past stays readable by `known_at`.
///
/// Retiring a memory brings back none that it superseded: those were not true any more, and still are
/// not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forget {
    /// The memories, 1 to 1,000.
    pub ids: Vec<MemoryId>,
    /// The scopes that the caller may touch; empty means every scope.
    pub scopes: Vec<String>,
    /// Why, in the caller's words.
    pub reason: Option<String>,
}

/// What became of a [`Forget`]: every given id is in exactly one list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forgotten {
    /// Retired now.
    pub retired: Vec<MemoryId>,
    /// Retired before.
    pub already_retired: Vec<MemoryId>,
    /// Never there, or in another scope.
    pub not_found: Vec<MemoryId>,
    /// The snapshot without them.
    pub snapshot: Seq,
    /// The time of that snapshot; just before it they are still known.
    pub at: Timestamp,
}

/// Retires what `request` names. Durable when it returns.
pub(crate) fn forget(store: &Store, now: Timestamp, request: Forget) -> Result<Forgotten, Error> {
    if request.ids.is_empty() {
        return Err(Error::NothingToForget);
    }
    if request.ids.len() > IDS_MAX {
        let found = format!("{} long", request.ids.len());
        let expected = "give at most 1,000 at once";
        return Err(Error::OutOfRange {
            argument: "ids",
            found,
            expected,
        });
    }
    let reason = request
        .reason
        .as_deref()
        .map(normalise_text)
        .unwrap_or_default();
    if reason.len() > NAME_LEN_BYTES_MAX {
        let (found, expected) = (shown(&reason), "give at most 1,024 bytes");
        return Err(Error::OutOfRange {
            argument: "reason",
            found,
            expected,
        });
    }
    let reason: Option<Arc<str>> = (!reason.is_empty()).then(|| reason.into());
    let scopes = checked_scopes(&request.scopes)?;
    let ids: BTreeSet<MemoryId> = request.ids.into_iter().collect();
    let committed = store.commit(now, move |tip| plan(tip, &ids, &scopes, reason.as_ref()))?;
    let [retired, already_retired, not_found] = committed.answer;
    let (snapshot, at) = (committed.snapshot.seq(), committed.snapshot.committed_at());
    Ok(Forgotten {
        retired,
        already_retired,
        not_found,
        snapshot,
        at,
    })
}

/// Sorts the ids into retired now, retired before, and never there, and retires the first.
fn plan(
    tip: &Tip,
    ids: &BTreeSet<MemoryId>,
    scopes: &[String],
    reason: Option<&Arc<str>>,
) -> Planned<[Vec<MemoryId>; 3]> {
    let mut answer = [const { Vec::new() }; 3];
    for id in ids {
        answer[fate(&tip.snapshot, *id, scopes) as usize].push(*id);
    }
    let retire = |id: &MemoryId| Change::Retire {
        id: *id,
        reason: reason.cloned(),
    };
    let changes: Vec<Change> = answer[Fate::Retired as usize].iter().map(retire).collect();
    let operation = (!changes.is_empty()).then_some(Operation {
        verb: Verb::Forget,
        changes,
    });
    Planned { operation, answer }
}

enum Fate {
    Retired,
    AlreadyRetired,
    NotFound,
}

fn fate(snapshot: &Snapshot, id: MemoryId, scopes: &[String]) -> Fate {
    let may_touch = |scope: &str| scopes.is_empty() || scopes.iter().any(|own| own == scope);
    if let Some(memory) = snapshot.memory(id) {
        return if may_touch(&memory.scope) {
            Fate::Retired
        } else {
            Fate::NotFound
        };
    }
    match snapshot.history(id).first() {
        Some(last) if may_touch(&last.memory.scope) => Fate::AlreadyRetired,
        _ => Fate::NotFound,
    }
}
