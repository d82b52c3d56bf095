//! Which memories a correction is about.

use super::super::correction;
use super::*;

/// A memory of so many minutes before the correction.
struct Said {
    minutes_before: i64,
    source: &'static str,
    text: &'static str,
    cosine: f32,
}

const fn said(minutes_before: i64, source: &'static str, text: &'static str) -> Said {
    Said {
        minutes_before,
        source,
        text,
        cosine: 0.0,
    }
}

const NOW: i64 = 1_000_000_000_000;

fn record(id: u64, said: &Said) -> MemoryRecord {
    let at = Timestamp(NOW - said.minutes_before * 60_000_000);
    MemoryRecord {
        id: MemoryId(id),
        text: said.text.into(),
        scope: "home".into(),
        kind: "event".into(),
        topic: None,
        source: Some(said.source.into()).filter(|it: &std::sync::Arc<str>| !it.is_empty()),
        tags: Vec::new(),
        entities: Vec::new(),
        importance: 0.5,
        created_at: at,
        valid_from: None,
        valid_to: None,
        superseded_by: None,
    }
}

/// The memories that the user's `text` corrects: their ids, which count from 1, the first one said.
fn check(text: &str, before: &[Said], expect: &[u64]) {
    let memories: Vec<MemoryRecord> = (1..)
        .zip(before)
        .map(|(id, said)| record(id, said))
        .collect();
    let recent: Vec<Recent<'_>> = memories
        .iter()
        .zip(before)
        .rev()
        .map(|(memory, said)| Recent {
            memory,
            cosine: Some(said.cosine),
        })
        .collect();
    let correction = correction(text).expect("it is a correction");
    let tags = BTreeSet::new();
    let saying = Saying {
        at: Timestamp(NOW),
        source: Some("user"),
        tags: &tags,
    };
    let found = match corrected(&correction, &saying, &recent) {
        Corrected::These(ids) => ids.iter().map(|id| id.0).collect(),
        Corrected::Unclear => Vec::new(),
    };
    assert_eq!(found, expect, "{text:?}: {correction:?}");
}

#[test]
fn what_is_named_as_wrong_is_what_is_corrected() {
    let talk = [
        said(9, "user", "We fly to Lisbon with Ann"),
        said(3, "user", "Book me a flight to Porto"),
        said(3, "assistant", "Done, your flight to Lisbon is booked"),
    ];
    check("I said Porto, not Lisbon", &talk, &[3]);
    // Long ago, but the user's own words.
    let old = [
        said(90_000, "user", "My aunt lives in Lisbon"),
        said(2, "user", "It rains"),
    ];
    check("My aunt lives in Porto, not Lisbon", &old, &[1]);
    check("My aunt lives in Porto, not Madrid", &old, &[]);
}

#[test]
fn what_only_has_the_wrong_word_on_another_occasion_stays() {
    let before = [said(90, "user", "I have a dog called Bob.")];
    check("The winner of the race was Alice, not Bob.", &before, &[]);
    let before = [said(90, "user", "My daughter was born in Lisbon.")];
    check(
        "We will spend the holidays in Porto, not Lisbon.",
        &before,
        &[],
    );
    let before = [said(90, "user", "We will spend the holidays in Lisbon.")];
    check(
        "We will spend the holidays in Porto, not Lisbon.",
        &before,
        &[1],
    );
}

#[test]
fn an_echo_just_before_goes_with_it() {
    let talk = [
        said(1, "user", "The meeting is on Monday"),
        said(1, "assistant", "Noted: the meeting is on Monday"),
    ];
    check("Actually it's Tuesday", &talk, &[1, 2]);
    check("It's Tuesday, not Monday", &talk, &[1, 2]);
}

#[test]
fn a_day_takes_the_place_of_a_day_and_a_number_of_a_number() {
    let talk = [
        said(1, "user", "Ann comes on Monday at 8"),
        said(0, "assistant", "I will remember that"),
    ];
    check("no, it's Thursday", &talk, &[1]);
    check("it should be 9", &talk, &[1]);
    check("Actually it's in May", &talk, &[]);
    let two = [said(1, "user", "Not sure: Monday or Wednesday")];
    check("Actually it's Friday", &two, &[]);
    let other = [said(1, "user", "My appointment is at 8")];
    check("No, the train is at 9", &other, &[]);
}

#[test]
fn a_number_of_another_kind_is_not_the_one_that_is_meant() {
    let talk = [
        said(2, "user", "The meeting is at 8"),
        said(2, "assistant", "Noted, the meeting is at 8"),
        said(1, "user", "I have 8 cousins"),
    ];
    check("It's at 9, not 8", &talk[2..], &[]);
    check("Sorry, the meeting is at 9, not 8", &talk, &[1]);
    check("No, I have 9 cousins, not 8", &talk, &[3]);
    check("It's at 9, not 8", &talk[..2], &[1, 2]);
    check("No, it's at 9", &talk[2..], &[]);
    let both = [said(1, "user", "Ann comes with 3 children at 8")];
    check("No, it's at 9", &both, &[1]);
    check("No, it's 9", &both, &[]);
}

