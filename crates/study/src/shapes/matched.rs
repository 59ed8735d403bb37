//! Captures with the outcome of a match.

use schemars::JsonSchema;
use serde::Serialize;

use crate::answers::run::Transfers;
use crate::questions::matching::{Candidate, Explained, Unexplained};

/// A capture compared with one link profile.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MatchedCapture {
    /// File name of the capture.
    pub source: String,
    /// The capture.
    #[serde(flatten)]
    pub capture: Transfers,
    /// The profile.
    #[serde(flatten)]
    pub candidate: Candidate,
}

/// A capture with the profile that explains it best.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExplainedCapture {
    /// File name of the capture.
    pub source: String,
    /// The capture.
    #[serde(flatten)]
    pub capture: Transfers,
    /// The ranking.
    #[serde(flatten)]
    pub ranking: Explained,
}

/// A capture that no profile explains.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UnexplainedCapture {
    /// File name of the capture.
    pub source: String,
    /// The capture.
    #[serde(flatten)]
    pub capture: Transfers,
    /// Payload, bytes. Null if unknown.
    pub size: Option<u64>,
    /// Changed profile parameters of a saved virtual run: value by name. Absent for captures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settings: Option<std::collections::BTreeMap<String, String>>,
    /// The ranking.
    #[serde(flatten)]
    pub ranking: Unexplained,
}

/// A capture with the outcome of a match.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Matched {
    /// Compared with one link profile.
    One(Box<MatchedCapture>),
    /// Compared with several profiles, one of which explains it.
    Explained(Box<ExplainedCapture>),
    /// Compared with several profiles, none of which explains it.
    Unexplained(Box<UnexplainedCapture>),
}
