//! One number in two runs.

use airlag_stats::compare;
use schemars::JsonSchema;
use serde::Serialize;

use super::number::Number;

/// One number in two runs: ns, or a share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Difference {
    /// In the first run.
    pub a: Number,
    /// In the second run.
    pub b: Number,
    /// Second minus first.
    pub difference: Number,
    /// The 95 % confidence interval of the difference: low, high. Null where it is not bounded.
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
