//! Runs of a campaign.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::answers::latency::Latency;
use crate::answers::run::VirtualRun;

/// Program of the boards in a campaign.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Program {
    /// A message at each trigger.
    Trigger,
    /// A message that comes back.
    Echo,
    /// Trains of messages.
    BackToBack,
    /// Messages without a pause.
    Goodput,
    /// Messages at an offered load.
    Load,
}

/// Position of a point on the horizontal axis.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum At {
    /// A number.
    Number(f64),
    /// A category.
    Text(String),
}

/// One run of a campaign that answers a question: a point of a line.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "CampaignPoint")]
pub struct Point {
    /// Link profile.
    pub link: String,
    /// Payload, bytes; null where there is no message.
    pub size: Option<u64>,
    /// Random seed.
    pub seed: u64,
    /// Constants that were set, as given.
    pub settings: BTreeMap<String, String>,
    /// Program of the boards.
    pub traffic: Program,
    /// Line of the chart.
    pub series: String,
    /// Quantity of the horizontal axis.
    pub x: String,
    /// Position of the point on it, in its unit; times in ns.
    pub at: At,
    /// Messages with a known outcome.
    pub sent: u64,
    /// Messages of these that did not arrive.
    pub lost: u64,
    /// Latency; null where nothing arrived, and for traffic without a latency.
    pub latency_ns: Option<Latency>,
    /// Time from one arrival to the next with saturated traffic; else null.
    pub gap_ns: Option<Latency>,
    /// Time from the first message of a train to the last arrival; else null.
    pub completion_ns: Option<Latency>,
    /// Mean position of the lost messages in their train, from 0 to 1; null where none was lost.
    pub lost_position: Option<f64>,
    /// User data that arrived, kbit/s; null where triggers space the messages.
    pub goodput_kbps: Option<f64>,
    /// Counts of named events.
    pub incidents: BTreeMap<String, u64>,
}

/// One run of a campaign, with known results of the real link.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CampaignRun {
    /// The run.
    #[serde(flatten)]
    pub run: VirtualRun,
    /// Published median of the profile as it is, ns.
    pub published_ns: Option<u64>,
    /// Its article and section.
    pub published_from: Option<String>,
    /// Latency of the capture, where it is available.
    pub captured_ns: Option<Latency>,
    /// Latency of the bench at the trigger times of the capture.
    pub matched_ns: Option<Latency>,
    /// Lower bound of the latency of any program on the link, ns.
    pub floor_ns: Option<u64>,
}

/// One entry of a campaign.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Campaign {
    /// A run.
    Run(Box<CampaignRun>),
    /// A point of a line.
    Point(Box<Point>),
}