#[test]
fn a_name_takes_the_place_of_a_name() {
    let talk = [
        said(2, "user", "Book me a flight to Lisbon"),
        said(2, "assistant", "Done. Your flight to Lisbon is booked."),
    ];
    check("No, I meant Porto.", &talk, &[1, 2]);
    check("No, it is to Porto", &talk, &[1, 2]);
    check("No, it is from Porto", &talk, &[]);
    check("No, I meant Lisbon", &talk, &[]);
    let talk = [
        said(2, "user", "Take the Vasco Express to Lisbon with Ann"),
        said(2, "assistant", "I will book that"),
    ];
    check("No, I meant Porto.", &talk, &[]);
    check("No, it is to Porto.", &talk, &[1]);
    let talk = [
        said(2, "user", "Call Mary Ann, please"),
        said(2, "assistant", "Shall I call Mary Ann now?"),
    ];
    check("No, I meant Mary Jane", &talk, &[1, 2]);
    // An echo is what says the same wrong thing.
    let talk = [
        said(2, "user", "Please call Ann"),
        said(2, "assistant", "I have called Bob"),
    ];
    check("No, I meant Jane", &talk, &[2]);
    // Long ago, or of a person.
    let talk = [said(90, "user", "Book me a flight to Lisbon")];
    check("No, I meant Porto.", &talk, &[]);
    let talk = [said(1, "user", "Yesterday I met Ann")];
    check("Actually, she is Norwegian", &talk, &[]);
}

#[test]
fn what_another_got_wrong_goes_with_what_it_echoes() {
    let talk = [
        said(2, "user", "My sister is called Anna"),
        said(2, "assistant", "Noted, her name is Anna"),
    ];
    check("That's wrong, her name is Hannah", &talk, &[1, 2]);
    let talk = [
        said(2, "user", "My sister Anna lives in Rome"),
        said(2, "assistant", "Noted: Anna has a home in Rome"),
    ];
    check("That's wrong, her name is Hannah", &talk, &[2]);
    check("That's wrong. I meant the other cousin.", &talk, &[2]);
    check("Correction: the other cousin", &talk, &[]);
    let talk = [said(2, "", "Rome is far away")];
    check("That's wrong.", &talk, &[]);
}

#[test]
fn who_misspoke_is_wrong_and_not_who_answered() {
    let talk = [
        said(2, "user", "Take the cellar key along"),
        said(2, "assistant", "I have put it on the list"),
    ];
    check("I misspoke.", &talk, &[1]);
    check("Scratch that", &talk, &[1]);
    check("You misunderstood me", &talk, &[2]);
    check("I misspoke.", &talk[1..], &[]);
}

#[test]
fn what_is_about_the_same_is_found_by_words() {
    let talk = [
        said(400, "user", "My sister's name is Anna"),
        said(300, "user", "My brother is called Paul"),
        said(5, "user", "The soup was too salty"),
    ];
    check("Actually my sister's name is Ann", &talk, &[1]);
    check("No, I meant the dentist", &talk, &[]);
}

#[test]
fn what_is_about_the_same_is_found_by_meaning() {
    let mut talk = [
        said(400, "user", "I see a doctor about my teeth"),
        said(300, "user", "The garden needs water"),
    ];
    talk[0].cosine = 0.7;
    check("No, I meant the dentist", &talk, &[1]);
    talk[0].cosine = 0.5;
    check("No, I meant the dentist", &talk, &[]);
}

#[test]
fn what_has_the_right_words_already_is_not_wrong() {
    let talk = [
        said(9, "user", "The bus stops at the mill"),
        said(1, "user", "No, the bus is at the bridge"),
    ];
    check("I meant the bridge", &talk[1..], &[]);
    check("I said the mill, not the bridge", &talk, &[2]);
}

#[test]
fn bare_rejection_is_about_what_another_said_just_before() {
    let talk = [
        said(2, "user", "Where is Ann?"),
        said(1, "assistant", "Ann is in Rome"),
    ];
    check("That's wrong.", &talk, &[2]);
    check("That's wrong.", &talk[..1], &[]);
    let old = [said(60, "assistant", "Ann is in Rome")];
    check("That's wrong.", &old, &[]);
    let later = [said(-60, "assistant", "Ann is in Rome")];
    check("That's wrong.", &later, &[]);
}

#[test]
fn another_conversation_is_not_the_exchange_just_before() {
    let before = [said(1, "assistant", "Ann is in Rome")];
    let mut memory = record(1, &before[0]);
    memory.tags = vec!["yesterday".into()];
    let tags = BTreeSet::from(["today".into()]);
    let saying = Saying {
        at: Timestamp(NOW),
        source: Some("user"),
        tags: &tags,
    };
    let recent = [Recent {
        memory: &memory,
        cosine: None,
    }];
    let bare = Correction {
        wrong_of: Some(Party::Another),
        ..Correction::default()
    };
    assert_eq!(corrected(&bare, &saying, &recent), Corrected::Unclear);
    memory.tags = vec!["today".into()];
    let recent = [Recent {
        memory: &memory,
        cosine: None,
    }];
    assert_eq!(
        corrected(&bare, &saying, &recent),
        Corrected::These(vec![MemoryId(1)])
    );
}

#[test]
fn nothing_is_corrected_in_an_empty_memory() {
    check("That's wrong.", &[], &[]);
    check("I said Porto, not Lisbon", &[], &[]);
}
