//! Variables of chart specifications.
//!
//! - `"${unit}"`: replaced by the value of the variable `unit`, which may have any type. If the
//!   value is `null`, the member or element that consists of this text is omitted.
//! - `"latency, ${unit}"`: text in which `${unit}` is replaced by the value. `${panel.name}` is the
//!   member `name` of the variable `panel`.
//! - `{"$each": "panels", …}`: in a list, one copy of this object per item of the list `panels`. In
//!   the copy for an item, the members of the item are variables.
//! - `{"$if": "legend", …}`: this object, omitted unless the value of `legend` is true. `!legend`
//!   negates the condition.
//! - `{"$use": "row-axis", …}`: a copy of the part `row-axis`. A part is a named object for use in
//!   several places. The members beside `$use` override members of the part. `$with` sets variables
//!   for the part.

use serde_json::{Map, Value};

/// A variable without a value, or a part that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Missing(pub String);

/// Keys that are not copied into a filled object.
const DIRECTIVES: [&str; 5] = ["$each", "$if", "$parts", "$use", "$with"];

/// Variables and their values. Inner scopes shadow outer ones.
struct Scope<'a> {
    own: &'a Map<String, Value>,
    outer: Option<&'a Scope<'a>>,
}

impl Scope<'_> {
    fn value(&self, path: &str) -> Result<&Value, Missing> {
        let mut keys = path.split('.');
        let first = keys.next().unwrap_or_default();
        let mut scope = Some(self);
        let mut found = None;
        while let (None, Some(here)) = (found, scope) {
            found = here.own.get(first);
            scope = here.outer;
        }
        let whole = found.and_then(|value| keys.try_fold(value, |value, key| value.get(key)));
        whole.ok_or_else(|| Missing(path.into()))
    }
}

/// Fills a specification with values. `parts` are objects that the specification refers to by name.
///
/// # Errors
///
/// [`Missing`] if a variable has no value or a part does not exist.
pub fn expanded(
    source: &Value,
    values: &Map<String, Value>,
    parts: &Map<String, Value>,
) -> Result<Value, Missing> {
    let scope = Scope { own: values, outer: None };
    Ok(expand(source, &scope, parts)?.unwrap_or_default())
}

/// Fills a node within a scope. Returns `None` if the node is omitted.
fn expand(
    source: &Value,
    scope: &Scope<'_>,
    parts: &Map<String, Value>,
) -> Result<Option<Value>, Missing> {
    match source {
        Value::String(text) => filled(text, scope),
        Value::Array(list) => {
            let mut all = Vec::with_capacity(list.len());
            for item in list {
                copies(item, scope, parts, &mut all)?;
            }
            Ok(Some(Value::Array(all)))
        }
        Value::Object(object) => members(object, scope, parts),
        plain => Ok(Some(plain.clone())),
    }
}

fn members(
    source: &Map<String, Value>,
    scope: &Scope<'_>,
    parts: &Map<String, Value>,
) -> Result<Option<Value>, Missing> {
    if let Some(condition) = source.get("$if").and_then(Value::as_str) {
        let bare = condition.trim_start_matches('!');
        if is_true(scope.value(bare)?) == condition.starts_with('!') {
            return Ok(None);
        }
    }
    let mut made = Map::new();
    if let Some(name) = source.get("$use").and_then(Value::as_str) {
        let part = parts.get(name).ok_or_else(|| Missing(name.into()))?;
        let given = source.get("$with").map(|with| expand(with, scope, parts)).transpose()?;
        let given = given.flatten().unwrap_or_default();
        let none = Map::new();
        let within = Scope { own: given.as_object().unwrap_or(&none), outer: Some(scope) };
        match expand(part, &within, parts)? {
            Some(Value::Object(used)) => made = used,
            other => return Ok(other),
        }
    }
    for (key, each) in source.iter().filter(|(key, _)| !DIRECTIVES.contains(&key.as_str())) {
        if let Some(value) = expand(each, scope, parts)? {
            made.insert(key.clone(), value);
        }
    }
    Ok(Some(Value::Object(made)))
}

