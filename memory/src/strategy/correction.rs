//! Whether a text corrects what was said before: a small closed grammar of English. Knows no memory.
//!
//! Only the first sentences are read, and each from its beginning: a correction comes first. A text is one if
//! it **rejects** ("That's wrong", "you misunderstood me", "the date is wrong"), **restates** ("no, I meant
//! Ann", "I misspoke", "it should be 40"), says what is the case **actually** ("actually it's Tuesday", "no,
//! the train is at 9"), or **contrasts** ("Porto, not Lisbon": [`super::contrast`]). What follows "actually"
//! and a leading "no" must name one thing of several (a name, a day, a number), since "actually, that's great"
//! and "no, I'm fine" correct nothing. Where in doubt, it is none.

use std::collections::BTreeSet;

use super::contrast::contrast;
use super::naming::{NAMED_WORDS_MAX, POSSESSIVES, content, definite};
use super::sentence::{Reading, Sentence, Word, sentences};
use super::stated::Stated;

/// Sentences that are read, and characters.
const SENTENCES_MAX: usize = 3;
const CHARS_MAX: usize = 1_000;
/// Words of a subject: "my sister's first name".
const SUBJECT_WORDS_MAX: usize = 4;

/// What a text corrects, as far as it says so. Plain words: lower case, without apostrophes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Correction {
    /// What was wrong.
    pub(crate) denied: BTreeSet<String>,
    /// What is right.
    pub(super) stated: Stated,
    /// Who said what is wrong, where the text tells.
    pub(super) wrong_of: Option<Party>,
}

/// One of the two who talk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Party {
    /// Who corrects.
    Speaker,
    Another,
}

/// What may come before anything.
const OPENERS: [&str; 27] = [
    "oh",
    "ah",
    "um",
    "uh",
    "er",
    "hm",
    "hmm",
    "oops",
    "wait",
    "hold on",
    "hang on",
    "hey",
    "hi",
    "hello",
    "well",
    "so",
    "but",
    "and",
    "ok",
    "okay",
    "sorry",
    "im sorry",
    "my apologies",
    "apologies",
    "yeah",
    "yes",
    "please",
];
/// Whoever begins so may contrast anything.
const SORRY: [&str; 4] = ["sorry", "im sorry", "oops", "my apologies"];
const NO: [&str; 5] = ["no", "nope", "nah", "no no", "no wait"];
const ACTUALLY: [&str; 3] = ["actually", "in fact", "as a matter of fact"];

