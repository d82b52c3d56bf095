//! What a request to remember does to the memory: a pure function of the tip that it stands on.
//!
//! For each item: the gate, then the memory with the same text (its *twin*) that the item may merge
//! into, then what it supersedes. Knows no clock, no model and no file.

use std::sync::Arc;

use palimpsest_store::{
    Change, MemoryId, MemoryRecord, ModelId, Operation, Relation, Timestamp, Tip, WindowVector,
};

use super::checked::{CheckedEntity, CheckedItem, CheckedRequest, IMPORTANCE_DEFAULT};
use super::draft::Draft;
use super::reason::{Reason, Remark};
use super::strategic::Place;
use crate::gate::{Trivial, trivial};
use crate::settings::Novelty;
use crate::strategy::NoveltyFound;
use crate::{Decision, Error, Kind};

/// A model, and the windows of a text under it.
pub(crate) type KnownWindows = (ModelId, Vec<WindowVector>);

/// A request, and the vectors of those of its texts that were embedded before.
#[derive(Debug, Clone)]
pub(crate) struct Intent {
    pub(crate) request: CheckedRequest,
    /// For each item: the windows of its text, where they are known.
    pub(crate) windows: Vec<Option<KnownWindows>>,
    pub(crate) judge: Judge,
}

/// What the owner chose for the strategies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judge {
    pub(crate) novelty: Novelty,
}

/// What to commit, and what to tell.
#[derive(Debug)]
pub(crate) struct RememberPlan {
    pub(crate) operation: Option<Operation>,
    pub(crate) items: Vec<PlannedItem>,
}

/// What becomes of one item.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlannedItem {
    pub(crate) id: Option<MemoryId>,
    pub(crate) decision: Decision,
    pub(crate) reason: Reason,
    pub(crate) superseded: Vec<MemoryId>,
    /// What the strategy has to say.
    pub(crate) remark: Option<Remark>,
}

impl PlannedItem {
    /// Whether a memory was made for it.
    pub(crate) fn is_new(&self) -> bool {
        matches!(self.reason, Reason::New { .. })
    }

    /// Whether words decided what vectors should have.
    pub(crate) fn is_by_words(&self) -> bool {
        self.reason.is_by_words() || self.remark.as_ref().is_some_and(Remark::is_by_words)
    }

    /// The reason, with what the strategy has to say.
    pub(crate) fn full_reason(&self) -> String {
        match &self.remark {
            Some(remark) => format!("{}; {remark}", self.reason),
            None => self.reason.to_string(),
        }
    }
}

/// Plans all items as one operation; each sees what the ones before it do.
pub(crate) fn plan(tip: &Tip, intent: &Intent) -> Result<RememberPlan, Error> {
    let request = &intent.request;
    let mut draft = Draft::new(tip, Arc::clone(&request.scope));
    let mut items = Vec::with_capacity(request.items.len());
    let mut place = Place::before(
        &draft,
        request.strategy,
        request.occasion,
        intent.judge,
        &request.items,
    );
    for (item, windows) in request.items.iter().zip(&intent.windows) {
        let planned = plan_item(&mut draft, &place, item, windows.as_ref())?;
        place.advance(planned.id);
        items.push(planned);
    }
    Ok(RememberPlan {
        operation: draft.into_operation(),
        items,
    })
}

/// Why the gate turns an item away, if it does.
///
/// A topic, a replaced memory, an entity or a relation says what even "yes" is about, so they open
/// the gate. Tags, kind, source, importance and times do not: programs put them on everything.
pub(crate) fn rejected(item: &CheckedItem) -> Option<Trivial> {
    let says_what_about = item.topic.is_some()
        || !item.replaces.is_empty()
        || !item.entities.is_empty()
        || !item.relations.is_empty();
    gate(item).filter(|trivial| *trivial == Trivial::Blank || !says_what_about)
}

/// Of several turns each must say nothing; the last one says why.
fn gate(item: &CheckedItem) -> Option<Trivial> {
    match item.turns.as_slice() {
        [] | [_] => trivial(&item.text),
        turns => {
            let verdicts: Option<Vec<Trivial>> =
                turns.iter().map(|turn| trivial(&turn.text)).collect();
            verdicts?.pop()
        }
    }
}

