//! Turns in, memories out.

use super::*;

/// `u:text` or `a:text`, `@` the session; what comes out as `source|text`.
fn remembered(speakers: Speakers, turns: &[&str]) -> Vec<String> {
    let mut exchanges = Exchanges::new(speakers);
    let mut items: Vec<Item> = Vec::new();
    for turn in turns {
        let (said, session) = turn.split_once('@').unwrap_or((turn, ""));
        let (who, text) = said.split_once(':').expect("every turn here has a speaker");
        let role = if who == "u" { Role::User } else { Role::Agent };
        let name = (who.len() > 1).then(|| who.to_owned());
        let turn = Turn {
            role,
            text: text.to_owned(),
        };
        let session = Some(session.to_owned()).filter(|it| !it.is_empty());
        items.extend(exchanges.push(turn, name, None, session));
    }
    items.extend(exchanges.finish());
    let shown = items.iter().map(|item| {
        let source = item.source.as_deref().unwrap_or("-");
        let tags: Vec<String> = item.tags.iter().map(|tag| format!("#{tag}")).collect();
        let tags = tags.concat();
        assert!(!item.turns.is_empty());
        format!("{source}|{}{tags}", item.text)
    });
    shown.collect()
}

const TALK: [&str; 5] = ["u:one", "a:two", "a:three", "u:four", "u:five"];

#[test]
fn the_turns_of_those_who_were_asked_for_are_remembered() {
    let cases: [(Speakers, &[&str]); 4] = [
        (Speakers::User, &["user|one", "user|four", "user|five"]),
        (Speakers::Agent, &["assistant|two", "assistant|three"]),
        (
            Speakers::Both,
            &[
                "user|one",
                "assistant|two",
                "assistant|three",
                "user|four",
                "user|five",
            ],
        ),
        (
            Speakers::Combined,
            &[
                "user, assistant|user: one\nassistant: two\nassistant: three",
                "user|user: four\nuser: five",
            ],
        ),
    ];
    for (speakers, expect) in cases {
        assert_eq!(remembered(speakers, &TALK), expect, "{speakers:?}");
    }
}

#[test]
fn an_exchange_ends_with_its_session() {
    let talk = ["u:one@a", "u:two@b", "a:three@b"];
    let expect = [
        "user|one#a",
        "user, assistant|user: two\nassistant: three#b",
    ];
    assert_eq!(remembered(Speakers::Combined, &talk), expect);
}

#[test]
fn whoever_has_a_name_keeps_it() {
    let talk = ["Ada:one", "a:two"];
    let expect = ["Ada, assistant|Ada: one\nassistant: two"];
    assert_eq!(remembered(Speakers::Combined, &talk), expect);
}

#[test]
fn an_exchange_that_grows_too_long_goes_on_in_another() {
    let half = format!("u:{}", "x".repeat(EXCHANGE_LEN_BYTES_MAX / 2));
    let items = remembered(Speakers::Combined, &[&half, &half, &half]);
    assert_eq!(items.len(), 3);
}

#[test]
fn a_memory_begins_with_the_first_time_of_its_turns() {
    let mut exchanges = Exchanges::new(Speakers::Combined);
    let turn = |role, text: &str| Turn {
        role,
        text: text.to_owned(),
    };
    for (role, at) in [(Role::User, None), (Role::Agent, Some(Timestamp(7)))] {
        assert_eq!(exchanges.push(turn(role, "it"), None, at, None), None);
    }
    let item = exchanges.finish().expect("there were turns");
    assert_eq!(item.valid_from, Some(Timestamp(7)));
    assert_eq!(exchanges.finish(), None, "it is over");
}