pub(super) const IT_IS: [&str; 22] = [
    "its",
    "it is",
    "it was",
    "thats",
    "that is",
    "that was",
    "this is",
    "this was",
    "theyre",
    "they are",
    "they were",
    "hes",
    "he is",
    "he was",
    "shes",
    "she is",
    "she was",
    "im",
    "i am",
    "we are",
    "there are",
    "there were",
];
/// Those of [`IT_IS`] that speak of people.
const PERSON_IS: [&str; 11] = [
    "theyre",
    "they are",
    "they were",
    "hes",
    "he is",
    "he was",
    "shes",
    "she is",
    "she was",
    "im",
    "i am",
];
const YOU_ARE: [&str; 4] = ["youre", "you are", "youve got that", "you got that"];
const DEGREES: [&str; 8] = [
    "just",
    "simply",
    "completely",
    "totally",
    "still",
    "all",
    "quite",
    "actually",
];
const WRONG: [&str; 17] = [
    "wrong",
    "incorrect",
    "mistaken",
    "false",
    "inaccurate",
    "untrue",
    "a mistake",
    "an error",
    "not right",
    "not correct",
    "not true",
    "not accurate",
    "not quite right",
    "not what i said",
    "not what i meant",
    "not what i asked",
    "not what i told you",
];
/// "Wrong" is a verdict on what was said only where nothing of weight follows.
const AFTER_WRONG: [&str; 13] = [
    "again",
    "there",
    "though",
    "sorry",
    "actually",
    "im afraid",
    "i said",
    "i meant",
    "about that",
    "about the",
    "about my",
    "its",
    "it is",
];
const NOT_WHAT: [&str; 8] = [
    "you misunderstood",
    "you have misunderstood",
    "you misheard",
    "you got me wrong",
    "you got the wrong",
    "you have the wrong",
    "youve got the wrong",
    "you mixed up",
];
const I_ERRED: [&str; 10] = [
    "i misspoke",
    "i mistyped",
    "i was wrong",
    "i was mistaken",
    "i got that wrong",
    "i got it wrong",
    "i made a mistake",
    "scratch that",
    "strike that",
    "let me correct",
];
const MEANT: [&str; 5] = [
    "i meant",
    "what i meant was",
    "what i said was",
    "i was talking about",
    "i was referring to",
];
const AFTER_NO_MEANT: [&str; 6] = [
    "i mean",
    "i said",
    "i told you",
    "i asked about",
    "i was asking about",
    "i wanted to say",
];
/// "I meant it", "I meant to call": no correction.
const NOT_MEANT: [&str; 9] = [
    "it", "to", "that", "every", "no", "well", "this", "for", "what",
];
/// "I didn't say anything", "I didn't mean to": no correction.
const NOT_DENIED_SAYING: [&str; 8] = ["to", "it", "anything", "nothing", "so", "a", "yes", "much"];
const DENIED_SAYING: [&str; 4] = [
    "i didnt say",
    "i did not say",
    "i never said",
    "i didnt mean",
];
const SHOULD_BE: [&str; 10] = [
    "it should be",
    "that should be",
    "it should have been",
    "that should have been",
    "it shouldve been",
    "that shouldve been",
    "it was supposed to be",
    "that was supposed to be",
    "it must be",
    "make that",
];
/// Things of which people say that they are wrong, and mean that you have them wrong.
const FACTS: [&str; 18] = [
    "date",
    "day",
    "time",
    "name",
    "address",
    "number",
    "spelling",
    "year",
    "month",
    "amount",
    "price",
    "city",
    "place",
    "order",
    "answer",
    "figure",
    "email",
    "name you have",
];
const VERBS: [&str; 4] = ["is", "was", "are", "were"];
/// What `text` corrects, if it corrects anything.
pub(crate) fn correction(text: &str) -> Option<Correction> {
    let sentences = sentences(text, SENTENCES_MAX, CHARS_MAX);
    let mut found: Option<Correction> = None;
    for (sentence_idx, sentence) in sentences.iter().enumerate() {
        if sentence.is_question {
            // A question at the beginning asks; nothing after it corrects.
            break;
        }
        let whole = Reading(&sentence.tokens);
        let start = whole.after_all(&OPENERS);
        let is_sorry = whole.after_any(&SORRY).is_some();
        match (read(start, is_sorry), found.as_mut()) {
            (Some(own), None) => found = Some(own),
            // "That's wrong. It's Tuesday": the next sentence says what is right.
            (Some(own), Some(before)) => {
                if before.stated.is_empty() && before.denied.is_empty() {
                    let wrong_of = own.wrong_of.or(before.wrong_of);
                    *before = Correction { wrong_of, ..own };
                }
            }
            (None, Some(before)) => {
                if sentence_idx == 1 && before.stated.is_empty() {
                    before.stated = statement(start).unwrap_or_default();
                }
            }
            // "No." and "Sorry." stand before what they open.
            (None, None) => {
                if !start.after_all(&NO).is_over() {
                    return None;
                }
                if let Some(own) = after_no(sentences.get(sentence_idx + 1)) {
                    return Some(own);
                }
            }
        }
    }
    found
}

/// "No. I meant Ann."
fn after_no(next: Option<&Sentence>) -> Option<Correction> {
    let next = next.filter(|next| !next.is_question)?;
    let start = Reading(&next.tokens).after_all(&OPENERS);
    restates(start, true).or_else(|| states(start, true))
}

/// One sentence, its openers passed over.
fn read(start: Reading<'_>, is_sorry: bool) -> Option<Correction> {
    let after_no = start.after_all(&NO);
    let denies = after_no.0.len() < start.0.len();
    let start = after_no.after_all(&OPENERS);
    let after_actually = start.after_all(&ACTUALLY);
    let insists = denies || after_actually.0.len() < start.0.len();
    let start = after_actually;
    contrast(start, insists || is_sorry)
        .map(|(denied, stated)| Correction {
            denied: content(&denied),
            stated: Stated::of(&stated),
            wrong_of: None,
        })
        .or_else(|| restates(start, insists))
        .or_else(|| rejects(start))
        .or_else(|| insists.then(|| states(start, denies)).flatten())
        .or_else(|| is_actually(start))
}

/// "That's wrong", "you misunderstood", "the date is wrong", "correction: ...".
fn rejects(start: Reading<'_>) -> Option<Correction> {
    let of_it = start
        .after_any(&IT_IS)
        .or_else(|| start.after_any(&YOU_ARE))
        .filter(|_| {
            start
                .after_any(&["im", "i am", "we are", "there are", "there were"])
                .is_none()
        });
    let fact = start
        .after("the")
        .and_then(|rest| rest.after_any(&FACTS))
        .and_then(|rest| rest.after_any(&["is", "was"]));
    let colon = start
        .after("correction")
        .filter(|rest| rest.is_at_break() && !rest.is_over());
    let rest = of_it
        .and_then(verdict)
        .or_else(|| fact.and_then(verdict))
        .or(colon)
        .or_else(|| Some(start.after_any(&NOT_WHAT)?.clause().1))?;
    let stated = statement(rest.skip_commas().after_all(&OPENERS));
    Some(Correction {
        denied: BTreeSet::new(),
        stated: stated.unwrap_or_default(),
        wrong_of: colon.is_none().then_some(Party::Another),
    })
}

