//! Findings.

use airlag_stats::findings::{self, Name, Value};
use schemars::JsonSchema;
use serde::Serialize;

use super::number::Ordered;
use super::words::words;

words! {
    /// Name of a finding.
    FindingName: Name::ALL.map(Name::as_str).to_vec();
}

/// One finding of a run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Finding {
    /// Name of the finding.
    pub name: FindingName,
    /// Values on which the finding is based. Each key ends in its unit.
    pub evidence: Ordered<Evidence>,
    /// Description of the problem.
    #[schemars(length(min = 1))]
    pub message: String,
    /// Recommended action.
    #[schemars(length(min = 1))]
    pub advice: String,
}

/// A value on which a finding is based.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum Evidence {
    /// A count, an index, or nanoseconds.
    Int(i64),
    /// A statistic.
    Float(f64),
    /// Indices or nanoseconds.
    List(Vec<i64>),
}

impl From<findings::Finding> for Finding {
    fn from(found: findings::Finding) -> Self {
        let value = |value| match value {
            Value::Int(value) => Evidence::Int(value),
            Value::Float(value) => Evidence::Float(value),
            Value::List(values) => Evidence::List(values),
        };
        let findings::Finding { name, evidence, message, advice } = found;
        let evidence = Ordered(evidence.into_iter().map(|(key, one)| (key, value(one))).collect());
        Self { name: FindingName(name.as_str()), evidence, message, advice }
    }
}

/// Converts findings to their documented form.
#[must_use]
pub fn list(found: Vec<findings::Finding>) -> Vec<Finding> {
    found.into_iter().map(Finding::from).collect()
}
