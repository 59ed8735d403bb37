//! Checked access to values of a TOML table. Errors name the location, the problem and a valid value.

use airlag_rig::profile::nearest;
use serde_json::{Map, Value};

use super::duration;
use crate::error::Error;
use crate::json::shortest;

/// Longest name that is searched for similar names, characters.
pub(super) const LONGEST_NAME: usize = 100;
/// Longest text value, bytes.
const LONGEST_LINE: usize = 500;

/// Error with a one-line cause.
pub(super) fn refused(cause: impl Into<String>) -> Error {
    Error::Plan { line: cause.into() }
}

/// Error for an invalid value, with a description of valid ones.
pub(super) fn wrong(at: &str, key: &str, value: &Value, right: &str) -> Error {
    let shown = match value {
        Value::String(text) => format!("'{}'", text.escape_debug()),
        other => other.to_string(),
    };
    let cut: String = shown.chars().take(60).collect();
    let more = if cut.len() < shown.len() { "…" } else { "" };
    refused(format!("{at}`{}` cannot be {cut}{more}; write {right}", key.escape_debug()))
}

/// Suggestion of the nearest known name.
pub(super) fn hint(name: &str, known: &[&str]) -> String {
    if name.len() > LONGEST_NAME || known.is_empty() {
        return String::new();
    }
    format!("; did you mean `{}`?", nearest(name, known.iter().copied()))
}

/// Formats a name for an error.
pub(super) fn named(name: &str) -> String {
    name.chars().take(LONGEST_NAME).flat_map(char::escape_debug).collect()
}

/// Rejects unknown keys.
pub(super) fn only(table: &Map<String, Value>, known: &[&str], at: &str) -> Result<(), Error> {
    match table.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => Err(refused(format!("{at}no key `{}`{}", named(key), hint(key, known)))),
    }
}

/// A table within a table.
pub(super) fn table<'a>(
    value: &'a Value,
    at: &str,
    key: &str,
    right: &str,
) -> Result<&'a Map<String, Value>, Error> {
    value.as_object().ok_or_else(|| wrong(at, key, value, right))
}

/// The tables of an array of tables.
pub(super) fn tables(value: &Value) -> Option<Vec<&Map<String, Value>>> {
    value.as_array()?.iter().map(Value::as_object).collect()
}

/// A non-empty list of values of one kind, without duplicates.
pub(super) fn listed<'a, T: PartialEq>(
    value: &'a Value,
    at: &str,
    key: &str,
    of: impl Fn(&'a Value) -> Option<T>,
    right: &str,
) -> Result<Vec<T>, Error> {
    let found: Option<Vec<T>> = value.as_array().and_then(|each| each.iter().map(of).collect());
    let found = found.filter(|found| !found.is_empty());
    let found = found.ok_or_else(|| wrong(at, key, value, &format!("a list of {right}")))?;
    Ok(once(found))
}

/// Removes duplicates and keeps the first occurrences.
pub(super) fn once<T: PartialEq>(values: Vec<T>) -> Vec<T> {
    let mut found = Vec::new();
    for value in values {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// One of several words.
pub(super) fn one_of<'a>(
    value: &Value,
    at: &str,
    key: &str,
    known: &[&'a str],
) -> Result<&'a str, Error> {
    let word = value.as_str().ok_or_else(|| wrong(at, key, value, &known.join(" or ")))?;
    let found = known.iter().copied().find(|&each| each == word);
    found.ok_or_else(|| refused(format!("{at}no {key} `{}`{}", named(word), hint(word, known))))
}

/// A single line of text.
pub(super) fn line(value: &Value, at: &str, key: &str) -> Result<String, Error> {
    let text = value.as_str().map(str::trim).filter(|text| {
        !text.is_empty() && text.len() < LONGEST_LINE && !text.contains(char::is_control)
    });
    Ok(text.ok_or_else(|| wrong(at, key, value, "a line of text"))?.to_owned())
}

/// A whole number in a range.
pub(super) fn whole(value: &Value, at: &str, key: &str, low: u64, high: u64) -> Result<u64, Error> {
    let number = value.as_u64().filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| wrong(at, key, value, &format!("a whole number from {low} to {high}")))
}

/// Formats the value of a constant in the syntax of `--set`.
pub(super) fn plain(value: &Value, at: &str, key: &str) -> Result<String, Error> {
    match value {
        Value::Bool(flag) => Ok(flag.to_string()),
        Value::Number(number) if number.is_f64() => {
            Ok(shortest(number.as_f64().unwrap_or_default()))
        }
        Value::Number(number) => Ok(number.to_string()),
        Value::String(text) => Ok(text.clone()),
        _ => Err(wrong(at, key, value, "a number, a text, true or false")),
    }
}

/// Time between messages, ns.
pub(super) fn period(value: &Value, at: &str) -> Result<u64, Error> {
    let text = plain(value, at, "period")?;
    let found = duration::parse(&text).map_err(|why| refused(format!("{at}`period`: {why}")))?;
    let found = u64::try_from(found).unwrap_or_default();
    if !(1_000..=10_000_000_000_000).contains(&found) {
        return Err(wrong(at, "period", value, "from 1us to 10000s"));
    }
    Ok(found)
}

/// Checks a file name: letters, digits, `-` and `_`.
pub(super) fn file_name(value: &Value) -> Result<String, Error> {
    let name = value.as_str().filter(|name| {
        name.contains(char::is_alphanumeric)
            && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
    });
    Ok(name.ok_or_else(|| wrong("", "name", value, "letters, digits, - and _"))?.to_owned())
}
