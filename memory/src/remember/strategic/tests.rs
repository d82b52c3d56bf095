//! What the strategies save, by way of a memory on a file system in memory.

use palimpsest_store::{MemoryId, Timestamp};

use crate::test_rig::{HandModel, LONG, Rig, SCOPE, text, with};
use crate::{
    Decision, Exchanges, Item, Novelty, Occasion, Remember, Remembered, RememberedItem, Role,
    Settings, Speakers, Strategy, Turn, TurnedAwayBy, Warning,
};

fn by(source: &str, of: &str) -> Item {
    with(text(of), |it| it.source = Some(source.to_owned()))
}

fn save(rig: &Rig, strategy: Strategy, items: Vec<Item>) -> Remembered {
    let request = Remember {
        strategy,
        ..Remember::explicit(SCOPE, items)
    };
    rig.memory
        .remember(request)
        .expect("the items are in range")
}

fn save_one(rig: &Rig, strategy: Strategy, item: Item) -> RememberedItem {
    save(rig, strategy, vec![item]).items.remove(0)
}

fn numbers(ids: &[MemoryId]) -> Vec<u64> {
    ids.iter().map(|id| id.0).collect()
}

/// Saves the lines of a conversation (`u`, `a`) as a transcript, in calls of `n_at_once`; all answers.
fn read_transcript(
    rig: &Rig,
    strategy: Strategy,
    speakers: Speakers,
    lines: &[(&str, &str, Option<i64>)],
    n_at_once: usize,
) -> Vec<RememberedItem> {
    let mut exchanges = Exchanges::new(speakers);
    let mut items = Vec::new();
    for (who, text, at) in lines {
        let role = if *who == "u" { Role::User } else { Role::Agent };
        let turn = Turn {
            role,
            text: (*text).to_owned(),
        };
        let session = Some("s1".to_owned());
        items.extend(exchanges.push(turn, None, at.map(Timestamp), session));
    }
    items.extend(exchanges.finish());
    let (mut answers, mut after) = (Vec::new(), None);
    for items in items.chunks(n_at_once) {
        let request = Remember {
            scope: SCOPE.to_owned(),
            items: items.to_vec(),
            strategy,
            occasion: Occasion::Transcript { after },
        };
        let answer = rig.memory.remember(request).expect("they are in range");
        after = after.max(answer.items.iter().filter_map(|item| item.id).max());
        answers.extend(answer.items);
    }
    answers
}

#[test]
fn every_exchange_is_saved_unless_it_says_nothing() {
    let rig = Rig::without_model();
    let items = vec![
        by("user", "We moved the boiler to the cellar"),
        by("assistant", "ok, got it"),
    ];
    let answer = save(&rig, Strategy::EveryExchange, items);
    assert_eq!(answer.items[0].decision, Decision::Stored);
    assert_eq!(answer.items[1].decision, Decision::Rejected);
    assert_eq!(answer.items[1].turned_away_by, Some(TurnedAwayBy::Gate));
}

#[test]
fn a_combined_exchange_says_nothing_only_where_no_turn_says_anything() {
    let rig = Rig::without_model();
    let lines = [("u", "thanks", None), ("a", "You're welcome!", None)];
    let small = read_transcript(&rig, Strategy::EveryExchange, Speakers::Combined, &lines, 9);
    assert_eq!(
        small[0].turned_away_by,
        Some(TurnedAwayBy::Gate),
        "{small:?}"
    );
    let lines = [
        ("u", "ok", None),
        ("a", "The boat is in the upper harbour", None),
    ];
    let kept = read_transcript(&rig, Strategy::EveryExchange, Speakers::Combined, &lines, 9);
    assert_eq!(kept[0].decision, Decision::Stored);
    assert_eq!(
        rig.texts().into_iter().collect::<Vec<_>>(),
        ["user: ok\nassistant: The boat is in the upper harbour"]
    );
}

