//! Times as the data sets write them, taken as UTC.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use palimpsest_memory::Timestamp;

/// `2023/05/20 (Sat) 02:21`, as LongMemEval writes it.
pub(crate) const LONGMEMEVAL: &str = "%Y/%m/%d (%a) %H:%M";
/// `1:56 pm on 8 May, 2023`, as LoCoMo writes it.
pub(crate) const LOCOMO: &str = "%I:%M %p on %d %B, %Y";

/// The moment that `text` names in `format`, if it names one.
pub(crate) fn parse_moment(format: &str, text: &str) -> Option<Timestamp> {
    let civil = DateTime::strptime(format, text).ok()?;
    let moment = TimeZone::UTC.to_timestamp(civil).ok()?;
    Some(Timestamp(moment.as_microsecond()))
}

#[cfg(test)]
mod tests;