/// What follows "wrong" and its like, where that is all that is said of it.
fn verdict(rest: Reading<'_>) -> Option<Reading<'_>> {
    let wrong = rest.after_all(&DEGREES).after_any(&WRONG)?;
    let ends = wrong.is_at_break() || wrong.after_any(&AFTER_WRONG).is_some();
    ends.then_some(wrong)
}

/// "No, I meant Ann", "I misspoke", "it should be 40", "I didn't say Lisbon".
fn restates(start: Reading<'_>, insists: bool) -> Option<Correction> {
    if let Some(rest) = start.after_any(&DENIED_SAYING) {
        let (words, after) = rest.clause();
        let first = words.first()?;
        let names_it = !NOT_DENIED_SAYING.contains(&&*first.plain);
        return names_it.then(|| Correction {
            denied: content(&words),
            stated: statement(after.skip_commas()).unwrap_or_default(),
            wrong_of: Some(Party::Another),
        });
    }
    if let Some(rest) = start.after_any(&I_ERRED).filter(|rest| {
        rest.is_at_break()
            || rest
                .after_any(&["its", "it is", "about the", "about my", "that"])
                .is_some()
    }) {
        return Some(Correction {
            denied: BTreeSet::new(),
            stated: statement(rest.skip_commas()).unwrap_or_default(),
            wrong_of: Some(Party::Speaker),
        });
    }
    if let Some(rest) = start.after_any(&SHOULD_BE) {
        return definite(rest, insists).map(|words| stating(Stated::of(&words)));
    }
    let meant = start.after_any(&MEANT);
    let meant = meant.or_else(|| insists.then(|| start.after_any(&AFTER_NO_MEANT)).flatten())?;
    let (words, _) = meant.clause();
    let is_meant = words
        .first()
        .is_some_and(|word| !NOT_MEANT.contains(&&*word.plain));
    let is_short = words.len() <= NAMED_WORDS_MAX;
    (is_meant && is_short).then(|| stating(Stated::of(&words)))
}

/// After "actually" or "no": "it's Tuesday", "the train is at 9", "my name is Ann".
fn states(start: Reading<'_>, denies: bool) -> Option<Correction> {
    if let Some(rest) = start.after_any(&IT_IS) {
        let rest = rest.after_all(&["actually"]);
        let words = definite(rest, denies)?;
        return Some(stating(said_after(start, &words)));
    }
    let (words, _) = start.clause();
    let subject = subject_len(&words)?;
    let rest = Reading(start.0.get(subject..)?);
    let named = definite(rest.after_all(&["actually"]), denies)?;
    let words: Vec<&Word> = words.iter().take(subject).copied().chain(named).collect();
    Some(stating(Stated::of(&words)))
}

/// "It's actually Tuesday", "my name is actually Ann", "it's Tuesday, actually".
fn is_actually(start: Reading<'_>) -> Option<Correction> {
    let (words, after) = start.clause();
    let is_last = after
        .skip_commas()
        .after("actually")
        .is_some_and(Reading::is_over);
    let is_inside = words.iter().skip(1).any(|word| word.plain == "actually");
    (is_last || is_inside)
        .then(|| states(start, false))
        .flatten()
}

/// The words of the subject and its verb, where the clause begins with "the ... is".
fn subject_len(words: &[&Word]) -> Option<usize> {
    let first = words.first()?;
    let verb_idx = words
        .iter()
        .take(SUBJECT_WORDS_MAX + 2)
        .position(|word| VERBS.contains(&&*word.plain))?;
    (POSSESSIVES.contains(&&*first.plain) && verb_idx >= 2).then_some(verb_idx + 1)
}

/// What a clause states that need not be a correction by itself: "it's Tuesday", "Tuesday", "I meant Ann".
fn statement(start: Reading<'_>) -> Option<Stated> {
    let start = start.after_all(&NO).after_all(&ACTUALLY);
    let rest = start
        .after_any(&IT_IS)
        .or_else(|| start.after_any(&MEANT))
        .or_else(|| start.after_any(&AFTER_NO_MEANT))
        .unwrap_or(start);
    let (words, _) = rest.clause();
    let stated = said_after(start, &words);
    (words.len() <= NAMED_WORDS_MAX && !stated.is_empty()).then_some(stated)
}

/// What `words` state, where the clause that they are of begins at `start`.
fn said_after(start: Reading<'_>, words: &[&Word]) -> Stated {
    match start.after_any(&PERSON_IS) {
        Some(_) => Stated::of_person(words),
        None => Stated::of(words),
    }
}

fn stating(stated: Stated) -> Correction {
    Correction {
        stated,
        ..Correction::default()
    }
}

#[cfg(test)]
mod tests;
