//! Settings from environment variables: `PALIMPSEST_` and the TOML path in upper case, levels joined by `__`.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use super::Layer;
use super::error::{Error, Origin};
use super::nearest::nearest;
use super::table::{Range, SETTINGS, Setting, VARIABLE_PREFIX, Value};

/// Variables of the evaluations, which are another program.
const EVALUATIONS_PREFIX: &str = "PALIMPSEST_EVALS_";

/// Reads `variables`. One that is empty counts as not set; others than ours are not looked at.
///
/// # Errors
/// [`Error::Unknown`] for a variable that begins like ours and is none; [`Error::Invalid`] for a
/// value of the wrong type or out of range.
pub(super) fn read_environment(
    variables: impl IntoIterator<Item = (OsString, OsString)>,
) -> Result<Layer, Error> {
    let mut layer = Layer::new();
    for (variable, text) in variables {
        let variable = variable.to_string_lossy().into_owned();
        let is_ours =
            variable.starts_with(VARIABLE_PREFIX) && !variable.starts_with(EVALUATIONS_PREFIX);
        if !is_ours || text.is_empty() {
            continue;
        }
        let origin = Origin::Environment(variable.clone());
        let Some(setting) = SETTINGS
            .iter()
            .find(|setting| setting.variable() == variable)
        else {
            let known = SETTINGS.map(|setting| setting.variable());
            let nearest = nearest(&variable, known.iter().map(String::as_str));
            return Err(Error::Unknown {
                nearest: nearest.map(str::to_owned),
                name: variable,
                origin,
            });
        };
        let value = read_value(setting, &text, &origin)?;
        layer.insert(setting.name, (value, origin));
    }
    Ok(layer)
}

fn read_value(setting: &Setting, text: &OsStr, origin: &Origin) -> Result<Value, Error> {
    let value = match (setting.range, text.to_str()) {
        (Range::Path, _) => Some(Value::Path(PathBuf::from(text))),
        (_, None) => None,
        (Range::Text | Range::Choice(_), Some(text)) => Some(Value::Text(text.to_owned())),
        (Range::Whole { .. }, Some(text)) => text.trim().parse().ok().map(Value::Whole),
        (Range::Real { .. }, Some(text)) => text.trim().parse().ok().map(Value::Real),
        (Range::Switch, Some(text)) => text.trim().parse().ok().map(Value::Switch),
    };
    value
        .filter(|value| setting.range.holds(value))
        .ok_or_else(|| Error::Invalid {
            name: setting.name,
            origin: origin.clone(),
            found: format!("{:?}", text.to_string_lossy()),
            expected: setting.range.to_string(),
        })
}