/// Adds an element of a list, or its copies if it has `$each`.
fn copies(
    item: &Value,
    scope: &Scope<'_>,
    parts: &Map<String, Value>,
    all: &mut Vec<Value>,
) -> Result<(), Missing> {
    let Some(each) = item.get("$each").and_then(Value::as_str) else {
        all.extend(expand(item, scope, parts)?);
        return Ok(());
    };
    let items = scope.value(each)?.as_array().ok_or_else(|| Missing(each.into()))?;
    for own in items.iter().filter_map(Value::as_object) {
        all.extend(expand_object(item, &Scope { own, outer: Some(scope) }, parts)?);
    }
    Ok(())
}

fn expand_object(
    item: &Value,
    scope: &Scope<'_>,
    parts: &Map<String, Value>,
) -> Result<Option<Value>, Missing> {
    item.as_object().map_or(Ok(None), |object| members(object, scope, parts))
}

/// Fills the variables of a text. A text that is a single variable becomes its value.
fn filled(text: &str, scope: &Scope<'_>) -> Result<Option<Value>, Missing> {
    let mut made = String::new();
    let mut rest = text;
    while let Some((before, path, after)) = place(rest) {
        let value = scope.value(path)?;
        if before.is_empty() && after.is_empty() && made.is_empty() {
            return Ok(Some(value.clone()).filter(|value| !value.is_null()));
        }
        made += before;
        match value {
            Value::String(word) => made += word,
            other => made += &other.to_string(),
        }
        rest = after;
    }
    made += rest;
    Ok(Some(Value::String(made)))
}

/// Splits a text at its first variable: text before, path, text after.
fn place(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let begin = from + text[from..].find("${")?;
        let end = begin + text[begin..].find('}')?;
        let path = &text[begin + 2..end];
        let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        if !path.is_empty() && path.chars().all(is_path) {
            return Some((&text[..begin], path, &text[end + 1..]));
        }
        from = begin + 2;
    }
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(yes) => *yes,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(object) => !object.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn made(source: Value, values: Value) -> Result<Value, Missing> {
        let parts = json!({"axis": {"title": "${what}", "grid": 1}});
        let (Value::Object(values), Value::Object(parts)) = (values, parts) else { panic!() };
        expanded(&source, &values, &parts)
    }

    #[test]
    fn a_variable_is_a_value_text_or_nothing() {
        let source =
            json!({"a": "${n}", "b": "size ${one.n} B", "c": "${none}", "d": ["${none}", 1]});
        let values = json!({"n": [1, 2], "one": {"n": 3}, "none": null});
        assert_eq!(made(source, values), Ok(json!({"a": [1, 2], "b": "size 3 B", "d": [1]})));
    }

    #[test]
    fn what_is_no_variable_stays() {
        let source = json!(["$5", "${", "${a b}", "${a b} ${n}", "100 %"]);
        let expected = json!(["$5", "${", "${a b}", "${a b} 1", "100 %"]);
        assert_eq!(made(source, json!({"n": 1})), Ok(expected));
    }

    #[test]
    fn unknown_names_are_errors() {
        for source in [json!("${missing}"), json!("a ${n.missing}"), json!({"$use": "missing"})] {
            assert!(made(source, json!({"n": {}})).is_err());
        }
        assert!(made(json!([{"$each": "n"}]), json!({"n": 1})).is_err());
    }

    #[test]
    fn each_copies_and_if_leaves_out() {
        let source =
            json!([{"$each": "panels", "n": "${n}"}, {"$if": "!log", "a": 1}, {"$if": "log"}]);
        let values = json!({"panels": [{"n": 1}, {"n": 2}], "log": false, "n": 7});
        assert_eq!(made(source, values), Ok(json!([{"n": 1}, {"n": 2}, {"a": 1}])));
    }

    #[test]
    fn a_part_takes_values_and_what_stands_beside_it() {
        let source = json!({"$use": "axis", "$with": {"what": "${unit}"}, "grid": 0});
        assert_eq!(made(source, json!({"unit": "ms"})), Ok(json!({"title": "ms", "grid": 0})));
    }

    #[test]
    fn text_in_values_is_never_a_variable() {
        assert_eq!(made(json!("${name}"), json!({"name": "${wide}"})), Ok(json!("${wide}")));
        assert_eq!(made(json!("a ${name}"), json!({"name": "${wide}"})), Ok(json!("a ${wide}")));
    }
}
