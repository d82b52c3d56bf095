//! Which memories come into question, by meaning and by words, and again in the times that the question
//! speaks of. Knows no fusion.

use palimpsest_store::{Filter, KeywordQuery, MemoryRecord, Snapshot};

use super::Mode;
use super::asked::{Asked, QUERY_CHARS_MAX};
use super::fuse::Candidates;
use super::spoken_of::SpokenOf;
use crate::model::ReadyModel;
use crate::spoken_time::Period;
use crate::{Error, Warning};

/// Windows of a query that are searched.
const QUERY_WINDOWS_MAX: usize = 16;
/// Memories without a vector are counted up to here.
const UNEMBEDDED_COUNT_MAX: usize = 10_000;

/// Times of a question that are searched by themselves.
const TIMES_MAX: usize = 4;

/// The `n_candidates` best by each index that the mode asks for, and as many of the times that the
/// question speaks of.
///
/// Without a model that answers, meaning gives way to words, and a warning says so.
pub(crate) fn candidates(
    snapshot: &Snapshot,
    model: Result<ReadyModel, Warning>,
    asked: &Asked,
    query: KeywordQuery<'_>,
    spoken_of: &SpokenOf,
    n_candidates: usize,
    warnings: &mut Vec<Warning>,
) -> Result<Candidates, Error> {
    if asked.is_query_cut {
        warnings.push(Warning::QueryCut {
            n_characters: QUERY_CHARS_MAX,
        });
    }
    // Where the filter is not all, what it lets pass beyond the wanted must not crowd that out.
    let k = if asked.filter_is_all() {
        n_candidates.max(asked.limit)
    } else {
        usize::MAX
    };
    let times = spoken_of.times.iter().take(TIMES_MAX);
    let filters: Vec<Filter> = times.map(|time| within(&asked.filter, time)).collect();
    let mut found = Candidates::default();
    if asked.mode != Mode::Keyword {
        match model.and_then(|model| Ok((model.embed_query(&spoken_of.rest)?, model))) {
            Ok((windows, model)) => {
                let queries = windows.iter().take(QUERY_WINDOWS_MAX);
                let queries: Vec<&[f32]> = queries.map(|window| &*window.embedding).collect();
                let mut nearest = snapshot.vector_search(model.id, &queries, &asked.filter, k)?;
                for filter in &filters {
                    let of_time = snapshot.vector_search(model.id, &queries, filter, k)?;
                    nearest.extend(of_time);
                }
                nearest.sort_by(|left, right| {
                    let by_similarity = right.similarity.total_cmp(&left.similarity);
                    by_similarity.then(left.id.cmp(&right.id))
                });
                nearest.dedup_by_key(|hit| hit.id);
                found.vector = Some(nearest);
                warnings.extend(not_yet_embedded(snapshot, &model, asked));
            }
            Err(warning) => warnings.push(warning),
        }
    }
    if asked.mode != Mode::Semantic || found.vector.is_none() {
        let mut best = snapshot.keyword_search(query, &asked.filter, k);
        for filter in &filters {
            best.extend(snapshot.keyword_search(query, filter, k));
        }
        best.sort_by(|left, right| {
            let by_score = right.score.total_cmp(&left.score);
            by_score.then(left.id.cmp(&right.id))
        });
        best.dedup_by_key(|hit| hit.id);
        found.keyword = Some(best);
    }
    if !asked.filter_is_all() {
        let shows = |id| {
            snapshot
                .memory(id)
                .is_some_and(|memory| asked.shows(&memory))
        };
        found
            .vector
            .iter_mut()
            .for_each(|hits| hits.retain(|hit| shows(hit.id)));
        found
            .keyword
            .iter_mut()
            .for_each(|hits| hits.retain(|hit| shows(hit.id)));
    }
    Ok(found)
}

/// A warning where some of the searched memories can be found by words alone.
fn not_yet_embedded(snapshot: &Snapshot, model: &ReadyModel, asked: &Asked) -> Option<Warning> {
    if model.caught_up_at == Some(snapshot.seq()) {
        return None;
    }
    let without = snapshot.unembedded(model.id, UNEMBEDDED_COUNT_MAX);
    let is_searched = |memory: &MemoryRecord| asked.filter.accepts(memory) && asked.shows(memory);
    let n_memories = without.iter().filter(|memory| is_searched(memory)).count() as u64;
    (n_memories > 0).then_some(Warning::NotYetEmbedded { n_memories })
}

/// The filter, and not beyond the reach of `time`.
fn within(filter: &Filter, time: &Period) -> Filter {
    let (since, until) = time.reach();
    Filter {
        since: Some(filter.since.map_or(since, |it| it.max(since))),
        until: Some(filter.until.map_or(until, |it| it.min(until))),
        ..filter.clone()
    }
}
