//! From a question to an answer: candidates, fuse, rank, cut, explain. Writes nothing.

use palimpsest_store::Snapshot;

use super::asked::{Asked, status};
use super::candidates::candidates;
use super::cut::cut;
use super::fuse::{Fused, fuse};
use super::{Hit, Recalled, Why};
use crate::model::ReadyModel;
use crate::{Error, Settings, Warning};

/// Answers `asked` from one snapshot.
pub(crate) fn recall(
    snapshot: &Snapshot,
    model: Result<ReadyModel, Warning>,
    settings: &Settings,
    asked: &Asked,
) -> Result<Recalled, Error> {
    let mut warnings = Vec::new();
    let n_searched = asked.n_searched(snapshot);
    let (ranked, n_found, nearest_rejected) = match &asked.query {
        Some(query) => {
            let n_candidates = settings.n_candidates;
            let found = candidates(snapshot, model, asked, query, n_candidates, &mut warnings)?;
            let fused = fuse(settings.fusion, found);
            let nearest = fused.iter().find(|fused| fused.score < asked.min_score);
            let nearest_rejected = nearest.map(|fused| fused.score);
            let ranked = fused
                .into_iter()
                .filter(|fused| fused.score >= asked.min_score);
            let ranked: Vec<Fused> = ranked.collect();
            let n_found = ranked.len();
            (ranked, n_found, nearest_rejected)
        }
        None => (listed(snapshot, asked), n_searched, None),
    };
    let page: Vec<Hit> = ranked
        .into_iter()
        .take(asked.limit)
        .filter_map(|it| hit(snapshot, asked, it))
        .collect();
    let texts = page.iter().map(|hit| &*hit.memory.text);
    let cut = cut(texts, asked.limit, asked.max_tokens);
    if cut.n_over_budget > 0 {
        let (n_memories, n_tokens) = (cut.n_over_budget, cut.n_tokens);
        warnings.push(Warning::OverBudget {
            n_memories,
            n_tokens,
        });
    }
    let shown = page
        .into_iter()
        .enumerate()
        .filter(|(rank, _)| cut.shown.contains(rank));
    let hits: Vec<Hit> = shown.map(|(_, hit)| hit).collect();
    Ok(Recalled {
        omitted: n_found.saturating_sub(hits.len()),
        hits,
        n_searched,
        nearest_rejected,
        scopes: asked.filter.scopes.clone(),
        snapshot: snapshot.seq(),
        at: snapshot.committed_at(),
        warnings,
    })
}

/// What the filters let pass, latest first.
fn listed(snapshot: &Snapshot, asked: &Asked) -> Vec<Fused> {
    let limit = if asked.filter_is_all() {
        asked.limit
    } else {
        usize::MAX
    };
    let listed = snapshot.list(&asked.filter, limit).into_iter();
    let listed = listed.filter(|memory| asked.filter_is_all() || asked.shows(memory));
    listed
        .map(|memory| Fused {
            id: memory.id,
            score: 0.0,
            why: Why::default(),
        })
        .collect()
}

fn hit(snapshot: &Snapshot, asked: &Asked, fused: Fused) -> Option<Hit> {
    let memory = snapshot.memory(fused.id)?;
    Some(Hit {
        status: status(&memory, asked.as_of),
        memory: (*memory).clone(),
        score: fused.score,
        why: fused.why,
    })
}
