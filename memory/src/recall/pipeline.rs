//! From a question to an answer: candidates, fuse, rank, cut, explain. Writes nothing.

use std::sync::Arc;

use palimpsest_store::{KeywordQuery, MemoryId, MemoryRecord, ModelId, Snapshot};

use super::asked::{Asked, status};
use super::budget::{Room, share_out};
use super::candidates::candidates;
use super::confidence::confidence;
use super::diversity::diversify;
use super::excerpt::{Around, excerpt};
use super::fuse::{Fused, fuse};
use super::ranking::Ranker;
use super::spoken_of::SpokenOf;
use super::{Hit, HitStatus, Mode, Recalled, Why};
use crate::model::ReadyModel;
use crate::tokens::estimate_tokens;
use crate::{Error, Settings, Warning};

/// So many of the best by words are looked at for memories that do not hold at the moment.
const NOT_VALID_LOOKED_AT: usize = 3;
/// So many of the best may step forward for being unlike the hits above them.
const N_DIVERSIFIED: usize = 50;

/// Answers `asked` from one snapshot.
pub(crate) fn recall(
    snapshot: &Snapshot,
    model: Result<ReadyModel, Warning>,
    settings: &Settings,
    asked: &Asked,
) -> Result<Recalled, Error> {
    let mut warnings = Vec::new();
    let model_id = model.as_ref().ok().map(|model| model.id);
    let n_searched = asked.n_searched(snapshot);
    let mut sure = None;
    let (ranked, n_found, nearest_rejected) = match &asked.query {
        Some(query) => {
            let fused = searched(snapshot, model, settings, asked, query, &mut warnings)?;
            let lacks_vectors = |it: &Warning| matches!(it, Warning::NotYetEmbedded { .. });
            let is_judged = asked.mode == Mode::Hybrid && !warnings.iter().any(lacks_vectors);
            sure = confidence(query, &fused).filter(|_| is_judged);
            // The order need not be that of the scores: what is like a better hit steps back.
            let scores = fused.iter().map(|fused| fused.score);
            let rejected = scores.filter(|score| *score < asked.min_score);
            let nearest_rejected = rejected.max_by(f64::total_cmp);
            let ranked = fused
                .into_iter()
                .filter(|fused| fused.score >= asked.min_score);
            let ranked: Vec<Fused> = ranked.collect();
            let n_found = ranked.len();
            (ranked, n_found, nearest_rejected)
        }
        None => (listed(snapshot, asked), n_searched, None),
    };
    let page = ranked
        .into_iter()
        .take(asked.limit)
        .filter_map(|it| hit(snapshot, asked, it));
    let (hits, over_budget) = within_budget(snapshot, page, model_id, asked.max_tokens);
    warnings.extend(over_budget);
    warnings.extend(not_valid(snapshot, asked));
    Ok(Recalled {
        omitted: n_found.saturating_sub(hits.len()),
        hits,
        n_searched,
        confidence: sure,
        nearest_rejected,
        scopes: asked.filter.scopes.clone(),
        snapshot: snapshot.seq(),
        at: snapshot.committed_at(),
        warnings,
    })
}

