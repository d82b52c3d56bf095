//! A request to remember, checked and cleaned. Knows no store and no gate.

use std::collections::BTreeSet;
use std::sync::Arc;

use palimpsest_store::{MemoryId, Timestamp, normalise_text};

use crate::{EntityMention, Error, Item, Kind, Occasion, Remember, Strategy, Turn};

/// Items of one call.
const ITEMS_MAX: usize = 50;
/// Bytes of one text.
const TEXT_LEN_BYTES_MAX: usize = 1 << 20;
/// Bytes of a scope, tag, topic, source, or name.
pub(crate) const NAME_LEN_BYTES_MAX: usize = 1_024;
/// Tags, entities, relations or replaced memories of one item.
const LIST_LEN_MAX: usize = 200;
/// The importance of a memory that names none.
pub(crate) const IMPORTANCE_DEFAULT: f32 = 0.5;

/// A request whose every value is in range.
#[derive(Debug, Clone)]
pub(crate) struct CheckedRequest {
    pub(crate) scope: Arc<str>,
    pub(crate) items: Vec<CheckedItem>,
    pub(crate) strategy: Strategy,
    pub(crate) occasion: Occasion,
}

/// One item in range. Names are NFC, their white space collapsed; the text is as it was given.
#[derive(Debug, Clone)]
pub(crate) struct CheckedItem {
    pub(crate) text: Arc<str>,
    /// What equal texts have in common.
    pub(crate) text_normal: String,
    pub(crate) kind: Kind,
    pub(crate) tags: BTreeSet<Arc<str>>,
    pub(crate) entities: Vec<CheckedEntity>,
    pub(crate) relations: Vec<CheckedRelation>,
    pub(crate) valid_from: Option<Timestamp>,
    pub(crate) valid_to: Option<Timestamp>,
    pub(crate) source: Option<Arc<str>>,
    pub(crate) topic: Option<Arc<str>>,
    pub(crate) replaces: BTreeSet<MemoryId>,
    pub(crate) importance: Option<f32>,
    pub(crate) turns: Vec<Turn>,
}

#[derive(Debug, Clone)]
pub(crate) struct CheckedEntity {
    pub(crate) name: Arc<str>,
    pub(crate) kind: Option<Arc<str>>,
}

#[derive(Debug, Clone)]
pub(crate) struct CheckedRelation {
    pub(crate) from: Arc<str>,
    pub(crate) relation: Arc<str>,
    pub(crate) to: Arc<str>,
}

/// Checks and cleans a request.
pub(crate) fn check(request: Remember) -> Result<CheckedRequest, Error> {
    let n_items = request.items.len();
    if n_items == 0 {
        return Err(Error::NoItems);
    }
    if n_items > ITEMS_MAX {
        return Err(Error::TooManyItems {
            n_items,
            n_items_max: ITEMS_MAX,
        });
    }
    let scope = checked_scope(&request.scope)?;
    let items = request.items.into_iter().enumerate();
    let items = items
        .map(|(idx, item)| check_item(idx, item))
        .collect::<Result<_, _>>()?;
    Ok(CheckedRequest {
        scope,
        items,
        strategy: request.strategy,
        occasion: request.occasion,
    })
}

/// The form in which a scope is kept and searched: NFC, white space collapsed.
pub(crate) fn checked_scope(scope: &str) -> Result<Arc<str>, Error> {
    let clean = normalise_text(scope);
    if clean.is_empty() || clean.len() > NAME_LEN_BYTES_MAX {
        return Err(Error::OutOfRange {
            argument: "scope",
            found: shown(scope),
            expected: "give a name of 1 to 1,024 bytes that is not blank",
        });
    }
    Ok(clean.into())
}

/// As [`checked_scope`], each.
pub(crate) fn checked_scopes(scopes: &[String]) -> Result<Vec<String>, Error> {
    scopes
        .iter()
        .map(|scope| Ok(checked_scope(scope)?.to_string()))
        .collect()
}

