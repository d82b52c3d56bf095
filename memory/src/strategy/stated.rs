//! What a correction says is right. Knows no rule of the grammar.

use std::collections::BTreeSet;

use super::naming::{Named, content, named};
use super::sentence::{Class, Word};

/// What is right. Plain words: lower case, without apostrophes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Stated {
    /// The words that say something.
    pub(super) words: BTreeSet<String>,
    /// The names, days, months and numbers among them, in order.
    pub(super) named: Vec<Named>,
}

impl Stated {
    pub(super) fn of(words: &[&Word]) -> Self {
        Self {
            words: content(words),
            named: named(words),
        }
    }

    /// What is said of a person: "she is from Norway" says nothing against another name.
    pub(super) fn of_person(words: &[&Word]) -> Self {
        let mut stated = Self::of(words);
        stated.named.retain(|it| it.class != Class::Name);
        stated
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The first day, month or number; where there is none, the name, if it is the only one.
    pub(super) fn replaceable(&self) -> Option<&Named> {
        let mut of_class = self.named.iter().filter(|it| it.class != Class::Name);
        let mut names = self.named.iter().filter(|it| it.class == Class::Name);
        let only_name = names.next().filter(|_| names.next().is_none());
        of_class.next().or(only_name)
    }
}

#[cfg(test)]
mod tests {
    //! What of several things takes another's place.

    use super::super::sentence::{Class, Reading, sentences};
    use super::Stated;

    #[test]
    fn a_day_counts_for_more_than_a_name_and_two_names_for_none() {
        let class = |text: &str| {
            let sentence = sentences(text, 1, 100).remove(0);
            let stated = Stated::of(&Reading(&sentence.tokens).words());
            stated.replaceable().map(|it| it.class)
        };
        assert_eq!(class("it is with Ann on Tuesday"), Some(Class::Weekday));
        assert_eq!(class("it is with Ann"), Some(Class::Name));
        assert_eq!(class("it is with Mary Ann"), Some(Class::Name));
        assert_eq!(class("it is with Ann and Bob"), None);
        assert_eq!(class("Ann"), None, "a sentence begins with any word");
    }
}
