//! The arguments of one call, read by the tool's table and forgivingly. Knows no single tool.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use palimpsest_memory::{EntityMention, MemoryId, RelationMention, Timestamp};
use serde_json::{Map, Value};

use super::argument::{Argument, Edge, Shape};
use super::refusal::Refusal;
use super::text_cut::cut;
use super::{lenient, moment};

/// How much of a wrong value an error shows.
const SHOWN_CHARS_MAX: usize = 60;

/// Names under which some clients put the whole call once more.
const WRAPPERS: [&str; 5] = ["arguments", "args", "params", "parameters", "input"];

/// What a call gave, under the names of the tool's table.
#[derive(Debug)]
pub(crate) struct Arguments<'zone> {
    table: &'static [Argument],
    /// `items[2].`, for what is named inside a list.
    place: String,
    values: BTreeMap<&'static str, Value>,
    unknown: Vec<(String, Value)>,
    zone: &'zone TimeZone,
    has_told_time: bool,
    warnings: Vec<String>,
}

impl<'zone> Arguments<'zone> {
    /// Reads what `given` holds. What is null or blank counts as not given.
    pub(crate) fn read(
        table: &'static [Argument],
        given: Map<String, Value>,
        zone: &'zone TimeZone,
    ) -> Self {
        Self::read_at(String::new(), table, unwrap(table, given), zone)
    }

    fn read_at(
        place: String,
        table: &'static [Argument],
        given: Map<String, Value>,
        zone: &'zone TimeZone,
    ) -> Self {
        let mut arguments = Self {
            table,
            place,
            values: BTreeMap::new(),
            unknown: Vec::new(),
            zone,
            has_told_time: false,
            warnings: Vec::new(),
        };
        let (exact, others): (Vec<_>, Vec<_>) = given
            .into_iter()
            .filter(|(_, value)| !lenient::is_absent(value))
            .partition(|(key, _)| table.iter().any(|argument| argument.name == key));
        for (key, value) in exact.into_iter().chain(others) {
            arguments.take(key, value);
        }
        arguments
    }

    fn take(&mut self, key: String, value: Value) {
        let Some(argument) = self.table.iter().find(|argument| argument.is_called(&key)) else {
            self.unknown.push((key, value));
            return;
        };
        if self.values.contains_key(argument.name) {
            self.warn(format!(
                "{key:?} was ignored: {} is given too",
                argument.name
            ));
            return;
        }
        self.values.insert(argument.name, value);
    }

    /// Adds something that the caller should know.
    pub(crate) fn warn(&mut self, warning: impl AsRef<str>) {
        self.warnings
            .push(format!("{}{}", self.place, warning.as_ref()));
    }

    /// Whether an argument was given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// What was given under no name of the table.
    pub(crate) fn take_unknown(&mut self) -> Vec<(String, Value)> {
        std::mem::take(&mut self.unknown)
    }

    /// The warnings, with one for each unknown argument; and whether a moment was read.
    pub(crate) fn finish(mut self) -> (Vec<String>, bool) {
        for (key, _) in self.take_unknown() {
            let known = self.suggestion(&key);
            self.warn(format!(
                "{:?} was ignored: it takes {known}",
                cut(&key, SHOWN_CHARS_MAX)
            ));
        }
        (self.warnings, self.has_told_time)
    }

    /// The argument that `key` was meant to be, else all of them.
    pub(crate) fn suggestion(&self, key: &str) -> String {
        let key = plain(key);
        let nearest = self
            .table
            .iter()
            .flat_map(|argument| argument.names().map(move |name| (argument.name, name)))
            .map(|(name, alias)| (strsim::damerau_levenshtein(&key, &plain(alias)), name))
            .min();
        match nearest {
            Some((distance, name)) if distance <= 1 + key.chars().count() / 4 => name.to_owned(),
            _ => {
                let names: Vec<&str> = self.table.iter().map(|argument| argument.name).collect();
                names.join(", ")
            }
        }
    }

    /// A text.
    pub(crate) fn text(&mut self, name: &'static str) -> Result<Option<String>, Refusal> {
        let text = self.get(name, lenient::text, "a string")?;
        Ok(text.map(|text| self.without_nul(name, text)))
    }

