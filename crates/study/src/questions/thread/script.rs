//! Scripts of a Thread network: a TOML file of `[[step]]` tables, each with `at` and `do`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Step, refused};
use crate::batch::{duration, text};
use crate::error::Error;
use crate::question::Answered;

/// Keys whose values are durations, such as `at = "10s"`.
const DURATIONS: [&str; 3] = ["at", "interval", "timeout"];

/// Text of a script file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ThreadScriptQuestion")]
pub struct Question {
    /// The text, in TOML.
    pub file: String,
}

/// Reads a script.
///
/// # Errors
///
/// [`Error::Plan`] for invalid TOML. [`Error::Thread`] for an invalid step.
pub fn answer(question: &Question) -> Result<Answered<Vec<Step>>, Error> {
    let document = text::read(&question.file)?;
    let table = document.as_object();
    let steps = table.and_then(|table| table.get("step")).and_then(Value::as_array);
    let steps = steps
        .and_then(|steps| steps.iter().map(Value::as_object).collect::<Option<Vec<_>>>())
        .ok_or_else(|| {
            refused("it has no [[step]]; write tables [[step]] with at and do".to_owned())
        })?;
    if let Some(key) = table.into_iter().flatten().map(|(key, _)| key).find(|key| *key != "step") {
        return Err(refused(format!(
            "'{key}' is not part of a script; write only [[step]] tables"
        )));
    }
    let step = |(nth, table): (usize, &Map<String, Value>)| {
        let read = in_ns(table).and_then(|step| {
            serde_json::from_value::<Step>(step).map_err(|cause| cause.to_string())
        });
        read.map_err(|cause| refused(format!("step {}: {cause}", nth + 1)))
    };
    Ok(Answered::plain(steps.into_iter().enumerate().map(step).collect::<Result<_, _>>()?))
}

/// Converts the durations of a step to nanoseconds.
fn in_ns(table: &Map<String, Value>) -> Result<Value, String> {
    let pair = |(key, value): (&String, &Value)| {
        if DURATIONS.contains(&key.as_str()) {
            let typed = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let ns = duration::parse(&typed).map_err(|cause| format!("{key}: {cause}"))?;
            return Ok((format!("{key}_ns"), Value::from(ns)));
        }
        let value = value.as_object().map_or_else(|| Ok(value.clone()), in_ns)?;
        Ok((key.clone(), value))
    };
    table.iter().map(pair).collect::<Result<Map<_, _>, String>>().map(Value::Object)
}

#[cfg(test)]
mod tests {
    use super::super::Action;
    use super::*;

    fn read(file: &str) -> Result<Vec<Step>, String> {
        let answered = answer(&Question { file: file.to_owned() });
        answered.map(|found| found.answer).map_err(|error| error.to_string())
    }

    #[test]
    fn durations_of_steps_have_units() {
        let file = "[[step]]\nat = \"10s\"\ndo.ping = { from = 3, to = 1, interval = \"50ms\" }\n\
                    [[step]]\nat = \"1500ms\"\ndo = \"heal\"\n";
        let steps = read(file).expect("a script");
        let (interval_ns, timeout_ns) = (50_000_000, 3_000_000_000);
        let ping = Action::Ping { from: 3, to: 1, size: 8, count: 1, interval_ns, timeout_ns };
        assert_eq!(steps[0], Step { at_ns: 10_000_000_000, action: ping });
        assert_eq!(steps[1], Step { at_ns: 1_500_000_000, action: Action::Heal });
    }

    #[test]
    fn what_is_no_script_is_refused_with_its_place() {
        let wrong = [
            ("x = 1", "it has no [[step]]"),
            ("step = [1]", "it has no [[step]]"),
            ("x = 1\n[[step]]\nat = \"1s\"\ndo = \"heal\"", "'x' is not part of a script"),
            ("[[step]]\nat = \"10\"\ndo = \"heal\"", "step 1: at: '10' has no unit"),
            ("[[step]]\nat = \"1s\"\ndo = \"sing\"", "step 1: unknown variant `sing`"),
            ("step = = 1", "invalid TOML: line 1"),
        ];
        for (file, cause) in wrong {
            let error = read(file).expect_err(cause);
            assert!(error.contains(cause), "{error}");
        }
    }
}
