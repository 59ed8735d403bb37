//! Values of a table, checked: an error says where, what, and what would be right.

use airlag_rig::profile::nearest;
use serde_json::{Map, Value};

use super::duration;
use crate::error::Error;
use crate::json::shortest;

/// Longest name that is compared letter by letter.
pub(super) const LONGEST_NAME: usize = 100;
/// Longest line of text for people, bytes.
const LONGEST_LINE: usize = 500;

/// One line that says what cannot be asked for.
pub(super) fn refused(cause: impl Into<String>) -> Error {
    Error::Plan { line: cause.into() }
}

/// An error about a value, which says what would be right.
pub(super) fn wrong(at: &str, key: &str, value: &Value, right: &str) -> Error {
    let shown = match value {
        Value::String(text) => format!("'{}'", text.escape_debug()),
        other => other.to_string(),
    };
    let cut: String = shown.chars().take(60).collect();
    let more = if cut.len() < shown.len() { "…" } else { "" };
    refused(format!("{at}`{}` cannot be {cut}{more}; write {right}", key.escape_debug()))
}

/// The nearest of the known names, as what may have been meant.
pub(super) fn hint(name: &str, known: &[&str]) -> String {
    if name.len() > LONGEST_NAME || known.is_empty() {
        return String::new();
    }
    format!("; did you mean `{}`?", nearest(name, known.iter().copied()))
}

/// A name as an error shows it.
pub(super) fn named(name: &str) -> String {
    name.chars().take(LONGEST_NAME).flat_map(char::escape_debug).collect()
}

/// Refuses keys that are not known.
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

/// A list of one kind of value that is not empty, each once.
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

/// Each value once, where it first stands.
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

/// A line of text for people.
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

/// A value of a constant as `--set` takes it.
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

/// A time between messages, ns.
pub(super) fn period(value: &Value, at: &str) -> Result<u64, Error> {
    let text = plain(value, at, "period")?;
    let found = duration::parse(&text).map_err(|why| refused(format!("{at}`period`: {why}")))?;
    let found = u64::try_from(found).unwrap_or_default();
    if !(1_000..=10_000_000_000_000).contains(&found) {
        return Err(wrong(at, "period", value, "from 1us to 10000s"));
    }
    Ok(found)
}

/// Whether a name is one of a file: letters, digits, `-` and `_`.
pub(super) fn file_name(value: &Value) -> Result<String, Error> {
    let name = value.as_str().filter(|name| {
        name.contains(char::is_alphanumeric)
            && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
    });
    Ok(name.ok_or_else(|| wrong("", "name", value, "letters, digits, - and _"))?.to_owned())
}
