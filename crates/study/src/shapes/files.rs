//! Captures as files.

use schemars::JsonSchema;
use serde::Serialize;

use crate::answers::run::Run;
use crate::questions::analyze;
use crate::questions::time_base::PulsePerSecond;

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
    /// Input file.
    pub source: String,
    /// Output file.
    pub target: String,
    /// Channels of the capture.
    pub channels: Vec<Channel>,
    /// The pulse-per-second signal of each input file. Absent unless edge times were converted to the time
    /// base of these pulses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_base: Option<Vec<PulsePerSecond>>,
}

/// A recorded run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Recorded {
    /// The run.
    #[serde(flatten)]
    pub run: analyze::Answer,
    /// The pulse-per-second signal on the channel of `--pps`. Absent without this option.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pps: Option<PulsePerSecond>,
}

/// A report that contains a run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Reported {
    /// Name of the run.
    pub source: String,
    /// Output file.
    pub report: String,
}

/// Latencies of a naive pairing: each trigger with the next completion, however late.
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

/// Summary that a reflector prints when it ends.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Reflected {
    /// Address on which it listened.
    pub target: String,
    /// Number of requests with a response.
    pub answered: u64,
    /// Packets that are not requests.
    pub ignored: u64,
    /// Number of requests or connections rejected because of a limit.
    pub limited: u64,
}
