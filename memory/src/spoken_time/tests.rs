//! What counts as a time, and which it is. Said on Wednesday, 2023-05-10, at 15:30.

use jiff::civil::DateTime;
use jiff::tz::{TimeZone, offset};
use palimpsest_store::Timestamp;
use proptest::prelude::*;

use super::{Period, spoken_times};

const NOW: &str = "2023-05-10T15:30:00";
const HOUR_US: i64 = 3_600_000_000;

fn moment(text: &str, zone: &TimeZone) -> Timestamp {
    let at: DateTime = text.parse().expect("a civil time");
    let instant = zone.to_timestamp(at).expect("within the calendar");
    Timestamp(instant.as_microsecond())
}

fn said(text: &str) -> Vec<Period> {
    spoken_times(text, moment(NOW, &TimeZone::UTC), &TimeZone::UTC)
}

/// `since..until` by days, or hours where a day is not enough.
fn shown(period: &Period) -> String {
    let show = |at: Timestamp| {
        let at = jiff::Timestamp::from_microsecond(at.0).expect("within the calendar");
        let at = TimeZone::UTC.to_datetime(at);
        let whole_day = at.hour() == 0 && at.minute() == 0;
        let format = if whole_day { "%F" } else { "%FT%H:%M" };
        at.strftime(format).to_string()
    };
    format!("{}..{}", show(period.since), show(period.until))
}

#[test]
fn a_row_of_prepositions_is_read_to_its_end() {
    let text = format!("{}March", "since ".repeat(100_000));
    assert_eq!(said(&text), said("since March"));
}

#[test]
fn a_time_is_what_the_calendar_says() {
    let table = [
        ("What did I buy yesterday?", "2023-05-09..2023-05-10"),
        ("the day before yesterday", "2023-05-08..2023-05-09"),
        ("what happened today", "2023-05-10..2023-05-11"),
        (
            "Which appliance did I buy 10 days ago?",
            "2023-04-30..2023-05-01",
        ),
        ("three days ago", "2023-05-07..2023-05-08"),
        ("a day ago", "2023-05-09..2023-05-10"),
        ("two weeks ago", "2023-04-23T03:30..2023-04-30T03:30"),
        (
            "the Wednesday two months ago",
            "2023-02-23T15:30..2023-03-25T15:30",
        ),
        ("a year ago", "2021-11-09T03:30..2022-11-09T03:30"),
        ("a couple of days ago", "2023-05-07T15:30..2023-05-09T15:30"),
        ("a couple days back", "2023-05-07T15:30..2023-05-09T15:30"),
        ("a few weeks ago", "2023-04-09T03:30..2023-04-30T03:30"),
        ("the other day", "2023-05-06T03:30..2023-05-09T03:30"),
        ("last Friday", "2023-05-05..2023-05-06"),
        ("on Wednesday", "2023-05-03..2023-05-04"),
        ("this past Sunday", "2023-05-07..2023-05-08"),
        ("last weekend", "2023-05-06..2023-05-08"),
        ("last night", "2023-05-09..2023-05-10"),
        ("this morning", "2023-05-10..2023-05-11"),
        ("last week", "2023-05-01..2023-05-08"),
        ("last month", "2023-04-01..2023-05-01"),
        ("last year", "2022-01-01..2023-01-01"),
        ("this week", "2023-05-08..2023-05-10T15:30"),
        ("this month", "2023-05-01..2023-05-10T15:30"),
        ("in the past month", "2023-04-10T15:30..2023-05-10T15:30"),
        (
            "over the last three months",
            "2023-02-10T15:30..2023-05-10T15:30",
        ),
        ("in the past 30 days", "2023-04-10T15:30..2023-05-10T15:30"),
        ("in March", "2023-03-01..2023-04-01"),
        ("in may", "2023-05-01..2023-06-01"),
        ("between march and april", "2023-04-01..2023-05-01"),
        ("what happened june", "2022-06-01..2022-07-01"),
        ("in June", "2022-06-01..2022-07-01"),
        ("in mid-July 2021", "2021-07-01..2021-08-01"),
        ("June of last year", "2022-06-01..2022-07-01"),
        ("last August", "2022-08-01..2022-09-01"),
        ("on April 20th", "2023-04-20..2023-04-21"),
        ("on 20 April", "2023-04-20..2023-04-21"),
        ("the 2nd of June", "2022-06-02..2022-06-03"),
        ("May 7th, 2023", "2023-05-07..2023-05-08"),
        ("7 May 2021", "2021-05-07..2021-05-08"),
        ("31 February", "2023-02-01..2023-03-01"),
        ("Feb 29", "2020-02-29..2020-03-01"),
        ("on 2023-02-03", "2023-02-03..2023-02-04"),
        ("in 2023-02-03", "2023-02-03..2023-02-04"),
        ("in 2021", "2021-01-01..2022-01-01"),
        ("since March", "2023-03-01..2023-05-10T15:30"),
        ("after last week", "2023-05-01..2023-05-10T15:30"),
        (
            "in March and April",
            "2023-03-01..2023-04-01 2023-04-01..2023-05-01",
        ),
        ("GESTERN? Yesterday!", "2023-05-09..2023-05-10"),
    ];
    for (text, expected) in table {
        let found: Vec<String> = said(text).iter().map(shown).collect();
        assert_eq!(found.join(" "), expected, "{text}");
    }
}