    /// A list of short texts.
    pub(crate) fn texts(&mut self, name: &'static str) -> Result<Vec<String>, Refusal> {
        let texts = self.get(name, lenient::texts, "a list of strings")?;
        let texts = texts.unwrap_or_default().into_iter();
        Ok(texts.map(|text| self.without_nul(name, text)).collect())
    }

    /// One of the words that the table offers.
    pub(crate) fn choice(&mut self, name: &'static str) -> Result<Option<&'static str>, Refusal> {
        let Shape::Choice(words) = self.shape(name) else {
            return Ok(None);
        };
        let Some(given) = self.get(name, lenient::text, &one_of(words))? else {
            return Ok(None);
        };
        self.word(name, words, &given).map(Some)
    }

    /// Some of the words that the table offers.
    pub(crate) fn choices(&mut self, name: &'static str) -> Result<Vec<&'static str>, Refusal> {
        let Shape::Choices(words) = self.shape(name) else {
            return Ok(Vec::new());
        };
        let given = self
            .get(name, lenient::texts, &one_of(words))?
            .unwrap_or_default();
        given
            .iter()
            .map(|given| self.word(name, words, given))
            .collect()
    }

    fn word(
        &self,
        name: &'static str,
        words: &'static [&'static str],
        given: &str,
    ) -> Result<&'static str, Refusal> {
        let wanted = plain(given);
        // A plural is what models give where a list is taken.
        let singular = wanted.strip_suffix('s').unwrap_or(&wanted);
        words
            .iter()
            .find(|word| plain(word) == wanted || plain(word) == singular)
            .copied()
            .ok_or_else(|| self.wrong(name, &Value::from(given), &one_of(words)))
    }

    /// A whole number in the range of the table.
    pub(crate) fn integer(&mut self, name: &'static str) -> Result<Option<usize>, Refusal> {
        let Shape::Integer { min, max } = *self.shape(name) else {
            return Ok(None);
        };
        let expected = format!("a whole number from {min} to {max}");
        let Some(given) = self.get(name, lenient::integer, &expected)? else {
            return Ok(None);
        };
        let taken = given.clamp(min, max);
        if taken != given {
            self.warn(format!(
                "{name} {given} was taken as {taken}: give {expected}"
            ));
        }
        Ok(usize::try_from(taken).ok())
    }

    /// A number from 0 to 1.
    pub(crate) fn fraction(&mut self, name: &'static str) -> Result<Option<f64>, Refusal> {
        let in_range =
            |value: &Value| lenient::number(value).filter(|number| (0.0..=1.0).contains(number));
        self.get(name, in_range, "a number from 0 to 1")
    }

    /// A moment.
    pub(crate) fn moment(&mut self, name: &'static str) -> Result<Option<Timestamp>, Refusal> {
        let edge = match self.shape(name) {
            Shape::Moment(edge) => *edge,
            _ => Edge::Start,
        };
        let Some(value) = self.values.get(name) else {
            return Ok(None);
        };
        let text = lenient::text(value);
        let moment = text.and_then(|text| moment::read(&text, edge, self.zone));
        let Some(moment) = moment else {
            return Err(Refusal::Moment {
                argument: format!("{}{name}", self.place),
                found: shown(value),
            });
        };
        self.has_told_time = true;
        Ok(Some(moment))
    }

    /// A list of identifiers.
    pub(crate) fn ids(&mut self, name: &'static str) -> Result<Vec<MemoryId>, Refusal> {
        let expected = "a list of ids as answers give them, such as [\"12\"]";
        Ok(self.get(name, lenient::ids, expected)?.unwrap_or_default())
    }

    /// A list of entities.
    pub(crate) fn entities(&mut self, name: &'static str) -> Result<Vec<EntityMention>, Refusal> {
        let expected = "a list of names, such as [\"Ada Lovelace\"]";
        Ok(self
            .get(name, lenient::entities, expected)?
            .unwrap_or_default())
    }

    /// A list of relations.
    pub(crate) fn relations(
        &mut self,
        name: &'static str,
    ) -> Result<Vec<RelationMention>, Refusal> {
        let expected =
            "a list such as [{\"from\": \"Ada\", \"relation\": \"works_at\", \"to\": \"Acme\"}]";
        Ok(self
            .get(name, lenient::relations, expected)?
            .unwrap_or_default())
    }