/// What comes into question, ranked. Asked by words or by meaning alone, those alone count.
fn searched(
    snapshot: &Snapshot,
    model: Result<ReadyModel, Warning>,
    settings: &Settings,
    asked: &Asked,
    query: &str,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Fused>, Error> {
    let ranking = &settings.ranking;
    let model_id = model.as_ref().ok().map(|model| model.id);
    let is_hybrid = asked.mode == Mode::Hybrid;
    let spoken_of = if is_hybrid {
        SpokenOf::find(snapshot, asked, ranking, query)
    } else {
        SpokenOf::nothing(query)
    };
    let words = KeywordQuery {
        text: query,
        stems: ranking.stems,
        // Whom the question names in full the ranking finds: once is enough.
        sources: ranking.source_words && !spoken_of.names_source,
        skips_stop_words: ranking.skips_stop_words,
    };
    let n_candidates = settings.n_candidates;
    let found = candidates(
        snapshot,
        model,
        asked,
        words,
        &spoken_of,
        n_candidates,
        warnings,
    )?;
    let has_vectors = found.vector.is_some();
    let fused = fuse(settings.fusion, found);
    if !is_hybrid {
        return Ok(fused);
    }
    let ranker = Ranker {
        snapshot,
        asked,
        ranking,
        spoken_of: &spoken_of,
    };
    let mut ranked = ranker.rank(fused, has_vectors);
    if let Some(model) = model_id.filter(|_| ranking.diversity_weight > 0.0) {
        let likeness = |left: &Fused, right: &Fused| likeness(snapshot, model, left, right);
        let weight = ranking.diversity_weight;
        diversify(&mut ranked, weight, asked.limit, N_DIVERSIFIED, likeness);
    }
    Ok(ranked)
}

/// The greatest cosine of a window of one memory and a window of another; 0 where one has none.
fn likeness(snapshot: &Snapshot, model: ModelId, left: &Fused, right: &Fused) -> f64 {
    let (left, right) = (
        snapshot.vectors(model, left.id),
        snapshot.vectors(model, right.id),
    );
    let pairs = left
        .iter()
        .flat_map(|left| right.iter().map(move |right| (left, right)));
    let cosines = pairs.map(|(left, right)| {
        let products = left.embedding.iter().zip(right.embedding.iter());
        products.map(|(left, right)| left * right).sum::<f32>()
    });
    f64::from(cosines.fold(0.0, f32::max))
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

/// A warning where memories that do not hold at the moment would have come first, by words or in a list.
fn not_valid(snapshot: &Snapshot, asked: &Asked) -> Option<Warning> {
    let filter = asked.filter_at_any_time()?;
    let first: Vec<_> = match &asked.query {
        Some(query) => {
            let query = KeywordQuery {
                skips_stop_words: true,
                ..KeywordQuery::exact(query)
            };
            let hits = snapshot.keyword_search(query, &filter, NOT_VALID_LOOKED_AT);
            let memories = hits.iter().filter_map(|hit| snapshot.memory(hit.id));
            memories.collect()
        }
        None => snapshot.list(&filter, asked.limit),
    };
    let is_hidden = |memory: &&Arc<MemoryRecord>| {
        let status = status(memory, asked.as_of);
        matches!(status, HitStatus::Expired | HitStatus::NotYet)
    };
    let n_memories = first.iter().filter(is_hidden).count();
    (n_memories > 0).then_some(Warning::NotValid { n_memories })
}

fn hit(snapshot: &Snapshot, asked: &Asked, fused: Fused) -> Option<Hit> {
    let memory = snapshot.memory(fused.id)?;
    Some(Hit {
        status: status(&memory, asked.as_of),
        excerpt: None,
        memory: (*memory).clone(),
        score: fused.score,
        why: fused.why,
    })
}

/// What of a page fits into `max_tokens`: whole texts and excerpts. A warning where that is not all.
fn within_budget(
    snapshot: &Snapshot,
    page: impl Iterator<Item = Hit>,
    model_id: Option<ModelId>,
    max_tokens: usize,
) -> (Vec<Hit>, Option<Warning>) {
    let mut hits: Vec<Hit> = page.collect();
    let texts = hits.iter().map(|hit| estimate_tokens(&hit.memory.text));
    let n_tokens: Vec<usize> = texts.collect();
    let rooms = share_out(&n_tokens, max_tokens);
    let n_excerpts = rooms
        .iter()
        .filter(|room| matches!(room, Room::Part { .. }))
        .count();
    let n_left_out = rooms.iter().filter(|room| **room == Room::Nothing).count();
    for (hit, room) in hits.iter_mut().zip(&rooms) {
        if let Room::Part { n_tokens } = room {
            let around = around(snapshot, &hit.why, hit.memory.id, model_id);
            hit.excerpt = Some(excerpt(&hit.memory.text, &around, *n_tokens));
        }
    }
    let mut rooms = rooms.into_iter();
    hits.retain(|_| rooms.next() != Some(Room::Nothing));
    let warning = (n_excerpts + n_left_out > 0).then(|| Warning::OverBudget {
        n_excerpts,
        n_left_out,
        n_tokens: n_tokens.iter().sum(),
    });
    (hits, warning)
}

/// Where in its text a memory answers the question: at the words, and at the nearest window.
fn around<'a>(
    snapshot: &Snapshot,
    why: &'a Why,
    id: MemoryId,
    model_id: Option<ModelId>,
) -> Vec<Around<'a>> {
    let terms = why.keyword.as_ref().map(|keyword| &*keyword.terms);
    let window = why.vector.as_ref().zip(model_id).map(|(vector, model_id)| {
        let windows = snapshot.vectors(model_id, id);
        let starts = windows.get(vector.window as usize).zip(windows.last());
        starts.map_or(0.0, |(window, last)| {
            f64::from(window.token_start) / f64::from(last.token_start.max(1))
        })
    });
    let terms = terms.map(Around::Terms);
    terms.into_iter().chain(window.map(Around::Place)).collect()
}
