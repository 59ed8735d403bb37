//! Check of the metadata of a saved run. The metadata is JSON that other programs may have written
//! or damaged, so types and ranges are checked before use. [`airlag_trace::saved_run`] checks the
//! edges.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::answers::causes::Causes;
use crate::answers::places::Stand;
use crate::answers::traffic::{Phase, Traffic, Way};

/// Largest depth of an informative entry.
const DEEPEST: usize = 8;
/// Largest distance of an instant from 0, ns.
const FARTHEST_NS: i64 = 1 << 62;
/// Phase of a run at the trigger times of a capture.
const CAPTURED: &str = "captured";

/// Predicate on a value.
type Check = fn(&Value) -> bool;

/// Entries of a run: key, description of valid values, check.
const RUN: [(&str, &str, Check); 5] = [
    ("source", "a text", is::<String>),
    ("link", "a text or null", is::<Option<String>>),
    ("size", "a whole number from 0 to 2147483648, or null", |size| {
        or_null(size, |of| whole(of, 1 << 31))
    }),
    ("seed", "a whole number of 64 bits, or null", is::<Option<u64>>),
    ("config", "a table", Value::is_object),
];

/// Entries of its configuration that are read again. Other entries are informative.
const CONFIG: [(&str, &str, Check); 21] = [
    ("trigger", "a text or null", is::<Option<String>>),
    ("completion", "a text or null", is::<Option<String>>),
    ("invert", "a list of texts", is::<Vec<String>>),
    ("min_low_ns", "a whole number from 0 to 9223372036854775807", duration),
    ("overlap_ns", "a whole number from 0 to 9223372036854775807, or null", |ns| {
        or_null(ns, duration)
    }),
    ("column", "a text or null", is::<Option<String>>),
    ("unit", "a text or null", is::<Option<String>>),
    ("count", "a whole number from 0 to 1099511627776", |count| whole(count, 1 << 40)),
    ("period_ns", "a whole number from 1 to 10000000000000", |ns| {
        whole(ns, 10_u64.pow(13)) && *ns != 0
    }),
    ("phase", "uniform, frozen, aligned or captured", |phase| {
        is::<Phase>(phase) || phase == CAPTURED
    }),
    ("offset_ns", "a whole number from 0 to 10000000000000", |ns| whole(ns, 10_u64.pow(13))),
    ("settings", "a table of texts", is::<BTreeMap<String, String>>),
    ("service_ns", "a whole number from 0 to 9223372036854775807, or null", |ns| {
        or_null(ns, duration)
    }),
    ("traffic", "a kind of traffic", is::<Traffic>),
    ("way", "there or back", is::<Way>),
    ("speed", "a text", is::<String>),
    ("late_ns", "a table of durations", durations),
    ("incidents", "a table of counts", durations),
    ("counters", "tables of counts", |ends| {
        ends.as_object().is_some_and(|ends| ends.values().all(durations))
    }),
    ("causes", "a table of causes", is::<Causes>),
    ("apart", "a distance between radios, with ascending locations", apart),
];

/// Checks the metadata of a saved run.
///
/// # Errors
///
/// A phrase that names the invalid entry and describes valid values.
pub fn check(metadata: &str) -> Result<(), String> {
    let read: Value =
        serde_json::from_str(metadata).map_err(|_| "not JSON as airlag writes it".to_owned())?;
    let run = read.as_object().ok_or("not a table; expected the table of a run")?;
    for (name, right, check) in RUN {
        let value = run.get(name).ok_or_else(|| format!("`{name}` is missing"))?;
        held(name, value, right, check)?;
    }
    let version = run.get("airlag").unwrap_or(&Value::Null);
    held("airlag", version, "a text or null", is::<Option<String>>)?;
    run.get("config").and_then(Value::as_object).map_or(Ok(()), config)
}

fn config(entries: &Map<String, Value>) -> Result<(), String> {
    for (name, value) in entries {
        let key = format!("config.{name}");
        if let Some((_, right, check)) = CONFIG.iter().find(|(known, ..)| known == name) {
            held(&key, value, right, *check)?;
        } else if name == "matched" {
            held(
                &key,
                value,
                "a table of completions, outcomes and spurious completions",
                matched,
            )?;
        } else {
            let right = "at most 8 levels deep, with numbers of 64 bits";
            held(&key, value, right, |value| shallow(value, 0))?;
        }
    }
    Ok(())
}

fn held(key: &str, value: &Value, right: &str, check: Check) -> Result<(), String> {
    if check(value) { Ok(()) } else { Err(format!("`{key}` is not {right}")) }
}

