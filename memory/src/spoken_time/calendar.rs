//! Periods as a calendar has them, counted from the moment at which someone speaks. Knows no words.

use jiff::civil::{Date, DateTime, Weekday};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp as Instant, ToSpan};
use palimpsest_store::Timestamp;

use super::{Period, midnight};

const DAY_US: i64 = 86_400_000_000;

/// What time is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Day,
    Week,
    Month,
    Year,
}

impl Unit {
    fn span(self, n_units: i64) -> Span {
        match self {
            Self::Day => n_units.days(),
            Self::Week => n_units.weeks(),
            Self::Month => n_units.months(),
            Self::Year => n_units.years(),
        }
    }

    const fn n_days(self) -> i64 {
        match self {
            Self::Day => 1,
            Self::Week => 7,
            Self::Month => 30,
            Self::Year => 365,
        }
    }
}

/// A calendar, and now.
#[derive(Debug)]
pub(super) struct Calendar {
    now: DateTime,
    zone: TimeZone,
}

impl Calendar {
    /// `None` where `now` is beyond the calendar.
    pub(super) fn new(now: Timestamp, zone: &TimeZone) -> Option<Self> {
        let now = Instant::from_microsecond(now.0).ok()?;
        Some(Self {
            now: zone.to_datetime(now),
            zone: zone.clone(),
        })
    }

    pub(super) fn this_year(&self) -> i64 {
        i64::from(self.now.year())
    }

    /// The day that was so many days ago.
    pub(super) fn day(&self, days_ago: i64) -> Option<Period> {
        let since = midnight(self.now).checked_sub(days_ago.days()).ok()?;
        self.days(since, 1, 1)
    }

    /// So many units ago, as exactly as one says that: half a unit more or less.
    pub(super) fn ago(&self, n_units: i64, unit: Unit) -> Option<Period> {
        if unit == Unit::Day {
            return self.day(n_units);
        }
        let then = self.now.checked_sub(unit.span(n_units)).ok()?;
        let half = (unit.n_days() * 12).hours();
        let (since, until) = (then.checked_sub(half).ok()?, then.checked_add(half).ok()?);
        self.period(since, until, unit.n_days() * DAY_US / 2)
    }

    /// About so many units ago: from half to one and a half times as long.
    pub(super) fn about(&self, n_units: i64, unit: Unit) -> Option<Period> {
        let n_hours = n_units * unit.n_days() * 24;
        let back = |n_hours: i64| self.now.checked_sub(n_hours.hours()).ok();
        let (since, until) = (back(n_hours * 3 / 2)?, back(n_hours / 2)?);
        self.period(since, until, (n_hours * DAY_US / 48).max(DAY_US))
    }

    /// The last so many units, up to now.
    pub(super) fn up_to_now(&self, n_units: i64, unit: Unit) -> Option<Period> {
        let since = self.now.checked_sub(unit.span(n_units)).ok()?;
        let slack_us = (n_units * unit.n_days() * DAY_US / 4).max(DAY_US);
        self.period(since, self.now, slack_us)
    }

    /// Whether of a day, week, month or year: the one that is not over.
    pub(super) fn this(&self, unit: Unit) -> Option<Period> {
        self.period(self.start_of(unit)?, self.now, slack_us(unit))
    }

    /// The day, week, month or year before this one.
    pub(super) fn last(&self, unit: Unit) -> Option<Period> {
        let until = self.start_of(unit)?;
        let since = until.checked_sub(unit.span(1)).ok()?;
        self.period(since, until, slack_us(unit))
    }

    /// The latest such day before today.
    pub(super) fn latest_weekday(&self, weekday: Weekday) -> Option<Period> {
        let n_days = i64::from(self.now.weekday().since(weekday));
        self.day(if n_days == 0 { 7 } else { n_days })
    }

    /// The latest Saturday and Sunday that have begun.
    pub(super) fn latest_weekend(&self) -> Option<Period> {
        let n_days = i64::from(self.now.weekday().since(Weekday::Saturday));
        let saturday = midnight(self.now).checked_sub(n_days.days()).ok()?;
        self.days(saturday, 2, 1)
    }

    /// A month; without a year the latest that has begun.
    pub(super) fn month(&self, month: i64, year: Option<i64>) -> Option<Period> {
        let latest = self.this_year() - i64::from(month > i64::from(self.now.month()));
        let since = first_of(year.unwrap_or(latest), month)?;
        let until = since.checked_add(1.months()).ok()?;
        self.period(since, until, slack_us(Unit::Month))
    }

    /// A year.
    pub(super) fn year(&self, year: i64) -> Option<Period> {
        let (since, until) = (first_of(year, 1)?, first_of(year + 1, 1)?);
        self.period(since, until, slack_us(Unit::Year))
    }

    /// A day.
    pub(super) fn date(&self, year: i64, month: i64, day: i64) -> Option<Period> {
        self.days(date(year, month, day)?, 1, 2)
    }

    /// The latest such day that has begun.
    pub(super) fn latest_date(&self, month: i64, day: i64) -> Option<Period> {
        // A 29th of February can be up to eight years ago.
        let years = (0..=8).map(|n_years| self.this_year() - n_years);
        let mut dates = years.filter_map(|year| date(year, month, day));
        self.days(dates.find(|date| *date <= self.now)?, 1, 2)
    }

    /// From a period up to now.
    pub(super) fn since(&self, period: Period) -> Option<Period> {
        let now = self.instant(self.now)?;
        (period.since < now).then_some(Period {
            until: now,
            ..period
        })
    }

    fn start_of(&self, unit: Unit) -> Option<DateTime> {
        let today = midnight(self.now);
        let n_days = match unit {
            Unit::Day => 0,
            Unit::Week => i64::from(today.weekday().to_monday_zero_offset()),
            Unit::Month => i64::from(today.day()) - 1,
            Unit::Year => i64::from(today.day_of_year()) - 1,
        };
        today.checked_sub(n_days.days()).ok()
    }

    fn days(&self, since: DateTime, n_days: i64, slack_days: i64) -> Option<Period> {
        let until = since.checked_add(n_days.days()).ok()?;
        self.period(since, until, slack_days * DAY_US)
    }

    fn period(&self, since: DateTime, until: DateTime, slack_us: i64) -> Option<Period> {
        let (since, until) = (self.instant(since)?, self.instant(until)?);
        (since < until).then_some(Period {
            since,
            until,
            slack_us,
        })
    }

    fn instant(&self, of: DateTime) -> Option<Timestamp> {
        let instant = self.zone.to_timestamp(of).ok()?;
        Some(Timestamp(instant.as_microsecond()))
    }
}

/// How far off one is when one names a whole day, week, month or year.
const fn slack_us(unit: Unit) -> i64 {
    let n_days = match unit {
        Unit::Day => 1,
        Unit::Week => 3,
        Unit::Month => 7,
        Unit::Year => 60,
    };
    n_days * DAY_US
}

fn first_of(year: i64, month: i64) -> Option<DateTime> {
    date(year, month, 1)
}

fn date(year: i64, month: i64, day: i64) -> Option<DateTime> {
    let number = |it: i64| i8::try_from(it).ok();
    let date = Date::new(i16::try_from(year).ok()?, number(month)?, number(day)?).ok()?;
    Some(date.to_datetime(jiff::civil::Time::midnight()))
}
