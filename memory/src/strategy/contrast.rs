//! "Porto, not Lisbon" and "not Lisbon but Porto". Knows no other correction.

use super::correction::IT_IS;
use super::naming::{NAMED_WORDS_MAX, POSSESSIVES, is_definite};
use super::sentence::{Reading, Token, Word, class_of};

/// Words of what is denied.
const DENIED_WORDS_MAX: usize = 4;
/// Words of a sentence whose end contrasts; a longer one tells a tale.
const SENTENCE_WORDS_MAX: usize = 16;

/// Whoever speaks of what they said contrasts anything.
const SAID: [&str; 6] = [
    "i said",
    "i meant",
    "i told you",
    "i asked for",
    "i wrote",
    "i mean",
];
const IT_IS_NOT: [&str; 9] = [
    "it isnt",
    "it wasnt",
    "that isnt",
    "that wasnt",
    "he isnt",
    "she isnt",
    "they arent",
    "they werent",
    "there arent",
];
/// How what is denied does not begin: "not only", "not sure", "not yet".
const NOT_DENIED: [&str; 36] = [
    "only",
    "just",
    "merely",
    "simply",
    "necessarily",
    "sure",
    "bad",
    "yet",
    "really",
    "always",
    "now",
    "today",
    "very",
    "too",
    "so",
    "much",
    "many",
    "any",
    "anymore",
    "again",
    "quite",
    "exactly",
    "that",
    "this",
    "because",
    "if",
    "when",
    "to",
    "all",
    "even",
    "being",
    "knowing",
    "mine",
    "yours",
    "as",
    "perfect",
];
/// How what is stated does not begin: another clause does.
const NOT_STATED: [&str; 18] = [
    "i", "you", "we", "they", "he", "she", "it", "there", "that", "this", "if", "when", "still",
    "maybe", "also", "thanks", "im", "then",
];

/// What is denied and what is stated instead, where the sentence contrasts two things.
///
/// Both must be definite, unless the speaker insists ("no", "actually") or speaks of what they said.
pub(super) fn contrast(start: Reading<'_>, insists: bool) -> Option<(Vec<&Word>, Vec<&Word>)> {
    let said = start.after_any(&SAID);
    let may_be_common = insists || said.is_some();
    not_but(said.unwrap_or(start), may_be_common).or_else(|| but_not(start, said, may_be_common))
}

/// "It's not Monday but Tuesday", "it isn't Monday, it's Tuesday", "not Lisbon, Porto".
fn not_but(start: Reading<'_>, may_be_common: bool) -> Option<(Vec<&Word>, Vec<&Word>)> {
    let after_head = start.after_any(&IT_IS).or_else(|| after_subject(start));
    let rest = start
        .after_any(&IT_IS_NOT)
        .or_else(|| after_head.unwrap_or(start).after("not"))?;
    let (words, after) = rest.clause();
    let but_idx = words.iter().position(|word| word.plain == "but");
    let (denied, stated) = if let Some(idx) = but_idx {
        (words.get(..idx)?.to_vec(), words.get(idx + 1..)?.to_vec())
    } else {
        let rest = after.skip_commas().after_all(&["but", "rather"]);
        let rest = rest.after_any(&IT_IS).unwrap_or(rest);
        let rest = rest.after_any(&SAID).unwrap_or(rest);
        (words, rest.clause().0)
    };
    let stated_is_definite = match but_idx {
        Some(_) => may_be_common || is_definite(&stated, false),
        None => is_definite(&stated, may_be_common),
    };
    let fits = is_denied(&denied, may_be_common) && is_stated(&stated) && stated_is_definite;
    fits.then_some((denied, stated))
}

/// "I said Porto, not Lisbon", "we leave on Tuesday, not Monday".
fn but_not<'a>(
    start: Reading<'a>,
    said: Option<Reading<'a>>,
    may_be_common: bool,
) -> Option<(Vec<&'a Word>, Vec<&'a Word>)> {
    let not_idx = start.0.iter().position(|token| match token {
        Token::Word(word) => word.plain == "not",
        Token::Comma => false,
    })?;
    let has_comma = not_idx > 0 && start.0.get(not_idx - 1) == Some(&Token::Comma);
    if not_idx > SENTENCE_WORDS_MAX || !(has_comma || said.is_some()) {
        return None;
    }
    let (denied, _) = Reading(start.0.get(not_idx + 1..)?).clause();
    let before = Reading(start.0.get(..not_idx)?);
    let head = said
        .map(|said| start.0.len() - said.0.len())
        .or_else(|| Some(start.0.len() - start.after_any(&IT_IS)?.0.len()))
        .unwrap_or_default();
    let stated: Vec<&Word> = Reading(before.0.get(head..)?).words();
    // The first word of a sentence is a capital one whatever it is.
    let named = if head == 0 && stated.len() > 2 {
        stated.get(1..)?
    } else {
        &stated
    };
    let is_named = may_be_common || named.iter().any(|word| word.is_definite());
    let denied_class = denied.first().and_then(|word| class_of(&word.plain));
    let same_class = denied_class.is_none_or(|class| {
        stated
            .iter()
            .any(|word| class_of(&word.plain) == Some(class))
    });
    let fits = is_denied(&denied, may_be_common) && is_named && same_class && is_stated(named);
    fits.then_some((denied, stated))
}

/// What follows "my flight is".
fn after_subject(start: Reading<'_>) -> Option<Reading<'_>> {
    let (words, _) = start.clause();
    let verb_idx = words
        .iter()
        .take(DENIED_WORDS_MAX + 1)
        .position(|word| matches!(&*word.plain, "is" | "was" | "are" | "were"))?;
    let is_subject = POSSESSIVES.contains(&&*words.first()?.plain) && verb_idx >= 2;
    is_subject.then_some(Reading(start.0.get(verb_idx + 1..)?))
}

fn is_denied(words: &[&Word], may_be_common: bool) -> bool {
    let begins_well = words.first().is_some_and(|first| {
        let is_vague = matches!(&*first.plain, "a" | "an") && !may_be_common;
        !is_vague && !NOT_DENIED.contains(&&*first.plain)
    });
    let is_all = words
        .iter()
        .any(|word| matches!(&*word.plain, "all" | "again" | "yet"));
    begins_well
        && !is_all
        && words.len() <= DENIED_WORDS_MAX
        && (may_be_common || is_definite(words, false))
}

fn is_stated(words: &[&Word]) -> bool {
    words.len() <= NAMED_WORDS_MAX
        && words
            .first()
            .is_some_and(|first| !NOT_STATED.contains(&&*first.plain))
}
