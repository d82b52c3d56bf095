//! Memories that a new one is like. They are reported, never merged: addresses, versions, negations
//! and run numbers differ by little.

use std::collections::BTreeSet;

use palimpsest_store::{Filter, KeywordQuery, MemoryRecord, Snapshot, fold_name};

use super::plan::KnownWindows;
use crate::{Error, SimilarMemory};

/// How many are reported for an item.
const SIMILAR_MAX: usize = 5;
/// How many are looked at: the new memory itself and superseded ones are among them.
const CANDIDATES: usize = 20;
/// Windows of the new text that are compared: enough for about 1,500 tokens.
const WINDOWS_MAX: usize = 8;
/// From which share of common words a memory is reported, where there are no vectors.
const WORD_COSINE_MIN: f64 = 0.7;
/// Characters of the new text whose words are compared, where there are no vectors.
const CHARS_MAX: usize = 2_000;

/// What in `snapshot` is like `memory` and was there before it, nearest first, ties by id.
///
/// With `windows`, likeness is the cosine of the nearest windows, at least `threshold`; without, it is
/// the cosine of the two sets of words, at least [`WORD_COSINE_MIN`].
pub(crate) fn similar(
    snapshot: &Snapshot,
    memory: &MemoryRecord,
    windows: Option<&KnownWindows>,
    threshold: f32,
) -> Result<Vec<SimilarMemory>, Error> {
    let in_scope = Filter {
        scopes: vec![memory.scope.to_string()],
        ..Filter::default()
    };
    let mut scored = Vec::new();
    if let Some((model, windows)) = windows {
        let windows = windows.iter().take(WINDOWS_MAX);
        let queries: Vec<&[f32]> = windows.map(|window| &*window.embedding).collect();
        let hits = snapshot.vector_search(*model, &queries, &in_scope, CANDIDATES)?;
        let near = hits.iter().filter(|hit| hit.similarity >= threshold);
        scored.extend(near.map(|hit| (hit.id, f64::from(hit.similarity))));
    } else {
        let own = words(&memory.text);
        let query = own.iter().cloned().collect::<Vec<_>>().join(" ");
        let hits = snapshot.keyword_search(KeywordQuery::exact(&query), &in_scope, CANDIDATES);
        scored.extend(hits.iter().filter_map(|hit| {
            let score = word_cosine(&own, &words(&snapshot.memory(hit.id)?.text));
            (score >= WORD_COSINE_MIN).then_some((hit.id, score))
        }));
    }
    scored.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
    let found = scored
        .into_iter()
        .filter(|(id, _)| *id < memory.id)
        .filter_map(|(id, score)| {
            let found = snapshot
                .memory(id)
                .filter(|found| found.superseded_by.is_none())?;
            Some(SimilarMemory {
                id,
                score,
                text: found.text.to_string(),
            })
        });
    Ok(found.take(SIMILAR_MAX).collect())
}

/// The distinct words of a text's head, case folded; of texts without spaces, its characters.
fn words(text: &str) -> BTreeSet<String> {
    let end = text
        .char_indices()
        .nth(CHARS_MAX)
        .map_or(text.len(), |(end, _)| end);
    let folded = fold_name(&text[..end]);
    let words = folded.split(|character: char| !character.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty()).flat_map(|word| {
        let is_unspaced = word.chars().all(|character| character >= '\u{2e80}');
        if is_unspaced {
            word.chars().map(String::from).collect()
        } else {
            vec![word.to_owned()]
        }
    });
    words.collect()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of words in a bounded text"
)]
fn word_cosine(left: &BTreeSet<String>, right: &BTreeSet<String>) -> f64 {
    let n_common = left.intersection(right).count() as f64;
    let n_both = left.len() as f64 * right.len() as f64;
    if n_both == 0.0 {
        0.0
    } else {
        n_common / n_both.sqrt()
    }
}

#[cfg(test)]
mod tests;
