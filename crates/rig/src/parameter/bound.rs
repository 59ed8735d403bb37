//! Between which ends a constant may lie.

use serde::Deserialize;

use super::{Known, Value};

/// The ends between which a constant may lie while the others stay as they are, in its unit: what a
/// capture leaves of it, or what cannot be otherwise.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "[Value; 2]")]
pub struct Bound {
    /// No less than this.
    pub low: Value,
    /// No more than this.
    pub high: Value,
}

impl From<[Value; 2]> for Bound {
    fn from([low, high]: [Value; 2]) -> Self {
        Self { low, high }
    }
}

impl Bound {
    /// What is wrong with it as the bound of `value`, a parameter that is `known`, in words.
    pub(crate) fn check(&self, known: &Known, value: &Value) -> Result<(), String> {
        let number = |value: &Value| value.number().ok_or("`bound` is of a number");
        let [low, at, high] = [number(&self.low)?, number(value)?, number(&self.high)?];
        if ![&self.low, &self.high].into_iter().all(|end| known.admits(end)) {
            return Err(format!("`bound` has to stay within what `{}` may be", known.name));
        }
        if low <= at && at <= high {
            return Ok(());
        }
        Err(format!("`bound` has to hold the value {value}, but goes from {self}"))
    }
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} to {}", self.low, self.high)
    }
}
