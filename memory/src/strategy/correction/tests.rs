//! Sentences that correct and sentences that do not, all of our own.

use super::*;

/// A correction, what it denies and what it states.
const CORRECTIONS: [(&str, &str, &str); 70] = [
    ("That's wrong.", "", ""),
    ("that's wrong", "", ""),
    ("No, that's wrong", "", ""),
    ("That is not right.", "", ""),
    ("That's not what I said", "", ""),
    ("This is incorrect.", "", ""),
    ("You're wrong about that.", "", ""),
    ("Sorry. That's wrong!", "", ""),
    (
        "Hm, it's not quite right, the bus stops at the mill",
        "",
        "bus stops mill",
    ),
    ("That's wrong. It's Tuesday.", "", "tuesday"),
    ("That's not correct, it's Porto", "", "porto"),
    ("You misunderstood me", "", ""),
    ("You've got the wrong address", "", ""),
    ("The date is wrong", "", ""),
    ("the name is wrong, it's Ann", "", "ann"),
    ("Correction: the train is at 9", "", "train 9"),
    ("no, I meant the blue one", "", "blue"),
    ("No, I meant Ann", "", "ann"),
    ("No. I meant the dentist.", "", "dentist"),
    ("I meant Thursday", "", "thursday"),
    ("Sorry, I meant the other sister", "", "other sister"),
    ("No, I mean the red folder", "", "red folder"),
    ("Nope, I said four eggs", "", "four eggs"),
    ("What I meant was the library", "", "library"),
    ("I was talking about my uncle", "", "uncle"),
    ("I misspoke, it's 40", "", "40"),
    ("I was wrong, it's in May", "", "may"),
    ("I got that wrong. The code is 4411.", "", "code 4411"),
    ("scratch that, Friday", "", "friday"),
    ("It should be 14", "", "14"),
    ("That should have been Lisbon", "", "lisbon"),
    ("it was supposed to be on Sunday", "", "sunday"),
    ("I didn't say Lisbon", "lisbon", ""),
    ("I never said that", "", ""),
    ("I didn't say Lisbon, I said Porto", "lisbon", "porto"),
    ("actually it's Tuesday", "", "tuesday"),
    ("Actually, it's on Tuesday", "", "tuesday"),
    ("Actually it's spelled with a k", "", "spelled k"),
    ("actually, she is from Norway", "", "norway"),
    ("Oh wait, actually it's the green one", "", "green"),
    ("Actually my name is Ann", "", "name ann"),
    ("In fact, the meeting is at 10:30", "", "meeting 10:30"),
    ("It's actually 34", "", "34"),
    (
        "My sister's name is actually Marta",
        "",
        "sisters name marta",
    ),
    ("It's Tuesday, actually", "", "tuesday"),
    ("No, it's Tuesday", "", "tuesday"),
    ("no, it's my brother", "", "brother"),
    ("No, the meeting is on Friday", "", "meeting friday"),
    ("No, his name is Peter", "", "name peter"),
    ("No. It's Wednesday.", "", "wednesday"),
    ("I said Porto, not Lisbon", "lisbon", "porto"),
    ("I said porto not lisbon", "lisbon", "porto"),
    ("I meant tea, not coffee", "coffee", "tea"),
    ("Porto, not Lisbon", "lisbon", "porto"),
    ("It's Porto, not Lisbon.", "lisbon", "porto"),
    (
        "Sorry, it's porto, not lisbon, my mistake",
        "lisbon",
        "porto",
    ),
    ("We leave on Tuesday, not Monday", "monday", "leave tuesday"),
    (
        "My flight is on the 12th, not the 11th",
        "11th",
        "flight 12th",
    ),
    ("No, tea, not coffee", "coffee", "tea"),
    ("It's not Monday but Tuesday", "monday", "tuesday"),
    ("Not Lisbon but Porto", "lisbon", "porto"),
    ("not Lisbon, Porto", "lisbon", "porto"),
    ("It isn't Monday, it's Tuesday", "monday", "tuesday"),
    ("It's not Ann, it's Anna", "ann", "anna"),
    ("No, not the red one but the blue one", "red", "blue"),
    ("My birthday is not in June but in July", "june", "july"),
    ("No, it's not a cat but a dog", "cat", "dog"),
    ("The code is not 4410 but 4411", "4410", "4411"),
    ("Hold on, I asked for three, not two", "two", "three"),
    ("that isn't Peter, that's Paul", "peter", "paul"),
];

