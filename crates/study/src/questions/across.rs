//! Findings that need several runs, such as a timer with a frozen phase.

use airlag_stats::Transfers;
use airlag_stats::findings::run::across_runs;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answers::finding::Finding;
use crate::question::Answered;

/// Request for findings from several runs together. The transfers are passed separately.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AcrossQuestion")]
pub struct Question {}

/// A finding from several runs together.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Across {
    /// Indices of the runs with this finding among the given runs.
    pub runs: Vec<usize>,
    /// The finding.
    pub finding: Finding,
}

/// Compares the runs of each configuration. Runs that share their configuration with no other run
/// are ignored.
#[must_use]
pub fn answer(runs: &[Transfers]) -> Answered<Vec<Across>> {
    let found = across_runs(&runs.iter().collect::<Vec<_>>());
    let across = |one: airlag_stats::findings::run::Across| Across {
        runs: one.runs,
        finding: one.finding.into(),
    };
    Answered::plain(found.into_iter().map(across).collect())
}