fn check_item(item: usize, given: Item) -> Result<CheckedItem, Error> {
    let len_bytes = given.text.len();
    if len_bytes > TEXT_LEN_BYTES_MAX {
        return Err(Error::TextTooLong {
            item,
            len_bytes,
            len_bytes_max: TEXT_LEN_BYTES_MAX,
        });
    }
    let refused = |argument, found, expected| {
        Err(Error::ItemOutOfRange {
            item,
            argument,
            found,
            expected,
        })
    };
    if let Some(importance) = given.importance
        && !(0.0..=1.0).contains(&importance)
    {
        return refused(
            "importance",
            importance.to_string(),
            "give a number from 0 to 1",
        );
    }
    if let (Some(from), Some(to)) = (given.valid_from, given.valid_to)
        && to <= from
    {
        let found = if to < from { "before" } else { "equal to" };
        let found = format!("{found} valid_from");
        return refused("valid_to", found, "give a later time than valid_from");
    }
    if let Some((list, len)) = too_long_list(&given) {
        return refused(list, format!("{len} long"), "give at most 200");
    }
    let names = Names { item };
    let tags = given
        .tags
        .iter()
        .map(|tag| names.optional("tags", Some(tag)));
    Ok(CheckedItem {
        text_normal: normalise_text(&given.text),
        text: given.text.into(),
        kind: given.kind,
        tags: tags
            .filter_map(Result::transpose)
            .collect::<Result<_, _>>()?,
        entities: names.entities(&given.entities)?,
        relations: given
            .relations
            .iter()
            .map(|mention| {
                Ok(CheckedRelation {
                    from: names.required("relations.from", &mention.from)?,
                    relation: names.required("relations.relation", &mention.relation)?,
                    to: names.required("relations.to", &mention.to)?,
                })
            })
            .collect::<Result<_, Error>>()?,
        valid_from: given.valid_from,
        valid_to: given.valid_to,
        source: names.optional("source", given.source.as_deref())?,
        topic: names.optional("topic", given.topic.as_deref())?,
        replaces: given.replaces.into_iter().collect(),
        importance: given.importance,
        turns: given.turns,
    })
}

/// A list of an item that is too long, and its length.
fn too_long_list(item: &Item) -> Option<(&'static str, usize)> {
    let lists = [
        ("tags", item.tags.len()),
        ("entities", item.entities.len()),
        ("relations", item.relations.len()),
        ("replaces", item.replaces.len()),
    ];
    lists.into_iter().find(|(_, len)| *len > LIST_LEN_MAX)
}

/// Cleans the names of one item.
struct Names {
    item: usize,
}

impl Names {
    /// A name that a blank one does not stand in for.
    fn required(&self, argument: &'static str, name: &str) -> Result<Arc<str>, Error> {
        self.optional(argument, Some(name))?
            .ok_or_else(|| Error::ItemOutOfRange {
                item: self.item,
                argument,
                found: shown(name),
                expected: "give a name that is not blank",
            })
    }

    /// A name that may be left out; a blank one is left out.
    fn optional(
        &self,
        argument: &'static str,
        name: Option<&str>,
    ) -> Result<Option<Arc<str>>, Error> {
        let clean = normalise_text(name.unwrap_or_default());
        if clean.len() > NAME_LEN_BYTES_MAX {
            return Err(Error::ItemOutOfRange {
                item: self.item,
                argument,
                found: shown(&clean),
                expected: "give at most 1,024 bytes",
            });
        }
        Ok((!clean.is_empty()).then(|| clean.into()))
    }

    fn entities(&self, mentions: &[EntityMention]) -> Result<Vec<CheckedEntity>, Error> {
        let checked = mentions.iter().map(|mention| {
            Ok(CheckedEntity {
                name: self.required("entities.name", &mention.name)?,
                kind: self.optional("entities.kind", mention.kind.as_deref())?,
            })
        });
        checked.collect()
    }
}

/// A value as a message may show it: quoted, its head alone where it is long.
pub(crate) fn shown(value: &str) -> String {
    const CHARS_MAX: usize = 40;
    match value.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{:?}... ({} bytes)", &value[..end], value.len()),
        None => format!("{value:?}"),
    }
}

#[cfg(test)]
mod tests;
