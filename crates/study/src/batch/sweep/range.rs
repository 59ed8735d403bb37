//! A range of values with a step or a number of points.

use airlag_kinds::registry;
use airlag_rig::parameter::Value as Held;
use rust_decimal::prelude::{FromPrimitive, ToPrimitive};
use rust_decimal::{Decimal, RoundingStrategy};
use serde_json::{Map, Value};

use super::super::duration::{decimal, parts, unit_ns};
use super::super::table::{hint, named, one_of, only, refused, wrong};
use super::axis::texts;
use crate::error::Error;

/// Scales of a range. The first is the default.
const SCALES: [&str; 2] = ["linear", "log"];
/// Largest number in a range, in the unit of its parameter.
const LARGEST: i64 = 1_000_000_000_000_000_000;

/// A range of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// Lower end, in the unit of the parameter.
    pub low: Decimal,
    /// Upper end, in the unit of the parameter.
    pub high: Decimal,
    /// Whether the scale is logarithmic.
    pub log: bool,
    /// Grid of valid values, starting at `low`. `None` means that any value is valid.
    pub step: Option<Decimal>,
    /// Whether the parameter takes only whole numbers.
    pub is_whole: bool,
}

impl Range {
    /// Value at a position from 0 to 1. Values between the ends have six digits.
    #[must_use]
    pub fn at(&self, share: f64) -> String {
        let (low, high) = (self.low.to_f64(), self.high.to_f64());
        let (low, high) = (low.unwrap_or_default(), high.unwrap_or_default());
        let mut value = if share <= 0.0 {
            self.low
        } else if share >= 1.0 {
            self.high
        } else if self.log {
            digits(low * libm::pow(high / low, share))
        } else {
            digits(low + share * (high - low))
        };
        if let Some(step) = self.step {
            let steps = ((value - self.low) / step)
                .round_dp_with_strategy(0, RoundingStrategy::MidpointNearestEven);
            value = self.low + steps.min(self.steps(step)) * step;
        }
        if self.is_whole {
            value = value.round_dp_with_strategy(0, RoundingStrategy::MidpointNearestEven);
        }
        written(value)
    }

    /// Number of steps between the ends.
    #[must_use]
    pub fn steps(&self, step: Decimal) -> Decimal {
        let way = self.high - self.low;
        (way - way % step) / step
    }

    /// Reads a range: `from`, `to`, and optionally `step` and `scale`.
    pub(super) fn read(
        link: &str,
        name: &str,
        given: &Map<String, Value>,
        at: &str,
    ) -> Result<Self, Error> {
        let at = format!("{at}`{}`: ", named(name));
        only(given, &["from", "to", "step", "scale"], &at)?;
        let end = |key: &str| {
            given
                .get(key)
                .ok_or_else(|| refused(format!("{at}a range needs `{key}`; write both ends")))
        };
        let (from, to) = (end("from")?, end("to")?);
        let (unit, is_whole) = measured(link, name, from, &at)?;
        let amount = |value, key| amount(value, &unit, &at, key);
        let (low, high) = (amount(from, "from")?, amount(to, "to")?);
        let scale = given
            .get("scale")
            .map_or(Ok(SCALES[0]), |scale| one_of(scale, &at, "scale", &SCALES))?;
        let log = scale == "log";
        let step = given.get("step").map(|step| amount(step, "step")).transpose()?;
        let why = match step {
            Some(step) if step <= Decimal::ZERO => {
                format!("`step` is {}; write one above 0", written(step))
            }
            Some(_) if log => "`step` does not apply to a log scale; write `points`".to_owned(),
            Some(step) if is_whole && !step.fract().is_zero() => {
                "the parameter takes whole numbers; write a whole `step`".to_owned()
            }
            _ if low > high => {
                format!(
                    "from {} to {} is not ascending; swap the ends",
                    written(low),
                    written(high)
                )
            }
            _ if log && low <= Decimal::ZERO => {
                "a log scale must start above 0; write a larger `from`".to_owned()
            }
            _ => return Ok(Self { low, high, log, step, is_whole }),
        };
        Err(refused(format!("{at}{why}")))
    }
}

