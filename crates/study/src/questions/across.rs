//! What runs show only when they are held side by side, such as a timer with a frozen phase.

use airlag_stats::Transfers;
use airlag_stats::findings::run::across_runs;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answers::finding::Finding;
use crate::question::Answered;

/// Asks about the transfers of several runs, which are given beside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AcrossQuestion")]
pub struct Question {}

/// A finding of several runs together.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Across {
    /// Positions of these runs among those that were given.
    pub runs: Vec<usize>,
    /// The finding.
    pub finding: Finding,
}

/// Compares runs that look like one configuration. The others are left alone.
#[must_use]
pub fn answer(runs: &[Transfers]) -> Answered<Vec<Across>> {
    let found = across_runs(&runs.iter().collect::<Vec<_>>());
    let across = |one: airlag_stats::findings::run::Across| Across {
        runs: one.runs,
        finding: one.finding.into(),
    };
    Answered::plain(found.into_iter().map(across).collect())
}