    /// The zone of times that name none.
    pub(crate) const fn zone(&self) -> &'zone TimeZone {
        self.zone
    }

    /// A list of objects. A text stands for an object with that text as its first argument.
    pub(crate) fn objects(&mut self, name: &'static str) -> Result<Vec<Arguments<'zone>>, Refusal> {
        let Shape::Objects(table) = *self.shape(name) else {
            return Ok(Vec::new());
        };
        let expected = "a list of objects, such as [{\"text\": \"...\"}]";
        let items = self
            .get(name, lenient::whole_texts, expected)?
            .unwrap_or_default();
        let mut objects = Vec::new();
        for (n, item) in items.into_iter().enumerate() {
            let place = format!("{}{name}[{n}]", self.place);
            let object = match (item, table.first()) {
                (Value::Object(object), _) => object,
                (text @ Value::String(_), Some(first)) => {
                    Map::from_iter([(first.name.to_owned(), text)])
                }
                (other, _) => {
                    return Err(Refusal::Shape {
                        argument: place,
                        found: shown(&other),
                        expected: expected.to_owned(),
                    });
                }
            };
            objects.push(Arguments::read_at(
                format!("{place}."),
                table,
                object,
                self.zone,
            ));
        }
        Ok(objects)
    }

    /// Takes over what a part of these arguments has to say.
    pub(crate) fn absorb(&mut self, part: Arguments<'_>) {
        let (warnings, has_told_time) = part.finish();
        self.warnings.extend(warnings);
        self.has_told_time |= has_told_time;
    }

    fn get<T>(
        &self,
        name: &'static str,
        read: impl Fn(&Value) -> Option<T>,
        expected: &str,
    ) -> Result<Option<T>, Refusal> {
        let Some(value) = self.values.get(name) else {
            return Ok(None);
        };
        read(value)
            .map(Some)
            .ok_or_else(|| self.wrong(name, value, expected))
    }

    fn wrong(&self, name: &str, found: &Value, expected: &str) -> Refusal {
        Refusal::Shape {
            argument: format!("{}{name}", self.place),
            found: shown(found),
            expected: expected.to_owned(),
        }
    }

    fn shape(&self, name: &str) -> &'static Shape {
        self.table
            .iter()
            .find(|argument| argument.name == name)
            .map(|argument| &argument.shape)
            .expect("tools ask for arguments of their own table, and a test asks for each")
    }

    /// A NUL ends a text in C libraries, and nobody means it.
    fn without_nul(&mut self, name: &str, text: String) -> String {
        if !text.contains('\0') {
            return text;
        }
        self.warn(format!("NUL characters were left out of {name}"));
        text.replace('\0', "")
    }
}

impl Argument {
    fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// Whether `key` is its name or another one, however it is spelt: `asOf`, `as-of`, `AS_OF`.
    fn is_called(&self, key: &str) -> bool {
        let key = plain(key);
        self.names().any(|name| plain(name) == key)
    }
}

/// The call itself, where `given` only wraps it; a bare value is the first argument.
fn unwrap(table: &[Argument], given: Map<String, Value>) -> Map<String, Value> {
    let is_wrapper = given.len() == 1
        && given.keys().all(|key| {
            WRAPPERS.contains(&key.as_str())
                && !table.iter().any(|argument| argument.is_called(key))
        });
    if !is_wrapper {
        return given;
    }
    let inner = given.into_iter().next().map(|(_, value)| value);
    let inner = match inner {
        Some(Value::String(text)) => {
            serde_json::from_str::<Map<String, Value>>(&text).map_or(Value::from(text), Value::from)
        }
        Some(other) => other,
        None => Value::Null,
    };
    match (inner, table.first()) {
        (Value::Object(inner), _) => inner,
        (bare, Some(first)) => Map::from_iter([(first.name.to_owned(), bare)]),
        (_, None) => Map::new(),
    }
}

/// A name without what people vary in names.
fn plain(name: &str) -> String {
    name.chars()
        .filter(|letter| !matches!(letter, '_' | '-' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}

fn one_of(words: &[&str]) -> String {
    format!("one of {}", words.join(", "))
}

fn shown(value: &Value) -> String {
    cut(&value.to_string(), SHOWN_CHARS_MAX).into_owned()
}

#[cfg(test)]
mod tests;
