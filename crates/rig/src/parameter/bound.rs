//! Bounds of a constant.

use serde::Deserialize;

use super::{Known, Value};

/// Range of a constant while all other constants stay fixed, in its unit: the values that a capture
/// allows, or that are physically possible.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "[Value; 2]")]
pub struct Bound {
    /// Lower limit.
    pub low: Value,
    /// Upper limit.
    pub high: Value,
}

impl From<[Value; 2]> for Bound {
    fn from([low, high]: [Value; 2]) -> Self {
        Self { low, high }
    }
}

impl Bound {
    /// Checks the bound against `value` and the declaration `known`.
    pub(crate) fn check(&self, known: &Known, value: &Value) -> Result<(), String> {
        let number = |value: &Value| value.number().ok_or("`bound` applies to numbers only");
        let [low, at, high] = [number(&self.low)?, number(value)?, number(&self.high)?];
        if ![&self.low, &self.high].into_iter().all(|end| known.admits(end)) {
            return Err(format!("`bound` must stay within the range of `{}`", known.name));
        }
        if low <= at && at <= high {
            return Ok(());
        }
        Err(format!("`bound` must include the value {value}, but is {self}"))
    }
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} to {}", self.low, self.high)
    }
}