#[test]
fn what_was_superseded_is_not_corrected_again() {
    let rig = Rig::without_model();
    let say = |text| save_one(&rig, Strategy::EveryExchange, by("user", text));
    say("My dog is called Bob");
    assert!(say("Actually my dog's name is Rex").superseded.is_empty());
    assert_eq!(numbers(&say("No, my dog is called Rex").superseded), [1]);
    assert!(say("My dog is called Max, not Bob").superseded.is_empty());
}

#[test]
fn a_correction_supersedes_what_it_corrects_and_the_past_stays_readable() {
    for rig in [Rig::without_model(), Rig::with_model()] {
        save_one(
            &rig,
            Strategy::EveryExchange,
            by("user", "My flight leaves on Monday"),
        );
        save_one(
            &rig,
            Strategy::EveryExchange,
            by("user", "The cat sleeps in the attic"),
        );
        rig.clock.set(2_000);
        let answer = save_one(
            &rig,
            Strategy::EveryExchange,
            by("user", "My flight leaves on Tuesday, not Monday"),
        );
        assert_eq!(answer.decision, Decision::Superseded);
        assert_eq!(numbers(&answer.superseded), [1]);
        assert_eq!(
            answer.reason,
            "kept as a new memory that takes the place of memory 1; the user corrects memory 1"
        );
        let past = rig.memory.history(MemoryId(1)).expect("the store is sound");
        assert_eq!(past[0].memory.superseded_by, Some(MemoryId(3)));
        assert_eq!(past[0].memory.valid_to, Some(Timestamp(2_000)));
        assert_eq!(past[1].memory.superseded_by, None, "as of before");
        assert_eq!(rig.texts().len(), 2);
    }
}

#[test]
fn the_agents_words_the_callers_choice_and_unknown_speakers_correct_nothing() {
    let cases = [
        (Strategy::Explicit, Some("user"), false),
        (Strategy::EveryExchange, Some("assistant"), false),
        (Strategy::EveryExchange, Some("Ada"), false),
        (Strategy::EveryExchange, None, false),
        (Strategy::EveryExchange, Some("User"), true),
        (Strategy::EveryExchange, Some("human"), true),
        (Strategy::SemanticShift, Some("user"), true),
    ];
    for (strategy, source, expect) in cases {
        let rig = Rig::without_model();
        rig.keep(with(text("The shop opens on Monday"), |it| {
            it.source = source.map(str::to_owned);
        }));
        let item = with(text("No, it's Tuesday"), |it| {
            it.source = source.map(str::to_owned);
        });
        let answer = save_one(&rig, strategy, item);
        assert_eq!(
            !answer.superseded.is_empty(),
            expect,
            "{strategy:?} {source:?} {answer:?}"
        );
    }
}

#[test]
fn a_correction_of_what_cannot_be_told_is_kept_beside_everything() {
    let rig = Rig::without_model();
    rig.keep(by("user", "The garden needs water"));
    let answer = save_one(&rig, Strategy::EveryExchange, by("user", "That's wrong."));
    assert_eq!(
        (answer.decision, answer.superseded.len()),
        (Decision::Stored, 0)
    );
    assert!(
        answer.reason.contains("cannot be told"),
        "{}",
        answer.reason
    );
    assert_eq!(rig.texts().len(), 2);
}

#[test]
fn a_correction_is_saved_though_it_says_nothing_new() {
    let rig = Rig::with_model();
    let shift = Strategy::SemanticShift;
    save_one(&rig, shift, by("assistant", "I meant the mill"));
    assert_eq!(
        save_one(&rig, shift, by("user", "So I meant the mill")).decision,
        Decision::Stored
    );
    let again = save_one(&rig, shift, by("assistant", "the mill I meant"));
    assert_eq!(
        again.turned_away_by,
        Some(TurnedAwayBy::Strategy),
        "{again:?}"
    );
}

