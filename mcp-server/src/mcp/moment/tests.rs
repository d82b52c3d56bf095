//! Tests of the module above.

use jiff::tz::TimeZone;
use palimpsest_memory::Timestamp;
use proptest::prelude::*;

use super::super::argument::Edge;
use super::{read, tell, zone_name};

fn berlin() -> TimeZone {
    TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").expect("a POSIX zone")
}

fn told(text: &str, edge: Edge) -> String {
    read(text, edge, &berlin()).map_or_else(|| "none".to_owned(), |time| tell(time, &berlin()))
}

#[test]
fn a_moment_is_taken_in_its_zone_and_else_in_the_servers() {
    let cases = [
        ("2026-05-31T15:00:00Z", "2026-05-31T17:00:00+02:00"),
        (
            "2026-05-31T15:00:00.123456-07:00",
            "2026-06-01T00:00:00.123456+02:00",
        ),
        ("2026-05-31T15:00", "2026-05-31T15:00:00+02:00"),
        ("2026-05-31 15:00:30", "2026-05-31T15:00:30+02:00"),
        ("2026-01-31T15:00", "2026-01-31T15:00:00+01:00"),
        (" 2026-05-31 ", "2026-05-31T00:00:00+02:00"),
        // Twice that night: the first is taken.
        ("2026-10-25T02:30", "2026-10-25T02:30:00+02:00"),
        // Never that night: the clock goes on by the hour that was left out.
        ("2026-03-29T02:30", "2026-03-29T03:30:00+02:00"),
        ("yesterday", "none"),
        ("", "none"),
        ("2026-02-30", "none"),
        ("1717000000", "none"),
        ("2026-05-31T25:00", "none"),
    ];
    for (given, expected) in cases {
        assert_eq!(told(given, Edge::Start), expected, "{given}");
    }
}

#[test]
fn a_date_stands_for_the_edge_that_the_argument_wants() {
    let cases = [
        (Edge::Start, "2026-03-29T00:00:00+01:00"),
        (Edge::Last, "2026-03-29T23:59:59.999999+02:00"),
        (Edge::After, "2026-03-30T00:00:00+02:00"),
    ];
    for (edge, expected) in cases {
        assert_eq!(told("2026-03-29", edge), expected, "{edge:?}");
    }
}

#[test]
fn for_ever_is_the_last_moment() {
    for edge in [Edge::Start, Edge::Last, Edge::After] {
        assert!(
            told("9999-12-31", edge).starts_with("9999-12-3"),
            "{edge:?}: {}",
            told("9999-12-31", edge)
        );
    }
    for given in [
        "9999-12-31T23:59:59Z",
        "9999-12-31T23:59:59",
        "9999-12-31T00:00:00+14:00",
        "9999-12-31T00:00:00-05:00",
    ] {
        let told = told(given, Edge::Start);
        assert!(told.starts_with("9999-12-3"), "{given}: {told}");
    }
    assert_eq!(told("10000-01-01", Edge::Start), "none");
    assert_eq!(told("9999-12-31T25:00:00Z", Edge::Start), "none");
    assert_eq!(told("2026-05-31T25:00:00Z", Edge::Start), "none");
}

#[test]
fn utc_is_told_with_a_z_and_by_its_name() {
    assert_eq!(tell(Timestamp(0), &TimeZone::UTC), "1970-01-01T00:00:00Z");
    assert_eq!(zone_name(&TimeZone::UTC), "UTC");
}

proptest! {
    /// What an answer tells can be asked with, to the microsecond; out of range nothing panics.
    #[test]
    fn a_told_moment_is_read_back(micros in any::<i64>()) {
        let time = Timestamp(micros);
        let read = read(&tell(time, &berlin()), Edge::Start, &berlin()).expect("told by us");
        if jiff::Timestamp::from_microsecond(micros).is_ok() {
            prop_assert_eq!(read, time);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        let _moment = read(&text, Edge::Last, &berlin());
    }
}
