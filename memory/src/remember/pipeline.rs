//! From a request to an answer: check, embed, plan, commit, report. The one way into the memory.

use std::sync::Arc;

use palimpsest_store::{Planned, Snapshot, Store, Timestamp};

use super::checked::{CheckedRequest, check};
use super::plan::{Intent, Judge, KnownWindows, PlannedItem, plan, rejected};
use super::reason::Reason;
use super::similar::similar;
use crate::model::ReadyModel;
use crate::tokens::estimate_tokens;
use crate::{
    Error, Occasion, Remember, Remembered, RememberedItem, Searchable, Settings, SimilarMemory,
    Strategy, TurnedAwayBy, Warning,
};

/// Tokens of one request that are embedded before it is committed: about a second of one core. Those
/// of a larger one follow, so that no request waits for long.
const INLINE_TOKENS_MAX: usize = 1_000;

/// Keeps what `request` asks for. Durable when it returns.
pub(crate) fn remember(
    store: &Store,
    model: Result<ReadyModel, Warning>,
    settings: &Settings,
    now: Timestamp,
    request: Remember,
) -> Result<Remembered, Error> {
    let request = check(request)?;
    let windows = embed_inline(store, model.as_ref().ok(), &request)?;
    let judge = Judge {
        novelty: settings.novelty,
    };
    let intent = Arc::new(Intent {
        request,
        windows,
        judge,
    });
    let planned = Arc::clone(&intent);
    let committed = store.commit(now, move |tip| match plan(tip, &planned) {
        Ok(plan) => Planned {
            operation: plan.operation,
            answer: Ok(plan.items),
        },
        Err(error) => Planned {
            operation: None,
            answer: Err(error),
        },
    })?;
    let snapshot = committed.snapshot;
    let planned = committed.answer?;
    let is_by_words = planned.iter().any(PlannedItem::is_by_words);
    let reported = planned
        .into_iter()
        .zip(&intent.windows)
        .map(|(item, windows)| {
            // Nobody looks at what is like each of a transcript's turns, and each search takes longer than
            // the one before.
            let like_it = match intent.request.occasion {
                Occasion::Transcript { .. } => Vec::new(),
                Occasion::Now => similar_to(
                    &snapshot,
                    &item,
                    windows.as_ref(),
                    settings.similar_threshold,
                ),
            };
            report(&snapshot, model.as_ref().ok(), item, like_it)
        });
    let items: Vec<RememberedItem> = reported.collect();
    let is_kept = items.iter().any(|item| item.id.is_some());
    let warnings = model.err().filter(|_| is_kept || is_by_words);
    let by_words = is_by_words.then_some(Warning::NoveltyByWords);
    Ok(Remembered {
        items,
        scope: intent.request.scope.to_string(),
        snapshot: snapshot.seq(),
        at: snapshot.committed_at(),
        warnings: warnings.into_iter().chain(by_words).collect(),
    })
}

/// The vectors of the request's new texts, where it is small and the model answers.
fn embed_inline(
    store: &Store,
    model: Option<&ReadyModel>,
    request: &CheckedRequest,
) -> Result<Vec<Option<KnownWindows>>, Error> {
    let mut windows = vec![None; request.items.len()];
    let n_inline = n_inline(request);
    let Some(model) = model.filter(|_| n_inline > 0) else {
        return Ok(windows);
    };
    let snapshot = store.snapshot()?;
    let is_new = |text: &str| snapshot.find_text(&request.scope, text).is_none();
    let new = request.items.iter().enumerate().take(n_inline);
    let new = new.filter(|(_, item)| rejected(item).is_none() && is_new(&item.text_normal));
    let (idxs, texts): (Vec<usize>, Vec<&str>) = new.map(|(idx, item)| (idx, &*item.text)).unzip();
    if texts.is_empty() {
        return Ok(windows);
    }
    match model.embed(&texts) {
        Ok(embedded) => {
            for (idx, embedded) in idxs.into_iter().zip(embedded) {
                windows[idx] = Some((model.id, embedded));
            }
        }
        // The texts are kept all the same, and tried again one by one.
        Err(error) => tracing::warn!(%error, "a request could not be embedded before its commit"),
    }
    Ok(windows)
}

/// How many of the items are embedded before the commit: all or none, but where the strategy compares
/// vectors as many as may be.
fn n_inline(request: &CheckedRequest) -> usize {
    let mut n_tokens = 0;
    let fits = request.items.iter().take_while(|item| {
        n_tokens += estimate_tokens(&item.text);
        n_tokens <= INLINE_TOKENS_MAX
    });
    let n_fitting = fits.count();
    let takes_some = request.strategy == Strategy::SemanticShift;
    if takes_some || n_fitting == request.items.len() {
        n_fitting
    } else {
        0
    }
}

/// What was there before a new memory and is like it. The memory is durable already, so that a search
/// which fails is no failure of the request.
fn similar_to(
    snapshot: &Snapshot,
    item: &PlannedItem,
    windows: Option<&KnownWindows>,
    threshold: f32,
) -> Vec<SimilarMemory> {
    let new = item
        .id
        .filter(|_| item.is_new())
        .and_then(|id| snapshot.memory(id));
    match new.map(|memory| similar(snapshot, &memory, windows, threshold)) {
        None => Vec::new(),
        Some(Ok(found)) => found,
        Some(Err(error)) => {
            tracing::warn!(%error, "similar memories could not be searched");
            Vec::new()
        }
    }
}

fn report(
    snapshot: &Snapshot,
    model: Option<&ReadyModel>,
    item: PlannedItem,
    similar: Vec<SimilarMemory>,
) -> RememberedItem {
    let has_vector = |id| model.is_some_and(|model| !snapshot.vectors(model.id, id).is_empty());
    RememberedItem {
        id: item.id,
        decision: item.decision,
        turned_away_by: match item.reason {
            Reason::Trivial(_) => Some(TurnedAwayBy::Gate),
            Reason::Known { .. } => Some(TurnedAwayBy::Strategy),
            _ => None,
        },
        reason: item.full_reason(),
        similar,
        superseded: item.superseded,
        searchable: item.id.map(|id| {
            if has_vector(id) {
                Searchable::Full
            } else {
                Searchable::Keywords
            }
        }),
    }
}
