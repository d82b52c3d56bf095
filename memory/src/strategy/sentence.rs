//! A sentence as the grammar of corrections reads it: words and commas. Knows no rule.

use crate::spoken_time::{MONTHS, WEEKDAYS};

/// Numbers in words: what is definite in lower case too, as days and months are.
const NUMBERS: [&str; 24] = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "noon",
    "midnight",
];

/// Words of which one takes the place of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Weekday,
    Month,
    Number,
    /// Of a person, a place, a thing: told by how it is written alone.
    Name,
}

/// The class of a plain word, if its letters tell one: never [`Class::Name`].
pub(super) fn class_of(plain: &str) -> Option<Class> {
    if WEEKDAYS.iter().any(|(name, _)| *name == plain) {
        Some(Class::Weekday)
    } else if MONTHS.contains(&plain) {
        Some(Class::Month)
    } else if NUMBERS.contains(&plain) || plain.contains(|it: char| it.is_ascii_digit()) {
        Some(Class::Number)
    } else {
        None
    }
}

/// A word, or the mark that parts two clauses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    Word(Word),
    /// A comma, a dash, a bracket or a colon.
    Comma,
}

/// A word as it is compared, and how it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// Lower case, without apostrophes.
    pub(super) plain: String,
    /// Whether it begins with a capital letter, and is not `I`.
    pub(super) is_capital: bool,
    /// Whether its sentence begins with it, so that the capital says nothing.
    pub(super) is_first: bool,
}

impl Word {
    /// Whether it names one thing of several: a name, a day, a month, a number.
    pub(super) fn is_definite(&self) -> bool {
        // "may" in lower case is hardly ever the month.
        let class = class_of(&self.plain).filter(|_| self.plain != "may");
        self.is_capital || class.is_some()
    }
}

/// The words and commas up to a full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence {
    pub(super) tokens: Vec<Token>,
    pub(super) is_question: bool,
}

/// The first `n` sentences of `text`, of which no more than `chars_max` characters are read.
pub(super) fn sentences(text: &str, n: usize, chars_max: usize) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    let mut tokens = Vec::new();
    let mut word = String::new();
    let mut characters = text.chars().take(chars_max).peekable();
    while let Some(character) = characters.next() {
        let next_is_in_word = characters.peek().is_some_and(|next| next.is_alphanumeric());
        let is_apostrophe = matches!(character, '\'' | '’' | '`');
        // "10:30", "3.5", "well-known" and "Ann's" are one word each.
        let joins =
            matches!(character, '.' | ':' | '-' | '/') && !word.is_empty() && next_is_in_word;
        if character.is_alphanumeric() || joins {
            word.push(character);
            continue;
        }
        if is_apostrophe && !word.is_empty() && next_is_in_word {
            continue;
        }
        push_word(&mut tokens, &mut word);
        match character {
            ',' | ':' | '(' | ')' | '–' | '—' | '-' | '…' => tokens.push(Token::Comma),
            '.' | '!' | '?' | ';' | '\n' if !tokens.is_empty() => {
                let tokens = std::mem::take(&mut tokens);
                sentences.push(Sentence {
                    tokens,
                    is_question: character == '?',
                });
                if sentences.len() == n {
                    return sentences;
                }
            }
            _ => {}
        }
    }
    push_word(&mut tokens, &mut word);
    if !tokens.is_empty() {
        sentences.push(Sentence {
            tokens,
            is_question: false,
        });
    }
    sentences
}

fn push_word(tokens: &mut Vec<Token>, word: &mut String) {
    let written = std::mem::take(word);
    let Some(first) = written.chars().next() else {
        return;
    };
    let plain: String = written.chars().flat_map(char::to_lowercase).collect();
    let is_i = matches!(plain.as_str(), "i" | "im" | "ive" | "id" | "ill");
    let is_first = !tokens.iter().any(|token| matches!(token, Token::Word(_)));
    tokens.push(Token::Word(Word {
        is_capital: first.is_uppercase() && !is_i,
        is_first,
        plain,
    }));
}

/// A place in a sentence, and what can be read from there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading<'a>(pub(super) &'a [Token]);

impl<'a> Reading<'a> {
    /// Whether nothing but commas is left.
    pub(super) fn is_over(self) -> bool {
        self.0.iter().all(|token| *token == Token::Comma)
    }

    /// Whether a clause ends here.
    pub(super) fn is_at_break(self) -> bool {
        matches!(self.0.first(), None | Some(Token::Comma))
    }

    pub(super) fn skip_commas(self) -> Self {
        let n = self.0.iter().take_while(|it| **it == Token::Comma).count();
        Self(self.0.get(n..).unwrap_or_default())
    }

    /// What follows `phrase` (plain words, single spaces), where it stands here.
    pub(super) fn after(self, phrase: &str) -> Option<Self> {
        let mut rest = self.0;
        for wanted in phrase.split(' ') {
            match rest.split_first() {
                Some((Token::Word(word), after)) if word.plain == wanted => rest = after,
                _ => return None,
            }
        }
        Some(Self(rest))
    }

    /// What follows the longest of `phrases` that stands here.
    pub(super) fn after_any(self, phrases: &[&str]) -> Option<Self> {
        let fits = phrases.iter().filter_map(|phrase| self.after(phrase));
        fits.min_by_key(|rest| rest.0.len())
    }

    /// What follows all of `phrases` that stand here, one after the other, commas passed over.
    pub(super) fn after_all(self, phrases: &[&str]) -> Self {
        let mut rest = self;
        while let Some(after) = rest.skip_commas().after_any(phrases) {
            rest = after;
        }
        rest.skip_commas()
    }

    /// All words from here to the end of the sentence.
    pub(super) fn words(self) -> Vec<&'a Word> {
        let words = self.0.iter().filter_map(|token| match token {
            Token::Word(word) => Some(word),
            Token::Comma => None,
        });
        words.collect()
    }

    /// The words up to the next comma, and what follows them.
    pub(super) fn clause(self) -> (Vec<&'a Word>, Self) {
        let words: Vec<&Word> = self
            .0
            .iter()
            .map_while(|token| match token {
                Token::Word(word) => Some(word),
                Token::Comma => None,
            })
            .collect();
        let rest = self.0.get(words.len()..).unwrap_or_default();
        (words, Self(rest))
    }
}

#[cfg(test)]
mod tests;
