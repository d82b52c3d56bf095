//! The times that a text speaks of ("two weeks ago", "last Friday", "in March"), as periods. English.
//!
//! Times that lie ahead, repeat ("on Mondays") or bound ("before May") are not taken: no memory is of them.
//! Knows no memory and no store.

mod calendar;
mod period;
mod spoken_word;

pub(crate) use period::Period;
pub(crate) use spoken_word::{MONTHS, WEEKDAYS};

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use palimpsest_store::Timestamp;

use calendar::{Calendar, Unit};
use spoken_word::{SpokenWord, spoken_words};

/// The periods that `text` speaks of, in its order, when it is said at `now` in `zone`.
pub(crate) fn spoken_times(text: &str, now: Timestamp, zone: &TimeZone) -> Vec<Period> {
    let Some(calendar) = Calendar::new(now, zone) else {
        return Vec::new();
    };
    let words = spoken_words(text);
    let mut periods = Vec::new();
    let mut rest = &words[..];
    while let Some(first) = rest.first() {
        let Some((n_words, period)) = leading(rest, &calendar) else {
            rest = &rest[1..];
            // Of "before May" nothing is known but that it was not in May.
            if first.is_any(&["before", "until", "till", "by"]) {
                rest = &rest[leading(rest, &calendar).map_or(0, |(n_words, _)| n_words)..];
            }
            continue;
        };
        periods.push(period);
        rest = &rest[n_words..];
    }
    periods
}

/// How many words a time takes, and what it is.
type Spoken = (usize, Period);

/// Reads a time at the beginning of some words.
type Rule = fn(&[SpokenWord], &Calendar) -> Option<Spoken>;

/// The time with which `words` begin.
fn leading(words: &[SpokenWord], calendar: &Calendar) -> Option<Spoken> {
    since(words, calendar).or_else(|| named(words, calendar))
}

/// The time that `words` name by themselves.
fn named(words: &[SpokenWord], calendar: &Calendar) -> Option<Spoken> {
    const RULES: [Rule; 7] = [ago, last_few, last, day, date, month_day, year];
    RULES.iter().find_map(|rule| rule(words, calendar))
}

/// "since March", "after last week".
fn since(words: &[SpokenWord], calendar: &Calendar) -> Option<Spoken> {
    let (first, rest) = words.split_first()?;
    if !first.is_any(&["since", "after"]) {
        return None;
    }
    let (n_words, period) = named(rest, calendar)?;
    Some((n_words + 1, calendar.since(period)?))
}

/// "ten days ago", "a couple of weeks ago".
fn ago(words: &[SpokenWord], calendar: &Calendar) -> Option<Spoken> {
    let (n_words, amount) = amount(words)?;
    let unit = words.get(n_words)?.unit()?;
    let is_ago = words.get(n_words + 1)?.is_any(&["ago", "back", "earlier"]);
    is_ago.then_some(())?;
    let period = if amount.is_vague {
        calendar.about(amount.number, unit)
    } else {
        calendar.ago(amount.number, unit)
    };
    Some((n_words + 2, period?))
}

/// "the past two weeks", "last 30 days".
fn last_few(words: &[SpokenWord], calendar: &Calendar) -> Option<Spoken> {
    let (first, rest) = words.split_first()?;
    first.is_any(&["last", "past", "previous"]).then_some(())?;
    let (n_words, amount) = amount(rest)?;
    let unit = rest.get(n_words)?.unit()?;
    Some((n_words + 2, calendar.up_to_now(amount.number, unit)?))
}

/// "last month", "this year", "the past week", "last Friday", "last weekend", "last June", "last night".
fn last(words: &[SpokenWord], calendar: &Calendar) -> Option<Spoken> {
    let [first, second, ..] = words else {
        return None;
    };
    let is_this = first.is_any(&["this", "current"]);
    let is_past = first.is_any(&["past"]);
    if !is_this && !is_past && !first.is_any(&["last", "previous"]) {
        return None;
    }
    // "This Friday" may lie ahead.
    let is_day = second.weekday().is_some() || second.month().is_some();
    if is_this && (is_day || second.is_any(&["weekend"])) {
        return None;
    }
    let period = if let Some(unit) = second.unit() {
        match (is_this, is_past) {
            (true, _) => calendar.this(unit),
            (_, true) => calendar.up_to_now(1, unit),
            _ => calendar.last(unit),
        }
    } else if let Some(weekday) = second.weekday() {
        calendar.latest_weekday(weekday)
    } else if let Some(month) = second.month() {
        calendar.month(month, None)
    } else if second.is_any(&["weekend"]) {
        calendar.latest_weekend()
    } else if second.is_any(&["night", "evening"]) {
        calendar.day(i64::from(!is_this))
    } else if is_this && second.is_any(&["morning", "afternoon"]) {
        calendar.day(0)
    } else {
        None
    };
    Some((2, period?))
}