fn is<T: DeserializeOwned>(value: &Value) -> bool {
    T::deserialize(value).is_ok()
}

fn or_null(value: &Value, check: Check) -> bool {
    value.is_null() || check(value)
}

fn whole(value: &Value, most: u64) -> bool {
    value.as_u64().is_some_and(|number| number <= most)
}

fn duration(value: &Value) -> bool {
    whole(value, i64::MAX as u64)
}

fn durations(value: &Value) -> bool {
    value.as_object().is_some_and(|table| table.values().all(duration))
}

fn instant(value: &Value) -> bool {
    value.as_i64().is_some_and(|ns| (-FARTHEST_NS..=FARTHEST_NS).contains(&ns))
}

fn apart(value: &Value) -> bool {
    Stand::deserialize(value).is_ok_and(|stand| {
        let instants = &stand.places_ns;
        instants.is_sorted_by(|one, other| one < other)
            && instants.iter().all(|ns| (-FARTHEST_NS..=FARTHEST_NS).contains(ns))
    })
}

/// Checks transfers that are stored in addition to edges: completion and outcome of each trigger.
fn matched(value: &Value) -> bool {
    let all = |name: &str, check: Check| {
        value.get(name).and_then(Value::as_array).is_some_and(|list| list.iter().all(check))
    };
    all("completion_ns", |at| or_null(at, instant))
        && all("outcome", |code| whole(code, 3))
        && all("spurious_ns", instant)
}

/// Whether a value has a limited depth, and no number beyond 64 bits.
fn shallow(value: &Value, deep: usize) -> bool {
    deep <= DEEPEST
        && match value {
            Value::Array(list) => list.iter().all(|each| shallow(each, deep + 1)),
            Value::Object(table) => table.values().all(|each| shallow(each, deep + 1)),
            Value::Number(number) => number.as_f64().is_some_and(|of| of.abs() < 2_f64.powi(64)),
            _ => true,
        }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn why(spoil: impl FnOnce(&mut Value)) -> Option<String> {
        let mut run = json!({
            "source": "a.csv", "link": null, "size": 12, "seed": u64::MAX, "airlag": "1.0",
            "config": {
                "trigger": "0", "invert": [], "min_low_ns": 1000, "overlap_ns": null, "phase": "captured",
                "counters": {"sender": {"sent": 60, "lost": 0}},
                "note": {"any": [1, 2.5, "text", null]},
                "apart": {"range_m": 10.0, "environment": "office", "shadowing_db": 4.0,
                    "fade_margin_db": null, "places_ns": [0, 5]},
                "matched": {"completion_ns": [null, 7], "outcome": [1, 0], "spurious_ns": []},
            },
        });
        spoil(&mut run);
        check(&run.to_string()).err()
    }

    #[test]
    fn what_airlag_writes_is_admitted() {
        assert_eq!(why(|_| ()), None);
    }

    #[test]
    fn an_entry_of_another_type_or_range_is_named() {
        let spoiled = [
            ("size", json!(-1)),
            ("seed", json!(1e30)),
            ("config.min_low_ns", json!(1e30)),
            ("config.overlap_ns", json!(-1)),
            ("config.phase", json!("new")),
            ("config.note", json!([[[[[[[[[[]]]]]]]]]])),
            ("config.note", json!(1e20)),
            ("config.counters", json!({"sender": {"sent": -1}})),
            ("config.apart", json!({"range_m": 1.0})),
            (
                "config.matched",
                json!({"completion_ns": [i64::MIN], "outcome": [], "spurious_ns": []}),
            ),
            ("config.matched", json!({"completion_ns": [], "outcome": [4], "spurious_ns": []})),
        ];
        for (key, value) in spoiled {
            let pointer = format!("/{}", key.replace('.', "/"));
            let found = why(|run| {
                if let Some(entry) = run.pointer_mut(&pointer) {
                    *entry = value.clone();
                }
            });
            assert!(found.is_some_and(|why| why.starts_with(&format!("`{key}` is not "))), "{key}");
        }
    }

    #[test]
    fn locations_that_do_not_ascend_and_what_is_missing_are_refused() {
        assert!(why(|run| run["config"]["apart"]["places_ns"] = json!([5, 5])).is_some());
        let lacking = |run: &mut Value| drop(run.as_object_mut().map(|run| run.remove("source")));
        assert_eq!(why(lacking).as_deref(), Some("`source` is missing"));
        assert!(
            check("{").is_err()
                && check("[1]").is_err()
                && check("{\"source\": \"\\ud800\"}").is_err()
        );
    }
}