fn plan_item(
    draft: &mut Draft<'_>,
    place: &Place,
    item: &CheckedItem,
    windows: Option<&KnownWindows>,
) -> Result<PlannedItem, Error> {
    if let Some(trivial) = rejected(item) {
        return Ok(turned_away(Reason::Trivial(trivial)));
    }
    let correction = place.correction(item);
    if let Some(saying) = place.same_saying(draft, item) {
        return Ok(PlannedItem {
            id: Some(saying.id),
            decision: Decision::Merged,
            reason: Reason::ReadBefore {
                as_memory: saying.id,
                superseded_by: saying.superseded_by,
            },
            superseded: Vec::new(),
            remark: None,
        });
    }
    let mut replaced = replaced(draft, item)?;
    let remark = match &correction {
        Some(correction) => {
            let corrected = place.corrected(draft, item, windows, correction);
            let remark = Remark::of_corrected(corrected.iter().map(|memory| memory.id));
            replaced.extend(corrected);
            Some(remark)
        }
        None => place.novelty(draft, item, windows).map(Remark::Novelty),
    };
    let topic = item.topic.clone().or_else(|| only_topic(&replaced));
    let same_text = draft.current_with_text(&item.text_normal);
    let twin = same_text
        .iter()
        .find(|twin| same_fact(twin, item, topic.as_deref(), draft.at()));
    let rival = topic
        .as_deref()
        .and_then(|topic| draft.current_with_topic(topic));
    let planned = match (twin, &remark) {
        (Some(twin), _) => merge(draft, item, twin, topic, &replaced, rival),
        (None, Some(Remark::Novelty(NoveltyFound::Known { near, likeness }))) => {
            return Ok(turned_away(Reason::Known {
                near: *near,
                likeness: *likeness,
            }));
        }
        (None, _) => {
            let has_same_text = !same_text.is_empty();
            store(draft, item, windows, topic, &replaced, rival, has_same_text)
        }
    };
    // What merges is as it was, whether it would be new or not.
    let remark = remark.filter(|it| planned.is_new() || matches!(it, Remark::Corrects(_)));
    Ok(PlannedItem { remark, ..planned })
}

fn turned_away(reason: Reason) -> PlannedItem {
    PlannedItem {
        id: None,
        decision: Decision::Rejected,
        reason,
        superseded: Vec::new(),
        remark: None,
    }
}

/// The memories that the item names to be replaced, by id.
fn replaced(draft: &Draft<'_>, item: &CheckedItem) -> Result<Vec<MemoryRecord>, Error> {
    let named = item.replaces.iter().map(|id| {
        let refused = || {
            let (id, scope) = (*id, draft.scope().to_string());
            match draft.scope_of(id) {
                Some(found) => Error::OtherScope { id, scope, found },
                None => Error::UnknownMemory { id, scope },
            }
        };
        draft.memory(*id).ok_or_else(refused)
    });
    named.collect()
}

/// The one topic of the replaced memories: what takes their place is about the same thing.
fn only_topic(replaced: &[MemoryRecord]) -> Option<Arc<str>> {
    let mut topics: Vec<_> = replaced
        .iter()
        .filter_map(|memory| memory.topic.clone())
        .collect();
    topics.dedup();
    topics.pop().filter(|_| topics.is_empty())
}

/// Whether an item with the same text says what `twin` says, of the same thing and time.
///
/// A topic or a bound that only one of them states is taken as the other's too; what both state must
/// agree. Without `valid_to` the item says that it still holds, which an expired memory does not.
fn same_fact(twin: &MemoryRecord, item: &CheckedItem, topic: Option<&str>, at: Timestamp) -> bool {
    let same_topic = match (twin.topic.as_deref(), topic) {
        (Some(own), Some(topic)) => own == topic,
        _ => true,
    };
    let from_agrees = agree(twin.valid_from, item.valid_from);
    let to_agrees = match item.valid_to {
        Some(_) => agree(twin.valid_to, item.valid_to),
        None => twin.valid_to.is_none_or(|to| at < to),
    };
    let from = twin.valid_from.or(item.valid_from);
    let to = twin.valid_to.or(item.valid_to);
    let in_order = from.zip(to).is_none_or(|(from, to)| from < to);
    same_topic && from_agrees && to_agrees && in_order
}

fn agree(own: Option<Timestamp>, stated: Option<Timestamp>) -> bool {
    own.zip(stated).is_none_or(|(own, stated)| own == stated)
}

/// The twin takes over what the item adds, and the place of what the item supersedes.
fn merge(
    draft: &mut Draft<'_>,
    item: &CheckedItem,
    twin: &MemoryRecord,
    topic: Option<Arc<str>>,
    replaced: &[MemoryRecord],
    rival: Option<MemoryRecord>,
) -> PlannedItem {
    let (entities, relations) = named_entities(draft, item, twin.id);
    let mut merged = MemoryRecord {
        kind: if item.kind == Kind::default() {
            Arc::clone(&twin.kind)
        } else {
            item.kind.name().into()
        },
        topic: twin.topic.clone().or(topic),
        source: twin.source.clone().or_else(|| item.source.clone()),
        importance: item.importance.unwrap_or(twin.importance),
        valid_from: twin.valid_from.or(item.valid_from),
        valid_to: twin.valid_to.or(item.valid_to),
        ..twin.clone()
    };
    merged.tags = sorted(merged.tags.into_iter().chain(item.tags.iter().cloned()));
    merged.entities = sorted(merged.entities.into_iter().chain(entities));
    let mut is_new = merged != *twin;
    if is_new {
        draft.put(merged);
    }
    for relation in relations {
        is_new |= draft.relate(relation);
    }
    let from = item.valid_from.unwrap_or(draft.at());
    let (superseded, passed_over) =
        supersede(draft, replaced.iter().cloned().chain(rival), twin.id, from);
    PlannedItem {
        id: Some(twin.id),
        decision: Decision::Merged,
        reason: Reason::Merged {
            into: twin.id,
            is_new,
            superseded: superseded.clone(),
            passed_over,
        },
        superseded,
        remark: None,
    }
}

