//! The words of a text, as times are told by them: numbers, units, weekdays, months.

use jiff::civil::Weekday;

use super::Unit;

const NUMBERS: [&str; 12] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];
/// The days of the week, in lower case.
pub(crate) const WEEKDAYS: [(&str, Weekday); 7] = [
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];
/// The months, in lower case.
pub(crate) const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// As months are cut short. "mar" and "may" are not among them: they are other words too.
const MONTHS_SHORT: [(&str, i64); 11] = [
    ("jan", 1),
    ("feb", 2),
    ("apr", 4),
    ("jun", 6),
    ("jul", 7),
    ("aug", 8),
    ("sep", 9),
    ("sept", 9),
    ("oct", 10),
    ("nov", 11),
    ("dec", 12),
];

/// A word in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SpokenWord {
    lower: String,
    /// Whether it was written with a capital that the beginning of a sentence does not explain.
    pub(super) is_capital: bool,
}

/// The words of a text: letters and digits, whatever parts them.
pub(super) fn spoken_words(text: &str) -> Vec<SpokenWord> {
    let words = text.split(|it: char| !it.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .enumerate()
        .map(|(word_idx, word)| SpokenWord {
            lower: word.to_lowercase(),
            is_capital: word_idx > 0 && word.starts_with(char::is_uppercase),
        })
        .collect()
}

impl SpokenWord {
    pub(super) fn is_any(&self, words: &[&str]) -> bool {
        words.contains(&self.lower.as_str())
    }

    /// "3", "3rd", "three".
    pub(super) fn number(&self) -> Option<i64> {
        let digits = ["st", "nd", "rd", "th"]
            .iter()
            .find_map(|end| self.lower.strip_suffix(end))
            .unwrap_or(&self.lower);
        let is_short = (1..=4).contains(&digits.len());
        if is_short && digits.bytes().all(|it| it.is_ascii_digit()) {
            return digits.parse().ok();
        }
        place(&NUMBERS, &self.lower)
    }

    /// Four digits that a year can be.
    pub(super) fn year(&self) -> Option<i64> {
        let is_year = self.lower.len() == 4 && self.lower.bytes().all(|it| it.is_ascii_digit());
        let year = self.lower.parse().ok().filter(|_| is_year);
        year.filter(|year| (1900..=2199).contains(year))
    }

    pub(super) fn unit(&self) -> Option<Unit> {
        match self.lower.strip_suffix('s').unwrap_or(&self.lower) {
            "day" => Some(Unit::Day),
            "week" => Some(Unit::Week),
            "month" => Some(Unit::Month),
            "year" => Some(Unit::Year),
            _ => None,
        }
    }

    pub(super) fn weekday(&self) -> Option<Weekday> {
        let found = WEEKDAYS.iter().find(|(name, _)| *name == self.lower);
        found.map(|(_, weekday)| *weekday)
    }

    /// 1 to 12.
    pub(super) fn month(&self) -> Option<i64> {
        let short = MONTHS_SHORT.iter().find(|(name, _)| *name == self.lower);
        place(&MONTHS, &self.lower).or_else(|| short.map(|(_, month)| *month))
    }
}

/// Where `word` stands in a list, from 1.
fn place(list: &[&str], word: &str) -> Option<i64> {
    let idx = list.iter().position(|it| *it == word)?;
    i64::try_from(idx + 1).ok()
}