#[test]
fn a_speaker_with_a_name_corrects_by_the_role_of_the_turn() {
    let rig = Rig::without_model();
    let of = |role, of: &str| {
        with(by("Ada", of), |it| {
            it.turns = vec![Turn {
                role,
                text: of.to_owned(),
            }];
        })
    };
    save_one(
        &rig,
        Strategy::EveryExchange,
        of(Role::User, "The shop opens on Monday"),
    );
    let answer = save_one(
        &rig,
        Strategy::EveryExchange,
        of(Role::Agent, "No, it's Tuesday"),
    );
    assert_eq!(answer.superseded, []);
    let answer = save_one(
        &rig,
        Strategy::EveryExchange,
        of(Role::User, "No, it's Friday"),
    );
    assert_eq!(answer.superseded.len(), 1, "{answer:?}");
}

#[test]
fn only_what_is_new_is_saved_on_a_semantic_shift() {
    let rig = Rig::with_model();
    let shift = Strategy::SemanticShift;
    let first = save(
        &rig,
        shift,
        vec![by("user", "the red barn leaks when it rains")],
    );
    assert_eq!(
        first.items[0].reason,
        "kept as a new memory; there is nothing yet to compare it with"
    );
    assert_eq!(first.warnings, []);
    let items = vec![
        by("user", "when it rains the red barn leaks"),
        by("user", "goats eat the roses"),
        by("user", "the roses, goats eat"),
    ];
    let answer = save(&rig, shift, items);
    let [known, new, known_of_this_call] = &answer.items[..] else {
        panic!("{answer:?}");
    };
    assert_eq!(
        known.reason,
        "not kept: it says nothing new beside memory 1 (cosine 1.00)"
    );
    assert_eq!(
        (known.id, known.turned_away_by),
        (None, Some(TurnedAwayBy::Strategy))
    );
    assert!(
        new.reason
            .contains("of the latest 1 none says it (nearest: cosine"),
        "{}",
        new.reason
    );
    assert_eq!(
        known_of_this_call.turned_away_by,
        Some(TurnedAwayBy::Strategy)
    );
    assert_eq!(answer.warnings, []);
}

#[test]
fn without_a_model_words_decide_and_the_answer_says_so() {
    let rig = Rig::without_model();
    let shift = Strategy::SemanticShift;
    save_one(&rig, shift, by("user", "the red barn leaks when it rains"));
    let known = save(
        &rig,
        shift,
        vec![by("user", "When it rains, the red barn leaks")],
    );
    assert_eq!(known.items[0].turned_away_by, Some(TurnedAwayBy::Strategy));
    assert_eq!(
        known.warnings,
        [Warning::ModelMissing, Warning::NoveltyByWords]
    );
    let new = save(&rig, shift, vec![by("user", "goats eat the roses")]);
    assert_eq!(new.items[0].decision, Decision::Stored);
    assert!(new.warnings.contains(&Warning::NoveltyByWords));
}

#[test]
fn a_text_is_compared_with_the_latest_of_its_scope_alone() {
    let settings = Settings {
        novelty: Novelty {
            n_memories: 2,
            ..Novelty::default()
        },
        ..Settings::default()
    };
    let rig = Rig::with(HandModel::ready(), settings);
    rig.memory.settle(LONG).expect("the store is sound");
    let shift = Strategy::SemanticShift;
    for text in ["one two three", "four five six", "seven eight nine"] {
        save_one(&rig, shift, by("user", text));
    }
    let turned_away = |of: &str| save_one(&rig, shift, by("user", of)).turned_away_by;
    assert_eq!(turned_away("six five four"), Some(TurnedAwayBy::Strategy));
    assert_eq!(turned_away("three two one"), None, "the third latest");
    let elsewhere = Remember {
        strategy: shift,
        ..Remember::explicit("work", vec![by("user", "nine eight seven")])
    };
    let elsewhere = rig.memory.remember(elsewhere).expect("it is in range");
    assert_eq!(
        elsewhere.items[0].decision,
        Decision::Stored,
        "another scope"
    );
}

