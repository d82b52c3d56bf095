//! Dates and times, as clients write them and as they are told. Knows no argument.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{Offset, TimeZone};
use jiff::{Timestamp as Instant, ZonedDateTime};
use palimpsest_memory::Timestamp;

use super::argument::Edge;

/// The forms that [`read`] takes, for a client that gave another.
pub(crate) const FORMS: &str = "a date (2026-05-31), a local date-time (2026-05-31T15:00) or \
     RFC 3339 (2026-05-31T15:00:00+02:00)";

/// The moment that `text` names; `None` where it names none.
///
/// Without an offset it is taken in `zone`; a date alone stands for the `edge` of its day there. The
/// last days of the year 9999, by which people mean "for ever", may lie beyond the last moment there is: that is taken.
pub(crate) fn read(text: &str, edge: Edge, zone: &TimeZone) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(instant) = text.parse::<Instant>() {
        return Some(Timestamp(instant.as_microsecond()));
    }
    if let Ok(zoned) = text.parse::<ZonedDateTime>() {
        return Some(Timestamp(zoned.timestamp().as_microsecond()));
    }
    if text.contains(':') {
        let local: Option<DateTime> = text.parse().ok();
        if let Some(instant) = local.and_then(|local| zone.to_timestamp(local).ok()) {
            return Some(Timestamp(instant.as_microsecond()));
        }
        let is_beyond = local_part(text).is_some_and(|local| local.date() >= LAST_DAYS);
        return is_beyond.then(last_moment);
    }
    let date = text.parse::<Date>().ok()?;
    let day = match edge {
        Edge::Start => date,
        Edge::Last | Edge::After => match date.tomorrow() {
            Ok(day) => day,
            Err(_) => return Some(last_moment()),
        },
    };
    // Where midnight is left out that day, the first moment that is there.
    let midnight = day.to_datetime(Time::midnight());
    let start = match zone.to_timestamp(midnight) {
        Ok(start) => start.as_microsecond(),
        Err(_) if day.year() == LAST_YEAR => return Some(last_moment()),
        Err(_) => return None,
    };
    Some(Timestamp(match edge {
        Edge::Start | Edge::After => start,
        Edge::Last => start.saturating_sub(1),
    }))
}

/// From here on a moment may lie beyond the last one that there is, by its offset.
const LAST_DAYS: Date = Date::constant(9999, 12, 30);

/// The date and time of what is written as an instant, its offset left out: `2026-05-31T15:00:00+02:00`.
fn local_part(text: &str) -> Option<DateTime> {
    let offset_idx = text
        .rfind(['Z', 'z', '+', '-'])
        .filter(|idx| text.get(..*idx).is_some_and(|before| before.contains(':')));
    text.get(..offset_idx.unwrap_or(text.len()))?.parse().ok()
}

const LAST_YEAR: i16 = 9999;

/// To the second: the last microseconds cannot be made into an instant again.
fn last_moment() -> Timestamp {
    Timestamp(Instant::MAX.as_second().saturating_mul(1_000_000))
}

/// `time` in RFC 3339, with the offset of `zone`, to the microsecond where it has one.
pub(crate) fn tell(time: Timestamp, zone: &TimeZone) -> String {
    let micros = time.0.clamp(Instant::MIN.as_microsecond(), last_moment().0);
    let instant = Instant::from_microsecond(micros).unwrap_or(Instant::UNIX_EPOCH);
    let offset = zone.to_offset(instant);
    if offset == Offset::UTC {
        return instant.to_string();
    }
    instant.display_with_offset(offset).to_string()
}

/// What `zone` is called, for clients that gave a local time.
pub(crate) fn zone_name(zone: &TimeZone) -> String {
    zone.iana_name().unwrap_or("local").to_owned()
}

#[cfg(test)]
mod tests;
