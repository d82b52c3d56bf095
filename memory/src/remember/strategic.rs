//! What a strategy makes of an item, on the draft that it stands on. Knows no model and no file.

use palimpsest_store::{MemoryId, MemoryRecord};

use super::checked::CheckedItem;
use super::draft::Draft;
use super::plan::{Judge, KnownWindows};
use crate::strategy::{
    Corrected, Correction, Known, NoveltyFound, Recent, Saying, corrected, correction, dot, novelty,
};
use crate::{Occasion, Role, Strategy};

/// Vectors of one memory that are compared with a correction.
const WINDOWS_MAX: usize = 8;

/// Where an item stands among what was said.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    strategy: Strategy,
    occasion: Occasion,
    judge: Judge,
    /// The last memory before what is said next; `None` is the last of all.
    after: Option<MemoryId>,
}

impl Place {
    /// Before the first of `items`.
    pub(super) fn before(
        draft: &Draft<'_>,
        strategy: Strategy,
        occasion: Occasion,
        judge: Judge,
        items: &[CheckedItem],
    ) -> Self {
        let mut place = Self {
            strategy,
            occasion,
            judge,
            after: None,
        };
        if let Occasion::Transcript { after } = occasion {
            // A transcript that was read before continues where its first known text was remembered.
            let first_known = || items.iter().find_map(|item| place.same_saying(draft, item));
            place.after = after.or_else(|| Some(MemoryId(first_known()?.id.0.saturating_sub(1))));
        }
        place
    }

    /// What follows was said after the memory `id`.
    pub(super) fn advance(&mut self, id: Option<MemoryId>) {
        if let Occasion::Transcript { .. } = self.occasion {
            self.after = self.after.max(id);
        }
    }

    /// The memory of the very same saying, in a transcript: it was read before.
    pub(super) fn same_saying(
        &self,
        draft: &Draft<'_>,
        item: &CheckedItem,
    ) -> Option<MemoryRecord> {
        let Occasion::Transcript { .. } = self.occasion else {
            return None;
        };
        let is_same = |memory: &MemoryRecord| {
            let same_time = item.valid_from.is_none() || memory.valid_from == item.valid_from;
            same_time
                && memory.source == item.source
                && item.tags.iter().all(|tag| memory.tags.contains(tag))
        };
        draft
            .ever_with_text(&item.text_normal)
            .into_iter()
            .find(is_same)
    }

    /// What the user corrects with this item. A caller who decides, or who names what is replaced, has said so.
    pub(super) fn correction(&self, item: &CheckedItem) -> Option<Correction> {
        if self.strategy == Strategy::Explicit || !item.replaces.is_empty() {
            return None;
        }
        if item.turns.is_empty() {
            let role = Role::from_name(item.source.as_deref()?)?;
            return correction(&item.text).filter(|_| role == Role::User);
        }
        let of_user = item.turns.iter().filter(|turn| turn.role == Role::User);
        of_user
            .map(|turn| &turn.text)
            .find_map(|text| correction(text))
    }

    /// Whether the item says something new, where the strategy asks. What has a topic or replaces something
    /// is not asked: whoever gave it knows what is there.
    pub(super) fn novelty(
        &self,
        draft: &Draft<'_>,
        item: &CheckedItem,
        windows: Option<&KnownWindows>,
    ) -> Option<NoveltyFound> {
        let is_named = item.topic.is_some() || !item.replaces.is_empty();
        if self.strategy != Strategy::SemanticShift || is_named {
            return None;
        }
        let recent = draft.recent(self.after, self.judge.novelty.n_memories);
        let known: Vec<Known<'_>> = recent
            .iter()
            .map(|memory| Known {
                id: memory.id,
                text: &memory.text,
                windows: windows.map(|(model, _)| draft.vectors(*model, memory.id)),
            })
            .collect();
        let windows = windows.map(|(_, windows)| windows.as_slice());
        Some(novelty(
            &item.text,
            windows,
            &known,
            self.judge.novelty.threshold,
        ))
    }

    /// The memories that the item's correction is about; empty where that cannot be told.
    pub(super) fn corrected(
        &self,
        draft: &Draft<'_>,
        item: &CheckedItem,
        windows: Option<&KnownWindows>,
        of: &Correction,
    ) -> Vec<MemoryRecord> {
        let latest = draft.recent(self.after, self.judge.novelty.n_memories);
        let own_text = |memory: &&MemoryRecord| memory.text != item.text;
        let recent: Vec<Recent<'_>> = latest
            .iter()
            .filter(own_text)
            .map(|memory| Recent {
                memory,
                cosine: windows.and_then(|(model, own)| {
                    let theirs = draft.vectors(*model, memory.id);
                    let theirs = theirs.iter().take(WINDOWS_MAX);
                    let cosines = theirs.flat_map(|their| {
                        own.iter()
                            .take(WINDOWS_MAX)
                            .map(|own| dot(&own.embedding, &their.embedding))
                    });
                    cosines.max_by(f32::total_cmp)
                }),
            })
            .collect();
        let saying = Saying {
            at: item.valid_from.unwrap_or(draft.at()),
            source: item.source.as_deref(),
            tags: &item.tags,
        };
        match corrected(of, &saying, &recent) {
            Corrected::These(ids) => ids.into_iter().filter_map(|id| draft.memory(id)).collect(),
            Corrected::Unclear => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