#[test]
fn what_was_superseded_can_be_said_again() {
    let rig = Rig::with_model();
    let shift = Strategy::SemanticShift;
    save_one(&rig, shift, by("user", "the shop opens on Monday"));
    save_one(&rig, shift, by("user", "No, it's Tuesday"));
    let again = save_one(&rig, shift, by("user", "the shop opens on Monday"));
    assert_eq!(again.decision, Decision::Stored, "{again:?}");
}

#[test]
fn a_topic_says_that_it_is_wanted() {
    let rig = Rig::with_model();
    save_one(
        &rig,
        Strategy::SemanticShift,
        text("the shop opens at nine"),
    );
    let item = with(text("at nine the shop opens"), |it| {
        it.topic = Some("shop/hours".to_owned());
    });
    assert_eq!(
        save_one(&rig, Strategy::SemanticShift, item).decision,
        Decision::Stored
    );
}

const TALK: [(&str, &str); 12] = [
    ("u", "my flight to the coast leaves on Monday"),
    ("a", "Noted, your flight leaves on Monday"),
    ("u", "Actually it's Tuesday"),
    ("a", "I changed it to Tuesday"),
    ("u", "thanks"),
    ("u", "the goats ate the roses by the wall"),
    ("u", "by the wall the goats ate the roses"),
    ("a", "That's wrong, I think"),
    ("u", "That's wrong"),
    ("u", "my flight to the coast leaves on Monday"),
    ("u", "the barn is red"),
    ("u", "red is the barn"),
];

#[test]
fn a_transcript_that_is_read_twice_adds_nothing() {
    for strategy in Strategy::ALL {
        for speakers in Speakers::ALL {
            for is_timed in [true, false] {
                for n_at_once in [1, 3, 50] {
                    let rig = Rig::with_model();
                    rig.keep(text("an older memory of the barn: it is red"));
                    let times = (10..).map(|at| is_timed.then_some(at));
                    let lines: Vec<_> = TALK
                        .iter()
                        .zip(times)
                        .map(|((who, text), at)| (*who, *text, at))
                        .collect();
                    let first = read_transcript(&rig, strategy, speakers, &lines, n_at_once);
                    let state = rig
                        .memory
                        .list(Some(SCOPE), 100)
                        .expect("the store is sound");
                    let second = read_transcript(&rig, strategy, speakers, &lines, n_at_once);
                    let again = rig
                        .memory
                        .list(Some(SCOPE), 100)
                        .expect("the store is sound");
                    let case = format!("{strategy:?} {speakers:?} {is_timed} {n_at_once}");
                    assert_eq!(state, again, "{case}");
                    for (first, second) in first.iter().zip(&second) {
                        assert_eq!(
                            first.turned_away_by, second.turned_away_by,
                            "{case}: {first:?}"
                        );
                        assert_eq!(first.id, second.id, "{case}: {first:?} {second:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_transcript_says_what_was_read_before() {
    let rig = Rig::without_model();
    let lines = [
        ("u", "the shop opens on Monday", Some(5)),
        ("u", "No, it's Tuesday", Some(6)),
    ];
    let read = || read_transcript(&rig, Strategy::EveryExchange, Speakers::Both, &lines, 50);
    assert_eq!(numbers(&read()[1].superseded), [1]);
    let second = read();
    assert_eq!(
        second[0].reason,
        "it was read before, as memory 1, which memory 2 has superseded since"
    );
    assert_eq!(second[1].reason, "it was read before, as memory 2");
    assert!(
        second
            .iter()
            .all(|item| item.decision == Decision::Merged && item.superseded.is_empty())
    );
}

#[test]
fn the_same_words_of_another_time_are_another_saying() {
    let rig = Rig::without_model();
    let read = |at| {
        let lines = [("u", "the shop opens on Monday", Some(at))];
        read_transcript(&rig, Strategy::EveryExchange, Speakers::Both, &lines, 50).remove(0)
    };
    assert_eq!(read(5).decision, Decision::Stored);
    assert_eq!(read(6).decision, Decision::Stored);
    assert_eq!(read(6).decision, Decision::Merged);
}
