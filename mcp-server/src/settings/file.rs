//! Settings from a TOML file. Knows the file's syntax, not what a setting does.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Layer;
use super::error::{Error, Origin};
use super::nearest::nearest;
use super::table::{Range, SETTINGS, Setting, Value};

/// Reads the text of the settings file at `path`.
///
/// # Errors
/// [`Error::NotToml`], [`Error::Unknown`] or [`Error::Invalid`], with the line.
pub(super) fn read_file(path: &Path, text: &str) -> Result<Layer, Error> {
    let table = DeTable::parse(text).map_err(|source| Error::NotToml {
        path: path.to_owned(),
        source: Box::new(source),
    })?;
    let mut file = SettingsFile {
        path,
        text,
        layer: Layer::new(),
    };
    file.read_table("", table.get_ref())?;
    Ok(file.layer)
}

struct SettingsFile<'a> {
    path: &'a Path,
    text: &'a str,
    layer: Layer,
}

impl SettingsFile<'_> {
    // The depth is bounded: the TOML parser refuses tables nested more than 80 levels deep.
    fn read_table(&mut self, prefix: &str, table: &DeTable<'_>) -> Result<(), Error> {
        for (key, value) in table {
            let name = match prefix {
                "" => key.get_ref().to_string(),
                _ => format!("{prefix}.{}", key.get_ref()),
            };
            let origin = Origin::File {
                path: self.path.to_owned(),
                line: self.line_of(key.span().start),
            };
            match (find_setting(&name), value.get_ref()) {
                (Some(setting), _) => {
                    let value = self.read_value(setting, value, &origin)?;
                    self.layer.insert(setting.name, (value, origin));
                }
                (None, DeValue::Table(inner)) if is_section(&name) || !inner.is_empty() => {
                    self.read_table(&name, inner)?;
                }
                (None, _) => {
                    let known = SETTINGS.iter().map(|setting| setting.name);
                    let nearest = nearest(&name, known).map(str::to_owned);
                    return Err(Error::Unknown {
                        name,
                        origin,
                        nearest,
                    });
                }
            }
        }
        Ok(())
    }

    fn read_value(
        &self,
        setting: &Setting,
        value: &Spanned<DeValue<'_>>,
        origin: &Origin,
    ) -> Result<Value, Error> {
        let read = match (setting.range, value.get_ref()) {
            (Range::Path, DeValue::String(text)) => Some(Value::Path(PathBuf::from(text.as_ref()))),
            (Range::Text | Range::Choice(_), DeValue::String(text)) => {
                Some(Value::Text(text.to_string()))
            }
            (Range::Whole { .. }, DeValue::Integer(number)) => {
                u64::from_str_radix(number.as_str(), number.radix())
                    .ok()
                    .map(Value::Whole)
            }
            (Range::Real { .. }, DeValue::Float(number)) => {
                number.as_str().parse().ok().map(Value::Real)
            }
            (Range::Real { .. }, DeValue::Integer(number)) => {
                number.as_str().parse().ok().map(Value::Real)
            }
            (Range::Switch, DeValue::Boolean(on)) => Some(Value::Switch(*on)),
            _ => None,
        };
        read.filter(|value| setting.range.holds(value))
            .ok_or_else(|| Error::Invalid {
                name: setting.name,
                origin: origin.clone(),
                found: match value.get_ref() {
                    DeValue::Table(_) => "a table",
                    _ => self.text.get(value.span()).unwrap_or("?"),
                }
                .to_owned(),
                expected: setting.range.to_string(),
            })
    }

    fn line_of(&self, offset_bytes: usize) -> usize {
        let before = self.text.as_bytes().iter().take(offset_bytes);
        before
            .filter(|byte| **byte == b'\n')
            .count()
            .saturating_add(1)
    }
}

fn find_setting(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

fn is_section(name: &str) -> bool {
    SETTINGS.iter().any(|setting| {
        setting
            .name
            .strip_prefix(name)
            .is_some_and(|rest| rest.starts_with('.'))
    })
}