/// A new memory, which takes the place of what the item supersedes.
fn store(
    draft: &mut Draft<'_>,
    item: &CheckedItem,
    windows: Option<&KnownWindows>,
    topic: Option<Arc<str>>,
    replaced: &[MemoryRecord],
    rival: Option<MemoryRecord>,
    has_same_text: bool,
) -> PlannedItem {
    let at = draft.at();
    let id = draft.new_memory_id();
    // What is over already, under a topic whose memory still holds, is that topic's past.
    let is_over = |valid_to: Option<Timestamp>| valid_to.is_some_and(|to| to <= at);
    let is_past = |rival: &MemoryRecord| {
        is_over(item.valid_to) && !is_over(rival.valid_to) && !item.replaces.contains(&rival.id)
    };
    let (successor, rival) = match rival {
        Some(rival) if is_past(&rival) => (Some(rival.id), None),
        rival => (None, rival),
    };
    let from = item.valid_from.unwrap_or(at);
    let (superseded, passed_over) =
        supersede(draft, replaced.iter().cloned().chain(rival), id, from);
    // The old memory ends when the new one begins, so the new one has a beginning.
    let begins = !superseded.is_empty() && !is_over(item.valid_to);
    let (entities, relations) = named_entities(draft, item, id);
    let memory = MemoryRecord {
        id,
        text: Arc::clone(&item.text),
        scope: draft.scope(),
        kind: item.kind.name().into(),
        topic,
        source: item.source.clone(),
        tags: item.tags.iter().cloned().collect(),
        entities: sorted(entities),
        importance: item.importance.unwrap_or(IMPORTANCE_DEFAULT),
        created_at: at,
        valid_from: item.valid_from.or(begins.then_some(at)),
        valid_to: item.valid_to,
        superseded_by: successor,
    };
    draft.put_new(memory, &item.text_normal);
    for relation in relations {
        draft.relate(relation);
    }
    if let Some((model, windows)) = windows {
        draft.embed(Change::Embed {
            memory: id,
            model: *model,
            windows: windows.clone(),
        });
    }
    let decision = match superseded.as_slice() {
        [] => Decision::Stored,
        _ => Decision::Superseded,
    };
    let reason = Reason::New {
        superseded: superseded.clone(),
        passed_over,
        past_of: successor,
        has_same_text,
    };
    PlannedItem {
        id: Some(id),
        decision,
        reason,
        superseded,
        remark: None,
    }
}

/// Ends the given memories in favour of `by`, which holds from `from` on.
///
/// Answers those that ended, and those that another memory had superseded before, which stay as they
/// are. A memory never ends later than it would have, nor before it began: one that began after
/// `from` was, as far as is known now, never true.
fn supersede(
    draft: &mut Draft<'_>,
    memories: impl Iterator<Item = MemoryRecord>,
    by: MemoryId,
    from: Timestamp,
) -> (Vec<MemoryId>, Vec<MemoryId>) {
    let (mut superseded, mut passed_over) = (Vec::new(), Vec::new());
    for memory in memories.filter(|memory| memory.id != by) {
        if superseded.contains(&memory.id) || memory.superseded_by == Some(by) {
            continue;
        }
        if memory.superseded_by.is_some() {
            passed_over.push(memory.id);
            continue;
        }
        superseded.push(memory.id);
        let end = memory.valid_to.map_or(from, |to| to.min(from));
        let end = memory.valid_from.map_or(end, |begin| end.max(begin));
        draft.put(MemoryRecord {
            superseded_by: Some(by),
            valid_to: Some(end),
            ..memory
        });
    }
    superseded.sort_unstable();
    (superseded, passed_over)
}

/// The item's entities, those of its relations included, and its relations as `memory` states them.
fn named_entities(
    draft: &mut Draft<'_>,
    item: &CheckedItem,
    memory: MemoryId,
) -> (Vec<palimpsest_store::EntityId>, Vec<Relation>) {
    let mut entities: Vec<_> = item
        .entities
        .iter()
        .map(|entity| draft.entity(entity))
        .collect();
    let mut relations = Vec::with_capacity(item.relations.len());
    for mention in &item.relations {
        let [from, to] = [&mention.from, &mention.to].map(|name| {
            draft.entity(&CheckedEntity {
                name: Arc::clone(name),
                kind: None,
            })
        });
        entities.extend([from, to]);
        let relation = Arc::clone(&mention.relation);
        relations.push(Relation {
            from,
            relation,
            to,
            weight: 1.0,
            memory,
        });
    }
    (entities, relations)
}

fn sorted<T: Ord>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    values
        .into_iter()
        .collect::<std::collections::BTreeSet<T>>()
        .into_iter()
        .collect()
}

#[cfg(test)]
mod tests;
