//! Runs of a campaign.

use schemars::JsonSchema;
use serde::Serialize;

use crate::answers::latency::Latency;
use crate::answers::run::VirtualRun;
use crate::batch::campaign::Point;

/// One run of a campaign, with known results of the real link.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CampaignRun {
    /// The run.
    #[serde(flatten)]
    pub run: VirtualRun,
    /// Published median latency of the unchanged profile, ns. Null without a published median.
    pub published_ns: Option<u64>,
    /// Document and section of the published median. Null without a published median.
    pub published_from: Option<String>,
    /// Latency of the capture of this link. Null without a capture.
    pub captured_ns: Option<Latency>,
    /// Latency of the virtual bench at the trigger times of the capture. Null without a capture.
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
