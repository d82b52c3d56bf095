//! Whether words name one thing of several, and which of them say something. Knows no rule of the grammar.

use std::collections::BTreeSet;

use super::sentence::{Class, Reading, Word, class_of};

/// Words of what is named in a correction; a longer clause is a tale.
pub(super) const NAMED_WORDS_MAX: usize = 8;
pub(super) const POSSESSIVES: [&str; 7] = ["the", "my", "our", "his", "her", "their", "your"];
const PREPOSITIONS: [&str; 12] = [
    "on", "in", "at", "from", "with", "by", "for", "to", "of", "about", "until", "since",
];
const NAMING: [&str; 6] = [
    "called",
    "named",
    "spelled",
    "spelt",
    "pronounced",
    "written",
];
/// What stands between a correction and what it is about, and says nothing of either.
const FUNCTION_WORDS: [&str; 46] = [
    "a", "an", "the", "my", "our", "his", "her", "their", "your", "i", "you", "he", "she", "it",
    "we", "they", "its", "is", "was", "are", "were", "be", "im", "on", "in", "at", "from", "with",
    "by", "for", "to", "of", "about", "and", "or", "not", "no", "that", "this", "there",
    "actually", "one", "said", "meant", "mean", "called",
];

/// The words of the clause that begins at `rest`, where [`is_definite`] says so.
pub(super) fn definite(rest: Reading<'_>, may_be_common: bool) -> Option<Vec<&Word>> {
    let (words, _) = rest.clause();
    is_definite(&words, may_be_common).then_some(words)
}

/// Whether these words name one thing of several: a name, a day, a number, "the blue one"; with
/// `may_be_common` also "the train" and "my brother", but never "the best".
pub(super) fn is_definite(words: &[&Word], may_be_common: bool) -> bool {
    if words.len() > NAMED_WORDS_MAX {
        return false;
    }
    let mut named = words
        .iter()
        .skip_while(|word| PREPOSITIONS.contains(&&*word.plain) || word.plain == "actually");
    let Some(first) = named.next() else {
        return false;
    };
    let second = named.next();
    let is_naming = NAMING.contains(&&*first.plain) && second.is_some();
    let is_the_one = first.plain == "the"
        && second.is_some_and(|second| !is_superlative(&second.plain))
        && (may_be_common
            || words
                .last()
                .is_some_and(|last| matches!(&*last.plain, "one" | "ones")));
    let is_owned = may_be_common
        && POSSESSIVES.contains(&&*first.plain)
        && second.is_some_and(|second| second.plain.len() > 2 && !is_superlative(&second.plain));
    let is_the_nth = first.plain == "the" && second.is_some_and(|second| second.is_definite());
    first.is_definite() || is_the_nth || is_naming || is_the_one || is_owned
}

/// A thing of which another could be meant: "on Tuesday", "at 9", "to Porto".
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) class: Class,
    /// Plain words, single spaces: of a name all that stand in a row.
    pub(super) plain: String,
    /// What stands before it, articles and the like passed over.
    pub(super) preposition: Option<String>,
}

/// The names, days, months and numbers of a clause or a sentence, in order.
pub(super) fn named(words: &[&Word]) -> Vec<Named> {
    let mut found: Vec<Named> = Vec::new();
    let mut name_goes_on = false;
    for (idx, word) in words.iter().enumerate() {
        let class = class_of(&word.plain).filter(|_| word.is_definite());
        let is_name = class.is_none() && word.is_capital && !word.is_first;
        match found.last_mut() {
            Some(last) if is_name && name_goes_on => {
                last.plain.push(' ');
                last.plain.push_str(&word.plain);
            }
            _ => found.extend(class.or(is_name.then_some(Class::Name)).map(|class| Named {
                class,
                plain: word.plain.clone(),
                preposition: preposition(words.get(..idx).unwrap_or_default()),
            })),
        }
        name_goes_on = is_name;
    }
    found
}

/// The preposition that `words` end with, before "the", "my" and the like.
fn preposition(words: &[&Word]) -> Option<String> {
    let is_passed_over = |plain: &str| matches!(plain, "a" | "an") || POSSESSIVES.contains(&plain);
    let last = words.iter().rev().find(|word| !is_passed_over(&word.plain));
    let last = &last?.plain;
    PREPOSITIONS.contains(&last.as_str()).then(|| last.clone())
}

fn is_superlative(plain: &str) -> bool {
    let is_judgement = [
        "best",
        "worst",
        "same",
        "only",
        "least",
        "most",
        "favourite",
        "favorite",
        "pleasure",
        "first",
        "last",
        "problem",
        "fault",
        "point",
        "truth",
        "case",
        "way",
        "idea",
        "usual",
    ];
    is_judgement.contains(&plain) || (plain.len() > 5 && plain.ends_with("est"))
}

/// The words that say something.
pub(super) fn content(words: &[&Word]) -> BTreeSet<String> {
    let content = words.iter().map(|word| &word.plain);
    content
        .filter(|plain| !FUNCTION_WORDS.contains(&plain.as_str()))
        .cloned()
        .collect()
}