const OTHERS: [&str; 96] = [
    "piano, no problem",
    "no problem",
    "No problem at all, happy to help",
    "actually, that's great",
    "Actually that's a good idea",
    "that's not wrong",
    "That's not bad",
    "You're not wrong",
    "No, thanks",
    "no",
    "No.",
    "nope, all good",
    "No, I don't like fish",
    "No, I have never been to Porto",
    "No, that's all for today",
    "no, it's fine",
    "No, I'm good",
    "No worries, take your time",
    "no idea",
    "No one told me about Lisbon",
    "No, not really",
    "No, not yet",
    "No, not at all, go ahead",
    "Not today, thanks",
    "Not sure, but maybe Tuesday",
    "I'm not sure but I think it rains",
    "Not only Porto but also Lisbon",
    "It's not only cheap but also good",
    "It's not cheap but it's good",
    "The hotel was not fancy but clean",
    "Actually, can you help me with Tuesday?",
    "Actually I love it",
    "Actually it's raining",
    "Actually, it's the best pizza in town",
    "Actually it's the first time I hear that",
    "Actually it's my birthday",
    "Actually, I am tired",
    "I actually like Lisbon",
    "It's actually quite nice here",
    "It's actually good",
    "That's great, actually",
    "What's wrong with my bicycle?",
    "Is that wrong?",
    "Am I wrong?",
    "Isn't it Tuesday, not Monday?",
    "Something is wrong with my car",
    "Nothing is wrong with it",
    "My watch is wrong",
    "It's wrong to lie",
    "It's wrong that nobody came",
    "There is no wrong answer",
    "I took the wrong bus to Porto",
    "If that's wrong, tell me",
    "Tell me if I'm wrong",
    "I'm wrong more often than not",
    "False alarm",
    "He told a false story about Lisbon",
    "I meant to call Ann yesterday",
    "I meant it",
    "I meant every word",
    "I mean, the weather is nice",
    "I mean it's Tuesday already",
    "She said that I meant well",
    "What do you mean?",
    "I said hello to Ann",
    "I said yes",
    "I said not to call before nine",
    "I told you about Porto last week",
    "I didn't mean to wake you",
    "I didn't say anything",
    "My flight is on Tuesday",
    "It's Tuesday",
    "It's Porto",
    "The meeting is at 10",
    "My name is Ann",
    "I live in Porto, near the river",
    "I like tea, not very strong",
    "I'm a vegetarian, not a vegan",
    "It's a marathon, not a sprint",
    "Great, not too expensive",
    "We went to Porto, not bad at all",
    "I'll come on Tuesday, not sure when",
    "It should be fine",
    "It should be sunny tomorrow",
    "That should be enough",
    "It was supposed to be fun",
    "Correct me if I'm wrong, but Porto is in Portugal",
    "Right, that's correct",
    "That's right",
    "Yes, that is what I said",
    "You got that right",
    "Please correct the spelling in my letter",
    "The weather is wrong for a picnic",
    "Could you make that two?",
    "Thanks, that's perfect",
    "",
];

fn set(words: &str) -> BTreeSet<String> {
    words.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn corrections_are_told_with_what_they_deny_and_state() {
    let mut wrong = Vec::new();
    for (text, denied, stated) in CORRECTIONS {
        let found = correction(text);
        let is_as_expected = found
            .as_ref()
            .is_some_and(|it| it.denied == set(denied) && it.stated.words == set(stated));
        if !is_as_expected {
            wrong.push(format!("{text:?}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_corrects_nothing_is_no_correction() {
    let wrong: Vec<String> = OTHERS
        .iter()
        .filter_map(|text| Some(format!("{text:?}: {:?}", correction(text)?)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_corrects_says_something() {
    let trivial: Vec<_> = CORRECTIONS
        .iter()
        .filter(|(text, ..)| crate::gate::trivial(text).is_some())
        .collect();
    assert!(trivial.is_empty(), "{trivial:?}");
}

#[test]
fn a_correction_that_comes_late_is_none() {
    let tale = "We had dinner by the river. The fish was good. Then Ann sang. That's wrong.";
    assert_eq!(correction(tale), None);
    assert_eq!(
        correction(&format!("{}. That's wrong", "la ".repeat(600))),
        None
    );
}

proptest::proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC{0,200}") {
        let _read = correction(&text);
    }

    /// Words of the grammar in any order.
    #[test]
    fn any_row_of_its_own_words_is_read(
        words in proptest::collection::vec(
            proptest::sample::select(vec![
                "no", "not", "but", "actually", "it's", "I", "said", "meant", "Porto", "Tuesday", "the", "one",
                ",", ".", "?", "is", "my", "wrong", "that's", "didn't", "say", "should", "be", "12", "—",
            ]),
            0..12,
        )
    ) {
        if let Some(found) = correction(&words.join(" ")) {
            proptest::prop_assert!(found.denied.iter().chain(&found.stated.words).all(|word| !word.is_empty()));
        }
    }
}
