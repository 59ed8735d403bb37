//! A value in two runs, and the difference.

use airlag_stats::compare;
use schemars::JsonSchema;
use serde::Serialize;

use super::number::Number;

/// A value in two runs, in ns or as a share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Difference {
    /// Value in the first run.
    pub a: Number,
    /// Value in the second run.
    pub b: Number,
    /// Second minus first.
    pub difference: Number,
    /// The 95 % confidence interval of the difference: low, high. An unbounded side is null.
    pub interval95: [Option<f64>; 2],
}

impl From<&compare::Difference> for Difference {
    fn from(found: &compare::Difference) -> Self {
        Self {
            a: Number(found.a),
            b: Number(found.b),
            difference: Number(found.change.value),
            interval95: [found.change.low, found.change.high],
        }
    }
}
