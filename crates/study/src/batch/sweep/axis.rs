//! An axis of a sweep: one or more parameters with their values by position.
//!
//! Values are computed on demand, so a range of a million values needs no memory.

use std::sync::Arc;

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde_json::Value;

use super::super::table::{once, only, refused, whole, wrong};
use super::design::Over;
use super::plan::Sets;
use super::range::{Range, written};
use crate::error::Error;

/// Largest number of points of a range with `points`. The points are compared with each other.
const MOST_POINTS: u64 = 100_000;

/// An axis of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Axis {
    /// One parameter with listed values.
    Among(String, Vec<String>),
    /// One parameter in equal steps.
    Stepped { name: String, start: Decimal, step: Decimal, many: u64 },
    /// Several parameters at the points of a design. `shares` are positions from 0 to 1, point by point.
    Design { over: Vec<(String, Over)>, many: u64, shares: Arc<Vec<f64>> },
}

impl Axis {
    /// Names of the parameters.
    pub(super) fn names(&self) -> Vec<&str> {
        match self {
            Self::Among(name, _) | Self::Stepped { name, .. } => vec![name],
            Self::Design { over, .. } => over.iter().map(|(name, _)| name.as_str()).collect(),
        }
    }

    /// Number of positions.
    pub(super) fn many(&self) -> u64 {
        match self {
            Self::Among(_, values) => values.len() as u64,
            Self::Stepped { many, .. } | Self::Design { many, .. } => *many,
        }
    }

    /// Settings at a position, counted from 0.
    pub(super) fn at(&self, place: u64) -> Sets {
        match self {
            Self::Among(name, values) => vec![(name.clone(), values[place as usize].clone())],
            Self::Stepped { name, start, step, .. } => {
                vec![(name.clone(), written(start + Decimal::from(place) * step))]
            }
            Self::Design { over, shares, .. } => {
                let first = place as usize * over.len();
                let each = over.iter().zip(&shares[first..]);
                each.map(|((name, of), &share)| (name.clone(), of.at(share))).collect()
            }
        }
    }

    /// Settings that represent the whole axis. If they are valid, all values of the axis are valid.
    pub(super) fn ends(&self) -> Vec<Sets> {
        match self {
            Self::Among(name, values) => {
                values.iter().map(|value| vec![(name.clone(), value.clone())]).collect()
            }
            // If the first, second and last value are valid, all values are valid.
            Self::Stepped { many, .. } => {
                once(vec![0, 1.min(many - 1), many - 1]).into_iter().map(|at| self.at(at)).collect()
            }
            Self::Design { over, .. } => {
                let of = |(name, of): &(String, Over)| {
                    let name = name.clone();
                    of.ends().into_iter().map(move |value| vec![(name.clone(), value)])
                };
                over.iter().flat_map(of).collect()
            }
        }
    }

    /// Reads one value, a list, or a range with `step` or `points`.
    pub(super) fn read(link: &str, name: &str, given: &Value, at: &str) -> Result<Self, Error> {
        let Value::Object(table) = given else {
            return Ok(Self::Among(name.to_owned(), texts(name, given, at)?));
        };
        let place = format!("{at}`{name}`: ");
        only(table, &["from", "to", "step", "points", "scale"], &place)?;
        let points = match (table.get("step"), table.get("points")) {
            (Some(_), None) => None,
            (None, Some(points)) => Some(points),
            _ => {
                let why = "a range needs either `step` or `points`; write one of them";
                return Err(refused(format!("{place}{why}")));
            }
        };
        let mut ends = table.clone();
        ends.shift_remove("points");
        let range = Range::read(link, name, &ends, at)?;
        let name = name.to_owned();
        if let Some(step) = range.step {
            let many = range.steps(step).to_u64().map_or(u64::MAX, |steps| steps + 1);
            return Ok(Self::Stepped { name, start: range.low, step, many });
        }
        let points =
            points.map_or(Ok(2), |points| whole(points, &place, "points", 2, MOST_POINTS))?;
        let values = (0..points).map(|nth| range.at(nth as f64 / (points - 1) as f64));
        let mut values: Vec<String> = values.collect();
        // The values ascend, so equal values are neighbours.
        values.dedup();
        Ok(Self::Among(name, values))
    }
}

/// Distinct values of a list or a single value, as text.
pub(super) fn texts(name: &str, given: &Value, at: &str) -> Result<Vec<String>, Error> {
    let one = std::slice::from_ref(given);
    let values = given.as_array().map_or(one, Vec::as_slice);
    if values.is_empty() {
        let why = "has no values; list at least one";
        return Err(refused(format!("{at}`{name}` {why}")));
    }
    let text = |value: &Value| match value {
        Value::Bool(flag) => Ok(flag.to_string()),
        // All digits, without an exponent.
        Value::Number(number) if number.is_f64() => {
            Ok(number.as_f64().unwrap_or_default().to_string())
        }
        Value::Number(number) => Ok(number.to_string()),
        // An empty text is valid: it means no other transmitters.
        Value::String(text) if text.is_empty() || !text.trim().is_empty() => {
            Ok(text.trim().to_owned())
        }
        _ => Err(wrong(at, name, value, "a number, a text, true or false")),
    };
    Ok(once(values.iter().map(text).collect::<Result<Vec<_>, _>>()?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_step_is_as_far_as_the_next(
            start in -1_000_000_i64..1_000_000, step in 1_i64..10_000, many in 1_u64..1_000_000_000,
            place in 0.0..1.0,
        ) {
            let (start, step) = (Decimal::new(start, 2), Decimal::new(step, 2));
            let axis = Axis::Stepped { name: "x".to_owned(), start, step, many };
            let place = (place * many as f64) as u64;
            let value: Decimal = axis.at(place)[0].1.parse().expect("a number");
            prop_assert_eq!(value, start + Decimal::from(place) * step);
        }
    }

    #[test]
    fn a_number_is_written_without_an_exponent() {
        let given = serde_json::json!([30.0, 0.00001, 7, true, " 1M ", 30, ""]);
        let values = texts("x", &given, "").expect("good");
        assert_eq!(values, ["30", "0.00001", "7", "true", "1M", ""]);
    }
}
