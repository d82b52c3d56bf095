//! A value of any type, as a tree.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use crate::cursor::text;
use crate::datatype::{Datatype, Padding, ReferenceKind};
use crate::element::{Number, number};
use crate::error::{Error, Result};
use crate::heap::global::{HeapReader, HeapReference};
use crate::source::Source;

/// A value of any type.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// An unsigned integer, or a bitfield.
    Unsigned(u64),
    /// A signed integer.
    Signed(i64),
    /// A float of at most 64 bits.
    Float(f64),
    /// A string; bytes that are no UTF-8 are replaced by U+FFFD.
    Text(String),
    /// Bytes that mean nothing here: opaque values, and numbers too wide for the above.
    Bytes(Vec<u8>),
    /// A value of an enum: its name, where it has one, and its number.
    Enum(Option<String>, Number),
    /// The members of a compound, in order.
    Compound(Vec<(String, Value)>),
    /// The elements of an array or a sequence.
    Array(Vec<Value>),
    /// The address of the object that is referred to.
    Object(Option<u64>),
}

/// How many values one reading may give, all nested ones counted.
const VALUES_MAX: usize = 1 << 22;
/// How many bytes the texts, names and bytes of one reading may have: elements can share a value.
const TEXT_BYTES_MAX: u64 = 1 << 28;

/// Reads values, counting them.
pub(crate) struct ValueReader<'a> {
    source: &'a Source,
    heap: HeapReader<'a>,
    n_values: usize,
    text_bytes_left: u64,
}

impl<'a> ValueReader<'a> {
    pub(crate) fn new(source: &'a Source) -> Self {
        Self {
            source,
            heap: HeapReader::new(source),
            n_values: 0,
            text_bytes_left: TEXT_BYTES_MAX,
        }
    }

    /// Reads elements of `datatype`, one behind the other.
    pub(crate) fn values(&mut self, datatype: &Datatype, bytes: &[u8]) -> Result<Vec<Value>> {
        let size = usize::try_from(datatype.size_bytes())
            .unwrap_or(usize::MAX)
            .max(1);
        bytes
            .chunks_exact(size)
            .map(|element| self.value(datatype, element))
            .collect()
    }

    /// Counts what a value has beside itself.
    fn take_text(&mut self, n_bytes: usize) -> Result<()> {
        let left = self.text_bytes_left.checked_sub(n_bytes as u64);
        self.text_bytes_left = left.ok_or(Error::Limit {
            structure: "texts of values",
            offset_bytes: 0,
            asked: TEXT_BYTES_MAX.saturating_add(n_bytes as u64),
            limit: TEXT_BYTES_MAX,
        })?;
        Ok(())
    }

    fn value(&mut self, datatype: &Datatype, element: &[u8]) -> Result<Value> {
        self.n_values = self.n_values.saturating_add(1);
        if self.n_values > VALUES_MAX {
            let (structure, limit) = ("values", VALUES_MAX as u64);
            return Err(Error::Limit {
                structure,
                offset_bytes: 0,
                asked: limit,
                limit,
            });
        }
        match datatype {
            Datatype::Integer { .. } | Datatype::Float { .. } | Datatype::Bitfield { .. } => {
                Ok(match number(datatype, element) {
                    Some(Number::Unsigned(value)) => Value::Unsigned(value),
                    Some(Number::Signed(value)) => Value::Signed(value),
                    Some(Number::Float(value)) => Value::Float(value),
                    None => Value::Bytes(element.to_vec()),
                })
            }
            Datatype::FixedString { padding, .. } => Ok(Value::Text(text(trim(element, *padding)))),
            Datatype::VlenString { .. } => {
                let text = text(self.heap_text(element)?);
                self.take_text(text.len())?;
                Ok(Value::Text(text))
            }
            Datatype::Enum { members, .. } => Ok(match number(datatype, element) {
                Some(number) => {
                    let member = members.iter().find(|(_, value)| value == element);
                    let name = member.map(|(name, _)| name);
                    self.take_text(name.map_or(0, String::len))?;
                    Value::Enum(name.cloned(), number)
                }
                None => Value::Bytes(element.to_vec()),
            }),
            Datatype::Compound { members, .. } => {
                let mut values = Vec::new();
                for member in members {
                    let start = usize::try_from(member.offset_bytes).unwrap_or(usize::MAX);
                    let len = usize::try_from(member.datatype.size_bytes()).unwrap_or(usize::MAX);
                    let bytes = element.get(start..).and_then(|bytes| bytes.get(..len));
                    let value = self.value(&member.datatype, bytes.unwrap_or_default())?;
                    self.take_text(member.name.len())?;
                    values.push((member.name.clone(), value));
                }
                Ok(Value::Compound(values))
            }
            Datatype::Array { base, .. } => Ok(Value::Array(self.values(base, element)?)),
            Datatype::Sequence { base, .. } => {
                let bytes = self.heap_bytes(element, base.size_bytes())?.to_vec();
                self.take_text(bytes.len())?;
                Ok(Value::Array(self.values(base, &bytes)?))
            }
            Datatype::Reference {
                kind: ReferenceKind::Object,
                ..
            } => {
                let mut cursor = self.source.cursor("object reference", 0, element);
                Ok(Value::Object(
                    cursor.address()?.filter(|address| *address != 0),
                ))
            }
            Datatype::Time { .. } | Datatype::Opaque { .. } | Datatype::Reference { .. } => {
                Ok(Value::Bytes(element.to_vec()))
            }
        }
    }

    /// The bytes of a value of variable length.
    pub(crate) fn heap_bytes(&mut self, element: &[u8], element_bytes: u32) -> Result<&[u8]> {
        let mut cursor = self.source.cursor("global heap reference", 0, element);
        let reference = HeapReference::decode(&mut cursor)?;
        let n_bytes = u64::from(reference.len).saturating_mul(element_bytes.into());
        self.heap.value(reference, n_bytes)
    }

    /// The bytes of a string of variable length: up to its NUL, where it has one.
    pub(crate) fn heap_text(&mut self, element: &[u8]) -> Result<&[u8]> {
        let bytes = self.heap_bytes(element, 1)?;
        Ok(bytes.split(|byte| *byte == 0).next().unwrap_or_default())
    }
}

/// A string of fixed length without its padding.
pub(crate) fn trim(element: &[u8], padding: Padding) -> &[u8] {
    let last = match padding {
        Padding::NulTerminated => {
            return element.split(|byte| *byte == 0).next().unwrap_or_default();
        }
        Padding::NulPadded => element.iter().rposition(|byte| *byte != 0),
        Padding::SpacePadded => element.iter().rposition(|byte| *byte != b' '),
    };
    element
        .get(..last.map_or(0, |last| last.saturating_add(1)))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
