//! A question to the memory, checked, and the moments that it is about. Knows no index.

use jiff::tz::TimeZone;
use palimpsest_store::{Filter, MemoryRecord, Snapshot, Timestamp, normalise_text};

use super::{HitStatus, Include, Mode, Recall};
use crate::remember::checked_scopes;
use crate::{Error, Kind, Settings};

/// A query is read up to here: about 2,000 tokens, 10 windows of the model.
pub(crate) const QUERY_CHARS_MAX: usize = 8_000;
const LIMIT_MAX: usize = 100;

/// A question whose every value is in range.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// Not blank; `None` lists.
    pub(crate) query: Option<String>,
    /// Whether the query was longer than [`QUERY_CHARS_MAX`].
    pub(crate) is_query_cut: bool,
    pub(crate) mode: Mode,
    /// Everything but [`Self::shows`].
    pub(crate) filter: Filter,
    pub(crate) as_of: Timestamp,
    /// Whose days the query means.
    pub(crate) zone: TimeZone,
    superseded: Include,
    expired: Include,
    pub(crate) limit: usize,
    pub(crate) max_tokens: usize,
    pub(crate) min_score: f64,
}

impl Asked {
    /// Checks a request. `now` is the moment that it is about when it names none.
    pub(crate) fn check(
        request: &Recall,
        settings: &Settings,
        now: Timestamp,
    ) -> Result<Self, Error> {
        let query = request
            .query
            .as_deref()
            .map(str::trim)
            .filter(|query| !query.is_empty());
        let has_filter = !request.kinds.is_empty()
            || tags(request).next().is_some()
            || !request.ids.is_empty()
            || request.since.is_some()
            || request.until.is_some();
        if query.is_none() && !has_filter {
            return Err(Error::NothingToSearchFor);
        }
        let limit = request.limit.unwrap_or(settings.recall_limit);
        let max_tokens = request.max_tokens.unwrap_or(settings.recall_tokens_max);
        let min_score = request.min_score.unwrap_or(0.0);
        let (found, argument, expected) = if !(1..=LIMIT_MAX).contains(&limit) {
            (limit.to_string(), "limit", "give a number from 1 to 100")
        } else if max_tokens == 0 {
            (max_tokens.to_string(), "max_tokens", "give at least 1")
        } else if !(0.0..=1.0).contains(&min_score) {
            (
                min_score.to_string(),
                "min_score",
                "give a number from 0 to 1",
            )
        } else if let (Some(since), Some(until)) = (request.since, request.until)
            && until <= since
        {
            let found = if until < since { "before" } else { "equal to" };
            let found = format!("{found} since");
            (found, "until", "give a later time than since")
        } else {
            return Self::of(request, query, now, (limit, max_tokens, min_score));
        };
        Err(Error::OutOfRange {
            argument,
            found,
            expected,
        })
    }

    /// A request whose numbers are in range.
    fn of(
        request: &Recall,
        query: Option<&str>,
        now: Timestamp,
        (limit, max_tokens, min_score): (usize, usize, f64),
    ) -> Result<Self, Error> {
        let end = query.and_then(|query| query.char_indices().nth(QUERY_CHARS_MAX));
        let head = |query: &str| query[..end.map_or(query.len(), |(end, _)| end)].to_owned();
        // Whoever names a memory wants it, whatever became of it; whoever names a time wants what was
        // then, or will be.
        let is_named = !request.ids.is_empty();
        let is_dated = request.as_of.is_none() && request.since.or(request.until).is_some();
        let or_wanted = |include, is_wanted| {
            if is_wanted { Include::Yes } else { include }
        };
        // A look back asks what was believed then, of then.
        let moment = request.known_at.map_or(now, |known_at| known_at.min(now));
        let mut asked = Self {
            query: query.map(head),
            is_query_cut: end.is_some(),
            mode: request.mode,
            filter: filter(request)?,
            as_of: request.as_of.unwrap_or(moment),
            zone: request.zone.clone().unwrap_or(TimeZone::UTC),
            superseded: or_wanted(request.superseded, is_named),
            expired: or_wanted(request.expired, is_named || is_dated),
            limit,
            max_tokens,
            min_score,
        };
        if asked.superseded == Include::No && asked.expired == Include::No {
            asked.filter.valid_at = Some(asked.as_of);
        }
        Ok(asked)
    }

    /// The filter without the moment, where memories that do not hold at it are left out.
    pub(crate) fn filter_at_any_time(&self) -> Option<Filter> {
        let any_time = || Filter {
            valid_at: None,
            ..self.filter.clone()
        };
        (self.expired == Include::No).then(any_time)
    }

    /// Whether the filter alone decides what is shown, so that [`Self::shows`] need not be asked.
    pub(crate) fn filter_is_all(&self) -> bool {
        self.superseded == self.expired
    }

    /// Whether a memory that the filter accepts is wanted, by its status.
    pub(crate) fn shows(&self, memory: &MemoryRecord) -> bool {
        match status(memory, self.as_of) {
            HitStatus::Current => true,
            HitStatus::Superseded { .. } => self.superseded == Include::Yes,
            HitStatus::Expired | HitStatus::NotYet => self.expired == Include::Yes,
        }
    }

    /// How many memories scope, filters and moment let pass.
    pub(crate) fn n_searched(&self, snapshot: &Snapshot) -> usize {
        if self.filter_is_all() {
            return snapshot.count(&self.filter);
        }
        let accepted = snapshot.list(&self.filter, usize::MAX);
        accepted.iter().filter(|memory| self.shows(memory)).count()
    }
}

/// Whether a memory holds at `as_of`. One that another superseded still holds at the times before.
pub(crate) fn status(memory: &MemoryRecord, as_of: Timestamp) -> HitStatus {
    if memory.valid_at(as_of) {
        return HitStatus::Current;
    }
    let ever_held = memory
        .valid_from
        .zip(memory.valid_to)
        .is_none_or(|(from, to)| from < to);
    let begins_later = memory.valid_from.is_some_and(|from| as_of < from);
    match memory.superseded_by {
        Some(by) if !(ever_held && begins_later) => HitStatus::Superseded { by },
        _ if begins_later => HitStatus::NotYet,
        _ => HitStatus::Expired,
    }
}

/// The tags of a request, cleaned as they are when they are kept.
fn tags(request: &Recall) -> impl Iterator<Item = String> {
    let clean = request.tags.iter().map(|tag| normalise_text(tag));
    clean.filter(|tag| !tag.is_empty())
}

fn filter(request: &Recall) -> Result<Filter, Error> {
    Ok(Filter {
        scopes: checked_scopes(&request.scopes)?,
        kinds: request
            .kinds
            .iter()
            .map(|kind| Kind::name(*kind).to_owned())
            .collect(),
        tags: tags(request).collect(),
        tags_match: request.tags_match,
        since: request.since,
        until: request.until,
        valid_at: None,
        ids: request.ids.clone(),
    })
}

#[cfg(test)]
mod tests;