/// Rounds a number to six digits.
fn digits(value: f64) -> Decimal {
    let text = format!("{value:.5e}");
    Decimal::from_scientific(&text).ok().or_else(|| Decimal::from_f64(value)).unwrap_or_default()
}

/// Formats a number without exponent and without trailing zeros.
pub(super) fn written(value: Decimal) -> String {
    value.normalize().to_string()
}

/// Unit of a parameter, and whether it takes only whole numbers.
fn measured(link: &str, name: &str, value: &Value, at: &str) -> Result<(String, bool), Error> {
    if name == "size" {
        return Ok(("B".to_owned(), true));
    }
    let mut profile = registry::find(link)?;
    let names: Vec<&str> = profile.kind.parameters().iter().map(|known| known.name).collect();
    if !names.contains(&name) {
        let meant = hint(name, &names);
        return Err(refused(format!("{at}{link}: no parameter `{}`{meant}", named(name))));
    }
    if !profile.constants().any(|one| one.name == name) {
        // The parameter has the common default until it is set. It is therefore set to its first
        // value here.
        let first = texts("from", value, at)?.into_iter().next().unwrap_or_default();
        profile.set(name, &first)?;
    }
    let held = profile.constants().find(|one| one.name == name);
    match held.map(|one| (one.value, one.unit)) {
        Some((Held::Whole(_), unit)) => Ok((unit.to_owned(), true)),
        Some((Held::Real(_), unit)) => Ok((unit.to_owned(), false)),
        _ => Err(refused(format!("{at}takes words as values; list them"))),
    }
}

/// Parses a number in `unit`, or text with another unit of time.
fn amount(value: &Value, unit: &str, at: &str, key: &str) -> Result<Decimal, Error> {
    let named = if unit.is_empty() { "its unit" } else { unit };
    let right = format!("a number in {named}, or text such as \"10{unit}\"");
    let refused = || wrong(at, key, value, &right);
    let (number, typed) = match value {
        Value::Number(number) => (number.to_string(), ""),
        Value::String(text) => {
            let (number, typed) = parts(text).ok_or_else(refused)?;
            (number.to_owned(), typed)
        }
        _ => return Err(refused()),
    };
    let exact = decimal(&number).or_else(|| Decimal::from_scientific(&number).ok());
    let exact = exact.filter(|exact: &Decimal| exact.abs() <= Decimal::from(LARGEST));
    let number = exact.ok_or_else(refused)?;
    if typed.is_empty() || typed == unit {
        return Ok(number);
    }
    let (Some(of), Some(in_)) = (unit_ns(typed), unit_ns(unit)) else { return Err(refused()) };
    let number = number.checked_mul(Decimal::from(of)).ok_or_else(refused)?;
    Ok(number / Decimal::from(in_))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn range(low: i64, high: i64, step: Option<i64>, log: bool) -> Range {
        let hundredths = |value| Decimal::new(value, 2);
        let (low, high, step) = (hundredths(low), hundredths(high), step.map(hundredths));
        Range { low, high, log, step, is_whole: false }
    }

    proptest! {
        #[test]
        fn points_stay_between_their_ends(
            low in 1_i64..100_000, more in 0_i64..100_000_000, share in 0.0..=1.0, log: bool,
        ) {
            let range = range(low, low + more, None, log);
            let value: Decimal = range.at(share).parse().expect("a number");
                        // Rounding to six digits changes a value by at most half a millionth.
            let slack = range.high * Decimal::new(1, 5);
            prop_assert!(range.low - slack <= value && value <= range.high + slack);
        }

        #[test]
        fn a_stepped_point_lies_on_a_step(
            low in -1_000_i64..1_000, step in 1_i64..500, more in 0_i64..10_000, share in 0.0..=1.0,
        ) {
            let range = range(low, low + more, Some(step), false);
            let value: Decimal = range.at(share).parse().expect("a number");
            prop_assert!(range.low <= value && value <= range.high);
            prop_assert!(((value - range.low) % Decimal::new(step, 2)).is_zero());
        }
    }

    #[test]
    fn a_log_range_has_equal_ratios() {
        let range = range(100, 10_000, None, true);
        let values = [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| range.at(share));
        assert_eq!(values, ["1", "3.16228", "10", "31.6228", "100"]);
    }
}
