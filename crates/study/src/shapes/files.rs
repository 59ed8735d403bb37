//! Captures as files.

use schemars::JsonSchema;
use serde::Serialize;

use crate::answers::run::Run;

/// One channel of a converted capture.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Channel {
    /// Name of the channel.
    pub name: String,
    /// Number of edges.
    pub edges: u64,
}

/// A capture in another format.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Converted {
    /// The file that was read.
    pub source: String,
    /// The file that was written.
    pub target: String,
    /// Its channels.
    pub channels: Vec<Channel>,
}

/// A report of a run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Reported {
    /// The run.
    pub source: String,
    /// The file that was written.
    pub report: String,
}

/// Latencies by a pairing that takes the next completion, however late.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Naive {
    /// Number of transfers.
    pub transfers: u64,
    /// Median, ns.
    pub p50: f64,
    /// Maximum, ns.
    pub max: i64,
}

/// One capture of the demonstration, paired in two ways.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LessonRun {
    /// The run.
    #[serde(flatten)]
    pub run: Run,
    /// The naive pairing.
    pub naive: Naive,
}

/// What a reflector did until it was ended.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Reflected {
    /// Where it listened.
    pub target: String,
    /// Questions answered.
    pub answered: u64,
    /// Packets that are no question.
    pub ignored: u64,
    /// Questions, or connections, beyond a limit.
    pub limited: u64,
}
