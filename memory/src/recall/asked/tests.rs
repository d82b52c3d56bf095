//! What a question may hold, and the moments that it is about.

use palimpsest_store::{MemoryId, MemoryRecord, Timestamp};

use super::{Asked, QUERY_CHARS_MAX, status};
use crate::test_rig::with;
use crate::{Error, HitStatus, Include, Kind, Recall, Settings};

const NOW: Timestamp = Timestamp(1_000);

fn check(request: &Recall) -> Result<Asked, Error> {
    Asked::check(request, &Settings::default(), NOW)
}

fn query(query: &str) -> Recall {
    with(Recall::default(), |it| it.query = Some(query.to_owned()))
}

#[test]
fn a_blank_query_lists_where_a_filter_is_given_and_is_refused_where_none_is() {
    let filters: [fn(&mut Recall); 5] = [
        |recall| recall.ids = vec![MemoryId(1)],
        |recall| recall.kinds = vec![Kind::Note],
        |recall| recall.tags = vec!["tag".to_owned()],
        |recall| recall.since = Some(NOW),
        |recall| recall.until = Some(NOW),
    ];
    for blank in [None, Some(""), Some(" \n\u{3000}")] {
        let recall = with(Recall::default(), |it| {
            it.query = blank.map(str::to_owned);
            it.scopes = vec!["scope".to_owned()];
            it.tags = vec![" ".to_owned()];
        });
        assert!(
            matches!(check(&recall), Err(Error::NothingToSearchFor)),
            "{blank:?}"
        );
        for filter in filters {
            let recall = with(recall.clone(), filter);
            assert_eq!(check(&recall).expect("a filter is enough").query, None);
        }
    }
}

type Refused = (&'static str, fn(&mut Recall));

#[test]
fn a_value_out_of_range_is_refused_by_name() {
    let refused: [Refused; 7] = [
        ("limit", |recall| recall.limit = Some(0)),
        ("limit", |recall| recall.limit = Some(101)),
        ("max_tokens", |recall| recall.max_tokens = Some(0)),
        ("min_score", |recall| recall.min_score = Some(f64::NAN)),
        ("min_score", |recall| recall.min_score = Some(1.1)),
        ("until", |recall| {
            (recall.since, recall.until) = (Some(NOW), Some(NOW));
        }),
        ("scope", |recall| recall.scopes = vec![" ".to_owned()]),
    ];
    for (name, change) in refused {
        let mut recall = query("anything");
        change(&mut recall);
        match check(&recall) {
            Err(Error::OutOfRange { argument, .. }) => assert_eq!(argument, name),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn the_moment_is_now_or_the_moment_that_is_looked_back_to() {
    let (past, future) = (Timestamp(10), Timestamp(2_000));
    let expected = [
        (None, None, NOW),
        (Some(past), None, past),
        (Some(future), None, NOW),
        (None, Some(past), past),
        (None, Some(future), future),
        (Some(past), Some(future), future),
    ];
    for (known_at, as_of, moment) in expected {
        let recall = with(query("anything"), |it| {
            it.known_at = known_at;
            it.as_of = as_of;
        });
        assert_eq!(check(&recall).expect("all is in range").as_of, moment);
    }
}

#[test]
fn a_long_query_is_cut_between_characters() {
    let asked = check(&query(&"é".repeat(QUERY_CHARS_MAX + 1))).expect("any text is a query");
    assert_eq!(
        asked.query.expect("it is not blank").chars().count(),
        QUERY_CHARS_MAX
    );
    assert!(asked.is_query_cut);
    let asked = check(&query(&"é".repeat(QUERY_CHARS_MAX))).expect("any text is a query");
    assert!(!asked.is_query_cut);
}

fn memory(
    valid_from: Option<i64>,
    valid_to: Option<i64>,
    superseded_by: Option<u64>,
) -> MemoryRecord {
    MemoryRecord {
        id: MemoryId(1),
        text: "text".into(),
        scope: "scope".into(),
        kind: "fact".into(),
        topic: None,
        source: None,
        tags: Vec::new(),
        entities: Vec::new(),
        importance: 0.5,
        created_at: Timestamp(0),
        valid_from: valid_from.map(Timestamp),
        valid_to: valid_to.map(Timestamp),
        superseded_by: superseded_by.map(MemoryId),
    }
}

#[test]
fn a_status_says_what_holds_at_the_moment_that_is_asked_about() {
    let by = HitStatus::Superseded { by: MemoryId(2) };
    let expected = [
        (memory(None, None, None), 5, HitStatus::Current),
        (memory(Some(5), None, None), 4, HitStatus::NotYet),
        (memory(Some(5), Some(9), None), 5, HitStatus::Current),
        (memory(Some(5), Some(9), None), 9, HitStatus::Expired),
        (memory(None, Some(9), Some(2)), 8, HitStatus::Current),
        (memory(None, Some(9), Some(2)), 9, by),
        (memory(Some(5), Some(9), Some(2)), 4, HitStatus::NotYet),
        // Never true, as far as is known now.
        (memory(Some(5), Some(5), Some(2)), 4, by),
        (memory(Some(5), Some(5), Some(2)), 5, by),
    ];
    for (memory, as_of, expected) in expected {
        assert_eq!(
            status(&memory, Timestamp(as_of)),
            expected,
            "{memory:?} at {as_of}"
        );
    }
}

#[test]
fn what_is_over_is_shown_on_request() {
    let superseded = memory(None, Some(Timestamp(5).0), Some(2));
    let expired = memory(None, Some(5), None);
    let not_yet = memory(Some(5_000), None, None);
    let expected = [
        (Include::No, Include::No, [false, false, false]),
        (Include::Yes, Include::No, [true, false, false]),
        (Include::No, Include::Yes, [false, true, true]),
        (Include::Yes, Include::Yes, [true, true, true]),
    ];
    for (also_superseded, also_expired, shown) in expected {
        let recall = with(query("anything"), |it| {
            it.superseded = also_superseded;
            it.expired = also_expired;
        });
        let asked = check(&recall).expect("all is in range");
        let found = [&superseded, &expired, &not_yet]
            .map(|memory| asked.filter.accepts(memory) && asked.shows(memory));
        assert_eq!(found, shown);
    }
}

#[test]
fn a_memory_that_is_named_is_shown_whatever_became_of_it() {
    let recall = with(Recall::default(), |it| it.ids = vec![MemoryId(1)]);
    let asked = check(&recall).expect("ids are a filter");
    let superseded = memory(None, Some(5), Some(2));
    assert!(asked.filter.accepts(&superseded) && asked.shows(&superseded));
}