/// "yesterday", "the day before yesterday", "today", "the other day", "on Tuesday".
fn day(words: &[SpokenWord], calendar: &Calendar) -> Option<Spoken> {
    const FIXED: [(&[&str], i64); 5] = [
        (&["day", "before", "yesterday"], 2),
        (&["yesterday"], 1),
        (&["today"], 0),
        (&["tonight"], 0),
        (&["earlier", "today"], 0),
    ];
    let is_said = |said: &&(&[&str], i64)| {
        let (said, _) = said;
        words.len() >= said.len() && said.iter().zip(words).all(|(it, word)| word.is_any(&[it]))
    };
    if let Some((said, days_ago)) = FIXED.iter().find(is_said) {
        return Some((said.len(), calendar.day(*days_ago)?));
    }
    let [first, second, ..] = words else {
        return None;
    };
    if first.is_any(&["other"]) && second.is_any(&["day"]) {
        return Some((2, calendar.about(3, Unit::Day)?));
    }
    let weekday = second.weekday().filter(|_| first.is_any(&["on"]))?;
    Some((2, calendar.latest_weekday(weekday)?))
}

/// "2023-05-07".
fn date(words: &[SpokenWord], calendar: &Calendar) -> Option<Spoken> {
    let n_before = usize::from(words.first()?.is_any(&["in", "on"]));
    let [year, month, day, ..] = words.get(n_before..)? else {
        return None;
    };
    let period = calendar.date(year.year()?, month.number()?, day.number()?)?;
    Some((n_before + 3, period))
}

/// "in March", "May 7th, 2023", "7 May", "March of last year", "mid-July 2023".
fn month_day(words: &[SpokenWord], calendar: &Calendar) -> Option<Spoken> {
    let day_of = |word: Option<&SpokenWord>| {
        let number = word.and_then(SpokenWord::number);
        number.filter(|day| (1..=31).contains(day))
    };
    let day_first = day_of(words.first());
    let mut at = usize::from(day_first.is_some());
    if at > 0 && words.get(at).is_some_and(|word| word.is_any(&["of"])) {
        at += 1;
    }
    let lead = words.get(at).filter(|_| day_first.is_none());
    let is_led =
        lead.is_some_and(|word| word.is_any(&["in", "on", "of", "during", "early", "mid", "late"]));
    at += usize::from(is_led);
    let name = words.get(at)?;
    let month = name.month()?;
    at += 1;
    let day = day_first.or_else(|| day_of(words.get(at)));
    at += usize::from(day.is_some() && day_first.is_none());
    let is_other_word = name.is_any(&["may", "march"]) && !name.is_capital;
    (is_led || day.is_some() || !is_other_word).then_some(())?;
    let (n_words, year) = year_of(words.get(at..).unwrap_or_default(), calendar);
    at += n_words;
    let period = match (day, year) {
        (Some(day), Some(year)) => calendar.date(year, month, day),
        (Some(day), None) => calendar.latest_date(month, day),
        (None, year) => calendar.month(month, year),
    };
    Some((at, period?))
}

/// The year behind a month, with what stands between.
fn year_of(words: &[SpokenWord], calendar: &Calendar) -> (usize, Option<i64>) {
    let n_before = words
        .iter()
        .take_while(|word| word.is_any(&["of", "in"]))
        .count()
        .min(1);
    let rest = &words[n_before..];
    if let Some(year) = rest.first().and_then(SpokenWord::year) {
        return (n_before + 1, Some(year));
    }
    match rest {
        [first, second, ..] if second.unit() == Some(Unit::Year) => {
            let this = calendar.this_year();
            if first.is_any(&["last"]) {
                (n_before + 2, Some(this - 1))
            } else if first.is_any(&["this"]) {
                (n_before + 2, Some(this))
            } else {
                (0, None)
            }
        }
        _ => (0, None),
    }
}

/// "in 2022".
fn year(words: &[SpokenWord], calendar: &Calendar) -> Option<Spoken> {
    let [first, second, ..] = words else {
        return None;
    };
    first.is_any(&["in", "during", "year"]).then_some(())?;
    Some((2, calendar.year(second.year()?)?))
}

/// How many, and whether that is meant to the letter.
struct Amount {
    number: i64,
    is_vague: bool,
}

/// "two", "14", "a", "a couple of", "a few": the words it takes, and the amount.
fn amount(words: &[SpokenWord]) -> Option<(usize, Amount)> {
    let n_articles = usize::from(words.first()?.is_any(&["a", "an"]));
    let rest = &words[n_articles..];
    let first = rest.first();
    let vague = |n_words, number| {
        let amount = Amount {
            number,
            is_vague: true,
        };
        Some((n_articles + n_words, amount))
    };
    if first.is_some_and(|word| word.is_any(&["couple"])) {
        let has_of = rest.get(1).is_some_and(|word| word.is_any(&["of"]));
        return vague(1 + usize::from(has_of), 2);
    }
    if first.is_some_and(|word| word.is_any(&["few", "several"])) {
        return vague(1, 3);
    }
    let exact = |n_words, number| {
        let amount = Amount {
            number,
            is_vague: false,
        };
        Some((n_words, amount))
    };
    if n_articles == 1 {
        return exact(1, 1);
    }
    exact(
        1,
        first?
            .number()
            .filter(|number| (1..=1_000).contains(number))?,
    )
}

/// A moment in a calendar of days.
fn midnight(of: DateTime) -> DateTime {
    of.date().to_datetime(jiff::civil::Time::midnight())
}

#[cfg(test)]
mod tests;