#[test]
fn what_is_no_time_behind_us_is_not_taken() {
    let none = [
        "What is the name of my dog?",
        "How many weeks ago did I start?",
        "What do I do on Mondays?",
        "What may I eat?",
        "May I eat nuts?",
        "March on!",
        "the march of time",
        "I will march on",
        "ready to march, and may I come",
        "Does May like tea?",
        "before March",
        "What am I doing this Friday?",
        "plans for this weekend",
        "This may sound odd",
        "a budget of 2000 euros",
        "until last week",
        "next week",
        "tomorrow",
        "two weeks from now",
        "a week of work",
        "the last of the two",
        "room 2023",
        "on May 31st, 20230",
        "99999 days ago",
        "last",
        "in",
        "",
        "何時",
    ];
    for text in none {
        let found = said(text);
        // "May" as a name is a month to us where it stands alone with a capital.
        let is_name = text == "Does May like tea?";
        let is_date = text.contains("May 31st");
        assert_eq!(!found.is_empty(), is_name || is_date, "{text}: {found:?}");
    }
}

#[test]
fn days_are_those_of_the_zone() {
    let zone = TimeZone::fixed(offset(9));
    let now = moment("2023-05-10T08:00:00", &zone);
    let [period] = spoken_times("yesterday", now, &zone)[..] else {
        panic!("one time was spoken of");
    };
    assert_eq!(period.since, moment("2023-05-09T00:00:00", &zone));
    assert_eq!(period.until, moment("2023-05-10T00:00:00", &zone));
}

#[test]
fn nearness_is_whole_within_and_fades_to_both_sides() {
    let period = Period {
        since: Timestamp(10 * HOUR_US),
        until: Timestamp(20 * HOUR_US),
        slack_us: 5 * HOUR_US,
    };
    let table = [
        (0, 0.0),
        (5, 0.5),
        (10, 1.0),
        (15, 1.0),
        (20, 1.0),
        (25, 0.5),
        (30, 0.0),
        (99, 0.0),
    ];
    for (hour, nearness) in table {
        let found = period.nearness(Timestamp(hour * HOUR_US));
        assert!((found - nearness).abs() < 1e-12, "{hour}: {found}");
    }
    assert_eq!(period.reach(), (Timestamp(0), Timestamp(30 * HOUR_US)));
}

proptest! {
    #[test]
    fn any_text_at_any_time_is_read_without_a_panic(
        text in "((last|past|since|in|on|a|two|99|1900|2199|31|weeks?|years?|days?|ago|may|february|friday|before|of|\\PC{0,3}) ?){0,12}",
        now in any::<i64>(),
    ) {
        for period in spoken_times(&text, Timestamp(now), &TimeZone::UTC) {
            prop_assert!(period.since < period.until && period.slack_us > 0);
            period.reach();
            period.nearness(Timestamp(i64::MIN));
            period.nearness(Timestamp(i64::MAX));
        }
    }
}
