use std::collections::BTreeSet;

use super::{Level, rank_of_first_hit};
use crate::dataset::Question;

/// Six turns in three sessions; turn 4 and session 2 are wanted.
fn check(level: Level, places: &[&[usize]], expected: Option<usize>) {
    let question = Question {
        id: "q".to_owned(),
        group: "g".to_owned(),
        text: String::new(),
        asked_at: None,
        turns_wanted: BTreeSet::from([4]),
        sessions_wanted: BTreeSet::from([2]),
    };
    let places: Vec<Vec<usize>> = places.iter().map(|place| place.to_vec()).collect();
    let found = rank_of_first_hit(level, &places, &[0, 0, 1, 1, 2, 2], &question);
    assert_eq!(found, expected, "{level:?} {places:?}");
}

#[test]
fn the_rank_is_that_of_the_first_wanted_turn_or_session() {
    let places: [&[usize]; 5] = [&[0], &[1], &[2], &[5], &[4]];
    check(Level::Turn, &places, Some(5));
    check(Level::Session, &places, Some(4));
    check(Level::DistinctSession, &places, Some(3));
    check(Level::Turn, &[], None);
}

#[test]
fn a_place_of_several_turns_hits_by_any_of_them() {
    check(Level::Turn, &[&[0], &[1, 4]], Some(2));
    check(Level::DistinctSession, &[&[0, 1], &[1], &[0, 5]], Some(2));
}

#[test]
fn what_stands_beyond_rank_ten_is_a_miss() {
    let nine: Vec<&[usize]> = vec![&[0]; 9];
    let tenth = [nine.clone(), vec![&[4]]].concat();
    let eleventh = [nine, vec![&[0], &[4]]].concat();
    check(Level::Turn, &tenth, Some(10));
    check(Level::Turn, &eleventh, None);
    // The same session again and again is one place.
    check(Level::DistinctSession, &eleventh, Some(2));
}
